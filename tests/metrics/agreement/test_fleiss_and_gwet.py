"""Fleiss' kappa, AC1, AC2 and raw agreement: published examples, statsmodels, nltk and the formulas written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss_kappa

from paraloom.metrics.agreement import coefficient
from paraloom.metrics.agreement.coefficient import coefficient_intervals
from paraloom.metrics.agreement.counts import AnswerCounts
from paraloom.metrics.agreement.fleiss import fleiss_kappa, fleiss_of_times, is_generalised
from paraloom.metrics.agreement.gwet import ac1_of_times, ac2_of_times, gwet_ac1, gwet_ac2
from paraloom.metrics.agreement.raw import raw_agreement, raw_of_times, unanimous_share
from paraloom.metrics.agreement.scale import Scale

# The worked example of Fleiss (1971) as it is retold everywhere: ten subjects, fourteen raters, five categories.
FOURTEEN_RATERS = """
0 0 0 0 14
0 2 6 4 2
0 0 3 5 6
0 3 9 2 0
2 2 8 1 1
7 7 0 0 0
3 2 6 3 0
2 5 3 2 2
6 5 2 1 0
0 2 2 3 7
"""


def counted(table: np.ndarray, level="nominal") -> AnswerCounts:
    """Counts of a table with one row an item and one column an answer."""
    scale = Scale.of([], level, [str(place) for place in range(1, table.shape[1] + 1)])
    item, answer = np.nonzero(table)
    repeated = table[item, answer]
    return AnswerCounts.of_codes(scale, np.repeat(item, repeated), np.repeat(answer, repeated), len(table))


def test_fleiss_example() -> None:
    table = np.array([line.split() for line in FOURTEEN_RATERS.strip().splitlines()], dtype=int)
    found = fleiss_kappa(counted(table)).value
    assert found == pytest.approx(0.20993, abs=5e-6)
    assert found == pytest.approx(statsmodels_fleiss_kappa(table), abs=1e-12)
    assert not is_generalised(counted(table))


def test_four_raters_with_gaps_as_published_for_irrcac(ratings, observers) -> None:
    """The example data of the R package irrCAC, which are Krippendorff's: its documentation prints these values."""
    counts = ratings(observers).counts()
    assert raw_agreement(counts).value == pytest.approx(0.8181818, abs=5e-8)
    assert gwet_ac1(counts).value == pytest.approx(0.77544, abs=5e-6)
    assert fleiss_kappa(counts).value == pytest.approx(0.76117, abs=5e-6)
    assert is_generalised(counts)


def test_where_one_answer_is_common_ac1_stays_high_and_kappa_does_not(ratings) -> None:
    """Gwet's paradox: 125 subjects, 118 of them negative for both raters, never positive for both."""
    table = [["-", "-"]] * 118 + [["-", "+"]] * 5 + [["+", "-"]] * 2
    counts = ratings(table).counts()
    assert gwet_ac1(counts).value == pytest.approx(0.9408, abs=5e-5)
    assert fleiss_kappa(counts).value < 0
    assert raw_agreement(counts).value == pytest.approx(0.944)


@st.composite
def tables_of_counts(draw: st.DrawFn) -> np.ndarray:
    """Items by answers; two items have two answers or more, and two different answers were given."""
    answers = draw(st.integers(2, 5))
    row = st.lists(st.integers(0, 4), min_size=answers, max_size=answers).filter(any)
    table = np.array(draw(st.lists(row, min_size=2, max_size=12)))
    assume((table.sum(axis=1) > 1).sum() >= 2 and (table.sum(axis=0) > 0).sum() >= 2)
    return table


COUNTS = tables_of_counts()


def plain_gwet(table: np.ndarray, weights: np.ndarray) -> float:
    """Gwet (2014), formulas (4.3.1) and (5.3.3) for tables with gaps, written as they stand."""
    answers = table.shape[1]
    raters = table.sum(axis=1)
    weighted = table @ weights
    both = raters >= 2
    observed = np.mean(
        [
            sum(table[i, k] * (weighted[i, k] - 1) for k in range(answers)) / (raters[i] * (raters[i] - 1))
            for i in np.flatnonzero(both)
        ]
    )
    shares = (table / raters[:, None]).mean(axis=0)
    chance = weights.sum() / (answers * (answers - 1)) * sum(share * (1 - share) for share in shares)
    return float((observed - chance) / (1 - chance))


@given(COUNTS)
def test_ac1_is_the_published_formula(table: np.ndarray) -> None:
    ours = gwet_ac1(counted(table)).value
    assert ours == pytest.approx(plain_gwet(table, np.eye(table.shape[1])), abs=1e-9)


@pytest.mark.parametrize("level", ["ordinal", "interval"])
@given(table=COUNTS)
def test_ac2_is_the_published_formula_with_quadratic_weights(level, table: np.ndarray) -> None:
    places = np.arange(table.shape[1])
    weights = 1 - np.square((places[:, None] - places[None, :]) / (len(places) - 1))
    assert gwet_ac2(counted(table, level)).value == pytest.approx(plain_gwet(table, weights), abs=1e-9)


