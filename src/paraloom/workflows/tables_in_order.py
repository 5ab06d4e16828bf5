"""Steps in, the tables of a run out, one after another; what is there already, made the same way, is not made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from paraloom.engine.foreign import Chunk
    from paraloom.engine.places import PlaceOptions
    from paraloom.engine.steps import Place, Step

PACKED = 5
"""How many times as large a compressed file is when it is opened, about."""

Progress = Callable[[str, str, int, int], None]
"""Told of table, pass, tasks done and tasks in all."""
T = TypeVar("T")


def make_tables(
    plans: Mapping[str, Callable[[], Step]],
    out: Path,
    chunks: Sequence[Chunk],
    where: PlaceOptions,
    *,
    until: str,
    progress: Progress,
    then: Callable[[Place], T],
    grows: int = 1,
) -> T:
    """Make the tables up to `until`, each planned when those before it are there, then do what follows in the same
    place; nobody else may work in the folder meanwhile.

    Where tables take `grows` times as much room as the files, there are as many times more buckets.
    """
    from paraloom.engine import places, steps, store
    from paraloom.engine.buckets import bucket_count
    from paraloom.engine.run_folders import check_run_folder

    check_run_folder(out)
    buckets = bucket_count(grows * sum(chunk.size * (PACKED if chunk.compression else 1) for chunk in chunks))
    out.mkdir(parents=True, exist_ok=True)
    with store.alone_in(out), places.at(where) as workers:
        place = steps.Place(
            run=out.resolve(), buckets=buckets, workers=workers, on_ray=where.engine == "ray", progress=progress
        )
        for table, plan in plans.items():
            steps.make(plan(), place)
            if table == until:
                break
        return then(place)
