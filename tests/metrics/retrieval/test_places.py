"""Places are those that sorting all candidates by their exact similarity gives, ties and strangers included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.metrics.retrieval import vectors as vectors_module
from paraloom.metrics.retrieval.places import PlaceCount, Places
from paraloom.metrics.retrieval.vectors import DenseVectors, SparseVectors

UNHURRIED = settings(deadline=None, max_examples=60)


def unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def sorted_places(rows: np.ndarray, strangers: np.ndarray, query: int, answer: int) -> tuple[int, int, float]:
    """Above, tied and the mean reciprocal place, by writing every order of ties out from one stable argsort."""
    whole = np.concatenate([rows, strangers]).astype(np.float64)
    cosines = np.floor(whole @ whole[query] * 1e6 + 0.5)
    others = [number for number in range(len(whole)) if number != query]
    order = sorted(others, key=lambda number: -cosines[number])
    same = [place for place, number in enumerate(order) if cosines[number] == cosines[answer]]
    return same[0], len(same) - 1, float(np.mean([1 / (place + 1) for place in same]))


@UNHURRIED
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(0, 60), st.booleans())
def test_places_are_those_of_sorting_all_candidates(seed: int, own: int, strangers: int, coarse: bool) -> None:
    random = np.random.default_rng(seed)
    dims = int(random.integers(1, 9))

    def drawn(count: int) -> np.ndarray:
        """Coarse vectors of few different values tie often, and some of them are nought."""
        numbers = random.integers(-1, 2, (count, dims)) if coarse else random.normal(size=(count, dims))
        return unit(np.asarray(numbers, np.float64))

    rows, others = drawn(own), drawn(strangers)
    queries = random.integers(0, own, 12)
    answers = (queries + random.integers(1, own, 12)) % own
    counted = PlaceCount(DenseVectors(rows), queries, answers)
    cut = int(random.integers(0, strangers + 1))
    counted.add(DenseVectors(others[:cut]))
    counted.add(DenseVectors(others[cut:]))
    places = counted.places()
    assert places.candidates == own - 1 + strangers
    for row, (query, answer) in enumerate(zip(queries.tolist(), answers.tolist(), strict=True)):
        above, tied, reciprocal = sorted_places(rows, others, query, answer)
        assert (places.above[row], places.tied[row]) == (above, tied)
        assert places.reciprocal()[row] == pytest.approx(reciprocal)


def test_a_product_that_float32_gets_wrong_is_counted_right(monkeypatch: pytest.MonkeyPatch) -> None:
    # Vectors that differ by far less than float32 sums of 1024 products are off by: order must come from exact sums.
    random = np.random.default_rng(4)
    rows = unit(random.normal(size=(1, 1024)) + 2e-4 * random.normal(size=(400, 1024)))
    queries, answers = np.arange(399), np.arange(1, 400)
    places = PlaceCount(DenseVectors(rows), queries, answers).places()
    wanted = [sorted_places(rows, rows[:0], query, query + 1)[:2] for query in range(399)]
    assert list(zip(places.above.tolist(), places.tied.tolist(), strict=True)) == wanted
    monkeypatch.setattr(vectors_module, "QUERIES_AT_ONCE", 7)
    monkeypatch.setattr(vectors_module, "CANDIDATES_AT_ONCE", 33)
    again = PlaceCount(DenseVectors(rows), queries, answers).places()
    assert np.array_equal(again.above, places.above)
    assert np.array_equal(again.tied, places.tied)


def test_sparse_vectors_give_the_places_of_their_dense_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "CANDIDATES_AT_ONCE", 5)
    monkeypatch.setattr(vectors_module, "SPARSE_QUERIES_AT_ONCE", 3)
    words = ("storm", "coast", "rain", "town", "harbour")
    texts = [f"{one} {two}" for one in words for two in words] + ["storm", "", "coast"]
    model = CharacterTfidf.of(texts, shortest=2, longest=3)
    own, strangers = texts[:20], texts[20:]
    queries = np.arange(0, 18)
    answers = np.array([(query + 7) % 20 for query in queries])
    counted = PlaceCount(SparseVectors(model.vectors(own)), queries, answers)
    counted.add(SparseVectors(model.vectors(strangers)))
    cosines = model.vectors(own).cosines(model.vectors(texts))
    millionths = np.floor(cosines.astype(np.float64) * 1e6 + 0.5)
    for row, (query, answer) in enumerate(zip(queries.tolist(), answers.tolist(), strict=True)):
        others = np.delete(millionths[query], [query, answer])
        assert counted.above[row] == (others > millionths[query, answer]).sum()
        assert counted.tied[row] == (others == millionths[query, answer]).sum()


def test_other_right_answers_are_forgiven() -> None:
    rows = unit(np.array([[10.0, 0], [10, 1], [10, 2], [10, 3], [0, 10]]))
    counted = PlaceCount(DenseVectors(rows), np.array([0, 4]), np.array([3, 3]))
    assert counted.places().above.tolist() == [2, 0]
    assert counted.forgiving(np.array([0, 0]), np.array([1, 2])).above.tolist() == [0, 0]
    assert counted.forgiving(np.array([0]), np.array([2])).above.tolist() == [1, 0]
    assert counted.places().above.tolist() == [2, 0]


def test_what_nothing_is_known_of_ties_with_everything() -> None:
    rows = np.zeros((5, 3), np.float32)
    places = PlaceCount(DenseVectors(rows), np.array([0]), np.array([1])).places()
    assert (places.above[0], places.tied[0]) == (0, 3)
    assert places.within(1).tolist() == [0.25]
    assert places.within(4).tolist() == [1.0]


def test_a_pair_of_one_text_is_refused() -> None:
    with pytest.raises(InputError, match="its own answer"):
        PlaceCount(DenseVectors(np.ones((2, 1), np.float32)), np.array([1]), np.array([1]))


def test_harmonic_numbers_go_on_where_they_are_no_longer_summed() -> None:
    above, tied = np.array([998, 3000, 0]), np.array([5, 40, 100_000])
    places = Places(above=above, tied=tied, candidates=10**6)
    wanted = [
        np.mean(1 / np.arange(first + 1, first + others + 2))
        for first, others in zip(above.tolist(), tied.tolist(), strict=True)
    ]
    assert places.reciprocal() == pytest.approx(wanted, rel=1e-9)


@given(
    seed=st.integers(0, 1000),
    queries=st.integers(1, 12),
    candidates=st.integers(1, 40),
    coarse=st.booleans(),
    zeros=st.integers(0, 3),
)
@settings(max_examples=40, deadline=None)
def test_a_device_of_torch_counts_the_same(seed: int, queries: int, candidates: int, coarse: bool, zeros: int) -> None:
    from paraloom.metrics.retrieval.torch_counts import count_on_device

    draw = np.random.default_rng(seed)

    def rows(count: int) -> np.ndarray:
        made = draw.integers(-1, 2, (count, 6)) if coarse else draw.normal(size=(count, 6))
        made[:zeros] = 0
        return unit(made.astype(np.float32))

    asking, met = DenseVectors(rows(queries)), DenseVectors(rows(candidates))
    wanted = asking.similarities(met, np.arange(queries), draw.integers(0, candidates, queries))
    above, tied = asking.count(met, wanted)
    for found, counted in zip(count_on_device(asking.rows, met.rows, wanted, 1e-5, "cpu"), (above, tied), strict=True):
        assert found.tolist() == counted.tolist()
    exact = np.floor(asking.rows.astype(np.float64) @ met.rows.T.astype(np.float64) * 1e6 + 0.5)
    assert above.tolist() == (exact > wanted[:, None]).sum(1).tolist()
    assert tied.tolist() == (exact == wanted[:, None]).sum(1).tolist()
