"""References and strangers: scored as sacrebleu does, binned as the paper does, separated as sklearn says."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.workflows.evaluate.strangers import (
    SHOWN_STRANGERS,
    chance_above,
    doubts_of_references,
    separation,
    show_inputs,
)

TOWNS = ("Arden", "Norland", "Riverside", "Brightfern", "Caldera", "Sierra", "Harbor", "Touchline", "Gaceta", "Falls")
THINGS = (("bridge", "closed"), ("market", "opened"), ("museum", "painted"), ("tram line", "approved"))
TEXTS = EvaluationSet.of(
    [f"the {thing} in {town} was {done} on Monday" for thing, done in THINGS for town in TOWNS],
    [
        [
            f"on Monday the {thing} in {town} was {done}",
            f"{town} {done} its {thing}",
            f"Monday: {thing} {done} in {town}",
        ]
        for thing, done in THINGS
        for town in TOWNS
    ],
)


def bleu(source: str, text: str) -> float:
    return sacrebleu.sentence_bleu(source, [text]).score / 100


def test_an_inputs_references_and_strangers_are_all_binned_by_their_bleu() -> None:
    (shown,) = show_inputs(TEXTS, inputs=1, strangers=20, seed=4)
    row = TEXTS.sources.index(shown.source)
    sentences = [sentence for bin in shown.bins for sentence in bin.sentences]
    assert {one.text for one in sentences if one.is_reference} == set(TEXTS.references[row])
    assert len(sentences) + sum(bin.more for bin in shown.bins) == 3 + 20
    for bin in shown.bins:
        for one in bin.sentences:
            assert bin.low - 1e-9 <= one.bleu <= bin.high + 1e-9
            assert one.bleu == pytest.approx(bleu(shown.source, one.text), abs=1e-4)
    assert shown.source not in {one.text for one in sentences}
    assert [bin.low for bin in shown.bins] == sorted((bin.low for bin in shown.bins), reverse=True)


def test_of_the_lowest_bin_some_strangers_are_shown_and_all_references() -> None:
    unlike = EvaluationSet.of(
        [f"{letter}1 {letter}2 {letter}3 {letter}4" for letter in "abcdefghijklmnopqrst"],
        [[f"{letter}5 {letter}6 {letter}7"] for letter in "abcdefghijklmnopqrst"],
    )
    (shown,) = show_inputs(unlike, inputs=1, strangers=15, seed=1)
    (lowest,) = shown.bins
    assert len(lowest.sentences) == SHOWN_STRANGERS + 1
    assert lowest.more == 15 - SHOWN_STRANGERS


def test_nothing_is_shown_where_nothing_is_asked_for() -> None:
    assert show_inputs(TEXTS, inputs=3, strangers=0, seed=1) == ()
    assert show_inputs(TEXTS, inputs=0, strangers=9, seed=1) == ()


scores = st.lists(st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.5, 1.0]), min_size=1, max_size=20).map(np.array)


@given(scores, scores)
def test_the_area_is_that_of_sklearn(own, others) -> None:
    labels = [1] * len(own) + [0] * len(others)
    assert chance_above(own, others) == pytest.approx(roc_auc_score(labels, [*own, *others]))


def test_every_reference_is_held_against_a_stranger() -> None:
    found = separation(TEXTS, seed=1)
    assert found is not None
    assert found.inputs == 40
    assert sum(found.reference_counts) == sum(found.stranger_counts) == 120
    own = [bleu(source, text) for source, texts in zip(TEXTS.sources, TEXTS.references, strict=True) for text in texts]
    assert found.reference_mean == pytest.approx(sum(own) / len(own))
    assert 0.5 < found.area <= 1


def test_one_input_has_no_strangers() -> None:
    assert separation(EvaluationSet.of(["a b"], [["b a"]]), seed=1) is None


def mixed_up(texts: EvaluationSet, seed: int) -> EvaluationSet:
    order = np.random.default_rng(seed).permutation(len(texts.sources)).tolist()
    return EvaluationSet.of(texts.sources, [texts.references[place] for place in order])


def test_references_beside_their_sources_raise_no_doubt() -> None:
    for seed in range(5):
        assert doubts_of_references(TEXTS, ["refs.jsonl"], seed) == ()


@pytest.mark.parametrize("seed", range(5))
def test_references_of_other_sources_are_refused(seed: int) -> None:
    with pytest.raises(InputError, match=r"refs\.jsonl (are no more like|stand beside the wrong sources)"):
        doubts_of_references(mixed_up(TEXTS, seed), ["refs.jsonl"], seed=1)


@pytest.mark.parametrize("shift", [-3, -2, -1, 1, 2, 3])
def test_by_how_many_places_references_are_off_is_said(shift: int) -> None:
    total = len(TEXTS.sources)
    moved = EvaluationSet.of(TEXTS.sources, [TEXTS.references[(place - shift) % total] for place in range(total)])
    with pytest.raises(InputError, match=rf"source n\{shift:+d} than like its own"):
        doubts_of_references(moved, ["refs.jsonl"], seed=1)


def test_few_sources_are_warned_of_and_not_refused() -> None:
    few = TEXTS.chosen(range(8))
    turned = EvaluationSet.of(few.sources, [*few.references[3:], *few.references[:3]])
    (told,) = doubts_of_references(turned, ["refs.jsonl"], seed=1)
    assert "The set is too small to be sure" in told


def test_captions_that_are_references_of_each_other_are_not_taken_for_shifted() -> None:
    groups = [(source, *texts) for source, texts in zip(TEXTS.sources, TEXTS.references, strict=True)]
    captions = [(text, [other for other in group if other != text]) for group in groups for text in group]
    texts = EvaluationSet.of([text for text, _ in captions], [others for _, others in captions])
    assert doubts_of_references(texts, ["captions.txt"], seed=1) == ()
