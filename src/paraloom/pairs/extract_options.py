"""Which stretches of two aligned documents are suggested. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InOrder = Literal["by kind", "always", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """Which stretches of two aligned documents are suggested as saying the same."""

    in_order: InOrder = "by kind"
    """Take both documents to say things in the same order: subtitles and translations (by kind), all, or none."""
    min_score: float = 0.2
    """Suggestions with a smaller chance that a person would mark them are left out as `low_score`."""
    min_words: int = 2
    """Suggestions with fewer words on either side are left out as `too_short`."""
    max_words: int = 100
    """Those with more words on either side are left out as `too_long`."""
    keep_trivial: bool = False
    """Keep suggestions whose sides differ in nothing, in word order or in inflection only."""
    embedder: str = ""
    """An encoder (name or folder, see `paraloom models list`) to compare meanings with; empty: letters alone."""
