"""Attempts at the adversarial game in, what a generator can learn from them out: preferences, and attempts that passed.

A judge can be deceived, and a generator that learns from it learns that, too: an attempt that loses or invents a fact
is no example to follow, whatever it earned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np

from paraloom.pairs.adversarial_options import LessonOptions
from paraloom.pairs.generate import breach_of
from paraloom.pairs.generate_options import GenerateOptions


class Judged(Protocol):
    """An attempt, whoever made it, and what it earned."""

    @property
    def source(self) -> str: ...
    @property
    def attempt(self) -> str: ...
    @property
    def is_mutual(self) -> bool: ...
    @property
    def reward(self) -> float: ...
    @property
    def passes(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Two attempts at one source, of which one earned more."""

    source: str
    better: str
    worse: str
    gap: float
    """How much more."""


def preferences_of(attempts: Iterable[Judged], options: LessonOptions = LessonOptions()) -> list[Preference]:
    """For each source its best attempts, each over one that earned less: in turns, from source to source, one that says
    something else and one that says it in much the same words.

    There are these two ways to fail. Who is shown the first alone learns to stay close to the source. Every attempt is
    in one preference at most, and those that earn the same are in none.
    """
    found: list[Preference] = []
    alike_next = False
    for source, some in _by_source(attempts).items():
        ranked = sorted(some, key=lambda one: -one.reward)
        worst = ranked[::-1]
        not_implied = [one for one in worst if not one.is_mutual]
        too_alike = [one for one in worst if one.is_mutual and not one.passes]
        passed = [one for one in worst if one.passes]
        used: set[str] = set()
        for better in ranked:
            if len(used) == 2 * options.lessons_a_source or better.reward <= 0:
                break
            if better.attempt in used or not _is_followed(better, options):
                continue
            kinds = (too_alike, not_implied, passed) if alike_next else (not_implied, too_alike, passed)
            worse = _first_worse(better, chain.from_iterable(kinds), used, options.least_gap)
            if worse is None:
                break  # whatever follows earned less still
            used |= {better.attempt, worse.attempt}
            alike_next = not worse.is_mutual
            gap = round(better.reward - worse.reward, 6)
            found.append(Preference(source=source, better=better.attempt, worse=worse.attempt, gap=gap))
    return found


def _first_worse(better: Judged, others: Iterable[Judged], used: set[str], least_gap: float) -> Judged | None:
    """The first that earned so much less and stands in no preference yet."""
    return next((one for one in others if one.attempt not in used and better.reward - one.reward >= least_gap), None)


def passing_pairs(attempts: Iterable[Judged], options: LessonOptions = LessonOptions()) -> list[tuple[str, str]]:
    """For each source the attempts that passed and keep its facts, the highest rewards first."""
    found: list[tuple[str, str]] = []
    for source, some in _by_source(attempts).items():
        passed = [one for one in some if one.passes and _is_followed(one, options)]
        passed.sort(key=lambda one: -one.reward)
        found += [(source, one.attempt) for one in passed[: options.lessons_a_source]]
    return found


def parted(sources: Iterable[str], share: float, seed: int) -> tuple[frozenset[str], frozenset[str]]:
    """Sources to learn from and sources to choose by: at least one of each where there are two.

    >>> learned, held_out = parted(["a", "b", "c", "d"], 0.25, seed=1)
    >>> len(learned), len(held_out)
    (3, 1)
    """
    names = sorted(set(sources))
    drawn = [names[place] for place in np.random.default_rng(seed).permutation(len(names))]
    count = min(max(round(share * len(names)), 1), max(len(names) - 1, 0))
    return frozenset(drawn[count:]), frozenset(drawn[:count])


def _by_source(attempts: Iterable[Judged]) -> dict[str, list[Judged]]:
    """The attempts at each source, those with the same text once: the first time it was made."""
    found: dict[str, dict[str, Judged]] = {}
    for one in attempts:
        found.setdefault(one.source, {}).setdefault(one.attempt, one)
    return {source: list(some.values()) for source, some in found.items()}


def _is_followed(one: Judged, options: LessonOptions) -> bool:
    return breach_of(one.source, one.attempt, _kept(options.keep)) is None


def _kept(keep: Sequence[str]) -> tuple[str, ...]:
    return GenerateOptions(keep=tuple(keep)).kept
