"""iBLEU is the weighted difference of two BLEUs, of the set and of each item."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.ibleu import IBleu

TEXTS = st.lists(st.sampled_from(["the", "storm", "hit", "coast", "a", "gale"]), min_size=1, max_size=8).map(" ".join)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4), st.floats(0, 1))
def test_it_is_the_formula_over_sacrebleus_bleu(items, alpha):
    sources, references, outputs = (list(texts) for texts in zip(*items, strict=True))
    measured = IBleu(alpha=alpha).prepare(EvaluationSet.of(sources, [[text] for text in references]))(outputs)
    peer, of_sentence = BLEU(), BLEU(effective_order=True)
    near, copied = peer.corpus_score(outputs, [references]).score, peer.corpus_score(outputs, [sources]).score
    assert measured.value == alpha * near - (1 - alpha) * copied
    for row, text in enumerate(outputs):
        near = of_sentence.sentence_score(text, [references[row]]).score
        copied = of_sentence.sentence_score(text, [sources[row]]).score
        assert measured.items[row] == alpha * near - (1 - alpha) * copied
    assert measured.combine(measured.statistics.sum(axis=0)) == pytest.approx(measured.value, abs=1e-9)


def test_a_parrot_loses_what_it_copied_and_alpha_is_in_the_signature():
    evaluation_set = EvaluationSet.of(["the storm hit the coast"], [["a storm has hit the coast"]])
    measured = IBleu().prepare(evaluation_set)(["the storm hit the coast"])
    assert measured.signature.startswith("ibleu|alpha:0.9|nrefs:1|case:mixed|")
    assert measured.value < IBleu(alpha=1).prepare(evaluation_set)(["the storm hit the coast"]).value


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_weights_that_are_none_are_refused(alpha):
    with pytest.raises(InputError, match="from 0 to 1"):
        IBleu(alpha=alpha)
