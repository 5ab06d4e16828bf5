"""A mined run in, the nearest neighbours of its sentences out, with ids and cosines: a table for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.store import made_by_file
from paraloom.errors import NotMade
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files
from paraloom.workflows.mine.numbers import Numbers

if TYPE_CHECKING:
    import pyarrow as pa


def read_neighbours(run: Path) -> Iterator[pa.Table]:
    """Tables with a row a sentence and neighbour: `sentence_id`, `neighbour_id`, `similarity`, and `place` from 1 on.

    A table is of one file of the run's neighbours, some thousands of sentences; a sentence's neighbours are together,
    the nearest first.
    """
    import pyarrow as pa

    if not made_by_file(run, "neighbours").is_file():
        raise NotMade(f"{run} has no neighbours. Give the --out of `paraloom mine`, and let its run go on until then.")
    numbers = Numbers.of(run / "vectors")
    for file in neighbour_files(run / "neighbours"):
        nearest = Nearest.read(file)
        rows, places = np.nonzero(nearest.is_there)
        cosines = nearest.similarities(numbers.norms)[rows, places]
        yield pa.table(
            {
                "sentence_id": pa.array(numbers.ids(nearest.numbers[rows]), pa.string()),
                "neighbour_id": pa.array(numbers.ids(nearest.neighbours[rows, places]), pa.string()),
                "similarity": pa.array(cosines, pa.float64()),
                "place": pa.array(places + 1, pa.int64()),
            }
        )
