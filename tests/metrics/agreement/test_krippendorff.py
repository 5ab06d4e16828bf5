"""Alpha: the published example, nltk's and crowd-kit's values on random ratings with gaps, bounded memory."""

from __future__ import annotations

import time
import tracemalloc
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from crowdkit.metrics.data import alpha_krippendorff
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance

from paraloom.metrics.agreement import krippendorff
from paraloom.metrics.agreement.coefficient import coefficient_intervals
from paraloom.metrics.agreement.counts import AnswerCounts
from paraloom.metrics.agreement.krippendorff import alpha_of_times, krippendorff_alpha
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale

PUBLISHED = [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]


@pytest.mark.parametrize(("level", "alpha"), PUBLISHED)
def test_the_published_example(ratings, observers, level, alpha: float) -> None:
    assert round(krippendorff_alpha(ratings(observers, level).counts()).value, 3) == alpha


def tables(answers: list[str], most_items: int = 12, most_raters: int = 5) -> st.SearchStrategy:
    """Two or more items, with gaps, on at least two of which two people answered, not all the same."""
    rater = st.integers(2, most_raters)
    rows = rater.flatmap(
        lambda raters: st.lists(
            st.lists(st.sampled_from([None, *answers]), min_size=raters, max_size=raters),
            min_size=2,
            max_size=most_items,
        )
    )
    return rows.filter(has_something_to_compare)


def has_something_to_compare(table: list[list[str | None]]) -> bool:
    compared = [[answer for answer in row if answer] for row in table]
    compared = [row for row in compared if len(row) >= 2]
    return len(compared) >= 2 and len({answer for row in compared for answer in row}) >= 2


def triples(table, number=str) -> list[tuple[str, str, object]]:
    """As nltk and crowd-kit want them: items with one answer alone are left out, which nltk counts."""
    return [
        (f"rater {rater}", f"item {item}", number(answer))
        for item, row in enumerate(table)
        for rater, answer in enumerate(row)
        if answer is not None and sum(other is not None for other in row) >= 2
    ]


@given(tables(["a", "b", "c", "d"]))
def test_nominal_alpha_is_nltks_and_crowd_kits(table) -> None:
    ours = krippendorff_alpha(made(table, "nominal")).value
    assert ours == pytest.approx(AnnotationTask(triples(table), distance=binary_distance).alpha(), abs=1e-9)
    frame = pd.DataFrame(triples(table), columns=["worker", "task", "label"])
    assert ours == pytest.approx(alpha_krippendorff(frame), abs=1e-9)


@given(tables(["1", "2", "4", "7.5"]))
def test_interval_alpha_is_nltks(table) -> None:
    ours = krippendorff_alpha(made(table, "interval")).value
    theirs = AnnotationTask(triples(table, float), distance=interval_distance).alpha()
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(tables(["1", "2", "3", "4", "5"]))
def test_ordinal_alpha_is_nltks_with_the_published_distance(table) -> None:
    rows = triples(table, int)
    totals = {value: sum(label == value for _, _, label in rows) for value in range(1, 6)}

    def distance(one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = sum(totals[value] for value in range(low, high + 1))
        return float((between - (totals[low] + totals[high]) / 2) ** 2)

    ours = krippendorff_alpha(made(table, "ordinal")).value
    assert ours == pytest.approx(AnnotationTask(rows, distance=distance).alpha(), abs=1e-9)


@given(tables(["0", "1", "2", "5.5"]))
def test_ratio_alpha_is_nltks_with_the_published_distance(table) -> None:
    def distance(one: float, other: float) -> float:
        return 0.0 if one == other else ((one - other) / (one + other)) ** 2

    ours = krippendorff_alpha(made(table, "ratio")).value
    assert ours == pytest.approx(AnnotationTask(triples(table, float), distance=distance).alpha(), abs=1e-9)


def made(table, level) -> AnswerCounts:
    rows = [(f"{item}", f"{rater}", answer) for item, row in enumerate(table) for rater, answer in enumerate(row)]
    return Ratings.of(*zip(*rows, strict=True), level=level).counts()


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@given(data=st.data())
def test_who_answered_and_in_which_order_does_not_matter(level: str, data) -> None:
    table = data.draw(tables(["1", "2", "3"]))
    shuffled = [data.draw(st.permutations(row)) for row in data.draw(st.permutations(table))]
    assert krippendorff_alpha(made(table, level)).value == pytest.approx(
        krippendorff_alpha(made(shuffled, level)).value, abs=1e-12
    )


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
@given(table=tables(["1", "4"]))
def test_with_two_answers_every_level_is_nominal(level: str, table) -> None:
    """Two answers have one distance, and alpha is a ratio of distances."""
    nominal = krippendorff_alpha(made(table, "nominal")).value
    assert krippendorff_alpha(made(table, level)).value == pytest.approx(nominal, abs=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@given(data=st.data())
def test_items_held_by_profile_give_the_same(level: str, data) -> None:
    counts = made(data.draw(tables(["1", "2", "3"], most_items=30, most_raters=3)), level)
    profiles = counts.profiles()
    assert profiles.items == sum(counts.answers_a_row > 0)
    assert len(profiles.times) <= len(counts.times)
    assert krippendorff_alpha(profiles).value == pytest.approx(krippendorff_alpha(counts).value, abs=1e-9)
    assert profiles.totals().tolist() == counts.totals().tolist()


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@given(data=st.data())
def test_a_resample_is_what_its_items_give(level: str, data) -> None:
    """Counting an item twice is the same as having it twice: what the bootstrap rests on."""
    table = data.draw(tables(["1", "2", "3"], most_items=8))
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table)))
    drawn = [row for row, count in zip(table, times, strict=True) for _ in range(count)]
    assume(has_something_to_compare(drawn))
    weighted = alpha_of_times(made(table, level))(np.array(times))
    assert weighted == pytest.approx(krippendorff_alpha(made(drawn, level)).value, abs=1e-9)


