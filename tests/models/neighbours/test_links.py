"""Who found a sentence is told to it, the nearest first, and nobody twice."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.neighbours.links import Edges, joined, linked, once
from paraloom.models.neighbours.nearest import NOBODY

COUNT = 30


def graph(seed: int, k: int = 4, kind: type = np.int32) -> tuple[np.ndarray, np.ndarray]:
    """What thirty sentences have found, a few of them nothing, and products with many ties."""
    rng = np.random.default_rng(seed)
    found = np.array([rng.permutation(np.delete(np.arange(COUNT), own))[:k] for own in range(COUNT)], kind)
    found[rng.random(found.shape) < 0.1] = NOBODY
    found[[3, 11]] = NOBODY
    return found, rng.integers(1, 6, found.shape).astype(np.int32)


def plain_links(found: np.ndarray, dots: np.ndarray, most: int) -> list[list[int]]:
    links = []
    for own in range(COUNT):
        there = [int(other) for other in found[own] if other != NOBODY]
        finders = [
            (-int(dots[other, place]), other)
            for other in range(COUNT)
            for place in range(found.shape[1])
            if found[other, place] == own and other not in there
        ]
        links.append([int(other) for other in found[own]] + [other for _, other in sorted(finders)][:most])
    return links


def leading_to(cell: slice, edges: Edges) -> Edges:
    some = slice(*np.searchsorted(edges.targets, [cell.start, cell.stop]).tolist())
    return Edges(*(column[some] for column in edges))


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("most", [0, 1, 3, 40])
@pytest.mark.parametrize("cuts", [[0, 30], [0, 7, 7, 20, 30]])
def test_links_are_what_was_found_and_the_nearest_of_those_that_found(kind: type, most: int, cuts: list[int]) -> None:
    found, dots = graph(most, kind=kind)
    cells = [slice(*cut) for cut in pairwise(cuts)]
    turned = [Edges.of(np.arange(COUNT)[cell], found[cell], dots[cell]).best(4 + most) for cell in cells]
    links = np.concatenate(
        [linked(found[cell], joined([leading_to(cell, edges) for edges in turned]), cell.start, most) for cell in cells]
    )
    assert links.shape == (COUNT, 4 + most)
    assert links.dtype == kind
    for row, expected in zip(links.tolist(), plain_links(found, dots, most), strict=True):
        assert row == expected + [NOBODY] * (4 + most - len(expected))


def test_a_hub_that_everyone_found_keeps_the_nearest() -> None:
    found = np.full((COUNT, 1), 5, np.int32)
    found[5] = NOBODY
    dots = np.arange(COUNT, dtype=np.int32)[:, None] + 1
    links = linked(found, Edges.of(np.arange(COUNT), found, dots), 0, 3)
    assert links[5].tolist() == [NOBODY, 29, 28, 27]
    assert links[29].tolist() == [5, NOBODY, NOBODY, NOBODY]


@given(st.lists(st.lists(st.integers(-1, 50) | st.integers(2**20, 2**20 + 200), max_size=60), min_size=1, max_size=3))
def test_names_are_given_once_and_rising(names: list[list[int]]) -> None:
    rising, places = once(*(np.array(some, np.int64) for some in names))
    assert rising.tolist() == sorted({name for some in names for name in some} - {NOBODY})
    for some, told in zip(names, places, strict=True):
        assert told.tolist() == [NOBODY if name == NOBODY else rising.tolist().index(name) for name in some]


@pytest.mark.parametrize("step", [1, 63, 64, 4096])
def test_many_names_find_room_however_they_follow_each_other(step: int) -> None:
    names = np.random.default_rng(step).permutation(np.arange(20_000).repeat(2)) * step
    rising, (places,) = once(names)
    assert np.array_equal(rising, np.arange(20_000) * step)
    assert np.array_equal(rising[places], names)
