"""Likeness of sentences and of runs of them is the cosine of their vectors and of the sums of these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from paraloom.pairs.bands import Band
from paraloom.pairs.similarities import LONGEST_RUN, MEANING, sentence_vectors

LEFT = ["the storm hit the coast", "nobody slept", "and then it went", "!!"]
RIGHT = ["a storm reached the coast", "no one slept at all", "it went away"]


def made_up(texts: Sequence[str]) -> np.ndarray:
    return np.array([[len(text), text.count("t"), text.count("o"), 1.0] for text in texts], np.float32)


@pytest.mark.parametrize("embed", [None, made_up])
def test_all_ways_to_compare_agree(embed) -> None:
    left, right, _ = sentence_vectors(LEFT, RIGHT, embed)
    table = left.all_products(right, slice(0, 4))
    rows, columns = (places.ravel() for places in np.indices(table.shape))
    np.testing.assert_allclose(left.products(right, rows, columns), table.ravel(), atol=2e-6)
    band = left.products_in(right, Band.whole(4, 3)).reshape(5, 4)
    np.testing.assert_allclose(band[1:, 1:], table, atol=2e-6)
    assert not band[0].any()
    assert not band[:, 0].any()
    np.testing.assert_allclose(left.all_products(right, slice(1, 3)), table[1:3], atol=2e-6)


@pytest.mark.parametrize("embed", [None, made_up])
def test_a_run_is_as_long_as_the_sum_of_its_vectors(embed) -> None:
    left, _, _ = sentence_vectors(LEFT, RIGHT, embed)
    table = left.all_products(left, slice(0, 4)).astype(np.float64)
    norms = left.norms()
    for count in range(1, LONGEST_RUN + 1):
        for start in range(len(LEFT) - count + 1):
            inside = slice(start, start + count)
            assert norms[count - 1, start] == pytest.approx(np.sqrt(max(table[inside, inside].sum(), 0)), abs=1e-5)


def test_sizes_are_logarithms_of_the_letters_of_a_run() -> None:
    left, _, _ = sentence_vectors(LEFT, RIGHT)
    assert left.sizes()[1, 0] == pytest.approx(np.log(len(LEFT[0]) + len(LEFT[1]) + 5))
    assert left.sizes()[0, 3] == pytest.approx(np.log(len(LEFT[3]) + 5))


def test_what_all_sentences_mean_alike_is_taken_away() -> None:
    def nearly_the_same(texts: Sequence[str]) -> np.ndarray:
        return np.array([[100.0, index % 2] for index, _ in enumerate(texts)], np.float32)

    left, right, _ = sentence_vectors(["ab cd"], ["ef gh"], nearly_the_same)
    assert left.all_products(right, slice(0, 1))[0, 0] == pytest.approx(-MEANING)


@pytest.mark.parametrize(("left", "right"), [([], []), (["a"], []), ([], ["a"])])
def test_documents_without_sentences_have_no_vectors(left: list[str], right: list[str]) -> None:
    def never(texts: Sequence[str]) -> np.ndarray:
        raise AssertionError(texts)

    mine, other, _ = sentence_vectors(left, right, never)
    assert (len(mine), len(other)) == (len(left), len(right))