NONE = [
    ([["a", None], [None, "b"]], "no item has answers of two people"),
    ([["a", "b"], ["a", None]], "only one item has answers of two people"),
    ([["a", "a"], ["a", "a"], ["b", None]], "all answers are the same"),
    ([[None, None]], "no item has answers of two people"),
]


@pytest.mark.parametrize(("table", "reason"), NONE)
def test_where_there_is_nothing_to_say_it_says_why(ratings, table, reason: str) -> None:
    found = krippendorff_alpha(ratings(table).counts())
    assert found.value is None
    assert reason in found.why_none


def test_the_same_number_everywhere_is_no_agreement_by_rounding(ratings) -> None:
    found = krippendorff_alpha(ratings([["0.1"] * 3] * 3, "interval").counts())
    assert (found.value, found.why_none is None) == (None, False)


def test_an_interval_covers_the_true_alpha_about_as_often_as_it_says() -> None:
    """Answers that are right with probability .8 and else guessed: alpha of the population is .8² for two answers."""
    random = np.random.default_rng(3)
    covered = 0
    for seed in range(100):
        truth = random.integers(0, 2, 100)
        keeps = random.random((100, 4)) < 0.8
        answers = np.where(keeps, truth[:, None], random.integers(0, 2, (100, 4)))
        counts = AnswerCounts.of_codes(Scale.of(["0", "1"]), np.repeat(np.arange(100), 4), answers.ravel(), 100)
        (interval,) = coefficient_intervals(counts, {"alpha": alpha_of_times}, resamples=200, seed=seed).values()
        covered += interval.low <= 0.64 <= interval.high
    assert 88 <= covered <= 100


def test_a_million_ratings_take_seconds_and_little_memory() -> None:
    random = np.random.default_rng(1)
    items = np.repeat(np.arange(200_000), 5)
    answers = np.where(random.random(len(items)) < 0.7, items % 4, random.integers(0, 4, len(items)))
    tracemalloc.start()
    started = time.perf_counter()
    counts = AnswerCounts.of_codes(Scale.of(["0", "1", "2", "3"], "ordinal"), items, answers, 200_000)
    alpha = krippendorff_alpha(counts).value
    (interval,) = coefficient_intervals(counts, {"alpha": alpha_of_times}).values()
    seconds, peak = time.perf_counter() - started, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"a million ratings: {seconds:.1f} s with 1000 resamples, {peak / 1e6:.0f} MB")
    assert interval.low < alpha < interval.high
    assert interval.high - interval.low < 0.01
    assert peak < 300e6


@pytest.mark.parametrize("level", ["interval", "ratio"])
def test_many_different_values_take_no_quadratic_memory(level) -> None:
    random = np.random.default_rng(1)
    items, values = np.repeat(np.arange(3_000), 2), np.arange(6_000)
    scale = Scale.of([str(value) for value in range(6_000)], level)
    tracemalloc.start()
    alpha = krippendorff_alpha(AnswerCounts.of_codes(scale, items, values, 3_000)).value
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert alpha > 0.99  # neighbours answer alike
    assert peak < 60e6  # a table of all values against all would be 288 MB
    shuffled = krippendorff_alpha(AnswerCounts.of_codes(scale, items, random.permutation(values), 3_000)).value
    assert abs(shuffled) < 0.05


def test_in_how_many_pieces_distances_are_held_does_not_change_them(ratings, observers, monkeypatch) -> None:
    whole = krippendorff_alpha(ratings(observers, "ratio").counts()).value
    monkeypatch.setattr(krippendorff, "_CELLS", 3)
    assert krippendorff_alpha(ratings(observers, "ratio").counts()).value == pytest.approx(whole, abs=1e-12)


def test_alpha_by_hand() -> None:
    """Two raters, three items, a/a b/b a/b: coincidences aa 2, bb 2, ab and ba 1 each."""
    disagreements = sum(1 for one, other in combinations("aababb", 2) if one != other)
    assert disagreements == 9
    table = [["a", "a"], ["b", "b"], ["a", "b"]]
    assert krippendorff_alpha(made(table, "nominal")).value == pytest.approx(1 - (6 - 1) * 2 / (2 * 9))
