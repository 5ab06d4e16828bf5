"""Neighbours of neighbours are looked at, and make the nearest better and never worse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paraloom.models.neighbours import search
from paraloom.models.neighbours import second_look as module
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, nobody
from paraloom.models.neighbours.recall import Recall, least_that_counts, recall_of
from paraloom.models.neighbours.search import first_look, search_cell
from paraloom.models.neighbours.second_look import LooksByNumber, fewest_probes, look_again, recall_either_way
from tests.models.neighbours.made_up import assert_same, plain_nearest

K = 6
PROBES = 2


@pytest.fixture(scope="module")
def first(index: Index, rows: np.ndarray) -> Neighbours:
    """What all sentences find with few probes."""
    found = nobody(len(rows), K)
    for cell in range(index.lists.cells):
        for numbers, neighbours in search_cell(index.cells, index.finder, cell, k=K, probes=PROBES):
            found.dots[numbers], found.numbers[numbers] = neighbours
    return found


def again(rows: np.ndarray, first: Neighbours, numbers: np.ndarray) -> Neighbours:
    def look(of: np.ndarray) -> Neighbours:
        return Neighbours(first.dots[of], first.numbers[of])

    own = look(numbers)
    return look_again(numbers, own.numbers, own, LooksByNumber(look, rows.__getitem__))


def test_the_best_of_all_neighbours_neighbours_are_taken(rows: np.ndarray, first: Neighbours) -> None:
    numbers = np.array([0, 17, 40, 2999])
    found = again(rows, first, numbers)
    for row, number in enumerate(numbers):
        theirs = first.numbers[first.numbers[number][first.numbers[number] != NOBODY]]
        met = (set(theirs.ravel().tolist()) | set(first.numbers[number].tolist())) - {NOBODY, number}
        dots = {other: int(rows[number].astype(int) @ rows[other].astype(int)) for other in met}
        expected = sorted((other for other in met if dots[other] > 0), key=lambda other: (-dots[other], other))[:K]
        assert [other for other in found.numbers[row].tolist() if other != NOBODY] == expected
        assert found.dots[row].tolist()[: len(expected)] == [dots[other] for other in expected]


def test_a_second_look_finds_many_that_the_first_missed(rows: np.ndarray, first: Neighbours) -> None:
    everyone = np.arange(len(rows))
    true = plain_nearest(rows, rows, K, everyone)
    before, after = recall_of(true, first), recall_of(true, again(rows, first, everyone))
    assert before.share < 0.99
    assert after.share > before.share + (1 - before.share) * 0.3


def test_how_many_look_together_changes_nothing(
    rows: np.ndarray, first: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.arange(500, 900)
    together = again(rows, first, numbers)
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 7)
    assert_same(again(rows, first, numbers), together)


def test_where_many_are_met_fewer_look_together_and_memory_holds_no_more(
    rows: np.ndarray, first: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, held = np.arange(500, 900), []

    def read(of: np.ndarray) -> np.ndarray:
        held.append(len(of))
        return rows[of]

    own = Neighbours(first.dots[numbers], first.numbers[numbers])
    looks = LooksByNumber(lambda of: Neighbours(first.dots[of], first.numbers[of]), read)
    together = look_again(numbers, own.numbers, own, looks)
    assert held == [max(held)]
    monkeypatch.setattr(module, "MOST_MET", most := 300)
    assert max(held) > most
    held.clear()
    assert_same(look_again(numbers, own.numbers, own, looks), together)
    assert len(held) > 1
    assert max(held) <= most


def test_those_without_neighbours_stay_without(rows: np.ndarray) -> None:
    none = nobody(5, K)
    assert_same(again(rows, none, np.arange(5)), none)


def test_a_first_look_is_what_the_search_of_a_cell_finds(index: Index, rows: np.ndarray, first: Neighbours) -> None:
    numbers = np.array([3, 700, 2222])
    found = first_look(index.cells, index.finder, rows[numbers], numbers, k=K, probes=PROBES)
    assert_same(found, Neighbours(first.dots[numbers], first.numbers[numbers]))


def test_no_more_look_into_lists_at_a_time_than_memory_is_meant_for(
    index: Index, rows: np.ndarray, first: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, together = np.arange(100, 150), []
    look_into = search.look_into

    def noted(cells: Any, finder: Any, codes: np.ndarray, own: np.ndarray, **how: Any) -> Neighbours:
        together.append(len(codes))
        return look_into(cells, finder, codes, own, **how)

    monkeypatch.setattr(search, "look_into", noted)
    monkeypatch.setattr(search, "FEWEST_AT_ONCE", 1)
    monkeypatch.setattr(search, "MEETINGS", 20 * PROBES)
    found = first_look(index.cells, index.finder, rows[numbers], numbers, k=K, probes=PROBES)
    assert together == [20, 20, 10]
    assert_same(found, Neighbours(first.dots[numbers], first.numbers[numbers]))
    none = first_look(index.cells, index.finder, rows[:0], numbers[:0], k=K, probes=PROBES)
    assert none.numbers.shape == none.dots.shape == (0, K)


def test_the_recall_of_a_sample_is_what_a_run_finds_of_it_either_way(index: Index, rows, first: Neighbours) -> None:
    sample = np.arange(0, len(rows), 9)
    everyone = np.arange(len(rows))
    true = plain_nearest(rows[sample], rows, K, sample)
    told = recall_either_way(
        sample,
        true,
        first_look=lambda some: first_look(index.cells, index.finder, rows[some], some, k=K, probes=PROBES),
        read_codes=rows.__getitem__,
    )
    ran = again(rows, first, everyone).numbers
    pairs = [(a, b) for a, others in zip(sample.tolist(), true.numbers.tolist(), strict=True) for b in others if b >= 0]
    found = sum(b in ran[a] or a in ran[b] for a, b in pairs)
    assert told.share == round(found / len(pairs), 6)
    assert told.low < told.share < told.high


def test_only_neighbours_that_are_near_enough_count() -> None:
    true = Neighbours(np.array([[50, 20]], np.int32), np.array([[1, 2]]))
    found = Neighbours(np.array([[50, 10]], np.int32), np.array([[1, 3]]))
    assert recall_of(true, found).share == 0.5
    assert recall_of(true, found, least=30).share == 1.0


@pytest.mark.parametrize(("target", "probes"), [(0.05, 1), (0.5, 8), (0.9, 16), (0.99, 20)])
def test_probes_are_the_fewest_of_the_steps_that_find_enough(target: float, probes: int) -> None:
    asked = []

    def recall_with(count: int) -> Recall:
        asked.append(count)
        return Recall(share=min(count / 16, 0.95), low=0.0, high=1.0, queries=5)

    chosen, told = fewest_probes(recall_with, target, most=20)
    assert chosen == probes
    assert chosen in asked
    assert len(asked) <= 4
    assert told.share == min(probes / 16, 0.95)


def test_a_recall_is_counted_by_the_nearest_of_the_sample_where_few_are_near_enough() -> None:
    dots = np.arange(1000, 0, -1, dtype=np.int32).reshape(250, 4)
    true = Neighbours(dots, np.arange(1000).reshape(250, 4))
    assert least_that_counts(true, 300) == 300
    assert least_that_counts(true, 999) == 801  # the two hundred nearest
    assert least_that_counts(Neighbours(dots[:10], true.numbers[:10]), 5000) == 961
    assert least_that_counts(nobody(3, 4), 7) == 7
