"""MACE: an oracle from the same start, and crowds with spammers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MACE
from scipy import special

from paraloom.errors import InputError
from paraloom.labels.aggregate.coded import CodedVotes
from paraloom.labels.aggregate.digamma import digamma
from paraloom.labels.aggregate.mace import MaceState, mace, train_mace
from paraloom.metrics.agreement.ratings import Ratings


def test_digamma_is_scipys() -> None:
    numbers = np.concatenate([np.geomspace(1e-3, 1e6, 400), [0.5, 1.0, 10.0]])
    np.testing.assert_allclose(digamma(numbers), special.digamma(numbers), rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")  # crowd-kit is older than pandas
@pytest.mark.parametrize("inference", ["em", "vb"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("iterations", [1, 20])
def test_from_the_same_start_it_is_crowd_kits(inference, classes: int, iterations: int, crowd, rated) -> None:
    rows, _ = crowd(classes, 60, [0.5, 0.6, 0.8, 0.9, 0.95], 5, classes=classes)
    # crowd-kit takes the order of first appearance and the sorted order for the same: here they are.
    first = [("a", f"w{who:02d}", str(min(who, classes - 1))) for who in range(5)]
    rows = [*first, *rows]
    frame = pd.DataFrame(rows, columns=["task", "worker", "label"]).sort_values(["task", "worker"], ignore_index=True)
    theirs = MACE(n_restarts=1, n_iter=iterations, method=inference, random_state=3)
    theirs._initialize(5, classes)
    start = MaceState(knowing=theirs.spamming_, habit=theirs.thetas_)
    theirs.fit(frame)
    ratings = rated(rows)
    run = train_mace(CodedVotes.of(ratings), start, inference, iterations, -1.0)
    assert theirs.probas_ is not None
    expected = theirs.probas_.loc[sorted(ratings.items), list(ratings.scale.answers)].to_numpy()
    np.testing.assert_allclose(run.probabilities, expected, atol=1e-6)
    np.testing.assert_allclose(run.state.knowing, theirs.spamming_, atol=1e-6)
    np.testing.assert_allclose(run.state.habit, theirs.thetas_, atol=1e-6)
    assert run.iterations == iterations


def spammed(seed: int) -> tuple[Ratings, dict[str, str], dict[str, bool]]:
    """Six who know and four who say yes, or no, or anything."""
    random = np.random.default_rng(seed)
    truth, rows = {}, []
    habits = {"always-yes": 1.0, "always-no": 0.0, "coin": 0.5, "other-coin": 0.5}
    for item in range(250):
        true = int(random.integers(2))
        truth[str(item)] = str(true)
        rows += [(str(item), f"good{n}", str(true if random.random() < 0.85 else 1 - true)) for n in range(3)]
        rows += [(str(item), name, str(int(random.random() < share))) for name, share in habits.items()]
    good = {f"good{n}": True for n in range(3)} | dict.fromkeys(habits, False)
    return Ratings.of(*map(list, zip(*rows, strict=True))), truth, good


@pytest.mark.parametrize("inference", ["em", "vb"])
@pytest.mark.parametrize("seed", [1, 2])
def test_spammers_are_found_and_count_little(inference, seed: int) -> None:
    ratings, truth, good = spammed(seed)
    found = mace(ratings, inference=inference)
    skills = dict(zip(found.annotators, found.competence, strict=True))
    assert min(skill for name, skill in skills.items() if good[name]) > 0.55
    assert max(skill for name, skill in skills.items() if not good[name]) < 0.25
    shares = np.mean([label == truth[item] for item, label in zip(found.items, found.labels, strict=True)])
    assert shares > 0.9
    assert found.log_likelihood is not None


def test_items_with_the_lowest_entropy_are_the_surest() -> None:
    ratings, truth, _ = spammed(3)
    found = mace(ratings)
    is_right = np.array([label == truth[item] for item, label in zip(found.items, found.labels, strict=True)])
    order = np.argsort(found.entropy, kind="stable")
    half = len(order) // 2
    assert is_right[order[:half]].mean() >= is_right.mean()
    assert is_right[order[:half]].mean() > 0.97
    np.testing.assert_allclose(found.confidence, found.probabilities.max(axis=1))


def test_the_seed_decides_and_more_restarts_are_never_less_likely(crowd, rated) -> None:
    rows, _ = crowd(9, 40, [0.4, 0.5, 0.6, 0.7, 0.8], 3, classes=3)
    one, same = (mace(rated(rows), seed=4, restarts=3) for _ in range(2))
    assert np.array_equal(one.probabilities, same.probabilities)
    assert one.settings == {"inference": "vb", "restarts": 3, "iterations": 50, "tolerance": "1e-05", "seed": 4}
    more = mace(rated(rows), seed=4, restarts=12)
    assert more.log_likelihood >= one.log_likelihood
    assert mace(rated(rows), seed=5, restarts=1).log_likelihood != mace(rated(rows), seed=6, restarts=1).log_likelihood


def test_what_annotators_are_called_does_not_matter_to_labels() -> None:
    ratings, _, _ = spammed(4)
    names = [f"z{9 - place}" for place in range(len(ratings.annotators))]
    other = Ratings.of(
        [ratings.items[place] for place in ratings.item],
        [names[place] for place in ratings.annotator],
        [ratings.scale.answers[place] for place in ratings.answer],
    )
    np.testing.assert_allclose(mace(ratings).probabilities, mace(other).probabilities, atol=1e-3)


@pytest.mark.parametrize("settings", [{"restarts": 0}, {"iterations": 0}, {"seed": -1}, {"inference": "gibbs"}])
def test_settings_that_make_no_sense_are_errors(settings) -> None:
    with pytest.raises(InputError):
        mace(Ratings.of(["a"], ["1"], ["yes"]), **settings)
