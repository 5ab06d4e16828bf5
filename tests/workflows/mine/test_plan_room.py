"""Bytes on disk, in memory, and read again, by the formulas of a plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paraloom.models.neighbours.choice import Choice, rooms_of
from paraloom.workflows.mine.plan_costs import Size
from paraloom.workflows.mine.plan_reading import reading_of
from paraloom.workflows.mine.plan_room import Memory, disk_of, memory_of, workers_that_fit
from tests.workflows.mine.made_up_machine import MEASURED

SIZE = Size(sentences=400_000_000, neighbours=8, candidates=8e8, judged=1e6, written=1e6, parts=2048)
LISTS = Choice(kind="ivf", sentences=400_000_000, dims=256, width=256, lists=131_072, cells=3052)
PACKED = replace(LISTS, codes="pq", width=64)
ALL = Choice(kind="exact", sentences=400_000_000, dims=256, width=256)


def test_the_disk_is_fullest_while_pairs_are_made() -> None:
    size = Size(sentences=3_000_000, neighbours=8, candidates=8.7e6, judged=0, written=8.6e6, parts=16)
    choice = Choice(kind="ivf", sentences=3_000_000, dims=256, width=256, lists=16_384, cells=23)
    disk = disk_of(MEASURED, choice, "fast", size)
    tables = [60.0 * 3e6, 22.0 * 8.7e6, 1.25 * 180.0 * 8.7e6, 8.0 * 8.6e6, 200.0 * 8.6e6]
    folders = [room.kept for room in rooms_of(choice, 8).values()]
    assert disk.kept == pytest.approx(sum(tables) + sum(folders), rel=1e-6)
    assert disk.most == pytest.approx(sum(folders) + sum(tables[:3]) + 1.25 * 770.0 * 8.7e6, rel=1e-6)
    assert disk.written > disk.most


def test_a_network_leaves_its_vectors_in_pieces_until_they_are_joined() -> None:
    size = Size(sentences=10_000_000, neighbours=1, candidates=0.0, judged=0, parts=64)
    choice = Choice(kind="exact", sentences=10_000_000, dims=256, width=256)
    quick, network = (disk_of(MEASURED, choice, embedder, size).most for embedder in ("fast", "good"))
    assert quick == 10_000_000 * (60 + 276 + 16 + 16)  # sentences, vectors, neighbours, and what clusters are linked by
    assert network == 10_000_000 * (60 + 276 + 256)


def test_memory_is_that_of_the_fullest_moment() -> None:
    memory = Memory(main=1000, learning=5000, worker=600)
    assert [memory.of(workers) for workers in (1, 6, 8)] == [5000, 5000, 5800]
    assert [workers_that_fit(memory, available, 7) for available in (10**6, 5000, 4999)] == [7, 6, 0]


def test_a_worker_holds_its_cell_or_its_part_of_the_pairs_whichever_is_more() -> None:
    choice = Choice(kind="ivf", sentences=3_000_000, dims=256, width=256, lists=16_384, cells=23)
    few, many = (
        memory_of(MEASURED, choice, "fast", replace(SIZE, sentences=3_000_000, candidates=pairs, parts=16), 512).worker
        for pairs in (1e5, 1e8)
    )
    assert few - MEASURED.memory_helper > 65_536 * 512 * 12  # who meets which list
    assert many - MEASURED.memory_helper == round(1e8 / 16 * (2 * 90.0 + 240) * 4)


INDEX = 400_000_000 * 264 + 131_072 * 256
AGAIN = 400_000_000 * 2 * 40 * 4096  # two looks
READING = [
    (LISTS, 120e9, 0, 0),
    (LISTS, 60e9, 3052 * INDEX, AGAIN),
    (PACKED, 120e9, 0, 0),
    (PACKED, 60e9, 0, AGAIN + 400_000_000 * 4 * 16 * 4096),  # four times the sixteen nearest, by whole vectors
    (ALL, 120e9, 0, 0),
    (ALL, 60e9, 6104 * 400_000_000 * 256, 0),
]


@pytest.mark.parametrize(("choice", "cache", "through", "pages"), READING)
def test_what_memory_does_not_hold_is_read_again_and_again(
    choice: Choice, cache: float, through: float, pages: float
) -> None:
    reading = reading_of(choice, 8, 256, cache)
    assert reading.through == pytest.approx(through)
    assert reading.pages == pytest.approx(pages)


def test_the_more_lists_a_sentence_looks_into_the_fewer_are_searched_for_at_a_time() -> None:
    assert reading_of(LISTS, 8, 1340, 0).through == pytest.approx(15_975 * INDEX)
