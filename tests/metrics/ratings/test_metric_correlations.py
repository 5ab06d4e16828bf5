"""Metrics against people: scipy's Spearman with stars, over all outputs, by system and inside sources."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from paraloom.metrics.ratings.metric_correlations import MetricCorrelation, correlate_with_people
from paraloom.metrics.ratings.rated_outputs import RatedOutputs, Ratings

RANDOM = np.random.default_rng(8)
ITEMS = 120
SOURCES = [f"source {item // 4}" for item in range(ITEMS)]
SYSTEMS = ["one" if item % 2 else "two" for item in range(ITEMS)]
TRUTH = RANDOM.normal(size=ITEMS)


def rated(fluency: np.ndarray, similarity: np.ndarray) -> RatedOutputs:
    kept = np.isfinite(similarity)
    return RatedOutputs(
        sources=SOURCES,
        outputs=["text"] * ITEMS,
        systems=SYSTEMS,
        references=[()] * ITEMS,
        ratings={
            "fluency": Ratings(item=np.arange(ITEMS), value=fluency),
            "similarity": Ratings(item=np.flatnonzero(kept), value=similarity[kept]),
        },
    )


FLUENCY = np.clip(TRUTH.round() + 3, 1, 5)
SIMILARITY = np.where(np.arange(ITEMS) < 100, np.clip((TRUTH + RANDOM.normal(size=ITEMS)).round() + 3, 1, 5), np.nan)
METRICS = {
    "good": TRUTH + 0.3 * RANDOM.normal(size=ITEMS),
    "chance": RANDOM.normal(size=ITEMS),
    "some": np.where(np.arange(ITEMS) % 3 == 0, np.nan, TRUTH),
    "constant": np.ones(ITEMS),
}


@pytest.mark.parametrize("system", [None, "one"])
def test_every_metric_meets_every_aspect_and_their_sum_on_the_items_that_have_both(system: str | None) -> None:
    given = rated(FLUENCY, SIMILARITY)
    found = correlate_with_people(METRICS, given, system, resamples=40)
    assert [(one.metric, one.aspect) for one in found] == [
        (metric, aspect) for metric in METRICS for aspect in ("fluency", "similarity", "overall")
    ]
    people = {"fluency": FLUENCY, "similarity": SIMILARITY, "overall": FLUENCY + SIMILARITY}
    of_system = np.array([system in (None, name) for name in SYSTEMS])
    for one in found:
        rows = of_system & np.isfinite(METRICS[one.metric]) & np.isfinite(people[one.aspect])
        assert one.items == rows.sum()
        if one.metric == "constant":
            within = 0.0 if system is None else None  # of one system, a source has two outputs only
            assert (one.value, one.p_value, one.interval, one.within) == (None, None, None, within)
            continue
        wanted = stats.spearmanr(METRICS[one.metric][rows], people[one.aspect][rows])
        assert one.value == pytest.approx(wanted.statistic)
        assert one.p_value == pytest.approx(wanted.pvalue, rel=1e-6)
        assert one.interval is not None
        assert one.interval.low <= one.value <= one.interval.high


def test_a_good_metric_has_stars_and_is_seen_inside_sources_and_chance_is_not() -> None:
    found = {
        (one.metric, one.aspect): one
        for one in correlate_with_people(METRICS, rated(FLUENCY, SIMILARITY), resamples=100)
    }
    good, chance = found["good", "fluency"], found["chance", "fluency"]
    assert good.stars == "∗∗∗"
    assert good.within is not None
    assert good.within > 0.7
    assert good.within_sources == sum(np.ptp(FLUENCY[start : start + 4]) > 0 for start in range(0, ITEMS, 4)) > 20
    assert good.within_interval is not None
    assert good.within_interval.low < good.within < good.within_interval.high
    assert chance.stars == ""


STARRED = [(0.02, 50, ""), (0.009, 50, "∗"), (0.0009, 50, "∗∗"), (0.00009, 50, "∗∗∗"), (0.0, 9, ""), (None, 50, "")]


@pytest.mark.parametrize(("p_value", "items", "stars"), STARRED)
def test_stars_are_those_of_the_paper_and_few_items_have_none(p_value: float | None, items: int, stars: str) -> None:
    one = MetricCorrelation(
        metric="bleu",
        aspect="fluency",
        system=None,
        items=items,
        value=0.5,
        p_value=p_value,
        interval=None,
        within=None,
        within_interval=None,
        within_sources=0,
    )
    assert one.stars == stars
