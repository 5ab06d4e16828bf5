"""A search that starts from what was found before finds no worse neighbours than one that starts from nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from paraloom.errors import EngineError
from paraloom.models.neighbours import grown_search
from paraloom.models.neighbours.centroids import learn_lists
from paraloom.models.neighbours.codes import Coder, squared_norms
from paraloom.models.neighbours.grown_search import Growth, search_grown_block, search_grown_cell
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, nobody
from paraloom.models.neighbours.product_codes import ProductCoder, learn_product_coder
from paraloom.models.neighbours.search import Found, Part, search_cell
from paraloom.models.neighbours.second_look import LooksByNumber, look_again
from tests.models.neighbours.made_up import assert_same, fill_index, plain_nearest

K = 6
COUNT = 900
LISTS = 24


class Grown:
    """Sentences of which some were searched before, in the lists that were learned from those."""

    def __init__(self, folder: Path, rows: NDArray[np.int8], codes: Coder | ProductCoder, is_old: NDArray[np.bool_]):
        self.rows, self.is_old, self.was = rows, is_old, np.flatnonzero(is_old)
        lists = learn_lists(rows[self.was], LISTS, 3)
        self.before = fill_index(folder / "before", lists, rows[self.was], codes)
        self.now = fill_index(folder / "now", lists, rows, codes)

    def search(self, index: Index, rows: NDArray[np.int8], probes: int) -> Neighbours:
        found = nobody(len(rows), K)
        whole = rows.__getitem__ if index.is_packed else None
        for cell in range(index.lists.cells):
            for numbers, near in search_cell(index.cells, index.finder, cell, k=K, probes=probes, whole=whole):
                found.dots[numbers], found.numbers[numbers] = near
        return found

    def known(self, probes: int) -> Neighbours:
        """What those that were there have found, with a second look, as they were numbered then."""
        rows = self.rows[self.was]
        first = self.search(self.before, rows, probes)
        looks = LooksByNumber(lambda of: Neighbours(first.dots[of], first.numbers[of]), rows.__getitem__)
        return look_again(np.arange(len(rows)), first.numbers, first, looks)

    def go_on(self, known: Neighbours, then: int, probes: int, *, meets_all: bool = False) -> Neighbours:
        """What all find that start from there."""
        new = np.flatnonzero(~self.is_old)
        growth = Growth(
            is_new=~self.is_old, probes=then, new_rows=(lambda: [(new, self.rows[new])]) if meets_all else None
        )
        found = nobody(len(self.rows), K)
        renumbered = np.append(self.was, NOBODY)  # the last one is for nobody
        for cell in range(self.now.lists.cells):
            numbers = self.before.cells[cell].read_numbers(0, self.before.cells[cell].rows)
            here = Found(
                self.was[numbers], Neighbours(known.dots[numbers], renumbered[known.numbers[numbers]].astype(np.int64))
            )
            whole = self.rows.__getitem__ if self.now.is_packed else None
            for some, near in search_grown_cell(
                self.now.cells, self.now.finder, cell, here, growth, k=K, probes=probes, whole=whole
            ):
                found.dots[some], found.numbers[some] = near
        return found


@pytest.fixture(scope="module", params=["few are new", "most are new", "packed"])
def grown(request: pytest.FixtureRequest, rows, coder: Coder, tmp_path_factory: pytest.TempPathFactory) -> Grown:
    is_old = np.random.default_rng(3).random(COUNT) > (0.6 if request.param == "most are new" else 0.1)
    some = rows[:COUNT]
    known = some[squared_norms(some) > 0]
    codes = learn_product_coder(coder, known, coder.dims // 4) if request.param == "packed" else coder
    return Grown(tmp_path_factory.mktemp("grown"), some, codes, is_old)


LOOKS = [(3, 3, False), (3, 3, True), (2, 5, False), (2, 5, True), (5, 2, False), (1, LISTS, False)]


@pytest.mark.parametrize(("then", "probes", "meets_all"), LOOKS)
def test_every_neighbour_is_as_near_as_that_of_a_search_anew(
    grown: Grown, then: int, probes: int, meets_all: bool
) -> None:
    found = grown.go_on(grown.known(then), then, probes, meets_all=meets_all)
    anew = grown.search(grown.now, grown.rows, probes)
    assert (found.dots >= anew.dots).all()
    assert_same(
        Neighbours(found.dots[~grown.is_old], found.numbers[~grown.is_old]),
        Neighbours(anew.dots[~grown.is_old], anew.numbers[~grown.is_old]),
    )
    there = found.numbers != NOBODY
    products = (grown.rows[:, None].astype(int) * grown.rows[found.numbers].astype(int)).sum(axis=2)
    np.testing.assert_array_equal(found.dots[there], products[there])
    for own, numbers in enumerate(found.numbers):
        named = [number for number in numbers.tolist() if number != NOBODY]
        assert len(set(named)) == len(named)
        assert own not in named


@pytest.mark.parametrize("grown", ["few are new", "most are new"], indirect=True)
@pytest.mark.parametrize("meets_all", [False, True])
def test_with_all_lists_probed_it_is_exact(grown: Grown, meets_all: bool) -> None:
    found = grown.go_on(grown.known(LISTS), LISTS, LISTS, meets_all=meets_all)
    assert_same(found, plain_nearest(grown.rows, grown.rows, K, np.arange(COUNT)))


def test_only_what_is_new_or_has_lost_a_neighbour_is_searched_for_anew(
    grown: Grown, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = grown.known(3)
    known.numbers[5, 2] = NOBODY  # its product stays: this one is there no longer
    asked: list[int] = []
    look_into = grown_search.look_into

    def noted(*given, **how):
        asked.extend(given[3].tolist())
        return look_into(*given, **how)

    monkeypatch.setattr(grown_search, "look_into", noted)
    found = grown.go_on(known, 3, 3)
    lost = int(grown.was[5])
    in_lists = squared_norms(grown.rows) > 0
    assert sorted(asked) == sorted([*np.flatnonzero(~grown.is_old & in_lists).tolist(), lost])
    anew = grown.search(grown.now, grown.rows, 3)
    assert found.numbers[lost].tolist() == anew.numbers[lost].tolist()


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
@pytest.mark.parametrize("cut", [1, 400])
def test_a_block_that_has_met_all_but_the_new_ones_finds_what_a_block_anew_does(
    rows: NDArray[np.int8], share: float, cut: int
) -> None:
    rows = rows[:COUNT]
    is_new = np.random.default_rng(7).random(COUNT) < share
    was, new = np.flatnonzero(~is_new), np.flatnonzero(is_new)
    before = plain_nearest(rows[was], rows[was], K, np.arange(len(was)))
    expected = plain_nearest(rows, rows, K, np.arange(COUNT))
    own = np.arange(100, 350)
    here = np.flatnonzero((was >= 100) & (was < 350))
    numbers = np.append(was, NOBODY)[before.numbers[here]].astype(np.int64)
    numbers[1:2, 3] = NOBODY  # its product stays: this one is there no longer
    found = search_grown_block(
        rows[own],
        own,
        lambda: [Part(start, rows[start : start + cut]) for start in range(0, COUNT, cut)],
        Found(was[here], Neighbours(before.dots[here], numbers)),
        lambda: [(new[start : start + cut], rows[new[start : start + cut]]) for start in range(0, len(new), cut)],
        K,
    )
    assert_same(found, Neighbours(expected.dots[own], expected.numbers[own]))


def test_what_was_found_for_others_is_refused(grown: Grown) -> None:
    growth = Growth(is_new=~grown.is_old, probes=3)
    strangers = Found(np.arange(2), nobody(2, K))
    with pytest.raises(EngineError, match="has other sentences than were searched for before"):
        list(search_grown_cell(grown.now.cells, grown.now.finder, 0, strangers, growth, k=K, probes=3))
