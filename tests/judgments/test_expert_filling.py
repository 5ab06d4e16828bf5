"""What an identifier accepts is clustered, and experts get seeds against the largest cluster."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.expert_filling import ScoredPair, expert_items
from paraloom.judgments.expert_options import ExpertOptions
from paraloom.judgments.items import add_items


def scored(one: str, other: str, score: float = 0.9, group: str = "g") -> ScoredPair:
    return ScoredPair(
        group_id=group, left_id=one, right_id=other, left=f"Text {one}.", right=f"Text {other}.", score=score
    )


def ends(items):
    return [(item.origin["left_id"], item.origin["right_id"]) for item in items]


def test_the_most_central_two_are_paired_with_the_largest_cluster() -> None:
    chain = [scored("a", "b"), scored("b", "c"), scored("c", "d"), scored("x", "y"), scored("a", "x", 0.5)]
    assert ends(expert_items(chain)) == [("b", "c"), ("b", "a"), ("c", "a"), ("b", "d"), ("c", "d")]


def test_what_the_identifier_refuses_joins_nothing() -> None:
    assert list(expert_items([scored("a", "b", 0.5), scored("b", "c", 0.1)])) == []
    assert ends(expert_items([scored("a", "b", 0.4)], threshold=0.3)) == [("a", "b")]


def test_each_seed_gets_at_most_thirty_and_the_same_ones() -> None:
    star = [scored("a", f"n{n:02d}") for n in range(60)] + [scored("b", f"n{n:02d}") for n in range(30)]
    found = ends(expert_items(star))
    assert len(found) == 1 + 2 * 29
    assert {other for seed, other in found[1:] if seed == "a"} == {other for seed, other in found[1:] if seed == "b"}
    others = ends(expert_items(star, ExpertOptions(draw_seed=2)))
    assert others != found


edges = st.lists(
    st.tuples(st.sampled_from("gh"), st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.floats(0, 1)),
    max_size=30,
)


@given(edges, st.randoms(), st.integers(1, 6))
def test_the_order_of_pairs_decides_nothing_and_no_pair_comes_twice(given_edges, rng, most) -> None:
    best: dict[tuple[str, ...], tuple[str, str, str, float]] = {}
    for edge in given_edges:
        best[edge[0], *sorted(edge[1:3])] = edge  # one score a pair: a text of two scores would be two texts
    pairs = [scored(one, other, score, group) for group, one, other, score in best.values()]
    shuffled = [
        scored(pair.right_id, pair.left_id, pair.score, pair.group_id) if rng.random() < 0.5 else pair for pair in pairs
    ]
    rng.shuffle(shuffled)
    options = ExpertOptions(most=most)
    found = list(expert_items(pairs, options))
    assert found == list(expert_items(shuffled, options))
    keys = [(item.group_id, frozenset((item.origin["left_id"], item.origin["right_id"]))) for item in found]
    assert len(set(keys)) == len(keys)
    assert all(len(both) == 2 for _, both in keys)
    for group in {item.group_id for item in found}:
        degree: dict[str, int] = {}
        for one, both in keys:
            for end in both if one == group else ():
                degree[end] = degree.get(end, 0) + 1
        assert max(degree.values()) <= most


def test_items_are_those_of_a_campaign_of_pairs(database, open_campaign, now) -> None:
    campaign = open_campaign(database, [], definition="strict", judgments_per_item=2, adjudicate=True)
    full = [scored(one, other) for one, other in combinations("abcd", 2)]
    random.Random(1).shuffle(full)
    items = list(expert_items(full))
    assert database.write(lambda c: add_items(c, campaign, items, now=now)).added == 5
    assert database.write(lambda c: add_items(c, campaign, items, now=now)).there_already == 5


def test_less_than_one_sentence_a_seed_is_refused() -> None:
    with pytest.raises(InputError, match="most"):
        ExpertOptions(most=0)
