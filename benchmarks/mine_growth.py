"""What does it cost that a mined run grows, and what does a lookup find? Measured on a run that has lists.

    python benchmarks/mine_growth.py RUN --cell 3            # one cell, searched anew and grown by .1, 1 and 10 %
    python benchmarks/mine_growth.py RUN --asked texts.txt   # and how much of what is nearest a lookup finds

For growth, some sentences of the run are taken to be new, and those of one cell search for their neighbours: processor
seconds, on one thread. For lookups, the ten nearest of every text are found by comparing it with all sentences, then by
lists alone, and by lists and neighbours; those that are .6 alike or more count, and all. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.models.neighbours.grown_search import Growth, search_grown_cell
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import LEAST, Neighbours, threads
from paraloom.models.neighbours.search import Found, Part, search_block, search_cell
from paraloom.workflows.mine.grown_neighbours import ROWS_AT_ONCE, meets_all
from paraloom.workflows.mine.index_step import LISTS, read_probes
from paraloom.workflows.mine.lookup import MORE_PROBES, search_in
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.run_embedder import embedder_of
from paraloom.workflows.mine.vectors_step import Vectors, read_coder

SHARES = (0.001, 0.01, 0.1)
NEAR = 0.6
WANTED = 10


def main() -> None:
    """Measure what is asked for."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("run", type=Path, help="folder of a mined run that has lists")
    given.add_argument("--cell", type=int, default=0, help="the cell that is searched for")
    given.add_argument("--asked", type=Path, help="a file of texts to look up, one a line")
    options = given.parse_args()
    with threads(1):
        told = {"growth": growth(options.run, options.cell)}
        if options.asked:
            told["lookup"] = lookups(options.run, options.asked.read_text(encoding="utf-8").splitlines())
    print(json.dumps(told, indent=1))


def growth(run: Path, cell: int) -> dict[str, Any]:
    """Processor seconds of the search for one cell, anew and from what is known."""
    index, vectors = Index.open(run / "index" / LISTS), vectors_of(run)
    nearest = Nearest.read(neighbour_files(run / "neighbours")[cell])
    k, probes = nearest.neighbours.shape[1], int(read_probes(run)["probes"])
    how: dict[str, Any] = {"k": k, "probes": probes, "whole": vectors.take if index.is_packed else None}
    list(search_cell(index.cells, index.finder, cell, **how | {"probes": 1}))  # what is compiled on first use
    told: dict[str, Any] = {"sentences": len(nearest.numbers), "probes": probes}
    told["anew"] = seconds(lambda: search_cell(index.cells, index.finder, cell, **how))
    for share in SHARES:
        is_new = np.random.default_rng(0).random(int(vectors.starts[-1])) < share
        new = np.flatnonzero(is_new)
        is_few = meets_all(len(new), len(index.lists))
        known = Growth(
            is_new=is_new, probes=probes, new_rows=(lambda new=new: pieces(vectors, new)) if is_few else None
        )
        before = without(nearest, is_new)
        told[f"{share:.1%} new"] = seconds(
            lambda before=before, known=known: search_grown_cell(index.cells, index.finder, cell, before, known, **how)
        )
    return told


def without(nearest: Nearest, is_new: np.ndarray) -> Found:
    """What the sentences that are not new have found among each other."""
    old = ~is_new[nearest.numbers]
    neighbours, dots = nearest.neighbours[old].copy(), nearest.dots[old].copy()
    is_gone = (neighbours >= 0) & is_new[np.maximum(neighbours, 0)]
    neighbours[is_gone], dots[is_gone] = -1, LEAST - 1
    return Found(nearest.numbers[old], Neighbours(dots, neighbours))


def pieces(vectors: Vectors, numbers: np.ndarray) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Codes of these sentences, some at a time."""
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        some = numbers[start : start + ROWS_AT_ONCE]
        yield some, vectors.take(some)


def lookups(run: Path, texts: list[str]) -> dict[str, Any]:
    """The share of the nearest sentences that lookups find; of equally near ones any will do."""
    coder, vectors, index = read_coder(run / "vectors"), vectors_of(run), Index.open(run / "index" / LISTS)
    queries = coder.encode(embedder_of(run).embed(texts))
    true = search_block(queries, None, (Part(start, codes) for start, codes in vectors.parts()), WANTED).dots
    probes = MORE_PROBES * int(read_probes(run)["probes"])
    ways: dict[str, Callable[[], Neighbours]] = {
        "lists as in the run": lambda: index.search(queries, WANTED, probes=probes // MORE_PROBES, whole=vectors.take),
        "more lists": lambda: index.search(queries, WANTED, probes=probes, whole=vectors.take),
        "more lists, and neighbours": lambda: search_in(run, WANTED, probes)(queries),
    }
    told: dict[str, Any] = {"texts": len(texts), "probes": probes}
    for name, find in ways.items():
        start = time.process_time()
        is_found = find().dots >= true
        milliseconds = 1000 * (time.process_time() - start) / len(texts)
        told[name] = {
            "all": round(float(is_found[true >= LEAST].mean()), 4),
            f"{NEAR} alike": round(float(is_found[true >= NEAR * coder.scale**2].mean()), 4),
            "milliseconds a text": round(milliseconds, 2),
        }
    return told


def vectors_of(run: Path) -> Vectors:
    """The codes of a run."""
    return Vectors(run / "vectors", Numbers.of(run / "vectors").starts)


def seconds(search: Callable[[], Iterable[Found]]) -> float:
    """Processor seconds that a search takes."""
    start = time.process_time()
    for _ in search():
        pass
    return round(time.process_time() - start, 2)


if __name__ == "__main__":
    main()
