"""A run and the mined runs that it has grown from in, what was used of them out, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.store import read_made_by
from paraloom.text.counted import counted
from paraloom.workflows.mine.earlier_runs import Earlier, why_no_lists
from paraloom.workflows.mine.grown_neighbours import start_of
from paraloom.workflows.mine.index_step import read_choice
from paraloom.workflows.mine.numbers import Numbers

if TYPE_CHECKING:
    from paraloom.reports.mining import EarlierTold

KEYS_AT_ONCE = 1 << 20


def earlier_told(run: Path, earlier: Earlier) -> tuple[EarlierTold, ...]:
    """What this run has of each run that it was given."""
    from paraloom.reports.mining import EarlierTold

    choice = read_choice(run)
    neighbours = read_made_by(run, "neighbours")["options"]
    told = []
    for place, (before, vectors) in enumerate(zip(earlier.runs, vectors_taken(run, earlier.runs), strict=True)):
        no_lists = why_no_lists(earlier, choice) if place == 0 else "those of the largest run are taken, if any"
        start = start_of(earlier, choice, int(neighbours["neighbours"])) if place == 0 else no_lists
        no_start = start if isinstance(start, str) else ""
        told.append(
            EarlierTold(run=shown(before), vectors=vectors, no_vectors="", no_lists=no_lists, no_neighbours=no_start)
        )
    for before, why in earlier.passed_over:
        told.append(EarlierTold(run=shown(before), vectors=0, no_vectors=why, no_lists=why, no_neighbours=why))
    return tuple(told)


def vectors_taken(run: Path, earlier: Sequence[Path]) -> list[int]:
    """How many of a run's vectors come from each of these runs: from the first one that has them."""
    keys = Numbers.of(run / "vectors").keys
    known = [Numbers.of(before / "vectors") for before in earlier]
    counts = [0] * len(known)
    for start in range(0, keys.shape[1] if known else 0, KEYS_AT_ONCE):
        missing = np.asarray(keys[:, start : start + KEYS_AT_ONCE])
        for place, numbers in enumerate(known):
            is_there = numbers.find(missing) >= 0
            counts[place] += int(is_there.sum())
            missing = missing[:, ~is_there]
    return counts


def shown(run: Path) -> str:
    """A run's path, from here where it lies below."""
    here = Path.cwd()
    return str(run.relative_to(here)) if run.is_relative_to(here) else str(run)


def nothing_used(run: Path | str, why: str) -> str:
    """What a person is told of a run that was embedded otherwise."""
    return f"Nothing but the sentences of {run if isinstance(run, str) else shown(run)} is used again: {why}."


def lines_of(told: Sequence[EarlierTold]) -> Iterator[str]:
    """What a person is told of them."""
    for each in told:
        if each.no_vectors:
            yield nothing_used(each.run, each.no_vectors)
            continue
        line = f"Of {each.run} {counted(each.vectors, 'vector is', 'vectors are')} used again"
        line += "" if each.no_lists else ", and its lists"
        if each.no_neighbours:
            yield f"{line}, not its neighbours: {each.no_neighbours}."
        else:
            yield f"{line}, and its neighbours, which meet what is new."
