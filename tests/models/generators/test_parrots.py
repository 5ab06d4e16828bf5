"""Parrots: what they change, how much, and that chance is the same chance every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.models.generators.parrots import (
    KINDS,
    POSITIONS,
    Parrot,
    Parroting,
    number_changed,
    out_of_vocabulary_word,
)

SOURCE = "one two three four five six seven eight nine ten"
words = st.text(st.characters(categories=["Ll", "Nd"]), min_size=1, max_size=5)
sentences = st.lists(words, min_size=1, max_size=14).map(" ".join)
ratios = st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 1.0])


def said(source: str, parrot: Parrot, seed: int = 1) -> str:
    return Parroting(EvaluationSet.of([source], [["other words"]]), seed).outputs(parrot)[0]


SAID = [
    (Parrot(), SOURCE),
    (Parrot(kind="cut", position="head", ratio=0.3), "four five six seven eight nine ten"),
    (Parrot(kind="cut", position="tail", ratio=0.3), "one two three four five six seven"),
    (Parrot(kind="replace", position="head", ratio=0.2), "zqxv zqxv three four five six seven eight nine ten"),
    (Parrot(kind="replace", position="tail", ratio=0.2), "one two three four five six seven eight zqxv zqxv"),
    (Parrot(kind="cut", position="tail", ratio=0.04), SOURCE),
    (Parrot(kind="cut", position="head", ratio=1.0), ""),
]


@pytest.mark.parametrize(("parrot", "output"), SAID)
def test_a_parrot_says(parrot: Parrot, output: str) -> None:
    assert said(SOURCE, parrot) == output


ROUNDED = [
    (0.1, 12, 1),
    (0.5, 5, 3),
    (0.5, 1, 1),
    (0.05, 9, 0),
    (0.05, 10, 1),
    (0.29, 50, 15),
    (0.7, 5, 4),
    (0.0, 9, 0),
]


@pytest.mark.parametrize(("ratio", "length", "changed"), ROUNDED)
def test_a_half_is_rounded_up(ratio: float, length: int, changed: int) -> None:
    assert number_changed(ratio, length) == changed


@given(sentences, ratios, st.sampled_from(KINDS), st.sampled_from(POSITIONS))
def test_as_many_words_are_changed_as_the_ratio_says(source: str, ratio: float, kind, position) -> None:
    output = said(source, Parrot(kind=kind, position=position, ratio=ratio)).split()
    length = len(source.split())
    changed = number_changed(ratio, length)
    if kind == "cut":
        assert len(output) == length - changed
    else:
        assert len(output) == length
        assert sum(old != new for old, new in zip(source.split(), output, strict=True)) == changed


@given(sentences, ratios, ratios, st.sampled_from(POSITIONS), st.integers(-5, 5))
def test_what_a_small_ratio_changes_a_larger_one_changes_too(source, one, other, position, seed) -> None:
    small, large = sorted((one, other))
    before, after = (
        said(source, Parrot(kind="replace", position=position, ratio=ratio), seed).split() for ratio in (small, large)
    )
    kept = source.split()
    assert all(new != old for old, mid, new in zip(kept, before, after, strict=True) if mid != old)


@given(st.lists(sentences, min_size=1, max_size=6, unique=True), st.randoms(use_true_random=False))
def test_a_sources_random_positions_do_not_depend_on_the_other_sources(sources: list[str], random) -> None:
    parrot = Parrot(kind="replace", position="random", ratio=0.5)
    shuffled = random.sample(sources, len(sources))
    outputs = [
        dict(
            zip(order, Parroting(EvaluationSet.of(order, [["other words"]] * len(order))).outputs(parrot), strict=True)
        )
        for order in (sources, shuffled)
    ]
    assert outputs[0] == outputs[1]


def test_another_seed_changes_other_words() -> None:
    parrot = Parrot(kind="replace", position="random", ratio=0.5)
    assert len({said(SOURCE, parrot, seed) for seed in range(8)}) > 4


@given(st.lists(st.sampled_from(["zqxv", "ZQXV", "vqzx", "xzqk", "qkzv", "kxqz", "zqxvzqxv", "storm"]), max_size=12))
def test_the_replacement_is_in_none_of_the_texts(texts: list[str]) -> None:
    word = out_of_vocabulary_word(texts)
    assert not any(word in text.lower() for text in texts)


def test_the_replacement_is_in_no_reference_either() -> None:
    parroting = Parroting(EvaluationSet.of(["a storm"], [["Zqxvian storm"], ["a vqzx"]][:1]))
    assert parroting.outputs(Parrot(kind="replace", position="head", ratio=0.5)) == ["vqzx storm"]


def test_a_ratio_beyond_all_words_is_refused() -> None:
    with pytest.raises(ValueError, match=r"cannot change 1\.2 of its words"):
        Parrot(ratio=1.2)


def test_borrowed_words_come_from_other_sources_and_stay_at_larger_ratios() -> None:
    sources = [SOURCE, "a storm hit the coast of Norland last night", "the choir of the harbour sings on Sundays"]
    parroting = Parroting(EvaluationSet.of(sources, [["other words"]] * 3))
    for position in POSITIONS:
        few, many = (
            parroting.outputs(Parrot(kind="borrow", position=position, ratio=ratio))[0].split() for ratio in (0.2, 0.6)
        )
        assert len(few) == len(many) == 10
        changed = [place for place, word in enumerate(SOURCE.split()) if few[place] != word]
        assert len(changed) == 2
        assert all(many[place] == few[place] for place in changed)
        assert {few[place] for place in changed} <= set(" ".join(sources[1:]).split())


def test_where_there_is_nothing_to_borrow_the_made_up_word_is_taken() -> None:
    assert said("a storm", Parrot(kind="borrow", position="tail", ratio=0.5)) == "a zqxv"
