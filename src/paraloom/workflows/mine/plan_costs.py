"""What a small run cost and a size in; seconds of every step at that size out.

Seconds are those of one core at work. Each round of a step has a unit it grows with: sentences, candidate pairs, or
products of vectors, which are counted (see `models.neighbours.choice.work_of`) and divided by the measured speed. It is
cut into tasks, and more cores than tasks are of no use to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from paraloom.engine.buckets import bucket_count
from paraloom.models.neighbours.centroids import sample_size
from paraloom.models.neighbours.choice import Choice, work_of
from paraloom.models.neighbours.codes import LEARNED_ON
from paraloom.models.neighbours.links import wide
from paraloom.models.neighbours.search import LOOKED_AT
from paraloom.workflows.mine.labels_step import JUDGED_A_TASK
from paraloom.workflows.mine.neighbours_step import block_size
from paraloom.workflows.mine.plan_look import Look
from paraloom.workflows.mine.plan_reading import reading_of
from paraloom.workflows.mine.vectors_step import NETWORK_TEXTS

PRODUCTS = {
    "index/centroids": "flop_learn",
    "index/laid": "flop_assign",
    "index/compared": "flop_recall",
    "neighbours/searched": "flop_search",
}
"""Rounds that are mostly products of vectors, and the field of `Work` that counts them."""
UNITS = {
    "neighbours/searched": "searches",
    "neighbours/linked": "searches",
    "neighbours/looked again": "searches",
    "neighbours/cleared": "searches",
    "neighbours/measured": "searches",
    "vectors/coder": "learned_on",
    "vectors/learned": "learned_on",
    "index/centroids": "sample",
    "index/probes": "lists",
    "candidates": "neighbours",
    "pairs": "pairs",
    "clusters": "written",
    "clusters/parts": "sentences",
    "report": "written",
    "file": "written",
}
"""What a round, or all rounds of a step, grow with; all others grow with sentences."""
SERIAL = frozenset(
    {
        "vectors/coder",
        "vectors/learned",
        "vectors/joined",
        "vectors/numbered",
        "index/centroids",
        "index/renumbered",
        "index/true",
        "index/probes",
        "neighbours/renumbered",
        "neighbours/ordered",
        "neighbours/cleared",
        "neighbours/measured",
        "neighbours/told",
        "neighbours/averaged",
        "clusters/linked",
        "file/joined",
        "report/written",
    }
)
"""Rounds that one process does alone. So is what is looked for before a step: how the table was made."""
WITH_LISTS = (
    "index/",
    "neighbours/ordered",
    "neighbours/linked",
    "neighbours/looked again",
    "neighbours/cleared",
    "neighbours/measured",
    "neighbours/kept",
    "neighbours/told",
)
"""Rounds that there are where sentences lie in lists alone."""
IN_CELLS = frozenset(
    {
        "index/cells",
        "neighbours/searched",
        "neighbours/linked",
        "neighbours/looked again",
        "neighbours/kept",
        "candidates/turned",
    }
)
"""Rounds of which a task is a cell, or a block where all are compared with all; of all others it is a part."""
STEPS = ("sentences", "vectors", "index", "neighbours", "candidates", "pairs", "labels", "clusters", "file", "report")
"""In the order of a run."""
LOOKED_FOR = "/looked for"
"""What steps call comparing how a table was made with how it would be: it takes as long whatever the size."""
ALONE = (LOOKED_FOR, "/parts")
"""Rounds that need no helper processes."""
MOST_MACHINES = 1 << 20
"""More are not thought of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCost:
    """What a round costs on one core, but for products of vectors."""

    each: float
    """Seconds a unit."""
    fixed: float = 0.0
    """Seconds whatever the size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """What an embedder or an identifier costs on one core, in a process of its own."""

    each: float
    """Seconds a sentence, or a pair."""
    memory: int
    """The most bytes that the process held."""
    is_network: bool = False
    """Whether an embedder is a network: its tasks are small then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBytes:
    """What a unit of a table takes on disk."""

    kept: float
    """Bytes when the table is finished."""
    aside: float
    """Bytes beside that, until it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured on this machine, with small runs."""

    machine: str
    cores: int
    embedder: str
    dims: int
    sentences: int
    """Distinct sentences of the largest run that was made."""
    sample: str
    """Where they are from."""
    bytes_a_sentence: float
    """Of the files they were read from."""
    bytes_counted: float
    """The same as a run counts it that cuts tables into parts."""
    text_bytes: float
    """Of a sentence's text."""
    look: Look
    """What the largest sample showed of neighbours and lists."""
    looks: Mapping[str, Look]
    """What it shows of neighbours with other numbers of dimensions of the same embedder."""
    mutual_share: float
    """The share of neighbours alike enough to become a pair that are each other's neighbours."""
    kept_share: float
    """The share of candidates that was kept, and judged."""
    true_share: float
    """The share of pairs judged that the identifier holds true."""
    rounds: Mapping[str, RoundCost]
    """By step/round."""
    speeds: Mapping[str, float]
    """GFLOP/s of a search on one core, by dimensions."""
    in_lists: Mapping[str, float]
    """How fast a search is in lists, of what it is without, by the sentences of a list."""
    together: float
    """How fast a core is when all cores search, of what it is alone."""
    embedders: Mapping[str, ModelCost]
    embedder_dims: Mapping[str, int]
    identifier: str
    judging: ModelCost
    """The identifier."""
    memory_main: int
    """The most bytes that the process of a very small run held."""
    memory_helper: int
    """Bytes that a helper process holds before it has anything to do."""
    start_seconds: float
    """Until a helper process is ready."""
    write_speed: float
    """Bytes a second onto the disk."""
    read_speed: float
    """Bytes a second of what was read or written lately: memory holds it."""
    disk_speed: float
    """Bytes a second of what memory does not hold, read through."""
    page_speed: float
    """Bytes a second of the same, read from anywhere, a page at a time."""
    tables: Mapping[str, TableBytes]
    """By step: of sentences those of a sentence, of all others those of a pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much there is to do."""

    sentences: int
    neighbours: int
    candidates: float
    judged: float
    """Pairs that the identifier judges."""
    written: float = 0.0
    """Pairs that are held true: they join clusters, and stand in the file."""
    parts: int = 1
    """Parts that tables are cut into."""
    stages: int = 1
    """Searches in lists, with the looks that follow each: another one where too little was found."""

    def amounts(self, choice: Choice) -> dict[str, float]:
        """How many of each unit there are."""
        lists = max(choice.lists, 1)
        return {
            "sentences": self.sentences,
            "neighbours": self.sentences * self.neighbours,
            "searches": self.sentences * self.stages,
            "learned_on": min(self.sentences, LEARNED_ON),
            "sample": sample_size(lists, self.sentences),
            "lists": lists,
            "pairs": self.candidates,
            "written": self.written,
        }


