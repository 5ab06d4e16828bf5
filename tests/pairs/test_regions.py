"""Safe regions: who is in them, why, and bounds that keep what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.regions.estimates import weighted_share
from paraloom.pairs.region_options import RegionOptions
from paraloom.pairs.regions import SURE, Scored, best_negatives, best_positives, negatives, positives, reasons

TAKEN = [
    (0.099, 0.0, 1.0, "negative", "similarity<0.1"),
    (0.1, 0.4, 0.6, None, None),
    (0.1, 0.401, 0.599, "negative", "confidence>0.4"),
    (0.05, 0.9, 0.1, "negative", "similarity<0.1 confidence>0.4"),
    (0.501, 0.0, 0.998, "positive", "similarity>0.5 confidence>=0.998"),
    (0.5, 0.0, 1.0, None, None),
    (0.9, 0.0, 0.997, None, None),
    (0.9, 0.41, 0.999, "negative", "confidence>0.4"),
]


@pytest.mark.parametrize(("similarity", "negative", "positive", "kind", "why"), TAKEN)
def test_a_candidate_is_taken_for_a_reason_or_left(similarity, negative, positive, kind, why) -> None:
    one = Scored(*(np.array([value]) for value in (similarity, negative, positive)))
    assert negatives(one).tolist() == [kind == "negative"]
    assert positives(one).tolist() == [kind == "positive"]
    assert reasons(one) == [why]


NUMBERS = st.floats(0, 1).map(lambda value: round(value, 6))


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=40), NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_nothing_is_taken_for_both_and_all_that_is_taken_has_a_reason(rows, one, two, three, four) -> None:
    scored = Scored(*(np.array(column) for column in zip(*rows, strict=True)))
    options = RegionOptions(max_similarity=one, min_confidence=two, positive_similarity=three, positive_confidence=four)
    low, high = negatives(scored, options), positives(scored, options)
    assert not (low & high).any()
    assert [why is not None for why in reasons(scored, options)] == (low | high).tolist()


def drawn(count: int, seed: int) -> tuple[Scored, np.ndarray]:
    """Candidates that are the more likely paraphrases the more alike they are and the surer an identifier is."""
    random = np.random.default_rng(seed)
    similarity, score = random.random(count).round(6), random.random(count).round(6)
    truth = random.random(count) < similarity * score
    return Scored(similarity, (1 - score).round(6), score), truth


@pytest.mark.parametrize("wanted", [0.8, 0.9, 0.95])
def test_bounds_that_were_sought_nearly_keep_their_promise_on_other_pairs(wanted: float) -> None:
    (scored, truth), (others, other_truth) = drawn(3000, 1), drawn(20_000, 2)
    bounds = best_negatives(scored, truth, np.ones(3000), wanted)
    assert bounds is not None
    inside = negatives(others, bounds)
    assert inside.mean() > 0.05
    assert (~other_truth[inside]).mean() >= wanted - 0.02  # the best of many bounds is partly the luckiest


def test_the_bounds_found_take_more_than_any_others_that_are_as_sure() -> None:
    scored, truth = drawn(400, 3)
    weights = np.ones(400)
    best = best_negatives(scored, truth, weights, 0.8)
    assert best is not None
    for similarity in np.linspace(0, 1, 21).round(2):
        for confidence in np.quantile(scored.negative, np.linspace(0, 1, 41)).round(6):
            other = RegionOptions(max_similarity=float(similarity), min_confidence=float(confidence))
            inside = negatives(scored, other)
            if inside.any() and weighted_share(~truth[inside], weights[inside], SURE).low >= 0.8:
                assert inside.sum() <= negatives(scored, best).sum() + 4  # the search cuts at other quantiles


def test_positives_are_sought_the_same_way() -> None:
    scored, _ = drawn(2000, 4)
    truth = (scored.similarity > 0.5) & (scored.positive > 0.7)
    bounds = best_positives(scored, truth, np.ones(2000), 0.97)
    assert bounds is not None
    taken = positives(scored, bounds)
    assert truth[taken].mean() >= 0.97
    assert taken.sum() >= 0.95 * truth.sum()


def test_where_no_bounds_are_sure_enough_there_are_none() -> None:
    scored, _ = drawn(100, 5)
    assert best_negatives(scored, np.ones(100, np.bool_), np.ones(100), 0.5) is None
    assert best_positives(scored, np.zeros(100, np.bool_), np.ones(100), 0.5) is None
    few = Scored(np.array([0.0]), np.array([1.0]), np.array([0.0]))
    assert best_negatives(few, np.array([False]), np.ones(1), 0.95) is None  # one pair that is right proves little


@pytest.mark.parametrize("name", ["max_similarity", "min_confidence", "positive_similarity", "positive_confidence"])
def test_a_bound_that_bounds_nothing_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="--" + name.replace("_", "-")):
        RegionOptions(**{name: 1.5})
