"""Self-BLEU is BLEU against the source, whatever the references say."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.self_bleu import SelfBleu

TEXTS = st.text(alphabet="abc .5&é", max_size=20)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS.filter(str.strip), TEXTS), min_size=1, max_size=4))
def test_it_is_sacrebleus_bleu_with_the_sources_as_references(pairs):
    sources, outputs = (list(texts) for texts in zip(*pairs, strict=True))
    measured = SelfBleu().prepare(EvaluationSet.of(sources, [["other", "texts"]] * len(sources)))(outputs)
    peer = BLEU()
    assert measured.value == peer.corpus_score(outputs, [sources]).score
    assert measured.signature == f"self-bleu|{peer.get_signature()}"


def test_a_copy_scores_100_and_lower_is_better():
    sources = ["the storm hit the coast", "two boats sank that night"]
    measured = SelfBleu(bleu=Bleu(lowercase=True)).prepare(EvaluationSet.of(sources, [["x"], ["y"]]))(
        [text.upper() for text in sources]
    )
    assert round(measured.value, 9) == 100
    assert measured.better == "lower"
    assert "|case:lc|" in measured.signature
