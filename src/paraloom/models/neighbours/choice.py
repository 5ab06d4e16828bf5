"""How many sentences, how fast, how much room in; which index, why, and how much work it is out."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.centroids import MOST_AT_ONCE, ROUNDS, ROUNDS_ACROSS, sample_size
from paraloom.models.neighbours.codes import check_dims
from paraloom.models.neighbours.groups import AROUND
from paraloom.models.neighbours.links import TOLD, wide
from paraloom.models.neighbours.nearest import start_search, threads
from paraloom.models.neighbours.probes import LINKS, MOST_BY_PRODUCT, REACH, SEARCH_WIDTH
from paraloom.models.neighbours.search import LOOKED_AT, ROWS_AT_ONCE, rows_at_once
from paraloom.models.neighbours.second_look import ROWS_AT_ONCE as ROWS_LOOKING_AGAIN

EXACT_SECONDS = 120.0
"""All sentences are compared with all while that takes no longer."""
USUAL_PROBES = 100
"""What is supposed of the probes, before the recall is known, to choose how many lists there are."""
FINDING = 2.0
"""A list costs so many times as much to look for as a sentence in it to compare with: the best are put in order."""
ROWS_PER_LIST = 128
"""Sentences of a list, at least: shorter ones cost more to fetch than to search."""
ROWS_PER_CELL = ROWS_AT_ONCE
"""Sentences of a cell: what one task searches."""
FEWEST_CELLS = 16
"""So that several workers have something to do."""
DIMS_PER_PIECE = 4
"""Numbers of a vector that become one byte where room is short."""
MEETING = 12
"""Bytes that a sentence and a list that it looks into take while it does."""
NUMBERED = 20
"""Bytes of a sentence's id and of the length of its vector, which lie beside the vectors."""
PAIRED = 16
"""Bytes of a neighbour while pairs are made of neighbours: 11 of three million sentences, and larger numbers pack less
well."""
TASK_MEMORY = 64 << 20
"""Bytes that a search holds besides its sentences."""
SAMPLE_COPIES = 2.5
"""How many times memory holds the sample while centroids are learned: as it was read, without zeros, part by part."""
DISTINCT = 0.075
"""Of all that sentences that lie together are linked with through others, memory holds so many: .063 are different ones
(66 a sentence, of a million), and their names are noted beside them."""
ON_GPU_AT_ONCE = 65_536
"""Sentences whose search among as many tells how fast a GPU is."""
RECALL_QUERIES = 1000
"""Sentences whose true neighbours are looked for to estimate the recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An index for so many sentences."""

    kind: str
    """`exact`: all against all; `ivf`: lists around centroids."""
    sentences: int
    dims: int
    codes: str = "int8"
    """`int8`: a byte a number; `pq`: product-quantised."""
    width: int = 0
    """Bytes that a row takes."""
    lists: int = 0
    cells: int = 0
    has_graph: bool = False
    """Whether nearest lists are found by a graph of centroids."""
    reason: str = ""
    """Why, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an index takes, in floating-point operations and bytes."""

    flop_learn: float
    """Learning centroids, by one task."""
    flop_recall: float
    """Looking for the true neighbours of a sample."""
    flop_assign: float
    """Finding the list of every sentence."""
    flop_find: float
    """Finding the lists nearest to every sentence, once."""
    flop_search: float
    """Finding every sentence's neighbours, in lists or among all."""
    memory_learn: int
    """Bytes that the one task holds that learns centroids."""
    memory_search: int
    """Bytes that a task of the search holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Bytes that a folder of a run takes on disk."""

    kept: int
    """When it is finished."""
    aside: int = 0
    """Beside that, until it is: what its rounds leave for each other."""


def calibrated_speed(dims: int, *, seconds: float = 0.3, width: int = 2048) -> float:
    """GFLOP/s of a search on one core of this machine, by searching for so long in lists of `width` sentences.

    Time is counted while the core works for us, so that a busy machine makes no other choice.
    """
    rows, numbers = _made_up(2048, dims)
    with threads(1):
        search = start_search(rows, 10)
        search.add(rows, numbers)  # what is compiled or loaded on first use is no part of it, nor are the first best
        done, start = 0, time.thread_time()
        while (passed := time.thread_time() - start) < seconds or not done:
            search.add(rows[:width], numbers[:width])
            done += 1
    return done * _products(len(rows), min(width, len(rows)), dims) / passed / 1e9


