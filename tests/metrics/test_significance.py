"""Intervals and tests between systems: equal to sacrebleu's where it is right, and honest about chance."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.metrics.base import Metric as SacrebleuMetric
from sacrebleu.significance import PairedTest

from paraloom.errors import InputError
from paraloom.metrics import significance
from paraloom.metrics.measured import Measured, mean_of
from paraloom.metrics.significance import METHODS, bootstrap_interval, bootstrap_intervals, compare, group_numbers

WORDS = ["storm", "coast", "hits", "three", "missing", "people", "north", "river", "bridge", "closed", "after", "rain"]
REFERENCES = [" ".join(np.random.default_rng(row).choice(WORDS, 9)) for row in range(120)]


def system(seed: int, noise: float) -> list[str]:
    """The references with some of their words replaced."""
    random = np.random.default_rng(seed)
    return [
        " ".join(str(random.choice(WORDS)) if random.random() < noise else word for word in text.split())
        for text in REFERENCES
    ]


def measured(metric: SacrebleuMetric, outputs: list[str]) -> Measured:
    """What sacrebleu measures, as we hold it."""
    statistics = np.array(metric._extract_corpus_statistics(outputs, [REFERENCES]), dtype=np.float64)

    def combine(sums: np.ndarray) -> np.ndarray:
        return np.array([metric._compute_score_from_stats(row.tolist()).score for row in sums])

    value = metric.corpus_score(outputs, [REFERENCES])
    return Measured(
        name="bleu",
        value=value.score,
        items=np.empty(0),
        signature=str(metric.get_signature()),
        better="higher",
        statistics=statistics,
        combine=combine,
    )


def mean(items: list[float] | np.ndarray, signature: str = "pinc|n:4") -> Measured:
    return mean_of("pinc", np.asarray(items, dtype=np.float64), signature, "higher")


PAIRS = [
    pytest.param(BLEU, 0.30, 0.34, id="bleu, hardly apart"),
    pytest.param(BLEU, 0.20, 0.30, id="bleu, apart"),
    pytest.param(CHRF, 0.30, 0.36, id="chrf, hardly apart"),
]
TESTS = [("sacrebleu-bootstrap", "bs"), ("randomisation", "ar")]


@pytest.mark.parametrize(("make", "first", "second"), PAIRS)
@pytest.mark.parametrize(("method", "theirs"), TESTS)
def test_p_values_are_sacrebleus(
    make: Callable[[], SacrebleuMetric], first: float, second: float, method, theirs: str
) -> None:
    outputs = {"ours": system(1, first), "other": system(2, second)}
    _, scores = PairedTest(
        [("other", outputs["other"]), ("ours", outputs["ours"])], {"metric": make()}, [REFERENCES], theirs, 1000
    )()
    (results,) = (results for name, results in scores.items() if name != "System")
    done = compare(measured(make(), outputs["ours"]), measured(make(), outputs["other"]), method=method)
    assert (done.ours, done.other) == (results[1].score, results[0].score)
    assert done.difference == results[1].score - results[0].score
    chance = 4 * np.sqrt(2 * results[1].p_value * (1 - results[1].p_value) / 1000) + 2 / 1001
    assert done.p_value == pytest.approx(results[1].p_value, abs=chance)


def test_the_interval_of_bleu_is_sacrebleus() -> None:
    outputs = system(1, 0.3)
    _, scores = PairedTest([("a", outputs), ("b", outputs)], {"bleu": BLEU()}, [REFERENCES], "bs", 1000)()
    interval = bootstrap_interval(measured(BLEU(), outputs))
    assert interval is not None
    assert (interval.high - interval.low) / 2 == pytest.approx(scores["BLEU"][1].ci, rel=0.1)
    assert interval.low < scores["BLEU"][1].score < interval.high


def pairs_that_do_not_differ(count: int) -> list[tuple[Measured, Measured]]:
    random = np.random.default_rng(7)
    drawn = []
    for _ in range(count):
        shared = random.random(60)
        drawn.append((mean(shared + random.normal(0, 0.2, 60)), mean(shared + random.normal(0, 0.2, 60))))
    return drawn


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_systems_that_do_not_differ_get_every_p_value_equally_often(method) -> None:
    p_values = [compare(*pair, method=method, resamples=300).p_value for pair in pairs_that_do_not_differ(300)]
    shares = {below: float(np.mean(np.array(p_values) <= below)) for below in (0.05, 0.25, 0.5, 0.75)}
    for below, share in shares.items():
        assert share == pytest.approx(below, abs=3 * np.sqrt(below * (1 - below) / 300) + 0.01), shares


def test_sacrebleus_bootstrap_finds_too_many_differences_which_is_why_it_is_not_ours() -> None:
    pairs = pairs_that_do_not_differ(300)
    false = np.mean([compare(*pair, method="sacrebleu-bootstrap", resamples=300).p_value <= 0.05 for pair in pairs])
    assert 0.07 < false < 0.15


@pytest.mark.parametrize("method", METHODS)
def test_a_real_difference_is_found_and_so_is_its_sign(method) -> None:
    random = np.random.default_rng(3)
    worse = random.random(200)
    done = compare(mean(worse + 0.1 + random.normal(0, 0.2, 200)), mean(worse), method=method)
    back = compare(mean(worse), mean(worse + 0.1 + random.normal(0, 0.2, 200)), method=method)
    assert done.p_value < 0.01
    assert back.p_value < 0.01
    assert done.difference > 0 > back.difference
    assert done.low is not None
    assert done.high is not None
    assert 0 < done.low < done.difference < done.high


@pytest.mark.parametrize("method", METHODS)
@given(items=st.lists(st.floats(0, 1), min_size=1, max_size=30), seed=st.integers(0, 99))
def test_a_system_does_not_differ_from_itself(method, items: list[float], seed: int) -> None:
    done = compare(mean(items), mean(items), method=method, resamples=50, seed=seed)
    assert (done.difference, done.p_value) == (0.0, 1.0)


@given(
    items=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=40),
    method=st.sampled_from(sorted(METHODS)),
)
def test_the_other_way_round_only_the_sign_changes(items, method) -> None:
    ours, other = (mean(list(column)) for column in zip(*items, strict=True))
    there, back = (compare(*pair, method=method, resamples=100) for pair in ((ours, other), (other, ours)))
    assert there.p_value == pytest.approx(back.p_value, abs=1e-12)
    assert there.difference == -back.difference
    assert there.low == pytest.approx(-back.high, abs=1e-12)


@given(items=st.lists(st.floats(-10, 10), min_size=2, max_size=60), seed=st.integers(0, 5))
def test_an_interval_lies_among_the_items_and_is_the_same_for_a_seed(items: list[float], seed: int) -> None:
    one = bootstrap_interval(mean(items), resamples=200, seed=seed)
    assert one is not None
    assert min(items) - 1e-9 <= one.low <= one.high <= max(items) + 1e-9
    assert bootstrap_interval(mean(items), resamples=200, seed=seed) == one


def test_the_interval_of_a_mean_covers_it_as_often_as_it_says() -> None:
    random = np.random.default_rng(11)
    covered = 0
    for seed in range(300):
        interval = bootstrap_interval(mean(random.normal(0, 1, 80)), resamples=300, level=0.9, seed=seed)
        assert interval is not None
        covered += interval.low <= 0 <= interval.high
    assert covered / 300 == pytest.approx(0.9, abs=0.05)


def in_groups(random: np.random.Generator, groups: int, size: int) -> np.ndarray:
    """Items of a normal distribution around 0, much alike within each group."""
    return np.repeat(random.normal(0, 1, groups), size) + random.normal(0, 0.3, groups * size)


def test_the_interval_of_items_in_groups_covers_their_mean_only_where_groups_are_drawn() -> None:
    random = np.random.default_rng(12)
    groups = np.repeat(np.arange(60), 8)
    covered = {"groups": 0, "items": 0}
    for seed in range(200):
        items = mean(in_groups(random, 60, 8))
        for drawn, given_groups in (("groups", groups), ("items", None)):
            interval = bootstrap_interval(items, groups=given_groups, resamples=200, level=0.9, seed=seed)
            assert interval is not None
            covered[drawn] += interval.low <= 0 <= interval.high
    assert covered["groups"] / 200 == pytest.approx(0.9, abs=0.06)
    assert covered["items"] / 200 < 0.6


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_systems_that_do_not_differ_are_told_apart_too_often_only_where_items_are_drawn(method) -> None:
    random = np.random.default_rng(13)
    groups = np.repeat(np.arange(60), 8)
    found = {"groups": 0, "items": 0}
    for seed in range(200):
        ours, other = mean(in_groups(random, 60, 8)), mean(in_groups(random, 60, 8))
        for drawn, given_groups in (("groups", groups), ("items", None)):
            compared = compare(ours, other, groups=given_groups, method=method, resamples=100, seed=seed)
            found[drawn] += compared.p_value <= 0.1
    assert found["groups"] / 200 == pytest.approx(0.1, abs=0.06)
    assert found["items"] / 200 > 0.4


def test_a_group_is_drawn_with_all_its_items() -> None:
    items = np.random.default_rng(3).random(30)
    groups = group_numbers(f"trend {row % 7}" for row in range(30))
    draws = np.random.default_rng(5)
    drawn = []
    for _ in range(40):
        rows = [row for group in draws.integers(7, size=7) for row in np.flatnonzero(groups == group)]
        drawn.append(items[rows].mean())
    found = bootstrap_interval(mean(items), groups=groups, resamples=40, seed=5)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_groups_of_one_item_each_are_drawn_as_items_are() -> None:
    ours, other = (mean(np.random.default_rng(seed).random(50)) for seed in (1, 2))
    alone = np.arange(50) * 3 + 7
    assert bootstrap_interval(ours, groups=alone) == bootstrap_interval(ours)
    for method in METHODS:
        assert compare(ours, other, groups=alone, method=method) == compare(ours, other, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_one_item_or_one_group_alone_tells_nothing(method) -> None:
    ours, other = mean([0.9, 0.8, 0.9]), mean([0.1, 0.2, 0.1])
    together = np.zeros(3, np.int64)
    assert bootstrap_interval(ours, groups=together) is None
    for compared in (
        compare(ours, other, groups=together, method=method),
        compare(mean([0.9]), mean([0.1]), method=method),
    ):
        assert (compared.p_value, compared.low, compared.high) == (1.0, None, None)


def test_many_intervals_at_once_are_those_one_by_one() -> None:
    random = np.random.default_rng(5)
    several = [mean(random.random(40)), mean(random.random(30)), mean(random.random(40)), no_sums(), mean([0.5])]
    assert bootstrap_intervals(several) == [bootstrap_interval(one) for one in several]
    assert bootstrap_intervals(several)[3:] == [None, None]


def test_how_many_resamples_are_held_at_once_does_not_change_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, other = (mean(np.random.default_rng(seed).random(50)) for seed in (1, 2))
    before = bootstrap_interval(ours), compare(ours, other, method="randomisation")
    monkeypatch.setattr(significance, "_CELLS", 120)
    after = bootstrap_interval(ours), compare(ours, other, method="randomisation")
    assert before[0] is not None
    assert after[0] is not None
    assert after[0].low == pytest.approx(before[0].low, abs=1e-12)
    assert after[1].p_value == before[1].p_value


def test_memory_is_bounded_for_many_items() -> None:
    many = mean(np.random.default_rng(1).random(150_000))
    tracemalloc.start()
    bootstrap_interval(many, resamples=60)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 45e6  # all 1000 draws at once would be 1.2 GB


def no_sums() -> Measured:
    return Measured(name="distinct-2", value=0.5, items=np.empty(0), signature="distinct-2", better="higher")


def test_a_resample_without_a_value_is_left_out_and_the_rest_counted() -> None:
    """Statistics whose second column may sum to nothing: precision where one item alone was called positive."""

    def combine(sums: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])

    statistics = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    rare = Measured(
        name="precision",
        value=1.0,
        items=np.empty(0),
        signature="precision",
        better="higher",
        statistics=statistics,
        combine=combine,
    )
    interval = bootstrap_interval(rare)
    assert interval is not None
    assert (interval.low, interval.high) == (1.0, 1.0)
    assert interval.resamples == pytest.approx(1000 * (1 - (2 / 3) ** 3), abs=60)


REFUSED = [
    (lambda: compare(mean([1, 2]), mean([1, 2], "pinc|n:3")), "two metrics, pinc.n:4 and pinc.n:3"),
    (lambda: compare(mean([1, 2]), mean([1, 2, 3])), "One system has 2 items and the other 3"),
    (lambda: compare(no_sums(), no_sums()), "distinct-2 does not follow from sums"),
    (lambda: compare(mean([1]), mean([1]), method="t-test"), "no test called 't-test'"),  # type: ignore[arg-type]
    (lambda: compare(mean([1, 2]), mean([1, 2]), resamples=0), "0 resamples are none"),
    (lambda: compare(mean([1, 2]), mean([1, float("nan")])), "pinc is 1.5 and nan: a system without a value"),
    (lambda: bootstrap_interval(mean([1, 2]), level=95), "level 95 makes no sense"),
    (lambda: bootstrap_interval(mean([1, 2]), groups=np.zeros(3, np.int64)), "groups of 3 items are told, .* are 2"),
]


@pytest.mark.parametrize(("do", "message"), REFUSED)
def test_what_cannot_be_compared_is_refused_with_the_reason(do: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        do()


def test_nothing_at_all_cannot_be_compared() -> None:
    nothing = Measured(
        name="pinc",
        value=0.0,
        items=np.empty(0),
        signature="pinc",
        better="higher",
        statistics=np.empty((0, 2)),
        combine=lambda sums: sums[..., 0],
    )
    with pytest.raises(InputError, match="no items to compare"):
        compare(nothing, nothing)
