"""Trees say what walking through them says; ratings have the order that readers expect, and stay the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.phrase_scores.pair_columns import EFFORTS, PairColumns
from paraloom.phrases.rank_measures import NAMES, measured, without_shared
from paraloom.phrases.rank_rating import COLUMNS, WEIGHTS, Evidence, RatingModel, as_share, softly_bounded
from paraloom.phrases.rank_trees import INNER, LEAVES, Trees, write_trees

Floats = NDArray[np.float64]
unbounded = st.floats(-20, 20, allow_nan=False)


def small_trees(seed: int = 3) -> Trees:
    random = np.random.default_rng(seed)
    return Trees(
        columns=("one", "other"),
        base=2.5,
        asked=random.integers(0, 2, (4, INNER)),
        limits=random.normal(size=(4, INNER)).round(3),
        missing_is_more=random.random((4, INNER)) > 0.5,
        leaves=random.normal(size=(4, LEAVES)).round(3),
    )


def by_walking(trees: Trees, row: dict[str, float]) -> float:
    """The same, one row and one question at a time."""
    found = trees.base
    for tree in range(len(trees.leaves)):
        at = 0
        while at < INNER:
            number = row[trees.columns[trees.asked[tree, at]]]
            more = trees.missing_is_more[tree, at] if np.isnan(number) else number > trees.limits[tree, at]
            at = 2 * at + 1 + int(more)
        found += trees.leaves[tree, at - INNER]
    return float(found)


@given(st.lists(st.tuples(*[st.floats(-3, 3) | st.just(float("nan"))] * 2), min_size=1, max_size=8))
def test_all_rows_at_once_are_each_row_by_itself(rows: list[tuple[float, float]]) -> None:
    trees = small_trees()
    columns = {name: np.array([row[place] for row in rows]) for place, name in enumerate(trees.columns)}
    expected = [by_walking(trees, dict(zip(trees.columns, row, strict=True))) for row in rows]
    assert trees.of(columns).tolist() == pytest.approx(expected)


def test_written_trees_are_read_back_and_a_column_that_is_not_given_is_missing(tmp_path: Path) -> None:
    trees = small_trees()
    write_trees(tmp_path / "trees.json", trees, {"name": "small"})
    read = Trees.read(tmp_path / "trees.json")
    one = np.linspace(-2, 2, 9)
    assert read.of({"one": one}).tolist() == trees.of({"one": one, "other": np.full(9, np.nan)}).tolist()
    with pytest.raises(InputError, match="Give some of one, other"):
        read.of({"third": one})


@given(st.lists(unbounded, min_size=2, max_size=2))
def test_ratings_stay_within_their_bounds_and_in_their_order(foretold: list[float]) -> None:
    low, high = softly_bounded(np.array(sorted(foretold)))
    assert 1 <= low <= high <= 5
    assert 0 <= as_share(np.array([low]))[0] <= as_share(np.array([high]))[0] <= 1


def test_evidence_moves_a_rating_up_where_it_is_better_than_usual_and_not_at_all_where_there_is_none() -> None:
    moves = Evidence("translation", -1.0, 0.3).moves(np.array([1.0, 0.5, 0.1, 0.001, 0.0, np.nan]))
    assert moves[:5].tolist() == sorted(moves[:5].tolist(), reverse=True)
    assert (moves[2], moves[5]) == (0, 0)
    assert np.isfinite(moves).all()


@pytest.fixture(scope="module")
def rating() -> RatingModel:
    return RatingModel.read()


def ratings_of(model: RatingModel, effort: str, pairs: list[tuple[str, str]]) -> list[float]:
    plain = measured(pairs)
    known = {name: plain[:, place] for place, name in enumerate(NAMES)}
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    found: list[float] = model.ratings({**known, **PairColumns(effort, without_shared).of(left, right)}).tolist()
    return found


EXPECTED_ORDER = [
    (("purchase a car", "buy a car"), ("purchase a car", "sell a boat")),
    (("the film was great", "the movie was great"), ("the film was great", "the storm was over")),
    (("began", "started"), ("began", "yellow")),
    (("right away", "immediately"), ("right away", "two hours")),
    (("u.s. president", "american president"), ("u.s. president", "annual report")),
]


@pytest.mark.parametrize("effort", list(EFFORTS))
def test_what_means_the_same_is_rated_above_what_does_not(rating: RatingModel, effort: str) -> None:
    better = ratings_of(rating, effort, [pairs[0] for pairs in EXPECTED_ORDER])
    worse = ratings_of(rating, effort, [pairs[1] for pairs in EXPECTED_ORDER])
    assert [one > other for one, other in zip(better, worse, strict=True)] == [True] * len(EXPECTED_ORDER)


@pytest.mark.parametrize("name", ["negated", "numbers"])
def test_a_negation_or_a_number_that_only_one_phrase_has_never_makes_a_rating_higher(
    rating: RatingModel, name: str
) -> None:
    random = np.random.default_rng(5)
    columns = {column: random.random(500) for column in COLUMNS}
    without, having = (rating.ratings({**columns, name: np.full(500, value)}) for value in (0.0, 1.0))
    assert (having <= without).all()


def test_the_shipped_model_is_small_and_has_no_phrase_in_it() -> None:
    assert WEIGHTS.stat().st_size < 30_000
    columns = set(Trees.read(WEIGHTS).columns)
    assert columns == set(COLUMNS)


PINNED = [
    ("purchase a car", "buy a car", (4.20, 4.71, 4.79)),
    ("right away", "immediately", (2.81, 3.40, 3.56)),
    ("the storm", "a storm", (3.95, 4.23, 4.31)),
    ("was attacked", "was not attacked", (3.80, 3.44, 3.11)),
    ("500 people", "600 people", (3.16, 3.21, 3.26)),
    ("hit", "banana", (1.72, 1.60, 1.58)),
    ("the shops were closed", "the stores were shut", (4.12, 4.33, 4.44)),
]


@pytest.mark.parametrize(("effort", "place"), [(effort, place) for place, effort in enumerate(EFFORTS)])
def test_what_is_shipped_rates_these_pairs_as_it_did(rating: RatingModel, effort: str, place: int) -> None:
    found = ratings_of(rating, effort, [(left, right) for left, right, _ in PINNED])
    assert found == pytest.approx([ratings[place] for _, _, ratings in PINNED], abs=0.02)
