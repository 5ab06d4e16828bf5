"""What training and held-out pairs share is found, however it is written, and nothing else is."""

from __future__ import annotations

import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus import leakage
from paraloom.corpus.known import KnownPairs
from paraloom.corpus.leakage import PairNumbers, check_no_leakage, shared_pairs, shared_texts, without_leaks
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError

SAME = [
    ("Storm hits the coast", "storm  hits THE coast ."),
    ("Storm hits the coast", "Storm hits the coast https://t.co/a1b2"),
    ("Storm hits the coast", "@ann Storm hits the coast @ben_c"),
    ("It doesn't matter", "it does n't matter"),
    ("#Storm in Norland", "# storm in norland"),
    ("Salt & Pepper", "salt &amp; pepper"),
    ("Salt & Pepper", "salt & amp ; pepper"),
    ("Gone (all of it)", "gone -LRB- all of it -RRB-"),
    ('"Gone," he said', "`` Gone , '' he said"),
    ("Caf\u00e9 in the U.S.", "cafe\u0301 in the US"),
    ("100,000 people", "100000 people"),
]
DIFFERENT = [
    ("Storm hits the coast", "Storm hits a coast"),
    ("100 people", "101 people"),
    ("हिम", "हम"),
    ("\U0001f327", "☀"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_differ_in_writing_only_have_one_key(one: str, other: str) -> None:
    assert text_key(one) == text_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_texts_have_other_keys(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)


@given(text=st.text(max_size=60))
def test_a_key_is_its_own_key_and_no_text_stops_it(text: str) -> None:
    key = text_key(text)
    assert not any(character.isspace() for character in key)
    PairNumbers.of([(text, key)])


def test_a_text_with_half_a_surrogate_has_a_number() -> None:
    assert shared_pairs([("a \ud83d storm", "x")], [("x", "a \ud83d storm")]) == [0]


TEXTS = st.sampled_from(["storm", "Storm!", "gale", "rain", "@ann rain", "snow", "?"])
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=15)


@given(training=PAIRS, held_out=PAIRS)
def test_what_is_found_is_what_a_plain_search_finds(
    training: list[tuple[str, str]], held_out: list[tuple[str, str]]
) -> None:
    def key(pair: tuple[str, str]) -> frozenset[str]:
        return frozenset(map(text_key, pair))

    keys = {key(pair) for pair in training}
    texts = {text_key(text) for pair in training for text in pair}
    rows = [row for row, pair in enumerate(held_out) if key(pair) in keys]
    assert shared_pairs(training, held_out) == rows
    assert {text_key(text) for text in shared_texts(training, held_out)} == texts & {
        text_key(text) for pair in held_out for text in pair
    }
    report = check_no_leakage({"train": training}, {"dev": held_out}).shared[0]
    assert report.pairs == len(rows)
    assert report.texts == len(shared_texts(training, held_out))
    assert list(report.pair_examples) == [held_out[row] for row in rows[:3]]
    kept = [pair for row, pair in enumerate(training) if row in set(without_leaks(training, [held_out]))]
    assert kept == [pair for pair in training if key(pair) not in {key(pair) for pair in held_out}]


@given(training=PAIRS, held_out=PAIRS)
def test_the_order_within_a_pair_does_not_matter(
    training: list[tuple[str, str]], held_out: list[tuple[str, str]]
) -> None:
    turned = [(right, left) for left, right in held_out]
    assert shared_pairs(training, held_out) == shared_pairs(training, turned)


def test_every_training_set_is_held_against_every_held_out_one() -> None:
    corpus = KnownPairs(left=["storm"], right=["gale"], targets=np.ones(1), groups=["g"])
    report = check_no_leakage(
        {"corpus": corpus, "file": [("rain", "snow")]}, {"dev": [("gale", "storm")], "test": [("rain", "hail")]}
    )
    found = {(one.training, one.held_out): (one.pairs, one.texts) for one in report.shared}
    assert found == {
        ("corpus", "dev"): (1, 2),
        ("corpus", "test"): (0, 0),
        ("file", "dev"): (0, 0),
        ("file", "test"): (0, 1),
    }
    assert [one.held_out for one in report.leaks] == ["dev"]


def test_a_shared_pair_is_an_error_where_asked() -> None:
    clean, leaking = [("rain", "snow")], [("storm", "gale")]
    assert check_no_leakage({"train": clean}, {"dev": leaking}, refuse=True).leaks == ()
    with pytest.raises(InputError, match=r"1 of dev are in train.*\('Gale', 'storm'\).*Take them out"):
        check_no_leakage({"train": leaking}, {"dev": [("Gale", "storm")]}, refuse=True)


def test_an_iterator_is_refused_since_it_can_be_gone_through_once_only() -> None:
    with pytest.raises(InputError, match="Give a list"):
        shared_pairs(iter([("a", "b")]), [("a", "b")])


class ManyPairs:
    """Pairs that are made as they are read, so that only what is kept of them takes memory."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __iter__(self):
        random = Random(self.count)
        for number in range(self.count):
            yield f"a long sentence about the storm {number} in Norland", f"another one, {random.random()}"


def peak_memory(count: int) -> int:
    held_out = list(ManyPairs(500))
    tracemalloc.start()
    try:
        report = check_no_leakage({"train": ManyPairs(count)}, {"dev": held_out})
        assert report.shared[0].of_pairs == 500
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_training_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leakage, "PAIRS_AT_ONCE", 2000)
    assert peak_memory(32_000) < 1.25 * peak_memory(4000)  # one part is held while the next is read


def test_no_two_of_many_texts_have_the_same_number() -> None:
    numbers = PairNumbers.of([(f"{n}", f"x{n}") for n in range(20_000)])
    assert len(np.unique(numbers.texts)) == 40_000
    assert len(np.unique(numbers.pairs)) == 20_000
