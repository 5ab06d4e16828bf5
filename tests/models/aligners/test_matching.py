"""Links of a matrix are what its definition says, by trying everything on small matrices."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from paraloom.models.aligners import Links
from paraloom.models.aligners.matching import argmax, itermax, mwmf

Floats = NDArray[np.float64]

SHAPES = st.tuples(st.integers(0, 5), st.integers(0, 5))
WORTHS = st.one_of(st.just(-np.inf), st.floats(-0.5, 1.5, width=16))
MATRICES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=WORTHS))
"""Also with equal numbers, negative ones, and pairs that must not be linked."""


@st.composite
def distinct_matrices(draw: st.DrawFn) -> Floats:
    """No two numbers are equal, nor are any two sums of them, so that there is one best."""
    rows, columns = draw(SHAPES)
    numbers = draw(st.permutations(range(1, rows * columns + 1)))
    return (2.0 ** np.array(numbers)).reshape(rows, columns)


def every_matching(rows: int, columns: int) -> list[list[tuple[int, int]]]:
    """All ways to link some rows with as many columns."""
    return [
        list(zip(chosen, met, strict=True))
        for size in range(min(rows, columns) + 1)
        for chosen in combinations(range(rows), size)
        for met in permutations(range(columns), size)
    ]


def mutual(worth: Floats) -> set[tuple[int, int]]:
    """Cells that are the first largest of their row and of their column."""
    found = set()
    for row in range(len(worth)):
        for column in range(worth.shape[1]):
            best = worth[row, column]
            before = [*worth[row, :column], *worth[:row, column]]
            behind = [*worth[row, column + 1 :], *worth[row + 1 :, column]]
            if best > -np.inf and all(best > other for other in before) and all(best >= other for other in behind):
                found.add((row, column))
    return found


def by_definition(worth: Floats, rounds: int, again: float) -> set[tuple[int, int]]:
    """Itermax cell by cell, as Jalili Sabet et al. (2020) define it."""
    linked: set[tuple[int, int]] = set()
    for _ in range(rounds):
        masked = worth.copy()
        for row, column in np.ndindex(*worth.shape):
            has = (any(one == row for one, _ in linked), any(other == column for _, other in linked))
            if all(has) or (any(has) and again == 0):
                masked[row, column] = -np.inf
            elif any(has):
                masked[row, column] *= again
        linked |= mutual(masked)
    return linked


@given(MATRICES)
def test_argmax_links_what_is_best_for_both(worth: Floats) -> None:
    assert set(argmax(worth)) == mutual(worth)


@given(MATRICES, st.integers(1, 4), st.sampled_from([0.0, 0.5, 0.9, 1.0]))
def test_itermax_is_what_its_definition_says(worth: Floats, rounds: int, again: float) -> None:
    assert set(itermax(worth, rounds, again)) == by_definition(worth, rounds, again)


@given(MATRICES, st.sampled_from([0.0, 0.25, 1.0]))
def test_no_matching_is_worth_more_than_the_one_found(worth: Floats, alone: float) -> None:
    def gain(links: list[tuple[int, int]] | Links) -> float:
        return sum(worth[row, column] - alone for row, column in links)

    found = mwmf(worth, alone)
    assert list(found) in every_matching(*worth.shape)
    assert gain(found) == pytest.approx(max(map(gain, every_matching(*worth.shape))))
    assert all(worth[row, column] > alone for row, column in found)


@given(MATRICES)
def test_with_again_0_no_token_has_two_links(worth: Floats) -> None:
    links = itermax(worth, rounds=4, again=0.0)
    assert len({left for left, _ in links}) == len({right for _, right in links}) == len(links)


@pytest.mark.parametrize("method", [argmax, itermax, mwmf])
@given(worth=distinct_matrices())
def test_turned_sides_turn_the_links(method, worth: Floats) -> None:
    assert sorted((left, right) for right, left in method(worth.T)) == list(method(worth))


@given(MATRICES)
def test_links_come_in_order_and_once(worth: Floats) -> None:
    for links in (argmax(worth), itermax(worth), mwmf(worth)):
        assert list(links) == sorted(set(links))
        assert all(type(place) is int for link in links for place in link)
