"""What is fitted on, held out and measured on: nothing in two of them, and the test split wherever there is one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.workflows.bench.division import Part, divide, divide_with_others, hash_of_corpus, limited
from paraloom.workflows.bench.identification_options import BenchOptions


def pairs(count: int, of: str, group_size: int = 3) -> KnownPairs:
    return KnownPairs(
        left=[f"{of} left number {row}" for row in range(count)],
        right=[f"{of} right number {row}" for row in range(count)],
        targets=np.array([row % 2 for row in range(count)], np.float64),
        groups=[f"{of} {row // group_size}" for row in range(count)],
    )


def corpus(*splits: str, definition: str = "loose", name: str = "news", count: int = 60) -> KnownCorpus:
    found = {split: pairs(count, f"{name} {split}") for split in splits}
    return KnownCorpus(name=name, title=name.title(), definition=definition, splits=found)


def groups_of(part: Part) -> tuple[set[str], set[str], set[str]]:
    return set(part.fit.groups), set(part.held_out.groups), set(part.measured.groups)


def texts_of(part: Part) -> list[set[str]]:
    return [
        {text_key(text) for text in (*pairs.left, *pairs.right)} for pairs in (part.fit, part.held_out, part.measured)
    ]


def assert_nothing_is_in_two(part: Part) -> None:
    for fit, held_out, measured in (groups_of(part), texts_of(part)):
        assert not fit & held_out
        assert not fit & measured
        assert not held_out & measured


WHICH = [
    (("train", "test"), "auto", "test split", 60),
    (("train", "dev", "test"), "auto", "test split; .5 by dev", 60),
    (("train", "dev"), "auto", "5 folds of train", 60),
    (("dev",), "auto", "5 folds of dev", 60),
    (("train", "dev"), "dev", "dev split", 60),
    (("train", "test"), "folds", "5 folds of train", 60),
]


@pytest.mark.parametrize(("splits", "on", "protocol", "measured"), WHICH)
def test_the_test_split_is_used_where_it_is_there_and_folds_where_not(splits, on, protocol, measured) -> None:
    division = divide(corpus(*splits), BenchOptions(on=on))
    assert division.protocol == protocol
    assert sum(len(part.measured) for part in division.parts) == measured


@pytest.mark.parametrize("folds", [1, 2, 5])
def test_no_group_is_in_two_parts_and_folds_cover_every_pair_once(folds: int) -> None:
    given = corpus("train")
    division = divide(given, BenchOptions(folds=folds))
    for part in division.parts:
        fit, held_out, measured = groups_of(part)
        assert not fit & held_out
        assert not (fit | held_out) & measured
        assert len(part.fit) + len(part.held_out) + len(part.measured) == 60
        assert 0.05 <= len(part.held_out) / (len(part.fit) + len(part.held_out)) <= 0.15
    seen = sorted(text for part in division.parts for text in part.measured.left)
    if folds == 1:
        assert division.protocol == "own 80/20 split of train"
        assert len(seen) == 12
    else:
        assert seen == sorted(given.splits["train"].left)


def test_a_graded_corpus_is_split_once() -> None:
    assert divide(corpus("dev", definition="graded"), BenchOptions()).protocol == "own 80/20 split of dev"


def test_pairs_that_the_authors_leave_out_are_in_no_part() -> None:
    given = pairs(60, "news")
    targets = given.targets.copy()
    targets[:6] = np.nan
    undecided = KnownPairs(left=given.left, right=given.right, targets=targets, groups=given.groups)
    whole = replace(corpus("train"), splits={"train": undecided})
    assert sum(len(part.measured) for part in divide(whole, BenchOptions()).parts) == 54


def test_dev_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="its dev split is not in the folder"):
        divide(corpus("train"), BenchOptions(on="dev"))


def test_what_is_measured_on_is_in_no_pair_of_another_corpus_that_is_fitted_on() -> None:
    ours, other = corpus("train"), corpus("train", name="tweets")
    borrowed = ours.splits["train"]
    told = other.splits["train"]
    mixed = KnownPairs(
        left=[*told.left, *(text.upper() for text in borrowed.right)],
        right=[*told.right, *(f"something else {row}" for row in range(len(borrowed)))],
        targets=np.concatenate([told.targets, borrowed.targets]),
        groups=[*told.groups, *borrowed.groups],
    )
    division = divide_with_others(ours, [replace(other, splits={"train": mixed})], "own", BenchOptions())
    assert division.protocol == "5 folds of train, with Tweets"
    for part in division.parts:
        forbidden = {text.lower() for one in (part.measured, part.held_out) for text in (*one.left, *one.right)}
        assert not forbidden & {text.lower() for text in (*part.fit.left, *part.fit.right)}
        assert set(told.left) <= set(part.fit.left)


def test_a_system_fitted_elsewhere_is_measured_on_all_pairs_of_a_split() -> None:
    division = divide_with_others(
        corpus("train", "test"), [corpus("train", name="tweets")], "train", BenchOptions(folds=3)
    )
    [part] = division.parts
    assert division.protocol == "fitted on Tweets, measured on the train split"
    assert part.measured.left == corpus("train").splits["train"].left
    assert {text.split()[0] for text in (*part.fit.left, *part.held_out.left)} == {"tweets"}
    with pytest.raises(InputError, match="its test split is not in the folder"):
        divide_with_others(corpus("train"), [corpus("train", name="tweets")], "test", BenchOptions())


def test_corpora_that_share_texts_are_held_out_by_the_groups_of_both() -> None:
    tweets = corpus("train", name="tweets")
    sources = tweets.splits["train"].left
    rewritten = KnownPairs(
        left=[source.upper() for source in sources],
        right=[f"rewritten {row}" for row in range(60)],
        targets=np.ones(60),
        groups=[f"rewritten {row // 3}" for row in range(60)],
    )
    others = [tweets, KnownCorpus(name="t5", title="T5", definition="loose", splits={"train": rewritten})]
    [part] = divide_with_others(corpus("train"), others, "train", BenchOptions()).parts
    assert_nothing_is_in_two(part)
    assert len(part.fit) + len(part.held_out) == 120
    assert {one.split()[0] for one in part.held_out.left} == {"tweets", "TWEETS"}


def test_one_corpus_alone_is_held_out_by_its_own_groups() -> None:
    [part] = divide_with_others(corpus("train"), [corpus("train", name="tweets")], "train", BenchOptions()).parts
    own = divide(corpus("train", "test", name="tweets"), BenchOptions()).parts[0]
    assert part.held_out.left == own.held_out.left


OFFICIAL = [
    (("train", "dev"), "dev", "dev split; left out of training: 2 pairs that share a text with it"),
    (("train", "test"), "test", "test split; left out of training: 2 pairs that share a text with it"),
    (
        ("train", "dev", "test"),
        "test",
        "test split; .5 by dev; left out of training: 3 pairs that share a text with it",
    ),
]


@pytest.mark.parametrize(("splits", "on", "protocol"), OFFICIAL)
def test_training_pairs_with_a_text_of_another_split_are_left_out_and_counted(splits, on, protocol) -> None:
    given = {name: pairs(60, name) for name in splits}
    for name in splits[1:]:
        given[name] = replace(given[name], left=["Train left number 7!", *given[name].left[1:]])
    borrowed = [*given["train"].left[:9], given[splits[-1]].right[30], *given["train"].left[10:]]
    given["train"] = replace(given["train"], left=borrowed)
    whole = KnownCorpus(name="news", title="News", definition="loose", splits=given)
    division = divide(whole, BenchOptions(on="dev" if on == "dev" else "auto"))
    [part] = division.parts
    assert division.protocol == protocol
    assert part.measured.left == given[on].left
    assert_nothing_is_in_two(part)


def test_a_group_of_what_is_measured_on_is_not_trained_on() -> None:
    given = {name: pairs(60, name) for name in ("train", "dev")}
    given["dev"] = replace(given["dev"], groups=["train 3", *given["dev"].groups[1:]])
    whole = KnownCorpus(name="news", title="News", definition="loose", splits=given)
    division = divide(whole, BenchOptions(on="dev"))
    assert_nothing_is_in_two(division.parts[0])
    assert "left out of training: 3 pairs" in division.protocol


def test_a_limit_keeps_whole_groups() -> None:
    given = limited(corpus("train"), 20)
    kept = given.splits["train"]
    assert 15 <= len(kept) <= 25
    counts = {group: kept.groups.count(group) for group in kept.groups}
    assert set(counts.values()) == {3}
    assert limited(corpus("train"), 0).splits["train"].left == corpus("train").splits["train"].left


def test_a_corpus_that_changed_has_another_hash() -> None:
    given = corpus("train")
    turned = given.splits["train"].targets.copy()
    turned[0] = 1 - turned[0]
    changed = replace(given.splits["train"], targets=turned)
    assert hash_of_corpus(given) == hash_of_corpus(corpus("train"))
    assert hash_of_corpus(given) != hash_of_corpus(replace(given, splits={"train": changed}))
