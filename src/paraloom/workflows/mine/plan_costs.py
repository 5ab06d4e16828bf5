"""What a small run cost and a size in; seconds, memory and disk of every step at that size out.

Seconds are those of one core at work. Each round of a step has a unit it grows with: sentences, candidate pairs, or
products of vectors, which are counted (see `models.neighbours.choice.work_of`) and divided by the measured speed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from paraloom.models.neighbours.centroids import sample_size
from paraloom.models.neighbours.choice import MEETING, Choice, work_of
from paraloom.models.neighbours.codes import LEARNED_ON
from paraloom.models.neighbours.search import rows_at_once
from paraloom.workflows.mine.plan_look import Look

PRODUCTS = {
    "index/centroids": "flop_learn",
    "index/laid": "flop_assign",
    "index/compared": "flop_recall",
    "neighbours/searched": "flop_search",
}
"""Rounds that are mostly products of vectors, and the field of `Work` that counts them."""
UNITS = {
    "vectors/coder": "learned_on",
    "vectors/learned": "learned_on",
    "index/centroids": "sample",
    "index/probes": "lists",
    "candidates": "neighbours",
    "pairs": "pairs",
    "labels": "judged",
    "clusters": "pairs",
    "report": "pairs",
    "file": "pairs",
}
"""What a round, or all rounds of a step, grow with; all others grow with sentences."""
SERIAL = frozenset(
    {
        "vectors/coder",
        "vectors/learned",
        "vectors/numbered",
        "index/centroids",
        "index/probes",
        "neighbours/ordered",
        "neighbours/averaged",
        "report/written",
        "file/written",
    }
)
"""Rounds that one process does alone."""
WITH_LISTS = ("index/", "neighbours/ordered", "neighbours/placed", "neighbours/looked again")
"""Rounds that there are where sentences lie in lists alone."""
STEPS = ("sentences", "vectors", "index", "neighbours", "candidates", "pairs", "labels", "clusters", "file", "report")
"""In the order of a run."""
ALONE = ("/looked for", "/parts")
"""Rounds that need no helper processes."""
TASK_MEMORY = 64 << 20
"""Bytes that a search holds besides its sentences."""
WHOLE_ARRAYS = 24
"""Bytes a sentence that one process holds at a time: means of neighbours, or the trees that clusters grow from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCost:
    """What a round costs on one core, but for products of vectors."""

    each: float
    """Seconds a unit."""
    fixed: float = 0.0
    """Seconds whatever the size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured on this machine, with a small run."""

    machine: str
    cores: int
    embedder: str
    dims: int
    sentences: int
    """Distinct sentences of the larger of the two small runs."""
    sample: str
    """Where they are from."""
    bytes_a_sentence: float
    """Of the files they were read from."""
    look: Look
    """What the largest sample showed of neighbours and lists."""
    kept_share: float
    """The share of candidates that was kept, and judged."""
    rounds: Mapping[str, RoundCost]
    """By step/round."""
    speeds: Mapping[str, float]
    """GFLOP/s of a search on one core, by dimensions."""
    in_lists: Mapping[str, float]
    """How fast a search is in lists, of what it is without, by the sentences of a list."""
    together: float
    """How fast a core is when all cores search, of what it is alone."""
    embedding: Mapping[str, float]
    """Seconds a sentence takes an embedder on one core."""
    embedder_dims: Mapping[str, int]
    memory_main: int
    """The most bytes that the process of a run held."""
    memory_helper: int
    """Bytes that a helper process holds before it has anything to do."""
    start_seconds: float
    """Until a helper process is ready."""
    write_speed: float
    read_speed: float
    """Bytes a second of the disk."""
    disk_sentence: float
    """Bytes a sentence takes in tables."""
    disk_candidate: float
    """Bytes a candidate pair takes in tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much there is to do."""

    sentences: int
    neighbours: int
    candidates: float
    judged: float
    """Pairs that the identifier judges."""

    def amounts(self, choice: Choice) -> dict[str, float]:
        """How many of each unit there are."""
        lists = max(choice.lists, 1)
        return {
            "sentences": self.sentences,
            "neighbours": self.sentences * self.neighbours,
            "learned_on": min(self.sentences, LEARNED_ON),
            "sample": sample_size(lists, self.sentences),
            "lists": lists,
            "pairs": self.candidates,
            "judged": self.judged,
        }


def unit_of(name: str) -> str:
    """What a round grows with.

    >>> unit_of("pairs/ranked"), unit_of("vectors/embedded"), unit_of("vectors/coder")
    ('pairs', 'sentences', 'learned_on')
    """
    return UNITS.get(name) or UNITS.get(name.partition("/")[0]) or "sentences"


