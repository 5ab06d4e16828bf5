"""Drawing candidates: evenly, by their ids alone, with the weights that make the whole of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.pairs.region_options import SampleOptions
from paraloom.pairs.stratified import StratifiedSample

CANDIDATES = st.lists(st.floats(0, 1).map(lambda value: round(value, 6)), min_size=1, max_size=80)


def sampled(values: list[float], order: list[int], options: SampleOptions, at_once: int = 7) -> StratifiedSample:
    sample = StratifiedSample(options)
    for start in range(0, len(order), at_once):
        some = order[start : start + at_once]
        sample.add([f"pair {row}" for row in some], np.array([values[row] for row in some]), some)
    return sample


@given(CANDIDATES, st.randoms(use_true_random=False), st.integers(1, 9), st.integers(1, 30))
def test_the_order_and_size_of_blocks_change_nothing(values, random, per_interval, at_once) -> None:
    options = SampleOptions(per_interval=per_interval)
    order = list(range(len(values)))
    straight = sampled(values, order, options).drawn()
    random.shuffle(order)
    assert sampled(values, order, options, at_once).drawn() == straight


@given(CANDIDATES, st.integers(1, 9), st.integers(1, 25))
def test_the_weights_of_an_interval_add_up_to_its_candidates(values, per_interval, intervals) -> None:
    options = SampleOptions(per_interval=per_interval, intervals=intervals)
    drawn = sampled(values, list(range(len(values))), options).drawn()
    by_interval = Counter(one.interval for one in drawn)
    for one in drawn:
        assert by_interval[one.interval] == min(per_interval, one.population)
        assert one.weight * by_interval[one.interval] == pytest.approx(one.population, abs=1e-3)
    assert sum(one.weight for one in drawn) == pytest.approx(len(values), abs=1e-2)


def test_a_seed_draws_other_pairs_and_dev_is_a_third() -> None:
    values = np.random.default_rng(1).random(4000).round(6).tolist()
    order = list(range(4000))
    one, other = (sampled(values, order, SampleOptions(per_interval=10, seed=seed), 500).drawn() for seed in (1, 2))
    assert {row.pair_id for row in one} != {row.pair_id for row in other}
    splits = Counter(row.split for row in one)
    assert splits["dev"] == pytest.approx(200 / 3, abs=1)
    assert splits["dev"] + splits["test"] == 200
    by_interval = Counter((row.interval, row.split) for row in one)
    assert all(3 <= count <= 4 for (_, split), count in by_interval.items() if split == "dev")


def test_short_intervals_are_named_with_what_they_have() -> None:
    sample = sampled([0.01, 0.02, 0.99], [0, 1, 2], SampleOptions(per_interval=2, intervals=4))
    assert sample.short() == {"0.25–0.50": 0, "0.50–0.75": 0, "0.75–1.00": 1}


def test_every_candidate_has_the_same_chance_to_be_drawn() -> None:
    counts = Counter()
    for seed in range(300):
        drawn = sampled([0.5] * 10, list(range(10)), SampleOptions(per_interval=3, seed=seed), 10).drawn()
        counts.update(one.row for one in drawn)
    assert all(60 <= counts[row] <= 120 for row in range(10))  # 90 on average


@pytest.mark.parametrize(("setting", "option"), [({"per_interval": 0}, "--per-interval"), ({"dev_share": 2}, "--dev")])
def test_a_sample_that_makes_no_sense_is_refused(setting, option: str) -> None:
    with pytest.raises(InputError, match=option):
        SampleOptions(**setting)
