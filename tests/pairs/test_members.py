"""The kept sentences of a group become scored pairs, the same whatever order they lie in."""

from __future__ import annotations

import random as randomness
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.pairs.members import merge_pairs, pairs_of_group
from paraloom.pairs.options import PairOptions
from paraloom.tables import Pair, check, pair_id_of
from paraloom.text.tokenise import words

EARLY, LATE = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)
TEXTS = [
    "the storm hit the coast",
    "the storm reached the coast",
    "Sunny days ahead, they say!",
    "a storm at the coast",
]


def group(texts=TEXTS, kind: str = "url", order: list[int] | None = None, times=None) -> Members:
    order = list(range(len(texts))) if order is None else order
    times = times or [EARLY] * len(texts)
    return members_of(
        sentence_id=[f"s{place:02d}" for place in order],
        text=[texts[place] for place in order],
        kind=[kind] * len(texts),
        created_at=[times[place] for place in order],
    )


def proposed(sentences: Members, group_id: str = "g1", **options) -> list[Pair]:
    return list(pairs_of_group(group_id, sentences, options=PairOptions(**options)))


def test_the_best_ranked_sentence_is_the_seed_on_the_left() -> None:
    pairs = proposed(group())
    assert {pair.left for pair in pairs} == {"the storm hit the coast"}
    assert [pair.rank for pair in pairs] == [2, 3, 4]
    assert pairs[0].right == "the storm reached the coast"
    assert {pair.proposed_by for pair in pairs} == {"url:word-probability"}
    assert {pair.dropped_for for pair in pairs} == {None}


def test_scores_are_the_metrics_of_the_words_in_six_decimals() -> None:
    for pair in proposed(group()):
        left, right = words(pair.left), words(pair.right)
        assert pair.pinc == round(pinc_of_tokens(left, right), 6)
        assert pair.jaccard == round(jaccard_of_tokens(left, right), 6)
    nearest = proposed(group())[0]
    assert nearest.jaccard == 0.6
    assert nearest.similarity == round(6 / 7, 6)  # the counts 2 1 1 1 on both sides, and one word not shared


def test_a_pair_is_as_young_as_its_younger_sentence() -> None:
    dated = {pair.right_id: pair.created_at for pair in proposed(group(times=[EARLY, LATE, None, EARLY]))}
    assert dated == {"s01": LATE, "s02": EARLY, "s03": EARLY}
    assert {pair.created_at for pair in proposed(group(times=[None] * 4))} == {None}


@pytest.mark.parametrize("count", [0, 1])
def test_one_sentence_makes_no_pair(count: int) -> None:
    assert proposed(group(TEXTS[:count])) == []


MANY = [f"word{number % 7} storm number{number} coast{number % 3}" for number in range(30)]


def test_a_trend_gives_twenty_pairs_and_the_seed_and_group_decide_which() -> None:
    trend = group(MANY, "trend")
    assert len(proposed(trend)) == 20
    assert {pair.proposed_by for pair in proposed(trend)} == {"trend:word-probability"}
    chosen = [
        frozenset(pair.pair_id for pair in pairs)
        for pairs in (proposed(trend), proposed(trend, pair_seed=2), proposed(trend, "g2"))
    ]
    assert len(set(chosen)) == 3


def test_all_pairs_are_proposed_up_to_the_cap() -> None:
    assert len(proposed(group(), all_pairs=True)) == 6
    capped = proposed(group(MANY, "trend"), all_pairs=True, max_pairs=50)
    assert len(capped) == 50
    assert {pair.proposed_by for pair in capped} == {"all-pairs"}


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 30), st.sampled_from(["url", "trend"]), st.booleans(), st.integers(0, 99))
def test_the_order_of_the_sentences_does_not_show(count: int, kind: str, all_pairs: bool, seed: int) -> None:
    texts = MANY[:count]
    order = list(range(count))
    randomness.Random(seed).shuffle(order)
    pairs = proposed(group(texts, kind), all_pairs=all_pairs)
    assert proposed(group(texts, kind, order), all_pairs=all_pairs) == pairs
    table = from_rows(pairs, row_schema(Pair))
    assert check(table, Pair) == table


def test_a_pair_has_the_same_id_from_both_sides() -> None:
    assert pair_id_of("b", "a") == pair_id_of("a", "b") != pair_id_of("a", "c")


def test_a_pair_met_in_two_groups_belongs_to_the_smaller() -> None:
    rows = [
        {"group_id": "g2", "rank": 2, "left_id": "a"},
        {"group_id": "g1", "rank": 9, "left_id": "b"},
        {"group_id": "g1", "rank": 3, "left_id": "b"},
    ]
    assert merge_pairs(rows) == merge_pairs(rows[::-1]) == rows[2]
