"""Inter-BLEU is each output against its source's other outputs, a source weighing as much as any other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from paraloom.errors import InputError
from paraloom.metrics.overlap.bleu import SentenceBleu
from paraloom.metrics.overlap.inter_bleu import inter_bleu

TEXTS = st.lists(st.sampled_from(["the", "storm", "hit", "coast", "a"]), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=60)
@given(st.lists(st.lists(TEXTS, min_size=2, max_size=4), min_size=1, max_size=4))
def test_it_is_the_mean_of_sacrebleus_sentence_bleu_among_the_outputs(outputs_by_source):
    measured = inter_bleu(outputs_by_source)
    peer = BLEU(effective_order=True)
    expected = []
    for outputs in outputs_by_source:
        scores = [peer.sentence_score(text, outputs[:n] + outputs[n + 1 :]).score for n, text in enumerate(outputs)]
        expected.append(sum(scores) / len(scores))
    assert measured.items == pytest.approx(expected, abs=1e-9)
    assert measured.value == pytest.approx(sum(expected) / len(expected), abs=1e-9)


def test_sources_with_fewer_than_two_outputs_are_counted_and_left_out():
    measured = inter_bleu([["a b"], ["a b c d", "a b c d"], [], ["a b", " ", ""]])
    assert (measured.rows, measured.left_out, measured.empty_outputs) == ((1,), 3, 2)
    assert measured.items.round(9).tolist() == [100]


def test_the_signature_tells_how_many_others_there_were_and_how_words_were_compared():
    alike, ragged = [["A b", "a b"]], [["a", "b"], ["a", "b", "c"]]
    assert inter_bleu(alike, SentenceBleu(lowercase=True)).signature.startswith("inter-bleu|nrefs:1|case:lc|eff:yes|")
    assert inter_bleu(ragged).signature.startswith("inter-bleu|nrefs:var|")
    assert inter_bleu(ragged).better == "lower"


@pytest.mark.parametrize(
    ("outputs_by_source", "told"),
    [
        ([], "No source"),
        ([["a"], ["b"]], "No source"),
        (["a b", "c d"], "flat list"),
        ([["a", "b"], ["a", None]], "Output 2 of source 2 is NoneType"),
        ([["a", "b"], None], "The outputs of source 2 are NoneType"),
    ],
)
def test_outputs_among_which_nothing_can_be_compared_are_refused(outputs_by_source, told):
    with pytest.raises(InputError, match=told):
        inter_bleu(outputs_by_source)
