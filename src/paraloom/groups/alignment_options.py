"""How documents are aligned with each other. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from paraloom.errors import InputError


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

SHORTEST_WINDOW, LONGEST_WINDOW = 0.001, 100_000
"""Days."""

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
    heading_most_alike: float = 0.8
    """Headings of two articles are a pair if they are at most so alike, however alike the articles are."""
    shortest_gram: int = 4
    """Likeness is of the n-grams of this many characters …"""
    longest_gram: int = 5
    """… to this many."""
    alignment_seed: int = 1
    """Decides which works of a series are kept."""

    def __post_init__(self) -> None:
        for name, value in (("least-alike", self.least_alike), ("most-alike", self.most_alike)):
            if value is not None and not 0 <= value < float("inf"):
                raise InputError(f"--{name} is {value}. Give a likeness from 0 (nothing in common) to 1 (the same).")
        if self.least_alike is not None and self.most_alike is not None and self.least_alike >= self.most_alike:
            raise InputError(
                f"No two documents can be at least {self.least_alike} and at most {self.most_alike} alike. Change "
                "--least-alike or --most-alike."
            )
        if not 0 <= self.heading_most_alike < float("inf"):
            raise InputError(f"--heading-most-alike is {self.heading_most_alike}. Give a likeness from 0 to 1.")
        if self.window_days != 0 and not SHORTEST_WINDOW <= self.window_days < LONGEST_WINDOW:
            raise InputError(f"--window-days is {self.window_days}; give a number of days, or 0 for no window.")
        if not 1 <= self.shortest_gram <= self.longest_gram:
            raise InputError(
                f"There are no n-grams from {self.shortest_gram} to {self.longest_gram} characters. Change "
                "--shortest-gram or --longest-gram."
            )
        for name in ("pairs_per_work", "works_per_series", "versions_per_work"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"--{name.replace('_', '-')} is {value}, but must be at least 1.")

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
