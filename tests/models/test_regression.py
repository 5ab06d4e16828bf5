"""The regression behind several identifiers: scikit-learn's numbers, .5 at the best F1, and what it refuses."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold, best_f1
from paraloom.models.identifiers.regression import Coefficients, fit_regression


def made_up(seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.random(300) < 0.3
    features = random.normal(size=(300, 4)) * [1, 10, 0.1, 0] + truth[:, None] * [1, 5, 0, 0]
    return features, truth.astype(float)


LEARNED = fit_regression(*made_up(1), *made_up(2), 0.1)


def test_without_its_shift_it_is_sklearns_predict_proba() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    theirs = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000, tol=1e-8))
    theirs.fit(made_up(1)[0], made_up(1)[1] > 0.5)
    features, _ = made_up(3)
    ours = LEARNED.with_shift(0.0).scores(features)
    np.testing.assert_allclose(ours, theirs.predict_proba(features)[:, 1], atol=5.1e-7)


def test_half_is_the_best_point_of_the_held_out_pairs() -> None:
    features, targets = made_up(2)
    scores = LEARNED.scores(features)
    assert at_threshold(scores, targets > 0.5).f1 == pytest.approx(best_f1(scores, targets > 0.5).f1)


def test_rows_are_scored_alike_alone_and_together() -> None:
    features, _ = made_up(4)
    assert LEARNED.scores(features).tolist() == [LEARNED.scores(features[row : row + 1])[0] for row in range(300)]


def test_features_without_bound_give_scores_within_them() -> None:
    assert set(LEARNED.scores(np.array([[1e300, 0, 0, 0], [-1e300, 0, 0, 0]])).tolist()) == {0.0, 1.0}


def test_it_comes_back_from_json() -> None:
    assert Coefficients.read(json.loads(json.dumps(asdict(LEARNED)))) == LEARNED


def test_examples_with_one_answer_are_refused() -> None:
    features, _ = made_up(1)
    with pytest.raises(InputError, match="All 300 examples have the same answer"):
        fit_regression(features, np.ones(300), features, np.ones(300), 0.1)


def test_without_sklearn_the_pip_line_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(InputError, match=r"pip install 'paraloom\[train\]'"):
        fit_regression(*made_up(1), *made_up(2), 0.1)
