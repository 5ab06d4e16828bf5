"""The alignment in order gains most of all; a band around it finds the same."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.pairs.bands import FOR_A_MATCH, MARGIN, Band, band_for
from paraloom.pairs.monotone import AGAINST_JOINING, AGAINST_SIZES, SHAPES, Match, matches_in_order
from paraloom.pairs.similarities import SentenceVectors, sentence_vectors

WORDS = ["storm", "coast", "night", "town", "sleep", "wind", "water", "boat", "roof", "tree", "light", "road", "bridge"]


def likeness(left: SentenceVectors, right: SentenceVectors, match: tuple[int, int, int, int]) -> float:
    i, a, j, b = match
    table = left.all_products(right, slice(i, i + a)).astype(np.float64)
    norms = float(left.norms()[a - 1, i]) * float(right.norms()[b - 1, j])
    return float(table[:, j : j + b].sum()) / norms if norms else -np.inf


def best_by_trying_all(left: SentenceVectors, right: SentenceVectors) -> float:
    """The most that any alignment in order gains."""
    sizes, other_sizes = left.sizes(), right.sizes()

    @cache
    def best(i: int, j: int) -> float:
        found = 0.0 if i == len(left) or j == len(right) else max(best(i + 1, j), best(i, j + 1))
        for a, b in SHAPES:
            if i + a <= len(left) and j + b <= len(right):
                alike = likeness(left, right, (i, a, j, b))
                apart = abs(float(sizes[a - 1, i]) - float(other_sizes[b - 1, j]))
                gain = alike * (a + b) / 2 + FOR_A_MATCH - AGAINST_JOINING * (a + b - 2) - AGAINST_SIZES * apart
                found = max(found, gain + best(i + a, j + b))
        return found

    return best(0, 0)


def gained(left: SentenceVectors, right: SentenceVectors, found: list[Match]) -> float:
    total = 0.0
    for match in found:
        a, b = match.left[1] - match.left[0], match.right[1] - match.right[0]
        assert (a, b) in SHAPES
        alike = likeness(left, right, (match.left[0], a, match.right[0], b))
        assert match.likeness == pytest.approx(alike, abs=1e-4)
        apart = abs(float(left.sizes()[a - 1, match.left[0]]) - float(right.sizes()[b - 1, match.right[0]]))
        total += alike * (a + b) / 2 + FOR_A_MATCH - AGAINST_JOINING * (a + b - 2) - AGAINST_SIZES * apart
    return total


sentences = st.lists(st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=4).map(" ".join), max_size=5)


@given(sentences, sentences)
@settings(max_examples=60, deadline=None)
def test_no_alignment_in_order_gains_more(left_texts: list[str], right_texts: list[str]) -> None:
    left, right, _ = sentence_vectors(left_texts, right_texts)
    found = matches_in_order(left, right)
    places = [place for match in found for place in match.left]
    others = [place for match in found for place in match.right]
    assert places == sorted(places)
    assert others == sorted(others)
    assert gained(left, right, found) == pytest.approx(best_by_trying_all(left, right), abs=1e-3)


def two_versions(count: int, seed: int, *, cut: slice | None = None) -> tuple[list[str], list[str]]:
    """A made-up document and another version of it: some words changed, sentences joined or left out."""
    rng = random.Random(seed)
    left = [" ".join(f"{rng.choice(WORDS)}{rng.randrange(40)}" for _ in range(rng.randint(3, 9))) for _ in range(count)]
    right = [" ".join(word if rng.random() < 0.7 else rng.choice(WORDS) for word in text.split()) for text in left]
    if cut:
        del right[cut]
    joined: list[str] = []
    for text in right:
        if joined and rng.random() < 0.1:
            joined[-1] += f" {text}"
        elif rng.random() < 0.97:
            joined.append(text)
    return left, joined


@pytest.mark.parametrize("cut", [None, slice(0, 120), slice(300, 420), slice(480, 600)])
def test_in_a_band_long_documents_are_aligned_as_in_the_whole_table(cut: slice | None) -> None:
    left, right, _ = sentence_vectors(*two_versions(600, 1, cut=cut))
    whole = matches_in_order(left, right, whole_table=1 << 30)
    banded = matches_in_order(left, right, whole_table=1 << 10)
    same = {(match.left, match.right) for match in whole} & {(match.left, match.right) for match in banded}
    alike = sum(match.likeness > 0.3 for match in whole)
    assert alike > 350
    assert sum(match.likeness > 0.3 and (match.left, match.right) in same for match in whole) >= 0.98 * alike


def test_a_band_grows_with_the_documents_not_with_their_product() -> None:
    cells = []
    for count in (1000, 2000):
        left, right, _ = sentence_vectors(*two_versions(count, 2))
        band = band_for(left.letters.sketches(64), right.letters.sketches(64), 1 << 10)
        cells.append(int(band.cells[-1]))
        assert band.low[0] == 0
        assert band.high[-1] == len(right)
        assert (np.diff(band.low) >= 0).all()
        assert (np.diff(band.high) >= 0).all()
        assert (band.low[1:] <= band.high[:-1]).all()
    assert cells[1] < 2.5 * cells[0]
    assert cells[1] < 2000 * 8 * MARGIN


def test_a_small_table_is_whole() -> None:
    band = band_for(np.ones((3, 4), np.float32), np.ones((5, 4), np.float32))
    assert (band.low.tolist(), band.high.tolist()) == ([0] * 4, [5] * 4)
    assert int(band.cells[-1]) == 24


@pytest.mark.parametrize("sizes", [(1, 5000), (5000, 1), (3, 900), (900, 3), (2, 2)])
def test_a_band_of_documents_of_very_different_lengths_joins_both_ends(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    left, right = (rng.normal(size=(size, 8)).astype(np.float32) for size in sizes)
    band = band_for(left, right, 1 << 10)
    assert (int(band.low[0]), int(band.high[-1])) == (0, sizes[1])
    assert (band.low[1:] <= band.high[:-1]).all()


def test_products_of_dense_vectors_in_a_band_are_those_of_the_table() -> None:
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(6, 3)).astype(np.float32)
    band = Band(np.array([0, 0, 1, 2, 4]), np.array([2, 3, 4, 6, 6]))
    found = band.products(left, right)
    for row in range(5):
        for column in range(band.low[row], band.high[row] + 1):
            expected = left[row - 1] @ right[column - 1] if row and column else 0.0
            assert found[band.cells[row] + column - band.low[row]] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("left", "right"), [([], []), (["a storm"], []), ([], ["a storm"])])
def test_nothing_matches_nothing(left: list[str], right: list[str]) -> None:
    mine, other, _ = sentence_vectors(left, right)
    assert matches_in_order(mine, other) == []


def test_what_is_around_a_match_is_the_mean_of_its_neighbours() -> None:
    texts = [f"{WORDS[place]} {WORDS[place + 1]}" for place in range(6)]
    left, right, _ = sentence_vectors(texts, [*texts[:5], "quite another"])
    found = matches_in_order(left, right)
    assert [match.likeness for match in found[:5]] == pytest.approx([1.0] * 5, abs=1e-4)
    assert found[0].around == pytest.approx(1.0, abs=1e-4)
    assert found[3].around == pytest.approx((4 + found[5].likeness) / 5, abs=1e-4)


def test_a_match_that_is_alone_is_what_is_around_it() -> None:
    left, right, _ = sentence_vectors(["a storm"], ["the storm"])
    (match,) = matches_in_order(left, right)
    assert match.around == match.likeness