@given(COUNTS)
def test_fleiss_with_gaps_is_the_generalised_formula(table: np.ndarray) -> None:
    raters = table.sum(axis=1)
    both = raters >= 2
    observed = ((table * (table - 1)).sum(axis=1)[both] / (raters * (raters - 1))[both]).mean()
    chance = np.square((table / raters[:, None]).mean(axis=0)).sum()
    assert fleiss_kappa(counted(table)).value == pytest.approx((observed - chance) / (1 - chance), abs=1e-9)
    assert raw_agreement(counted(table)).value == pytest.approx(observed, abs=1e-12)


@st.composite
def tables_without_gaps(draw: st.DrawFn) -> list[list[str]]:
    """Items by raters, with two different answers or more."""
    raters = draw(st.integers(2, 6))
    row = st.lists(st.sampled_from("abcd"), min_size=raters, max_size=raters)
    table = draw(st.lists(row, min_size=2, max_size=15))
    assume(len({answer for answers in table for answer in answers}) > 1)
    return table


@given(tables_without_gaps())
def test_without_gaps_fleiss_is_statsmodels_and_nltks_multi_pi(table: list[list[str]]) -> None:
    names = sorted({answer for row in table for answer in row})
    counts = np.array([[row.count(name) for name in names] for row in table])
    ours = fleiss_kappa(counted(counts)).value
    assert ours == pytest.approx(statsmodels_fleiss_kappa(counts), abs=1e-9)
    task = AnnotationTask([(str(r), str(i), answer) for i, row in enumerate(table) for r, answer in enumerate(row)])
    assert ours == pytest.approx(task.pi(), abs=1e-9)
    assert raw_agreement(counted(counts)).value == pytest.approx(task.avg_Ao(), abs=1e-9)


NONE = [
    (fleiss_kappa, [["a", "a"], ["a", "a"]], "all answers are the same"),
    (gwet_ac1, [["a", "a"], ["a", "a"]], "only one answer is known; name the others"),
    (gwet_ac2, [["a", "a"], ["a", "a"]], "only one answer is known; name the others"),
    (gwet_ac1, [["a", None], [None, "b"]], "no item has answers of two people"),
    (fleiss_kappa, [["a", "b"], ["a", None]], "only one item"),
    (raw_agreement, [["a", None], [None, "b"]], "no item has answers of two people"),
]


@pytest.mark.parametrize(("measure", "table", "reason"), NONE)
def test_where_there_is_nothing_to_say_it_says_why(ratings, measure, table, reason: str) -> None:
    found = measure(ratings(table).counts())
    assert found.value is None
    assert reason in found.why_none


def test_an_answer_nobody_gave_counts_for_ac1_if_the_order_names_it(ratings) -> None:
    same = [["yes", "yes"], ["yes", "yes"]]
    assert gwet_ac1(ratings(same, order=("no", "yes")).counts()).value == 1.0


def test_raw_agreement_needs_no_second_item(ratings) -> None:
    assert raw_agreement(ratings([["a", "b"], ["a", None]]).counts()).value == 0.0


def test_unanimous_items_are_those_without_a_second_answer(ratings) -> None:
    table = [["a", "a", "a"], ["a", "a", "b"], ["b", "b", None], ["b", None, None]]
    assert unanimous_share(ratings(table).counts()) == pytest.approx(2 / 3)
    assert unanimous_share(ratings([["b", None]]).counts()) is None


PREPARED = {"raw": raw_of_times, "fleiss": fleiss_of_times, "ac1": ac1_of_times, "ac2": ac2_of_times}


@given(table=COUNTS, data=st.data())
def test_a_resample_is_what_its_items_give(table: np.ndarray, data) -> None:
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table))))
    drawn = np.repeat(table, times, axis=0)
    if (drawn.sum(axis=1) >= 2).sum() < 1 or (drawn.sum(axis=0) > 0).sum() < 2:
        return
    for name, prepare in PREPARED.items():
        weighted = prepare(counted(table))(times)
        assert weighted == pytest.approx(prepare(counted(drawn))(np.ones(len(drawn))), abs=1e-9), name


def test_intervals_hold_the_value_and_are_the_same_for_a_seed() -> None:
    table = np.random.default_rng(1).multinomial(5, [0.5, 0.3, 0.2], size=60)
    first, again, other = (coefficient_intervals(counted(table), PREPARED, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    for name, prepare in PREPARED.items():
        value = prepare(counted(table))(np.ones(60))
        assert first[name].low < value < first[name].high, name


def test_one_item_has_no_interval() -> None:
    assert coefficient_intervals(counted(np.array([[1, 1]])), PREPARED) == dict.fromkeys(PREPARED)


def test_drawing_kinds_of_items_or_items_is_the_same_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = np.array([[3, 0], [2, 1], [1, 2], [0, 3], [2, 0], [1, 1]])
    counts = counted(np.repeat(kinds, 100, axis=0))
    assert len(counts.profiles().times) == 6
    by_kind = coefficient_intervals(counts, {"raw": raw_of_times}, resamples=2000)["raw"]
    monkeypatch.setattr(coefficient, "_QUICKER", 1000)
    by_item = coefficient_intervals(counts, {"raw": raw_of_times}, resamples=2000)["raw"]
    assert by_kind != by_item
    assert (by_kind.low, by_kind.high) == pytest.approx((by_item.low, by_item.high), abs=0.01)
