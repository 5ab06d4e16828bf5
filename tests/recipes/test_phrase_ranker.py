"""The recipe of phrase ratings: what is exported is what was learned, and no held-out phrase is learned from."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

from paraloom.phrases.rank_rating import COLUMNS
from recipes.phrase_ranker import Aligned, Rated, apart, best_among, correlated, exported, weigh


def test_exported_trees_say_what_scikit_learn_says() -> None:
    random = np.random.default_rng(7)
    values = random.integers(0, 20, (600, len(COLUMNS))) / 20  # so that limits lie halfway, whatever is rounded
    values[random.random(values.shape) < 0.1] = np.nan
    wanted = np.nan_to_num(values[:, 0]) - np.isnan(values[:, 1]) + np.nan_to_num(values[:, 2]) ** 2
    grown = HistGradientBoostingRegressor(max_iter=20, max_depth=3, max_leaf_nodes=8).fit(values, wanted)
    found = exported(grown).of({name: values[:, place] for place, name in enumerate(COLUMNS)})
    assert found.tolist() == pytest.approx(grown.predict(values).tolist(), abs=20 * 1e-4)


def test_a_pair_with_a_held_out_phrase_on_either_side_is_not_learned_from() -> None:
    rated = Rated(["a", "b", "c", "d", "e"], ["x", "a", "y", "x", "f"], np.ones(5), {})
    assert apart(rated, np.array([True, False, False, False, False])).tolist() == [False, False, True, False, True]


def test_evidence_that_says_what_is_left_over_gets_weight_and_noise_gets_little() -> None:
    random = np.random.default_rng(2)
    logs = random.uniform(-3, 0, (400, 2))
    known = Aligned(np.arange(400), {"translation": 10 ** logs[:, 0], "lexical": 10 ** logs[:, 1]})
    translation, lexical = weigh(("translation", "lexical"), known, 0.5 * logs[:, 0] + random.normal(0, 0.1, 400))
    assert translation.weight == pytest.approx(0.5 * 400 / 430, abs=0.03)  # drawn to nothing by the prior's 30 pairs
    assert abs(lexical.weight) < 0.03
    assert translation.usual == pytest.approx(logs[:, 0].mean(), abs=1e-4)


def test_a_perfect_score_has_all_of_the_best_on_top() -> None:
    ratings = np.array([5.0] * 10 + [1.0, 2.0, 3.0] * 30)
    figures = best_among(ratings, ratings)
    assert (figures["top_10%"], figures["top_20%"], figures["top_100%"]) == (100.0, 50.0, 10.0)
    groups = [str(number // 5) for number in range(100)]
    found = correlated(ratings, ratings, groups)
    assert (found["spearman"], found["spearman_low"], found["kendall_high"]) == (1.0, 1.0, 1.0)
