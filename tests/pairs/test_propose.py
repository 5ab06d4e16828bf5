"""The paper's numbers: who is paired with whom, and how many more pairs a promising trend is worth."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.pairs.propose import (
    every_pair,
    first_pairs,
    more_pairs,
    next_pairs,
    trend_pairs,
    url_pairs,
    worth_judging,
)

counts = st.integers(0, 80)
seeds = st.integers(0, 1000)


def unordered(pairs: list[tuple[int, int]]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in pairs}


def test_a_urls_seed_meets_the_ten_others_of_the_eleven_best() -> None:
    assert url_pairs(40) == [(1, rank) for rank in range(2, 12)]
    assert url_pairs(40, seed_rank=4) == [(4, rank) for rank in range(1, 12) if rank != 4]


SMALL_URLS = [(0, []), (1, []), (2, [(1, 2)]), (3, [(1, 2), (1, 3)])]


@pytest.mark.parametrize(("count", "pairs"), SMALL_URLS)
def test_a_small_url_group_gives_what_it_has(count: int, pairs: list[tuple[int, int]]) -> None:
    assert url_pairs(count) == pairs


@pytest.mark.parametrize(("count", "seed_rank"), [(40, 0), (40, 12), (3, 4), (0, 2)])
def test_a_seed_that_is_not_among_the_best_is_refused(count: int, seed_rank: int) -> None:
    with pytest.raises(ValueError, match=rf"rank {seed_rank} is not"):
        url_pairs(count, seed_rank)


@settings(max_examples=100, deadline=None)
@given(st.integers(20, 200), seeds)
def test_a_trends_two_best_each_meet_ten_of_the_twenty_best(count: int, seed: int) -> None:
    pairs = trend_pairs(count, random.Random(seed))
    assert Counter(left for left, _ in pairs) == {1: 10, 2: 10}
    assert all(1 <= right <= 20 and right != left for left, right in pairs)
    assert len(unordered(pairs)) == 20


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 19), seeds)
def test_a_small_trend_gives_each_pair_once(count: int, seed: int) -> None:
    pairs = trend_pairs(count, random.Random(seed))
    assert len(unordered(pairs)) == len(pairs) <= 20
    assert all(1 <= rank <= count for pair in pairs for rank in pair)


def test_the_seed_decides_what_is_drawn() -> None:
    assert trend_pairs(50, random.Random(1)) == trend_pairs(50, random.Random(1))
    assert trend_pairs(50, random.Random(1)) != trend_pairs(50, random.Random(2))


WORTH = [(0, 0), (3, 0), (4, 20), (6, 20), (7, 30), (9, 30), (10, 40), (12, 40), (13, 50), (20, 50)]


@pytest.mark.parametrize(("paraphrases", "more"), WORTH)
def test_the_more_paraphrases_were_found_the_more_pairs_follow(paraphrases: int, more: int) -> None:
    assert more_pairs(paraphrases) == more
    first = trend_pairs(60, random.Random(1))
    assert len(next_pairs(60, paraphrases, first, random.Random(2))) == more


@settings(max_examples=200, deadline=None)
@given(counts, st.integers(0, 20), seeds)
def test_a_next_round_pairs_the_five_best_with_ranks_6_to_50_and_repeats_nothing(count, paraphrases, seed) -> None:
    first = trend_pairs(count, random.Random(seed))
    pairs = next_pairs(count, paraphrases, first, random.Random(seed + 1))
    assert all(1 <= left <= 5 and 6 <= right <= min(50, count) for left, right in pairs)
    assert len(unordered(pairs)) == len(pairs) <= more_pairs(paraphrases)
    assert not unordered(pairs) & unordered(first)
    assert max(Counter(left for left, _ in pairs).values(), default=0) <= 10


def test_a_small_group_asks_more_of_its_best_for_as_many_pairs() -> None:
    pairs = next_pairs(14, 4, trend_pairs(14, random.Random(1)), random.Random(2))
    assert len(pairs) == 20
    assert len({left for left, _ in pairs}) > 2


def test_a_pair_that_was_judged_the_other_way_round_does_not_come_again() -> None:
    judged = [(rank, 1) for rank in range(6, 51)]
    assert all(left != 1 for left, _ in next_pairs(60, 20, judged, random.Random(1)))


def test_the_same_question_gets_the_same_answer() -> None:
    first = trend_pairs(60, random.Random(1))
    asked = [next_pairs(60, 8, given_, random.Random(3)) for given_ in (first, iter(first[::-1]))]
    assert asked[0] == asked[1]
    assert asked[0] != next_pairs(60, 8, first, random.Random(4))


ENOUGH = [
    ("url", 2, False),
    ("url", 3, True),
    ("trend", 3, False),
    ("trend", 4, True),
    ("aligned", 0, False),
    ("aligned", 1, True),
]


@pytest.mark.parametrize(("kind", "paraphrases", "worth"), ENOUGH)
def test_a_group_is_gone_on_with_where_it_has_enough_paraphrases(kind: str, paraphrases: int, worth: bool) -> None:
    assert worth_judging(kind, paraphrases) is worth


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 25), st.integers(0, 400))
def test_every_pair_comes_once_the_best_first_up_to_a_cap(count: int, most: int) -> None:
    pairs = every_pair(count, most)
    everyone = sorted(
        ((left, right) for right in range(1, count + 1) for left in range(1, right)), key=lambda pair: (sum(pair), pair)
    )
    assert pairs == everyone[:most]


def test_a_kind_of_group_has_its_own_first_round() -> None:
    assert first_pairs("url", 30, random.Random(1)) == url_pairs(30)
    assert first_pairs("trend", 30, random.Random(1)) == trend_pairs(30, random.Random(1))
    assert first_pairs("aligned", 3, random.Random(1)) == url_pairs(3)