def parts_of(sentences: int, bytes_each: float) -> int:
    """How many parts the tables of so many sentences are cut into."""
    return bucket_count(round(sentences * bytes_each))


def unit_of(name: str) -> str:
    """What a round grows with.

    >>> unit_of("pairs/ranked"), unit_of("vectors/embedded"), unit_of("vectors/coder")
    ('pairs', 'sentences', 'learned_on')
    """
    return UNITS.get(name) or UNITS.get(name.partition("/")[0]) or "sentences"


def tasks_of(name: str, choice: Choice, size: Size, *, is_network: bool = False) -> int:
    """How many tasks a round is cut into: so many cores can work at it at a time. An embedder that is a network has
    more of them.

    >>> choice = Choice(kind="ivf", sentences=1_000_000, dims=256, lists=8192, cells=16)
    >>> size = Size(sentences=1_000_000, neighbours=8, candidates=1e6, judged=0, parts=8)
    >>> [tasks_of(name, choice, size) for name in ("index/centroids", "neighbours/searched", "pairs/ranked")]
    [1, 16, 8]
    """
    if name in SERIAL or name.endswith(LOOKED_FOR):
        return 1
    if name in IN_CELLS:
        return max(choice.cells or math.ceil(choice.sentences / block_size(choice.sentences)), 1)
    if name == "labels/judged":
        return max(math.ceil(size.judged / JUDGED_A_TASK), 1)
    if name == "vectors/embedded" and is_network:
        return size.parts * math.ceil(size.sentences / size.parts / NETWORK_TEXTS)
    return size.parts


