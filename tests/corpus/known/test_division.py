"""Parts and folds: no group in two of them, nothing lost, as even as groups allow, the same every time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.known import KnownPairs, folds_by_group, joined, split_by_group, without_texts_of
from paraloom.corpus.known.division import at_most
from paraloom.corpus.known.groups import group_pairs
from paraloom.corpus.known.pairs import hash_of_pairs
from paraloom.corpus.leakage import check_no_leakage
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError

GROUPS = st.lists(st.integers(0, 12).map(str), min_size=1, max_size=60)


def pairs_in(groups: list[str]) -> KnownPairs:
    texts = [f"{group} {row}" for row, group in enumerate(groups)]
    return KnownPairs(left=texts, right=texts, targets=np.zeros(len(groups)), groups=groups)


@given(groups=GROUPS, seed=st.integers(0, 5), share=st.floats(0.05, 0.95))
def test_parts_hold_every_pair_once_and_every_group_whole(groups: list[str], seed: int, share: float) -> None:
    parts = split_by_group(pairs_in(groups), {"one": share, "other": 1 - share}, seed)
    assert Counter(text for part in parts.values() for text in part.left) == Counter(pairs_in(groups).left)
    assert not set(parts["one"].groups) & set(parts["other"].groups)


@given(groups=GROUPS, seed=st.integers(0, 5))
def test_a_part_is_off_its_share_by_no_more_than_the_largest_group(groups: list[str], seed: int) -> None:
    parts = split_by_group(pairs_in(groups), {"train": 0.8, "dev": 0.1, "test": 0.1}, seed)
    largest = max(Counter(groups).values())
    for name, share in {"train": 0.8, "dev": 0.1, "test": 0.1}.items():
        assert abs(len(parts[name]) - share * len(groups)) <= 2 * largest


@given(groups=GROUPS.filter(lambda groups: len(set(groups)) >= 3), seed=st.integers(0, 5))
def test_folds_are_as_even_as_the_largest_group_allows(groups: list[str], seed: int) -> None:
    folds = folds_by_group(pairs_in(groups), 3, seed)
    assert sorted(row for fold in folds for row in fold.tolist()) == list(range(len(groups)))
    assert all(len(fold) for fold in folds)
    sizes = sorted(len(fold) for fold in folds)
    assert sizes[-1] - sizes[0] <= max(Counter(groups).values())
    of_group = {groups[row]: number for number, fold in enumerate(folds) for row in fold.tolist()}
    assert all(of_group[groups[row]] == number for number, fold in enumerate(folds) for row in fold.tolist())


@given(groups=GROUPS, seed=st.integers(0, 5))
def test_the_order_of_the_rows_does_not_decide_where_a_group_goes(groups: list[str], seed: int) -> None:
    shares = {"train": 0.7, "dev": 0.3}
    there = split_by_group(pairs_in(groups), shares, seed)
    back = split_by_group(pairs_in(groups[::-1]), shares, seed)
    assert {name: set(part.groups) for name, part in there.items()} == {
        name: set(part.groups) for name, part in back.items()
    }


def test_a_seed_gives_the_same_parts_and_another_seed_others() -> None:
    pairs = pairs_in([str(number) for number in range(40)])
    shares = {"train": 0.5, "dev": 0.5}
    one, again, other = (split_by_group(pairs, shares, seed)["dev"].left for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("folds", [1, 0, 3])
def test_too_few_groups_for_the_folds_are_an_error(folds: int) -> None:
    with pytest.raises(InputError, match="2 groups of pairs cannot be parted"):
        folds_by_group(pairs_in(["a", "a", "b"]), folds, seed=1)


def test_a_share_of_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="share above 0"):
        split_by_group(pairs_in(["a"]), {"train": 1.0, "dev": 0.0}, seed=1)


WORDS = st.sampled_from(["storm", "gale", "Storm!", "rain", "@ann", "", "?", "snow https://t.co/a"])


@given(rows=st.lists(st.tuples(WORDS, WORDS), min_size=2, max_size=25), seed=st.integers(0, 3))
def test_parts_by_group_share_no_text(rows: list[tuple[str, str]], seed: int) -> None:
    left, right = [row[0] for row in rows], [row[1] for row in rows]
    pairs = KnownPairs(left=left, right=right, targets=np.zeros(len(rows)), groups=group_pairs(left, right))
    parts = split_by_group(pairs, {"train": 0.5, "dev": 0.5}, seed)
    shared = check_no_leakage({"train": parts["train"]}, {"dev": parts["dev"]}).shared[0]
    assert (shared.pairs, shared.texts) == (0, 0) or set(shared.text_examples) == {""}


@given(
    rows=st.lists(st.tuples(WORDS, WORDS), max_size=12),
    others=st.lists(st.lists(st.tuples(WORDS, WORDS), max_size=4), max_size=3),
)
def test_what_has_no_text_of_others_is_kept_and_nothing_else(
    rows: list[tuple[str, str]], others: list[list[tuple[str, str]]]
) -> None:
    def made(given: list[tuple[str, str]]) -> KnownPairs:
        left, right = [row[0] for row in given], [row[1] for row in given]
        return KnownPairs(left=left, right=right, targets=np.zeros(len(given)), groups=left)

    kept = list(without_texts_of(made(rows), *map(made, others)))
    held_out = {text_key(text) for other in others for pair in other for text in pair if text}
    assert kept == [pair for pair in rows if not {text_key(text) for text in pair} & held_out]


@given(groups=GROUPS, seed=st.integers(0, 5), most=st.integers(0, 70))
def test_a_limit_takes_about_so_many_pairs_in_whole_groups_and_never_none(
    groups: list[str], seed: int, most: int
) -> None:
    pairs = pairs_in(groups)
    kept = at_most(pairs, most, seed)
    sizes = Counter(groups)
    assert len(kept) > 0
    assert Counter(kept.groups) == {group: sizes[group] for group in kept.groups}
    if not most or most >= len(groups):
        assert list(kept) == list(pairs)
    else:
        assert len(kept) <= most + max(sizes.values())
    assert list(at_most(pairs, most, seed)) == list(kept)


def test_pairs_have_the_same_short_name_only_where_texts_targets_and_grades_are_the_same() -> None:
    one = pairs_in(["a", "b"])
    others = [
        replace(one, left=["other", one.left[1]]),
        one.with_targets(np.array([0.0, np.nan])),
        replace(one, grades=["4", "3"]),
    ]
    names = {hash_of_pairs([pairs]) for pairs in (one, *others)}
    assert len(names) == 4
    assert hash_of_pairs([pairs_in(["a", "b"])]) in names


def test_a_chain_of_shared_texts_or_links_is_one_group() -> None:
    left = ["a", "b", "c", "x", "y", "z"]
    right = ["b!", "@ann c", "d", "y", "w", "v"]
    first, *chained, alone, linked = group_pairs(left, right, [None, None, None, None, "link", "link"])
    assert chained[:2] == [first, first]
    assert alone != first
    assert group_pairs(left, right)[5] not in (first, group_pairs(left, right)[4])
    assert linked == alone


def test_joined_sets_keep_all_rows_and_unknown_votes_as_none_of_none() -> None:
    one = KnownPairs(left=["a"], right=["b"], targets=np.ones(1), groups=["1"], votes=np.array([[3, 5]]), topics=["t"])
    other = KnownPairs(left=["c"], right=["d"], targets=np.zeros(1), groups=["2"])
    both = joined([one, other])
    assert list(both) == [("a", "b"), ("c", "d")]
    assert both.targets.tolist() == [1, 0]
    assert both.votes is not None
    assert both.votes.tolist() == [[3, 5], [0, 0]]
    assert both.topics is None


def test_pairs_with_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match=r"different lengths: \[1, 2\]"):
        KnownPairs(left=["a"], right=["b"], targets=np.ones(2), groups=["g"])
