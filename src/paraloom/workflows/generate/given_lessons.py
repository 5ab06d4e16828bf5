"""Games, attempts that others made, and pairs in; lessons to learn and lessons to choose by out.

A source is in one of the two alone, and in none where a test has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.corpus.known.division import split_by_group
from paraloom.corpus.known.groups import group_pairs
from paraloom.corpus.known.pairs import KnownPairs
from paraloom.errors import InputError
from paraloom.metrics.meaning.adversarial import ImplicationModel
from paraloom.pairs.adversarial_lessons import Judged, parted, passing_pairs, preferences_of
from paraloom.pairs.adversarial_options import LessonOptions
from paraloom.text.counted import counted
from paraloom.workflows.generate.adversarial_attempts import read_attempts
from paraloom.workflows.train.generator_seen import Seen
from paraloom.workflows.train.training_files import read_training_file

Lesson = tuple[str, ...]
"""A source and its texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is learned from: words of the command, and how they are taken."""

    words: Sequence[str]
    lessons: LessonOptions = field(default_factory=LessonOptions)
    seed: int = 1
    seen: Seen = field(default_factory=Seen)
    """What no lesson may share a text with."""
    judge: Callable[[], ImplicationModel]
    """Asked for the similarity of attempts that were published without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """Lessons in two parts that share no source, and what there is to say of them."""

    learned: list[Lesson]
    held_out: list[Lesson]
    notes: tuple[str, ...] = ()


def read_preferences(given: Given) -> Lessons:
    """A source, the better attempt, the worse one, both of one set: judges differ by more than attempts do."""
    sets, notes = _attempts(given)
    found = chain.from_iterable(preferences_of(some, given.lessons) for some in sets)
    said: list[Lesson] = [(one.source, one.better, one.worse) for one in found]
    ask = "Play more sources, or ask less: --least-gap, --keep."
    return _by_source(
        said, given, notes, f"No attempt earned enough more than another one, or only at one source. {ask}"
    )


def read_passing(given: Given) -> Lessons:
    """A source, an attempt at it that passed."""
    sets, notes = _attempts(given)
    found: list[Lesson] = list(chain.from_iterable(passing_pairs(some, given.lessons) for some in sets))
    ask = "Play more sources, or ask less: --keep. (AP_T5 was published without its passing attempts.)"
    return _by_source(found, given, notes, f"No attempt passed that keeps what it must, or only at one source. {ask}")


def read_pairs(given: Given) -> Lessons:
    """Pairs that are paraphrases, those that share a text together, be it in another file."""
    left: list[str] = []
    right: list[str] = []
    groups: list[str | None] = []
    notes: list[str] = []
    for number, file in enumerate(given.words):
        pairs, told = read_training_file(Path(file), "strict", {}, unlabelled=True)
        notes += told
        unseen = np.array([not given.seen.has(pair) for pair in zip(pairs.left, pairs.right, strict=True)], bool)
        notes += _told_seen(len(unseen) - int(unseen.sum()), file)
        pairs = pairs.chosen(np.flatnonzero((pairs.targets > 0.5) & unseen))
        left += pairs.left
        right += pairs.right
        groups += [f"{number}:{group}" if group and number else group or None for group in pairs.groups]
    together = group_pairs(left, right, groups)
    shares = {"learned": 1 - given.lessons.held_out_share, "held out": given.lessons.held_out_share}
    parts = split_by_group(
        KnownPairs(left=left, right=right, targets=np.ones(len(left)), groups=together), shares, given.seed
    )
    return Lessons(learned=list(parts["learned"]), held_out=list(parts["held out"]), notes=tuple(notes))


def _attempts(given: Given) -> tuple[list[list[Judged]], list[str]]:
    """By set, attempts that share no text with a test; and what was noted on the way."""
    sets: list[list[Judged]] = []
    notes: list[str] = []
    for word in given.words:
        read = read_attempts(word, given.judge)
        every = read.judged()
        kept: list[Any] = [one for one in every if not given.seen.has((one.source, one.attempt))]
        sets.append(kept)
        notes += [f"{read.name}: {note}" for note in read.notes]
        notes += _told_seen(len(every) - len(kept), read.name)
    return sets, notes


def _told_seen(number: int, name: str) -> list[str]:
    left_out = counted(number, "row is", "rows are")
    return [f"{name}: {left_out} not learned from, for --never has one of their texts."] if number else []


def _by_source(found: Sequence[Lesson], given: Given, notes: Sequence[str], nothing: str) -> Lessons:
    learned, held_out = parted((source for source, *_ in found), given.lessons.held_out_share, given.seed)
    if not held_out:
        raise InputError(" ".join([nothing, *notes]))
    return Lessons(
        learned=[one for one in found if one[0] in learned],
        held_out=[one for one in found if one[0] in held_out],
        notes=tuple(notes),
    )
