"""What a sentence must be to be worth pairing. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceOptions:
    """What a sentence must be to be worth pairing."""

    min_tokens: int = 5
    """Shorter sentences are left out as `too_short`."""
    max_tokens: int = 100
    """Longer ones are left out as `too_long`."""
    languages: tuple[str, ...] = ()
    """Two-letter codes to keep, such as `en es`; empty: all. A group keeps the language most of its posts are in."""
    detect_language: Literal["missing", "always", "never"] = "missing"
    """Detect the language of posts that do not say it, of all posts, or of none (trusting what they say)."""
    title_likeness: float = 90.0
    """A sentence at least this like its page's title or description (0–100) is left out as a copy of it."""
    keep_retweets: bool = False
    """Keep copies of the origin and of the page's title and description."""
    keep_spam: bool = False
    """Keep sentences that look like spam."""
