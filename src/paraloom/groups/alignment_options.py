"""How documents are aligned with each other. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Band(NamedTuple):
    """Documents whose likeness lies in it are worth reading side by side."""

    low: float
    """Below it they tell different things."""
    high: float
    """Above it they are the same text."""


BANDS: Mapping[str, Band] = {
    "subtitle": Band(0.3, 0.9),
    "translation": Band(0.2, 0.95),
    "essay": Band(0.15, 0.9),
    "thread": Band(0.15, 0.8),
    "article": Band(0.2, 0.8),
}
"""By kind of document; `--grid` shows what lies in which, for a person to choose others."""

PAIRS_PER_WORK: Mapping[str, int] = {"subtitle": 1, "translation": 3, "essay": 10, "thread": 10}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentOptions:
    """Which documents are put side by side."""

    least_alike: float | None = None
    """Documents less alike than this tell different things; likeness is the cosine of their character n-grams. By
    default 0.3 for subtitles, 0.2 for articles and translations, 0.15 for threads and essays."""
    most_alike: float | None = None
    """Documents more alike than this are the same text. By default 0.9 for subtitles and essays, 0.95 for translations,
    0.8 for articles and threads."""
    window_days: float = 7.0
    """Articles are compared with those published at most so many days before or after; 0: with all."""
    different_sources: bool = False
    """Compare only articles of different sources, such as two newspapers."""
    pairs_per_work: int | None = None
    """At most so many pairs of versions of one work. By default 1 of a film, 3 of a text that was translated, 10 of an
    exercise or a thread."""
    works_per_series: int = 10
    """At most so many works of one series, such as episodes; which ones is drawn by `--alignment-seed`."""
    versions_per_work: int = 200
    """Of a work with more versions than this, so many are looked at."""
    heading_most_alike: float = 0.5
    """Headings of two articles are a pair if they are at most so alike, however alike the articles are."""
    shortest_gram: int = 4
    """Likeness is of the n-grams of this many characters …"""
    longest_gram: int = 5
    """… to this many."""
    alignment_seed: int = 1

    def band(self, kind: str) -> Band:
        """In which likeness two documents of this kind are a pair."""
        usual = BANDS[kind]
        return Band(
            usual.low if self.least_alike is None else self.least_alike,
            usual.high if self.most_alike is None else self.most_alike,
        )

    def most_pairs(self, kind: str) -> int:
        """How many pairs one work may give."""
        return PAIRS_PER_WORK[kind] if self.pairs_per_work is None else self.pairs_per_work