def flop_of(name: str, choice: Choice, probes: int, measured: Calibration, size: Size) -> float:
    """Products of a round, in floating-point operations, as many as take as long in long lists."""
    field = PRODUCTS.get(name)
    if not field:
        return 0.0
    work = work_of(choice, probes, k=size.neighbours, unevenness=measured.look.unevenness)
    flop = float(getattr(work, field))
    if field != "flop_search" or choice.kind != "ivf":
        return flop
    in_lists = measured.in_lists[nearest_known(measured.in_lists, choice.sentences / choice.lists)]
    return size.stages * work.flop_find + flop / in_lists


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWork:
    """A round at the size that is planned."""

    step: str
    seconds: float
    """Of one core."""
    tasks: int
    """So many can be done at a time."""

    def on(self, workers: int, together: float) -> float:
        """Seconds on so many cores: the last tasks may have fewer than there are."""
        if self.tasks == 1 or workers == 1:
            return self.seconds
        return self.seconds * math.ceil(self.tasks / workers) / self.tasks / together


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one way of mining takes in time."""

    choice: Choice
    embedder: str
    rounds: tuple[RoundWork, ...]
    together: float
    """How fast a core is when all are at work, of what it is alone."""
    disk: float
    """Seconds of writing, and of reading what memory does not hold, by one machine."""
    starting: float
    """Seconds of starting helpers, however many machines there are."""

    def seconds(self, workers: int, machines: int = 1) -> dict[str, float]:
        """Seconds by step, with so many workers on each of so many machines."""
        steps: dict[str, float] = {}
        for work in self.rounds:
            steps[work.step] = steps.get(work.step, 0.0) + work.on(workers * machines, self.together)
        in_order = sorted(steps, key=lambda step: (STEPS.index(step) if step in STEPS else len(STEPS), step))
        return {step: steps[step] for step in in_order} | {"disk and starting": self.disk / machines + self.starting}

    def total(self, workers: int, machines: int = 1) -> float:
        """Seconds in all."""
        working = sum(work.on(workers * machines, self.together) for work in self.rounds)
        return working + self.disk / machines + self.starting


def cost_of(
    measured: Calibration, choice: Choice, embedder: str, size: Size, probes: int, *, written: float, cache: float
) -> Cost:
    """What mining so much takes with this index and this embedder.

    `written` are the bytes that go to disk in all, `cache` those of files that a machine's memory can hold.
    """
    speed = speed_at(measured, choice.dims) * 1e9
    amounts = size.amounts(choice)
    model = measured.embedders[embedder]
    slower = model.each - measured.embedders[measured.embedder].each
    rounds = []
    helped = 0
    for name, cost in measured.rounds.items():
        step = name.partition("/")[0]
        if choice.kind == "exact" and name.startswith(WITH_LISTS):
            continue
        if name == "vectors/sampled":  # what it embeds is not embedded again
            continue
        each = cost.each
        if name == "vectors/embedded" or (name == "vectors/coder" and not model.is_network):
            each = max(each + slower, model.each)
        seconds = cost.fixed + each * amounts[unit_of(name)]
        seconds += flop_of(name, choice, probes, measured, size) / speed
        tasks = tasks_of(name, choice, size, is_network=model.is_network)
        rounds.append(RoundWork(step=step, seconds=seconds, tasks=tasks))
        helped += tasks > 1 and not name.endswith(ALONE) and seconds > measured.start_seconds
    if size.judged:
        seconds = size.judged * measured.judging.each
        rounds.append(RoundWork(step="labels", seconds=seconds, tasks=tasks_of("labels/judged", choice, size)))
        helped += seconds > measured.start_seconds
    reading = reading_of(choice, size.neighbours, probes, cache)
    again = reading.pages / measured.page_speed
    if choice.codes == "pq":  # the nearest by packed codes are measured anew by whole ones, which are read row by row
        again += size.sentences * wide(size.neighbours) * LOOKED_AT * choice.dims / measured.read_speed
    if again:
        tasks = tasks_of("neighbours/searched", choice, size)
        rounds.append(RoundWork(step="neighbours", seconds=again, tasks=tasks))
    return Cost(
        choice=choice,
        embedder=embedder,
        rounds=tuple(rounds),
        together=measured.together,
        disk=written * (1 / measured.write_speed + 1 / measured.read_speed) + reading.through / measured.disk_speed,
        starting=measured.start_seconds * helped,
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


def machines_for(cost: Cost, seconds: float, workers: int) -> int | None:
    """The fewest machines with so many workers that end it in time; None where none do, however many: what one process
    does alone, and the longest tasks, take longer."""
    if cost.total(workers, MOST_MACHINES) > seconds:
        return None
    most = 1
    while cost.total(workers, most) > seconds:
        most *= 2
    fewest = most // 2 + 1
    while fewest < most:
        middle = (fewest + most) // 2
        if cost.total(workers, middle) > seconds:
            fewest = middle + 1
        else:
            most = middle
    return most
