"""Rows of an index are found by their place, wherever their cell lies."""

from __future__ import annotations

import numpy as np
import pytest

from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.places import Places


@pytest.fixture(scope="module")
def places(index: Index) -> Places:
    return Places(index.cells)


def test_every_row_has_a_place_of_its_own_and_is_read_by_it(places: Places, index: Index, rows: np.ndarray) -> None:
    of = np.full(len(rows), -1)
    places.of_numbers(of)
    is_laid = rows.any(axis=1)
    assert (of[~is_laid] == -1).all()
    assert sorted(of[is_laid].tolist()) == list(range(len(places))) == list(range(is_laid.sum()))
    taken = places.take(np.arange(len(places)))
    assert of[taken.numbers].tolist() == list(range(len(places)))
    assert (index.codes.decode(taken.kept) == rows[taken.numbers]).all()


@pytest.mark.parametrize("step", [1, 7, 500])
def test_some_rows_are_those_of_all(places: Places, step: int) -> None:
    everyone, some = places.take(np.arange(len(places))), np.arange(3, len(places), step)
    taken = places.take(some)
    np.testing.assert_array_equal(taken.numbers, everyone.numbers[some])
    np.testing.assert_array_equal(taken.kept, everyone.kept[some])


def test_a_cells_rows_follow_each_other_in_their_order(places: Places, index: Index) -> None:
    assert index.lists.cells > 1
    for cell in range(index.lists.cells):
        opened = index.cells[cell]
        numbers, kept = places.take(places.of_cell(cell))
        whole = opened.read(0, opened.rows)
        np.testing.assert_array_equal(numbers, whole.numbers)
        np.testing.assert_array_equal(kept, whole.kept)


def test_of_no_place_nothing_is_read(places: Places, index: Index) -> None:
    taken = places.take(np.empty(0, np.int64))
    assert taken.numbers.shape == (0,)
    assert taken.kept.shape == (0, index.codes.width)