def calibrated_gpu(dims: int, *, seconds: float = 1.0) -> float:
    """GFLOP/s of a search by the GPU of this machine: of a block of sentences among many, which go there each time."""
    rows, numbers = _made_up(ON_GPU_AT_ONCE, dims)

    def search() -> float:
        start = time.perf_counter()
        begun = start_search(rows, 10, device="cuda")
        begun.add(rows, numbers)
        begun.found()  # waits until all is done
        return time.perf_counter() - start

    search()  # what is loaded on first use is no part of it
    done, passed = 0, 0.0
    while passed < seconds:
        passed += search()
        done += 1
    return done * _products(len(rows), len(rows), dims) / passed / 1e9


def _made_up(count: int, dims: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Codes and their numbers to search among."""
    return np.random.default_rng(0).integers(-40, 41, (count, dims)).astype(np.int8), np.arange(count)


def choose_index(
    sentences: int,
    dims: int,
    *,
    speed: float,
    disk: int | None = None,
    memory: int | None = None,
    kind: str | None = None,
    codes: str | None = None,
    neighbours: int = 10,
) -> Choice:
    """The index for so many sentences: exact while that takes two minutes, lists beyond.

    `speed` is GFLOP/s of all cores together, or of the GPU; `disk` the bytes that are free when the vectors are there;
    `memory` those of a machine. `kind` and `codes` overrule. Codes are packed where whole ones would not fit on the
    disk; or into memory, since the sentences of a cell look into lists everywhere, and the disk would be read through
    for every cell.

    >>> choose_index(50_000, 128, speed=100.0).reason
    'Comparing all 50,000 sentences with all takes about 6 s here: the search is exact.'
    >>> choose_index(50_000, 128, speed=100.0, kind="exact").reason
    'All 50,000 sentences are compared with all, as was asked for: the search is exact.'
    >>> choice = choose_index(10_000_000, 128, speed=100.0)
    >>> choice.kind, choice.lists, choice.cells
    ('ivf', 16384, 77)
    """
    check_dims(dims)
    seconds = _products(sentences, sentences, dims) / (speed * 1e9)
    if kind == "exact" or (kind is None and seconds <= EXACT_SECONDS):
        told = (
            f"All {sentences:,} sentences are compared with all, as was asked for"
            if kind == "exact"  # nobody has measured how fast it is then
            else f"Comparing all {sentences:,} sentences with all takes about {seconds:,.0f} s here"
        )
        reason = f"{told}: the search is exact."
        return Choice(kind="exact", sentences=sentences, dims=dims, width=dims, reason=reason)
    lists = lists_for(sentences)
    has_graph = lists > MOST_BY_PRODUCT
    whole = Choice(
        kind="ivf",
        sentences=sentences,
        dims=dims,
        width=dims,
        lists=lists,
        cells=max(math.ceil(sentences / ROWS_PER_CELL), FEWEST_CELLS),
        has_graph=has_graph,
    )
    short = _short_of(whole, neighbours, disk, memory) if codes is None else ""
    choice = replace(whole, codes="pq", width=packed_width(dims)) if codes == "pq" or short else whole
    compared = f"Comparing all {sentences:,} sentences with all would take about {seconds / 60:,.0f} minutes here: they"
    reason = (
        (f"{sentences:,} sentences" if kind == "ivf" else compared)
        + f" lie in {lists:,} lists, of which each sentence looks into the nearest"
        + (", found by a graph" if has_graph else "")
        + (f"; codes are cut to {choice.width} bytes" if choice.codes == "pq" else "")
        + (f", for {short} is short." if short else ".")
    )
    return replace(choice, reason=reason)


def _short_of(whole: Choice, neighbours: int, disk: int | None, memory: int | None) -> str:
    """What whole codes do not fit into, in a word; nothing where they do."""
    if disk is not None and room_needed(whole, neighbours) > disk:
        return "disk"
    return "memory" if memory is not None and rooms_of(whole, neighbours)["index"].kept > memory else ""


def lists_for(sentences: int) -> int:
    """How many lists: where looking for the nearest and searching in them take about equally long, but of no fewer rows
    than make a list worth the reading.

    >>> [lists_for(count) for count in (100_000, 1_000_000, 10_000_000, 400_000_000)]
    [1024, 8192, 16384, 131072]
    """
    balanced = math.sqrt(USUAL_PROBES / FINDING * max(sentences, 1))
    return 1 << round(math.log2(max(min(balanced, sentences / ROWS_PER_LIST), 1)))


def packed_width(dims: int) -> int:
    """Bytes of a product-quantised row: the most pieces of at least four numbers that cut the dimensions evenly."""
    return max(width for width in range(1, max(dims // DIMS_PER_PIECE, 1) + 1) if dims % width == 0)


def _products(queries: float, candidates: float, dims: int) -> float:
    return 2.0 * queries * candidates * dims


def rooms_of(choice: Choice, k: int) -> dict[str, Room]:
    """Bytes that vectors, index and neighbours take on disk, and what candidate pairs are made from.

    >>> rooms = rooms_of(Choice(kind="ivf", sentences=1_000_000, dims=256, width=256, lists=8192, cells=16), 8)
    >>> [f"{name} {room.kept / 1e6:.0f} + {room.aside / 1e6:.0f} MB" for name, room in rooms.items()]
    ['vectors 276 + 0 MB', 'index 266 + 264 MB', 'neighbours 72 + 588 MB', 'candidates 0 + 128 MB']
    """
    n, number = choice.sentences, 4 if choice.sentences < 1 << 31 else 8
    vectors = Room(kept=n * (choice.dims + NUMBERED))
    found = n * (number + k * (number + 4))  # who, the neighbours of each, and the products with them
    neighbours, candidates = found + n * 4, Room(kept=0, aside=n * k * PAIRED)
    if choice.kind == "exact":
        empty, exact = Room(kept=0), Room(kept=neighbours)
        return {"vectors": vectors, "index": empty, "neighbours": exact, "candidates": candidates}
    rows, kept = n * (choice.width + 8), wide(k)
    # While a look is taken there are two generations of neighbours, the edges of the new one, all links and places.
    found_wide, edges = n * (number + kept * (number + 4)), n * kept * (2 * number + 4)
    looking = 2 * found_wide + edges + n * number * (kept + TOLD + 1)
    return {
        "vectors": vectors,
        "index": Room(kept=rows + choice.lists * choice.dims, aside=rows),
        "neighbours": Room(kept=neighbours, aside=looking),
        "candidates": candidates,
    }


def room_needed(choice: Choice, k: int) -> int:
    """Bytes that must be free on disk when the vectors are there: the most there is at a time until pairs are made.

    How many pairs there will be is not known then; what they take comes on top.
    """
    rooms = rooms_of(choice, k)
    return most_at_a_time([rooms[name] for name in ("index", "neighbours", "candidates")])


def most_at_a_time(rooms: Iterable[Room]) -> int:
    """The most bytes there are on disk while folders are made one after the other, and kept.

    >>> most_at_a_time([Room(kept=5, aside=20), Room(kept=10), Room(kept=1, aside=3)])
    25
    """
    most = kept = 0
    for room in rooms:
        most = max(most, kept + room.kept + room.aside)
        kept += room.kept
    return most


def work_of(choice: Choice, probes: int, *, k: int = 10, unevenness: float = 1.0) -> Work:
    """What making and searching an index takes; of uneven lists the longer ones are looked into more often."""
    n, dims = choice.sentences, choice.dims
    if choice.kind == "exact":
        return Work(
            flop_learn=0.0,
            flop_recall=0.0,
            flop_assign=0.0,
            flop_find=0.0,
            flop_search=_products(n, n, dims),
            memory_learn=0,
            memory_search=min(n, ROWS_AT_ONCE) * (dims + k * 12) + TASK_MEMORY,
        )
    sample = sample_size(choice.lists, n)
    is_flat = choice.lists <= MOST_AT_ONCE
    met = (
        ROUNDS * choice.lists
        if is_flat
        else ROUNDS * 2 * math.isqrt(choice.lists) + ROUNDS_ACROSS * choice.lists / AROUND
    )
    looked_at = LINKS * SEARCH_WIDTH if choice.has_graph else choice.lists
    in_list = unevenness * n / choice.lists
    reach = min(REACH, choice.lists) if choice.has_graph else choice.lists
    in_cell = math.ceil(unevenness * n / choice.cells)
    kept = wide(k) * (LOOKED_AT if choice.codes == "pq" else 1)
    first = min(rows_at_once(probes), in_cell) * (dims + kept * 12 + probes * MEETING)
    links = wide(k) + TOLD
    second = min(ROWS_LOOKING_AGAIN, in_cell) * (1 + links + links * links) * DISTINCT * (dims + 8)
    return Work(
        flop_learn=_products(sample, met, dims),
        flop_recall=_products(min(RECALL_QUERIES, n), n, dims),
        flop_assign=_products(n, looked_at, dims),
        flop_find=_products(n, FINDING * reach, dims),
        flop_search=_products(n, min(probes, choice.lists) * in_list, dims),
        memory_learn=round(sample * dims * SAMPLE_COPIES) + TASK_MEMORY,
        memory_search=round(max(first, second)) + choice.lists * dims + TASK_MEMORY,
    )
