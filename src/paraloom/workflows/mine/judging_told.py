"""Pairs that wait for an identifier in, what a person is told before it begins out: how many, and about how long."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from paraloom.labels.label import load_identifier
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.engine.layout import Laid
    from paraloom.labels.options import LabelOptions
    from paraloom.workflows.mine.labels_step import Judging

FEW = 5_000
"""Fewer pairs are not worth measuring how long they take."""
FIRST, MOST = 32, 2_048
"""So many pairs are scored at first, then twice as many and so on, to see how fast it is."""
ENOUGH = 0.5
"""Seconds that are enough to see it."""


def told_before_judging(judging: Judging, options: LabelOptions, workers: int) -> Iterator[str]:
    """A line on what is to be judged, where there is enough of it to wait for."""
    from paraloom.web.filters import duration

    if judging.waiting < FEW:
        return
    takes = duration(judging.waiting * seconds_each(judging.asked, options, workers))
    name = Path(options.identifier).name
    known = f" ({taken_told(judging.taken)})" if judging.taken else ""
    yield (
        f"{judging.waiting:,} pairs wait to be judged by {name}{known}, for about {takes}. To wait less, stop and give "
        "the same command with --judge-most N, for the N best alone, or with --no-identify: all that was made before "
        "is kept."
    )


def taken_told(taken: Mapping[str, int]) -> str:
    """Where scores are from that need not be computed.

    >>> taken_told({"old": 1200, "older": 1})
    '1,200 scores are taken from old, 1 from older'
    """
    (first, count), *others = taken.items()
    told = f"{counted(count, 'score is', 'scores are')} taken from {first}"
    return ", ".join([told, *(f"{more:,} from {name}" for name, more in others)])


def seconds_each(asked: Laid, options: LabelOptions, workers: int) -> float:
    """About how long so many workers take for a pair."""
    identifier = load_identifier(options)
    left, right = _some_texts(asked)
    size = min(FIRST, len(left))
    identifier.score(left[:size], right[:size], options.definition)  # what the first pairs wait for, others do not
    while True:
        wall, processor = time.monotonic(), time.process_time()
        identifier.score(left[:size], right[:size], options.definition)
        wall, processor = time.monotonic() - wall, time.process_time() - processor
        if wall >= ENOUGH or size == len(left):
            # One worker has all cores for its threads; of several each has its own.
            return wall / size if workers == 1 else max(processor, wall) / size / workers
        size = min(2 * size, len(left))


def _some_texts(asked: Laid) -> tuple[list[str], list[str]]:
    """The first of the pairs that nobody has judged."""
    sides: tuple[list[str], list[str]] = ([], [])
    for rows in asked.rows(("left", "right")):
        rows = rows.filter(pc.is_valid(rows.column("left"))).slice(0, MOST - len(sides[0]))
        for texts, name in zip(sides, ("left", "right"), strict=True):
            texts += rows.column(name).to_pylist()
        if len(sides[0]) == MOST:
            break
    return sides
