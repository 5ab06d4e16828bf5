"""What a small run took and a size in; bytes of disk and memory at that size out.

Vectors, index and neighbours are counted (see `models.neighbours.choice.rooms_of`); tables take what they took in the
small run, a sentence or a pair. What the passes of a step leave for each other lies beside it until it is finished, so
the disk is fullest long before a run ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.models.neighbours.choice import Choice, Room, most_at_a_time, rooms_of, work_of
from paraloom.workflows.mine.plan_costs import STEPS, Calibration, Size

WHOLE_ARRAYS = 24
"""Bytes a sentence that one process holds at a time: means of neighbours, or the trees that clusters grow from."""
LABEL_BYTES = 60
"""Bytes of a label on disk; until all are there, it lies there twice more, and once with the texts of its pair."""
LESS_PACKED = 1.25
"""What pairs take at a large size, of what they take in a small run, where a text is in more pairs of a part: of three
million sentences, 953 bytes on the way where 250,000 had 782."""
PAIR_BYTES = 240
"""Bytes of a pair in memory besides its texts."""
PAIR_COPIES = 4
"""How many times memory holds a part of the pairs while they are put in order: of three million sentences, a worker
held 542,000 pairs 3.9 times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """Bytes on disk."""

    kept: int
    """When the run is finished."""
    most: int
    """At the time when the disk is fullest."""
    written: int
    """In all."""


def disk_of(measured: Calibration, choice: Choice, embedder: str, size: Size) -> Disk:
    """What a run takes on disk."""
    rooms = rooms_of(choice, size.neighbours)
    units = {"sentences": float(size.sentences), "pairs": size.candidates, "file": size.written}
    units |= {"candidates": size.candidates, "clusters": size.written}
    for step, table in measured.tables.items():
        before, count = rooms.get(step, Room(kept=0)), units[step]
        kept = table.kept * (LESS_PACKED if step == "pairs" else 1.0)
        aside = table.aside * (LESS_PACKED if step in ("pairs", "file") else 1.0)
        rooms[step] = Room(kept=before.kept + round(kept * count), aside=before.aside + round(aside * count))
    if measured.embedders[embedder].is_network:
        rooms["vectors"] = Room(kept=rooms["vectors"].kept, aside=size.sentences * choice.dims)
    asked = 2 * LABEL_BYTES + 2 * measured.text_bytes
    rooms["labels"] = Room(kept=round(LABEL_BYTES * size.judged), aside=round(asked * size.judged))
    linked = round(16 * size.sentences + 16 * size.written)
    rooms["clusters"] = Room(kept=rooms.get("clusters", Room(kept=0)).kept, aside=linked)
    in_order = [rooms[step] for step in STEPS if step in rooms]
    return Disk(
        kept=sum(room.kept for room in in_order),
        most=most_at_a_time(in_order),
        written=sum(room.kept + room.aside for room in in_order),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Bytes of memory on a machine."""

    main: int
    """Of the process that leads the run, while helpers are at work."""
    learning: int
    """Of the same while it learns centroids, alone."""
    worker: int
    """Of each helper."""

    def of(self, workers: int) -> int:
        """Of all processes, with so many helpers."""
        return max(self.main + workers * self.worker, self.learning)


def memory_of(measured: Calibration, choice: Choice, embedder: str, size: Size, probes: int) -> Memory:
    """What the processes of a run hold, each at the time when it holds most."""
    work = work_of(choice, probes, k=size.neighbours, unevenness=measured.look.unevenness)
    identifier = max(measured.judging.memory - measured.memory_helper, 0) if size.judged else 0
    model = max(measured.embedders[embedder].memory - measured.embedders[measured.embedder].memory, 0)
    main = measured.memory_main + identifier + model
    pairs = size.candidates / size.parts * (2 * measured.text_bytes + PAIR_BYTES) * PAIR_COPIES
    return Memory(
        main=main + WHOLE_ARRAYS * size.sentences,
        learning=main + work.memory_learn,
        worker=max(
            measured.memory_helper + work.memory_search,
            measured.memory_helper + round(pairs),
            measured.embedders[embedder].memory,
            measured.judging.memory if size.judged else 0,
        ),
    )


def workers_that_fit(memory: Memory, available: int, cores: int) -> int:
    """How many helper processes a machine's memory has room for, at most one a core; 0 where not even one."""
    if memory.learning > available:
        return 0
    return max(min((available - memory.main) // max(memory.worker, 1), cores), 0)
