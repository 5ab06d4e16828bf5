"""What is to be mined in, how many helper processes there is memory for out.

What a process holds was measured (see docs/mine.md) and is counted generously: a run that is killed for want of memory
costs more than a core that is idle.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.workflows.mine.plan_options import read_bytes
from paraloom.workflows.mine.plan_room import PAIR_BYTES, PAIR_COPIES, WHOLE_ARRAYS, Memory, workers_that_fit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from paraloom.engine.steps import Place
    from paraloom.workflows.mine.options import MineOptions

PROCESS = 256 << 20
"""Bytes of a process with all libraries that mining needs."""
MODEL = 200 << 20
"""Bytes that a model takes to run, besides its weights."""
WEIGHT_COPIES = 3
"""How many times memory holds weights: as they lie on disk, as they are read, as they are used."""
BYTES_A_SENTENCE = 60
"""Of a file of sentences, about."""
PROBES = 256
"""Lists that a sentence looks into, at most: beyond, fewer sentences are searched for at a time."""


def memory_of_run(options: MineOptions, text_bytes: int) -> Memory:
    """What the processes of a run hold that mines files of so many bytes."""
    from paraloom.models import embedders, identifiers
    from paraloom.models.neighbours.choice import choose_index, work_of
    from paraloom.workflows.mine.index_step import USUAL_SPEED
    from paraloom.workflows.mine.vectors_step import load

    sentences = max(text_bytes // BYTES_A_SENTENCE, 1)
    kind = None if options.search.index == "auto" else options.search.index
    dims = load(replace(options.embed, device="cpu")).dims
    choice = choose_index(
        sentences,
        dims,
        speed=USUAL_SPEED,
        memory=memory_allowed(options),
        kind=kind,
        codes=None if options.search.codes == "auto" else options.search.codes,
        neighbours=options.search.neighbours,
    )
    work = work_of(choice, PROBES, k=options.search.neighbours)
    embedder = _model(embedders.weight_files(options.embed.embedder))
    identifier = _model(identifiers.weight_files(options.judge.identifier)) if options.judge.identify else 0
    main = PROCESS + embedder + identifier
    return Memory(
        main=main + WHOLE_ARRAYS * sentences,
        learning=main + work.memory_learn,
        worker=PROCESS + max(work.memory_search, embedder, identifier),
    )


def _model(files: Mapping[str, Path]) -> int:
    """Bytes that a model with these weights takes."""
    return MODEL + WEIGHT_COPIES * sum(file.stat().st_size for file in files.values())


def fitting(options: MineOptions, place: Place, text_bytes: int, tell: Callable[[str], None] | None) -> Place:
    """The same place with as many helper processes as there is memory for, where that many were not asked for.

    On Ray it is the cluster that knows its nodes' memory.
    """
    free = memory_allowed(options)
    if free is None or place.on_ray or place.workers < 2:
        return place
    return _with_fewer(place, memory_of_run(options, text_bytes), free, tell)


def fitting_pairs(options: MineOptions, place: Place, tell: Callable[[str], None] | None) -> Place:
    """The same while pairs are put in order: it is known now how many there are."""
    from paraloom.engine.store import part_files, read_made_by
    from paraloom.pairs.mine import PROPOSED
    from paraloom.workflows.mine.candidates_step import tally_of

    free = memory_allowed(options)
    if free is None or place.on_ray or place.workers < 2:
        return place
    parts = part_files(place.run, "sentences")
    text = sum(part.stat().st_size for part in parts) * 2 / max(int(read_made_by(place.run, "sentences")["rows"]), 1)
    pairs = tally_of(place.run / "candidates")[PROPOSED] / max(len(parts), 1)
    held = round(pairs * (2 * text + PAIR_BYTES) * PAIR_COPIES)
    return _with_fewer(place, Memory(main=PROCESS, learning=0, worker=PROCESS + held), free, tell)


def memory_allowed(options: MineOptions) -> int | None:
    """Bytes that the run may use: what it was told, or what is free; None where it has to heed nothing."""
    from paraloom.engine.memory import available_memory

    if options.memory:
        return read_bytes(options.memory)
    return available_memory() if options.place.workers is None else None


def _with_fewer(place: Place, memory: Memory, free: int, tell: Callable[[str], None] | None) -> Place:
    fit = max(workers_that_fit(memory, free, place.workers), 1)
    if fit < place.workers and tell is not None:
        tell(
            f"{fit} of {place.workers} workers: each may hold {memory.worker / 1e9:.1f} GB, the process that leads "
            f"them {memory.main / 1e9:.1f} GB, and there are {free / 1e9:.1f} GB. --memory says how much may be used, "
            "--workers how many there are."
        )
    return replace(place, workers=fit) if fit < place.workers else place
