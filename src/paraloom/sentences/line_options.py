"""Which texts of files are sentences to be mined. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOptions:
    """Which texts of files are sentences to be mined, and which of them are left out."""

    columns: tuple[str, ...] = ()
    """Where sentences are in a table: `text=headline`, or `left=a right=b`, by name or number from 1; without it
    `text`, `sentence`, or both sides of a pair. `id=COLUMN` is kept as `native_id`."""
    format: Literal["auto", "text", "tsv", "csv", "jsonl"] = "auto"
    """What all files are taken for; `auto`: what their endings say, or else what they look like. `text`: a sentence a
    line."""
    min_characters: int = 1
    """Shorter texts are left out as `too_short`."""
    max_characters: int = 1000
    """Longer texts are left out as `too_long`; of their text so much is kept."""
    ignore_punctuation: bool = False
    """Texts that differ in punctuation alone are copies of one sentence, as those are that differ in case or white
    space."""
