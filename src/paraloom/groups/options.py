"""How documents are grouped. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOptions:
    """What holds a group together, how large it may be, and which topics it may be about."""

    by: tuple[Literal["url", "trend", "entity-date"], ...] = ("url",)
    """Group posts that share a link (`url`), posts of one trend (`trend`), posts that name the same on the same day
    (`entity-date`), or several of these."""
    hashtags: bool = True
    """Posts without a trend of their own belong to the trends their hashtags name."""
    min_posts: int = 2
    """Groups with fewer posts are left out as `too_small`."""
    max_posts: int = 5000
    """Groups with more posts are left out as `too_large`: such a link is a home page or an advertisement."""
    accounts: Path | None = None
    """File with one account a line: a post of theirs is its group's origin. By default the earliest post is."""
    topics: Path | None = None
    """TOML file that maps parts of URLs, or trends, to topics, before the built-in sections are tried."""
    balance: float | None = None
    """Largest share of the groups that one topic may have, such as 0.25; others are left out as `topic_balance`."""
    seed: int = 1
    """Decides which groups of a too common topic stay."""
