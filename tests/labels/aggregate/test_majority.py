"""Counting votes: shares, thresholds, ties, weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MajorityVote

from paraloom.errors import InputError
from paraloom.labels.aggregate.exclude import without_low_kappa
from paraloom.labels.aggregate.majority import majority_vote, plurality
from paraloom.labels.aggregate.thresholds import thresholds_of
from paraloom.labels.votes import targets_for_definition
from paraloom.metrics.agreement.ratings import Ratings


def votes(*said: str) -> Ratings:
    """One text an item, one letter a vote: y, n, or another answer."""
    rows = [(f"i{item}", f"w{who}", answer) for item, told in enumerate(said) for who, answer in enumerate(told)]
    return Ratings.of(*map(list, zip(*rows, strict=True)))


PLURALITY = [
    ("yyn", None, "y"),
    ("yn", None, None),
    ("abc", None, None),
    ("aabbc", None, None),
    ("aabbcccd", None, "c"),
    ("yn", {"w0": 1.5}, "y"),
    ("ynn", {"w0": 2.0}, None),
    ("ynn", {"w0": 2.5}, "y"),
]


@pytest.mark.parametrize(("said", "weights", "label"), PLURALITY)
def test_the_most_frequent_answer_wins_and_ties_are_undecided(said: str, weights, label: str | None) -> None:
    assert plurality(votes(said), weights=weights).labels == (label,)


THRESHOLDS = [
    (0.5, "yyn", "y"),
    (0.5, "yynn", None),
    (0.5, "ynn", "n"),
    (2 / 3, "yyn", None),
    (2 / 3, "yyyn", "y"),
    (0.0, "ynnn", "y"),
    (0.0, "nnny", "y"),
    (0.1 + 0.2, "yyynnnnnnn", None),
]


@pytest.mark.parametrize(("threshold", "said", "label"), THRESHOLDS)
def test_above_a_threshold_is_yes_below_is_no_and_at_it_undecided(threshold: float, said: str, label) -> None:
    assert majority_vote(votes(said), "y", threshold).labels == (label,)


@pytest.mark.parametrize("definition", ["loose", "strict"])
@pytest.mark.parametrize("workers", [5, 6])
def test_thresholds_of_definitions_are_those_of_the_papers(definition: str, workers: int) -> None:
    tables = [(yes, workers) for yes in range(workers + 1)]
    shares = np.array([yes / workers for yes, _ in tables])
    cut = thresholds_of(np.array([of for _, of in tables]), definition)
    found = np.where(np.abs(shares - cut) < 1e-9, np.nan, (shares > cut).astype(float))
    assert np.array_equal(found, targets_for_definition(tables, definition), equal_nan=True)


OTHERWISE = [("loose", 3, 0.5), ("implication", 6, 0.5), ("graded", 5, 0.5), ("strict", 3, 2 / 3), ("strict", 1, 2 / 3)]


@pytest.mark.parametrize(("definition", "workers", "share"), OTHERWISE)
def test_other_numbers_of_voters_need_half_or_two_thirds(definition: str, workers: int, share: float) -> None:
    assert thresholds_of(np.array([workers]), definition)[0] == pytest.approx(share)


def test_competence_is_the_share_of_agreement_with_what_was_decided() -> None:
    found = plurality(votes("yyn", "yyy", "nny", "yn"))
    assert found.competence.tolist() == pytest.approx([1, 1, 1 / 3])


def test_what_makes_no_sense_is_an_error() -> None:
    with pytest.raises(InputError, match="Use plurality"):
        majority_vote(votes("abc"), "a")
    with pytest.raises(InputError, match="Nobody could answer 'yes'"):
        majority_vote(votes("nn"), "yes")
    with pytest.raises(InputError, match="'zoe', who is no annotator"):
        plurality(votes("yn"), weights={"zoe": 2})
    with pytest.raises(InputError, match="weight of w0 is 0"):
        plurality(votes("yn"), weights={"w0": 0})
    with pytest.raises(InputError, match="parts nothing"):
        thresholds_of(np.array([3]), "loose", -0.1)


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")  # crowd-kit is older than pandas
@pytest.mark.parametrize("seed", range(3))
def test_shares_and_labels_are_those_of_crowd_kit(seed: int, crowd, rated) -> None:
    rows, _ = crowd(seed, 80, [0.5, 0.6, 0.7, 0.8, 0.9], 4, classes=3)
    frame = pd.DataFrame(rows, columns=["task", "worker", "label"])
    found = plurality(rated(rows))
    theirs = MajorityVote().fit_predict_proba(frame).loc[list(found.items), list(found.answers)]
    np.testing.assert_allclose(found.probabilities, theirs.to_numpy(), atol=1e-12)
    labels = MajorityVote().fit_predict(frame)
    assert all(label in (None, labels[item]) for item, label in zip(found.items, found.labels, strict=True))


def test_who_goes_against_all_others_is_left_out_once() -> None:
    ratings = votes("yyyn", "yyyn", "nnny", "nnny", "yyny")
    kept, low = without_low_kappa(ratings, 0.0)
    assert list(low) == ["w3"]
    assert set(kept.annotator.tolist()) == {0, 1, 2}
    assert len(kept.items) == 5
    assert without_low_kappa(ratings, -1.0)[1] == {}
    with pytest.raises(InputError, match="kappa of 2"):
        without_low_kappa(ratings, 2)
    with pytest.raises(InputError, match="no vote is left"):
        without_low_kappa(votes("yn", "ny", "yn"), 0.9)
