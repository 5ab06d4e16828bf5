"""Games, attempts that others made, and pairs in; lessons to learn and lessons to choose by out.

A source is in one of the two alone, and in none where a test has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from paraloom.corpus.known.division import split_by_group
from paraloom.corpus.known.groups import group_pairs
from paraloom.corpus.known.pairs import KnownPairs
from paraloom.errors import InputError
from paraloom.models.implication import load
from paraloom.pairs.adversarial_lessons import Judged, parted, passing_pairs, preferences_of
from paraloom.pairs.adversarial_options import LessonOptions
from paraloom.workflows.generate.adversarial_attempts import read_attempts
from paraloom.workflows.train.generator_seen import Seen
from paraloom.workflows.train.training_files import read_training_file

Lesson = tuple[str, ...]
"""A source and its texts."""

Parts = tuple[list[Lesson], list[Lesson]]


def read_preferences(given: Sequence[str], lessons: LessonOptions, seed: int, seen: Seen = Seen()) -> Parts:
    """A source, the better attempt, the worse one."""
    found = preferences_of(_attempts(given, seen), lessons)
    said: list[Lesson] = [(one.source, one.better, one.worse) for one in found]
    return _by_source(said, lessons, seed, "No attempt earned enough more than another one")


def read_passing(given: Sequence[str], lessons: LessonOptions, seed: int, seen: Seen = Seen()) -> Parts:
    """A source, an attempt at it that passed."""
    found: list[Lesson] = list(passing_pairs(_attempts(given, seen), lessons))
    return _by_source(found, lessons, seed, "No attempt passed that keeps what it must")


def read_pairs(given: Sequence[str], lessons: LessonOptions, seed: int, seen: Seen = Seen()) -> Parts:
    """Pairs that are paraphrases, those that share a text together, be it in another file."""
    left: list[str] = []
    right: list[str] = []
    groups: list[str | None] = []
    for number, file in enumerate(given):
        pairs, _ = read_training_file(Path(file), "strict", {}, unlabelled=True)
        unseen = np.array([not seen.has(pair) for pair in zip(pairs.left, pairs.right, strict=True)], bool)
        pairs = pairs.chosen(np.flatnonzero((pairs.targets > 0.5) & unseen))
        left += pairs.left
        right += pairs.right
        groups += [f"{number}:{group}" if group and number else group or None for group in pairs.groups]
    together = group_pairs(left, right, groups)
    shares = {"learned": 1 - lessons.held_out_share, "held out": lessons.held_out_share}
    parts = split_by_group(
        KnownPairs(left=left, right=right, targets=np.ones(len(left)), groups=together), shares, seed
    )
    return list(parts["learned"]), list(parts["held out"])


def _attempts(given: Sequence[str], seen: Seen) -> list[Judged]:
    """Of all that was given, those that share no text with a test."""
    every = chain.from_iterable(read_attempts(one, load).judged() for one in given)
    return [one for one in every if not seen.has((one.source, one.attempt))]


def _by_source(found: Sequence[Lesson], lessons: LessonOptions, seed: int, nothing: str) -> Parts:
    learned, held_out = parted((source for source, *_ in found), lessons.held_out_share, seed)
    if not held_out:
        raise InputError(f"{nothing}, or only at one source. Play more sources, or ask less: --least-gap, --keep.")
    return [one for one in found if one[0] in learned], [one for one in found if one[0] in held_out]
