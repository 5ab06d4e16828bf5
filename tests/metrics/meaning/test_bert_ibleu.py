"""BERT-iBLEU is the harmonic mean of its two parts, sentence by sentence; copies and nonsense score nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.bert_ibleu import BertIBleu, harmonic_mean
from paraloom.metrics.meaning.bertscore import BertScore
from paraloom.metrics.measured import Metric
from paraloom.models.encoders import load_encoder

SOURCES = ["the storm hit the coast on a day", "a storm and a coast", "hit the coast", "雨 不 🌧"]
OUTPUTS = ["a coast was hit on the day", "a storm and a coast", "", "🌧🌧"]
SET = EvaluationSet.of(SOURCES, [[text] for text in SOURCES])


@pytest.fixture(scope="module")
def bertscore(tiny_bert: Path) -> BertScore:
    return BertScore(encoder=load_encoder(tiny_bert, 2), against="source")


@pytest.mark.parametrize("beta", [1.0, 4.0])
def test_each_item_is_the_weighted_harmonic_mean_of_its_parts(bertscore: BertScore, beta: float) -> None:
    metric = BertIBleu(bertscore=bertscore, beta=beta)
    assert isinstance(metric, Metric)
    measured = metric.prepare(SET)(OUTPUTS)
    sentence_bleu = BLEU(effective_order=True)
    meaning = bertscore.prepare(SET)(OUTPUTS).items
    for item, output, source, kept in zip(measured.items, OUTPUTS, SOURCES, meaning, strict=True):
        changed = 1 - sentence_bleu.sentence_score(output, [source]).score / 100
        if kept == 0 or changed < 1e-9:
            assert item == 0
        else:
            assert item == pytest.approx(100 * (beta + 1) / (beta / (kept / 100) + 1 / changed))
    assert measured.value == pytest.approx(measured.items.mean())
    assert measured.name == "bert-ibleu"


def test_a_copy_and_an_empty_output_score_nothing(bertscore: BertScore) -> None:
    measured = BertIBleu(bertscore=bertscore).prepare(SET)(OUTPUTS)
    assert measured.items[1] == 0
    assert measured.items[2] == 0
    assert measured.items[0] > 0
    assert BertIBleu(bertscore=bertscore).prepare(SET)(SOURCES).value == 0


shares = st.floats(0.01, 1)


@given(shares, shares, st.floats(0.1, 10))
def test_the_mean_lies_between_its_parts_and_grows_with_each(meaning: float, change: float, beta: float) -> None:
    def mean(meaning: float, change: float) -> float:
        return harmonic_mean(np.array([meaning]), np.array([change]), beta).item()

    assert min(meaning, change) - 1e-9 <= mean(meaning, change) <= max(meaning, change) + 1e-9
    assert mean(meaning + 0.1, change) > mean(meaning, change)
    assert mean(meaning, change + 0.1) > mean(meaning, change)


def test_negative_meaning_of_a_rescaled_score_counts_as_none() -> None:
    assert harmonic_mean(np.array([-0.3]), np.array([0.9])).tolist() == [0.0]


def test_the_signature_names_both_parts(bertscore: BertScore) -> None:
    signature = BertIBleu(bertscore=bertscore).prepare(SET)(OUTPUTS).signature
    assert signature.startswith("bert-ibleu|beta:4|self-sentence-bleu|nrefs:1|case:mixed|eff:yes|")
    assert "|source-bertscore-f1|" in signature
    assert "|layer:2|" in signature


def test_other_parts_than_the_papers_are_refused(bertscore: BertScore) -> None:
    with pytest.raises(InputError, match="compares with the source by F1; bertscore-f1 was given"):
        BertIBleu(bertscore=BertScore(encoder=bertscore.encoder))
    with pytest.raises(InputError, match="source-bertscore-p was given"):
        BertIBleu(bertscore=BertScore(encoder=bertscore.encoder, against="source", part="p"))
    with pytest.raises(InputError, match="beta is 0"):
        BertIBleu(bertscore=bertscore, beta=0)


def test_on_the_real_model_a_paraphrase_beats_a_copy_and_an_unrelated_sentence(minilm: Path) -> None:
    source = "Violent storm hits the coast of Norland, three people missing"
    outputs = [
        "Three are missing after a heavy storm struck Norland's shore",
        source,
        "My cat likes to sleep all day long",
    ]
    sources = EvaluationSet.of([source] * 3, [[source]] * 3)
    encoder = load_encoder("all-MiniLM-L6-v2")
    paraphrase, copy, unrelated = (
        BertIBleu(bertscore=BertScore(encoder=encoder, against="source")).prepare(sources)(outputs).items
    )
    assert copy == 0
    assert paraphrase > unrelated + 10
