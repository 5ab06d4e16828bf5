"""What sentences have found by a stage in, the share of true neighbours among it out, and how many lists come next."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import ASIDE, Round
from paraloom.engine.store import write_text
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.links import LOOKS
from paraloom.models.neighbours.lists import read_array
from paraloom.models.neighbours.nearest import NOBODY
from paraloom.models.neighbours.places import Places
from paraloom.models.neighbours.second_look import found_either_way
from paraloom.workflows.mine.generations import PLACES, STAGES, FoundReader, Generation
from paraloom.workflows.mine.index_step import LISTS, read_first_probes, read_true

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import SearchOptions

RECALL = "recall.json"
FAR = 2.0
"""Where more than so many times as much is missed as may be, twice the lists come next, else half as many more."""


def recall_file(stage: int) -> str:
    """What was measured after a stage."""
    return f"recall-{stage}.json"


def read_recall(folder: Path, stage: int) -> dict[str, Any]:
    """The same, read from the folder at work."""
    return dict(json.loads((folder / ASIDE / recall_file(stage)).read_text(encoding="utf-8")))


def is_enough(folder: Path, stage: int) -> bool:
    """Whether a stage that is over found what was wanted, or cannot be followed by another."""
    return bool(read_recall(folder, stage)["is_enough"])


def last_stage(folder: Path) -> int:
    """The stage that was enough."""
    return next(stage for stage in range(STAGES) if is_enough(folder, stage))


def probes_of_stage(folder: Path, run: Path, stage: int) -> tuple[int, int]:
    """The lists, nearest first, that a sentence looks into in a stage: from one to before another."""
    if stage == 0:
        return 0, int(read_first_probes(run)["probes"])
    before = read_recall(folder, stage - 1)
    return int(before["probes"]), int(before["next"])


def measured_round(folder: Path, run: Path, stage: int, options: SearchOptions) -> Round:
    """The share of the true neighbours of a sample that all have found by now."""
    return Round(
        name="measured",
        files=(recall_file(stage),),
        work=partial(partial, _measure, folder, run, stage, options),
        is_kept=False,
        is_small=True,
    )


def _measure(folder: Path, run: Path, stage: int, options: SearchOptions, number: int, target: Path) -> None:
    told, true = read_first_probes(run), read_true(run)
    found = neighbours_by_number(folder / ASIDE, run, Generation(stage, LOOKS), options.neighbours)
    reached = found_either_way(true.queries, true.neighbours, found, least=true.least)
    probes = probes_of_stage(folder, run, stage)[1]
    most = Index.open(run / "index" / LISTS).finder.most_probes
    is_last = bool(options.probes) or probes >= most or stage == STAGES - 1
    far = 1 - reached.share > FAR * (1 - options.recall)
    before = read_recall(folder, stage - 1)["stages"] if stage else []
    row = {
        "probes": probes,
        "recall": asdict(reached),
        "stages": [*before, {"probes": probes, "share": reached.share}],
        "wanted": options.recall,
        "min_similarity": told["min_similarity"],
        "is_enough": is_last or reached.share >= options.recall,
        "next": min(2 * probes if far else probes + -(-probes // 2), most),
    }
    write_text(target, json.dumps(row, sort_keys=True, indent=2) + "\n")


def neighbours_by_number(
    aside: Path, run: Path, generation: Generation, k: int
) -> Callable[[NDArray[np.int64]], NDArray[np.int64]]:
    """What gives the numbers of the k nearest that sentences have found, by their numbers."""
    places = Places(Index.open(run / "index" / LISTS).cells)
    of_number, read = read_array(aside / PLACES, in_memory=False), FoundReader(run, aside, generation)

    def found(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        told = np.full((len(numbers), k), NOBODY, np.int64)
        at = of_number[numbers].astype(np.int64)
        order = np.argsort(at, kind="stable")
        order = order[at[order] != NOBODY]
        done = 0
        for cell, rows in places.by_cell(at[order]):
            here = order[done : done + len(rows)]
            told[here] = read.found_by(cell, rows).neighbours[:, :k]
            done += len(rows)
        return told

    return found
