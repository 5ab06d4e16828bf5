"""Claims that one system is better: which way a metric points, and how many claims are made."""

from __future__ import annotations

import numpy as np
import pytest

from paraloom.metrics.measured import Measured, mean_of
from paraloom.workflows.evaluate.claims import make_claims

random = np.random.default_rng(3)
GOOD, POOR = random.normal(0.8, 0.1, 80), random.normal(0.2, 0.1, 80)


def claims(pairs, method="bootstrap", resamples=200):
    return make_claims(pairs, method=method, resamples=resamples, seed=1)


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_better_follows_the_metrics_direction(method: str) -> None:
    higher = [mean_of("pinc", items, "pinc", "higher") for items in (GOOD, POOR)]
    lower = [mean_of("jaccard", items, "jaccard", "lower") for items in (GOOD, POOR)]
    found = claims([("a", "b", *higher), ("a", "b", *lower)], method)
    assert [(claim.is_better, claim.is_worse) for claim in found] == [(True, False), (False, True)]
    assert found[0].gain == pytest.approx(-found[1].gain) == pytest.approx(GOOD.mean() - POOR.mean())
    assert [(claim.about, claim.against) for claim in found] == [("diversity", "source")] * 2


def test_no_difference_is_not_significant() -> None:
    (found,) = claims([("a", "b", *[mean_of("pinc", GOOD, "pinc", "higher")] * 2)])
    assert not found.is_significant
    assert not found.is_better
    assert found.p_value == 1


def test_p_values_allow_for_the_number_of_tests_and_are_still_able_to_be_small() -> None:
    pair = [mean_of("pinc", items, "pinc", "higher") for items in (GOOD, POOR)]
    found = claims([("a", "b", *pair)] * 30)
    assert found[0].resamples == 1200
    assert found[0].adjusted_p_value == pytest.approx(30 / 1201)
    assert all(claim.is_significant for claim in found)


def test_what_points_nowhere_or_cannot_be_resampled_is_not_tested() -> None:
    nowhere = mean_of("learned-similarity", GOOD, "x", "neither")
    whole = Measured(name="distinct-1", value=0.5, items=GOOD, signature="d", better="higher")
    one = mean_of("pinc", GOOD[:1], "pinc", "higher")
    assert claims([("a", "b", nowhere, nowhere), ("a", "b", whole, whole), ("a", "b", one, one)]) == []