def flop_of(name: str, choice: Choice, probes: int, measured: Calibration, neighbours: int) -> float:
    """Products of a round, in floating-point operations, as many as take as long in long lists."""
    field = PRODUCTS.get(name)
    if not field:
        return 0.0
    flop = float(getattr(work_of(choice, probes, k=neighbours, unevenness=measured.look.unevenness), field))
    if field != "flop_search" or choice.kind != "ivf":
        return flop
    return flop / measured.in_lists[nearest_known(measured.in_lists, choice.sentences / choice.lists)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one way of mining takes."""

    choice: Choice
    embedder: str
    serial: Mapping[str, float]
    """Seconds of what one process does alone, by step."""
    shared: Mapping[str, float]
    """Seconds of one core of what all cores share, by step."""
    waiting: float
    """Seconds of disk, and of starting helpers, whatever the cores."""
    memory_main: int
    memory_worker: int
    disk: int

    def seconds(self, cores: float, machines: int = 1) -> dict[str, float]:
        """Seconds by step, on so many cores (of all machines together)."""
        known = {*self.shared, *self.serial}
        steps = {
            step: self.serial.get(step, 0.0) + self.shared.get(step, 0.0) / cores
            for step in (*(step for step in STEPS if step in known), *sorted(known - {*STEPS}))
        }
        return steps | {"disk and starting": self.waiting / machines}

    def total(self, cores: float, machines: int = 1) -> float:
        """Seconds in all."""
        return sum(self.seconds(cores, machines).values())


def cost_of(measured: Calibration, choice: Choice, embedder: str, size: Size, probes: int) -> Cost:
    """What mining so much takes with this index and this embedder."""
    work = work_of(choice, probes, k=size.neighbours)
    speed = speed_at(measured, choice.dims) * 1e9
    amounts = size.amounts(choice)
    serial: dict[str, float] = {}
    shared: dict[str, float] = {}
    helped = 0
    slower = measured.embedding[embedder] - measured.embedding[measured.embedder]
    for name, cost in measured.rounds.items():
        step = name.partition("/")[0]
        if (choice.kind == "exact" and name.startswith(WITH_LISTS)) or (not size.judged and step == "labels"):
            continue
        unit = unit_of(name)
        each = cost.each
        if name in ("vectors/coder", "vectors/embedded"):
            each = max(each + slower, measured.embedding[embedder])
        seconds = cost.fixed + each * amounts[unit] + flop_of(name, choice, probes, measured, size.neighbours) / speed
        into = serial if name in SERIAL else shared
        into[step] = into.get(step, 0.0) + seconds
        helped += name not in SERIAL and not name.endswith(ALONE) and seconds > measured.start_seconds
    if choice.codes == "pq":
        # The 4 k nearest by packed codes are measured anew by whole ones, which are read row by row.
        again = amounts["sentences"] * size.neighbours * 4 * choice.dims / measured.read_speed
        shared["neighbours"] = shared.get("neighbours", 0.0) + again
    tables = measured.disk_sentence * size.sentences + measured.disk_candidate * size.candidates
    disk = work.bytes_on_disk + tables
    # `work.memory` has the sample of centroids in it, which one process reads; all others hold a cell's sentences.
    meetings = probes * MEETING if choice.kind == "ivf" else 0
    rows = min(rows_at_once(probes if meetings else 1), size.sentences)
    in_task = rows * (choice.dims + size.neighbours * 12 + meetings) + TASK_MEMORY
    waiting = disk * (1 / measured.write_speed + 1 / measured.read_speed)
    waiting += measured.start_seconds * helped
    return Cost(
        choice=choice,
        embedder=embedder,
        serial=serial,
        shared=shared,
        waiting=waiting,
        memory_main=measured.memory_main + WHOLE_ARRAYS * size.sentences + (work.memory if serial else 0),
        memory_worker=max(measured.memory_helper + in_task, measured.memory_main if size.judged else 0),
        disk=round(disk),
    )


def speed_at(measured: Calibration, dims: int) -> float:
    """GFLOP/s of a core at some number of dimensions: as measured at the nearest."""
    return measured.speeds[nearest_known(measured.speeds, dims)]


def nearest_known(known: Mapping[str, float], size: float) -> str:
    """The size that was measured and is nearest to this one, by how many times it is as large.

    >>> nearest_known({"64": 1.0, "256": 2.0}, 127), nearest_known({"64": 1.0, "256": 2.0}, 129)
    ('64', '256')
    """
    return min(known, key=lambda name: abs(math.log(int(name) / max(size, 1.0))))


def machines_for(cost: Cost, seconds: float, cores: float) -> int | None:
    """The fewest machines of so many cores that end it in time; None where what one process does alone takes longer."""
    alone = sum(cost.serial.values())
    if alone >= seconds:
        return None
    return max(math.ceil((sum(cost.shared.values()) / cores + cost.waiting) / (seconds - alone)), 1)


def workers_that_fit(cost: Cost, memory: int, cores: int) -> int:
    """How many helper processes a machine's memory has room for, at most one a core; 0 where not even one."""
    return max(min((memory - cost.memory_main) // max(cost.memory_worker, 1), cores), 0)
