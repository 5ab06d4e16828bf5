"""A search over cells finds what comparing all with all finds, as far as it looks; estimates of how far are true."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import EngineError
from paraloom.models.neighbours import cells as cells_module
from paraloom.models.neighbours import search as module
from paraloom.models.neighbours.codes import Coder, learn_coder, squared_norms
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, nobody
from paraloom.models.neighbours.product_codes import learn_product_coder
from paraloom.models.neighbours.recall import recall_of
from paraloom.models.neighbours.search import Part, search_block, search_cell
from tests.models.neighbours.made_up import assert_same, make_index, plain_nearest

K = 6


def search_all(index: Index, count: int, probes: int) -> Neighbours:
    """The neighbours of all sentences by number, cell by cell."""
    found = nobody(count, K)
    for cell in range(index.lists.cells):
        for numbers, neighbours in search_cell(index.cells, index.finder, cell, k=K, probes=probes):
            found.dots[numbers], found.numbers[numbers] = neighbours
    return found


def parts_of(rows: np.ndarray, size: int) -> list[Part]:
    return [Part(start, rows[start : start + size]) for start in range(0, len(rows), size)]


@pytest.fixture(scope="module")
def expected(rows: np.ndarray) -> Neighbours:
    return plain_nearest(rows, rows, K, np.arange(len(rows)))


def test_with_all_lists_probed_the_search_is_exact(index: Index, rows: np.ndarray, expected: Neighbours) -> None:
    assert_same(search_all(index, len(rows), len(index.lists)), expected)


@pytest.mark.parametrize("size", [1, 700, 5000])
def test_a_block_against_all_parts_is_exact_however_they_are_cut(rows: np.ndarray, expected, size: int) -> None:
    own = np.arange(40, 90)
    found = search_block(rows[own], own, parts_of(rows, size), K)
    assert_same(found, Neighbours(expected.dots[own], expected.numbers[own]))


def test_how_a_cell_is_cut_changes_nothing(index: Index, rows: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = search_all(index, len(rows), 5)
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 100)
    monkeypatch.setattr(module, "FEWEST_AT_ONCE", 100)
    assert len(next(search_cell(index.cells, index.finder, 0, k=K, probes=5)).numbers) == 100
    assert_same(search_all(index, len(rows), 5), whole)


@pytest.mark.parametrize("is_packed", [False, True])
def test_of_many_equal_rows_only_those_are_met_that_can_be_neighbours(
    is_packed: bool, rows: np.ndarray, coder: Coder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = rows.copy()
    many[np.random.default_rng(1).permutation(len(rows))[:1500]] = rows[7]
    codes = learn_product_coder(coder, rows, 6) if is_packed else coder
    folder = make_index(tmp_path, many, codes, lists=40, cells=4).folder
    whole = many.__getitem__ if is_packed else None

    def found_and_met() -> tuple[list[list[list[int]]], int]:
        index = Index.open(folder)
        searched = [
            each.neighbours.numbers.tolist()
            for cell in range(index.lists.cells)
            for each in search_cell(index.cells, index.finder, cell, k=K, probes=9, whole=whole)
        ]
        theirs = int(index.finder.own_lists(rows[7:8])[0])
        return searched, sum(len(numbers) for numbers, _ in index.cells.of_list(theirs, most_copies=K + 1))

    found, met = found_and_met()
    monkeypatch.setattr(cells_module, "LONG", 1000)
    copies = int((many == rows[7]).all(axis=1).sum())
    assert found_and_met() == (found, met - copies + K + 1)


def test_how_rows_were_laid_changes_nothing(index: Index, rows: np.ndarray, coder: Coder, tmp_path: Path) -> None:
    other = make_index(tmp_path, rows, coder, lists=40, cells=4, parts=1)
    for file in sorted(tmp_path.glob("cell-*")):
        assert file.read_bytes() == (index.folder / file.name).read_bytes()
    assert_same(search_all(other, len(rows), 5), search_all(index, len(rows), 5))


def test_every_known_sentence_is_in_one_cell_and_those_of_zeros_in_none(index: Index, rows: np.ndarray) -> None:
    laid = [index.cells[cell].read(0, index.cells[cell].rows).numbers for cell in range(index.lists.cells)]
    known = np.concatenate(laid)
    assert sorted({*range(len(rows))} - {*known.tolist()}) == [17, 1234]
    assert len(known) == len(rows) - 2
    for numbers, cell in zip(laid, range(index.lists.cells), strict=True):
        lists = index.cells[cell].list_of_places(0, len(numbers))
        np.testing.assert_array_equal(lists, index.finder.own_lists(rows[numbers]))


def test_an_index_is_opened_and_answers_for_a_few(index: Index, rows: np.ndarray) -> None:
    opened = Index.open(index.folder)
    some = rows[[5, 17, 2000]]
    found = opened.search(some, K, probes=len(opened.lists))
    assert_same(found, plain_nearest(some, rows, K))
    assert found.numbers[:, 0].tolist() == [5, NOBODY, 2000]


def test_a_recall_of_nothing_says_that_it_knows_nothing() -> None:
    none = nobody(3, K)
    told = recall_of(none, none)
    assert (told.low, told.high, told.queries) == (0.0, 1.0, 0)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_very_few_sentences_are_an_index_too(tmp_path: Path, count: int) -> None:
    rows = np.array([[60, 80], [80, 60]], np.int8)[:count]
    index = make_index(tmp_path, rows, Coder(dims=2, scale=100.0), lists=8, cells=4, parts=1)
    found = search_all(index, count, 8)
    assert found.numbers[:, 0].tolist() == [[], [NOBODY], [1, 0]][count]


def test_equal_vectors_find_the_lowest_numbers(tmp_path: Path) -> None:
    rows = np.tile(np.array([[60, 80, 0]], np.int8), (50, 1))
    index = make_index(tmp_path, rows, Coder(dims=3, scale=100.0), lists=4, cells=2)
    found = search_all(index, 50, 4)
    assert_same(found, plain_nearest(rows, rows, K, np.arange(50)))


def test_product_codes_find_most_of_the_neighbours(vectors, rows, expected, tmp_path: Path) -> None:
    packed = learn_product_coder(learn_coder(vectors), rows, 12)
    index = make_index(tmp_path, rows, packed, lists=40, cells=4)
    opened = Index.open(index.folder)
    assert opened.codes.width == 12
    read_back = packed.decode(packed.pack(rows))
    read_back[[17, 1234]] = 0  # those that were in no list
    found = search_all(opened, len(rows), 40)
    assert_same(found, plain_nearest(read_back, read_back, K, np.arange(len(rows))))
    assert recall_of(expected, found).share > 0.5


def test_a_torn_cell_stops_the_search_and_is_named(index: Index, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    shutil.copytree(index.folder, folder)
    torn = folder / "cell-00002.rows"
    torn.write_bytes(torn.read_bytes()[:-1])
    opened = Index.open(folder)
    with pytest.raises(EngineError, match=r"cell-00002\.rows is damaged"):
        list(search_cell(opened.cells, opened.finder, 1, k=3, probes=40))


def test_sentences_are_searched_for_in_smaller_lots_where_they_look_into_many_lists(
    index: Index, rows: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = search_all(index, len(rows), 12)
    monkeypatch.setattr(module, "FEWEST_AT_ONCE", 50)
    monkeypatch.setattr(module, "MEETINGS", 12 * 70)
    lots = list(search_cell(index.cells, index.finder, 0, k=K, probes=12))
    assert max(len(lot.numbers) for lot in lots) == 70
    assert_same(search_all(index, len(rows), 12), expected)


def test_packed_rows_are_measured_by_whole_ones(rows: np.ndarray, coder: Coder, tmp_path: Path) -> None:
    known = rows[squared_norms(rows) > 0]
    packed = learn_product_coder(coder, known, coder.dims // 4)
    index = make_index(tmp_path, rows, packed, lists=40, cells=4)
    assert index.is_packed
    for cell in range(4):
        for numbers, found in search_cell(index.cells, index.finder, cell, k=K, probes=40, whole=rows.__getitem__):
            there = found.numbers != NOBODY
            products = (rows[numbers][:, None].astype(int) * rows[found.numbers].astype(int)).sum(axis=2)
            np.testing.assert_array_equal(found.dots[there], products[there])
            true = plain_nearest(rows[numbers], rows, K, numbers)
            (by_packed,) = search_cell(index.cells, index.finder, cell, k=K, probes=40)
            assert recall_of(true, found).share > recall_of(true, by_packed.neighbours).share + 0.1
