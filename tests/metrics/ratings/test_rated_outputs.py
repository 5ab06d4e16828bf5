"""Ratings of outputs: means, distributions and agreement, each over the outputs asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.ratings.rated_outputs import (
    OVERALL,
    RatedOutputs,
    Ratings,
    mean_rating,
    points_of,
    summarise_aspect,
)


def rated(ratings: dict[str, list[list[float]]], systems: list[str] | None = None) -> RatedOutputs:
    """Ratings as one list an item."""
    items = len(next(iter(ratings.values())))
    return RatedOutputs(
        sources=[f"source {item}" for item in range(items)],
        outputs=[f"output {item}" for item in range(items)],
        systems=systems or ["only"] * items,
        references=[()] * items,
        ratings={
            aspect: Ratings(
                item=np.array([item for item, values in enumerate(lists) for _ in values], dtype=np.int64),
                value=np.array([value for values in lists for value in values], dtype=np.float64),
            )
            for aspect, lists in ratings.items()
        },
    )


def test_an_items_score_is_the_mean_of_its_ratings_and_overall_their_sum() -> None:
    given = rated({"fluency": [[5, 4], [3], []], "diversity": [[1, 2], [4, 4], [2]]})
    assert given.means("fluency").tolist()[:2] == [4.5, 3.0]
    assert np.isnan(given.means("fluency")[2])
    assert given.means(OVERALL).tolist()[:2] == [6.0, 7.0]
    assert np.isnan(given.means(OVERALL)[2])
    assert given.scored == ("fluency", "diversity", OVERALL)
    assert rated({"fluency": [[5]]}).scored == ("fluency",)


def test_a_summary_is_over_one_systems_outputs_or_all() -> None:
    given = rated({"fluency": [[5, 4], [1, 2], [3]]}, ["one", "two", "one"])
    ours = summarise_aspect(given, "fluency", "one", resamples=50)
    assert (ours.items, ours.ratings, ours.mean) == (2, 3, 4.0)
    assert ours.deviation == pytest.approx(np.std([5, 4, 3]))
    assert [point.count for point in ours.points] == [0, 0, 1, 1, 1]
    assert summarise_aspect(given, "fluency", resamples=50).ratings == 5


def test_overall_has_a_mean_but_no_distribution_and_no_agreement() -> None:
    summary = summarise_aspect(rated({"a": [[5], [4]], "b": [[1], [1]]}), OVERALL, resamples=20)
    assert (summary.mean, summary.points, summary.alpha) == (5.5, (), None)


def test_agreement_is_krippendorffs_ordinal_alpha_with_its_interval() -> None:
    random = np.random.default_rng(2)
    truth = random.integers(1, 6, 60)
    lists = [[float(np.clip(value + random.integers(-1, 2), 1, 5)) for _ in range(3)] for value in truth]
    summary = summarise_aspect(rated({"similarity": lists}), "similarity", resamples=100)
    assert summary.alpha is not None
    assert summary.alpha.value == pytest.approx(plain_ordinal_alpha(lists))
    assert summary.alpha.interval is not None
    assert summary.alpha.interval.low < summary.alpha.value < summary.alpha.interval.high
    assert summary.note is None


def plain_ordinal_alpha(lists: list[list[float]]) -> float:
    """Alpha pair by pair, as it is defined (Krippendorff, 2011)."""
    values = [value for some in lists for value in some]
    counts = {value: values.count(value) for value in sorted(set(values))}

    def apart(one: float, other: float) -> float:
        low, high = min(one, other), max(one, other)
        between = sum(count for value, count in counts.items() if low <= value <= high)
        return float((between - (counts[low] + counts[high]) / 2) ** 2)

    seen = sum(
        apart(one, other) / (len(some) - 1)
        for some in lists
        for place, one in enumerate(some)
        for there, other in enumerate(some)
        if place != there
    ) / len(values)
    by_chance = sum(
        apart(one, other) for place, one in enumerate(values) for there, other in enumerate(values) if place != there
    ) / (len(values) * (len(values) - 1))
    return 1 - seen / by_chance


def test_where_nearly_all_ratings_are_one_point_a_note_says_what_alpha_is_worth() -> None:
    lists = [[5.0, 5.0, 5.0]] * 39 + [[5.0, 5.0, 4.0]]
    summary = summarise_aspect(rated({"fluency": lists}), "fluency", resamples=20)
    assert summary.alpha is not None
    assert summary.alpha.value is not None
    assert summary.alpha.value < 0.1
    assert summary.note is not None
    assert "99.2% of the ratings are 5" in summary.note


def test_one_rating_an_item_has_no_agreement_and_it_is_said_why() -> None:
    summary = summarise_aspect(rated({"score": [[0.2], [0.8]]}), "score", resamples=20)
    assert summary.alpha is not None
    assert (summary.alpha.value, summary.alpha.why_none) == (None, "no item has answers of two people")


@given(st.lists(st.sampled_from([1.0, 2.0, 3.5, 4.0, 5.0]), min_size=1))
def test_every_rating_is_on_a_point(values: list[float]) -> None:
    points = points_of(np.array(values), np.array(values))
    assert sum(point.count for point in points) == len(values)
    assert sum(point.share for point in points) == pytest.approx(1)


def test_many_distinct_ratings_are_shown_in_bins_of_one_scale() -> None:
    values = np.linspace(0, 100, 101)
    points = points_of(values[50:], values)
    assert [point.count for point in points] == [0, 0, 0, 0, 0, 10, 10, 10, 10, 11]
    assert points[0].name == "0 to 10"


def test_the_mean_is_resampled_by_items_with_all_their_ratings() -> None:
    ratings = Ratings(item=np.array([0, 0, 2]), value=np.array([5.0, 4.0, 1.0]))
    measured = mean_rating("fluency", ratings)
    assert measured.statistics is not None
    assert measured.statistics.tolist() == [[9.0, 2.0], [1.0, 1.0]]
    assert measured.combine is not None
    assert float(measured.combine(measured.statistics.sum(0))) == pytest.approx(10 / 3) == measured.value
    chosen = mean_rating("fluency", ratings, np.array([2]))
    assert chosen.value == 1.0


REFUSED = [
    (lambda: summarise_aspect(rated({"a": [[1.0], []]}, ["x", "y"]), "a", "y"), "Nobody rated a of y"),
    (lambda: rated({"a": []}), "no rated output"),
    (
        lambda: RatedOutputs(sources=["a"], outputs=[], systems=[""], references=[()], ratings={}),
        "as many as there are items",
    ),
]


@pytest.mark.parametrize(("make", "told"), REFUSED)
def test_what_was_not_rated_is_refused(make, told: str) -> None:
    with pytest.raises(InputError, match=told):
        make()
