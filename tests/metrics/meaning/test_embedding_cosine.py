"""The cosine of sentence vectors is that of plain vectors; against references the nearest counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.embedding_cosine import EmbeddingCosine, SentenceEncoder
from paraloom.metrics.measured import Metric
from paraloom.models.encoders import load_sentence_encoder

SOURCES = ["the storm hit the coast", "a storm", "雨 🌧"]
REFERENCES = [["a coast", "the storm hit"], ["the coast"], ["不 雨", "🌧", "the"]]
OUTPUTS = ["the coast hit", "", "storm " * 10_000]
SET = EvaluationSet.of(SOURCES, REFERENCES)


@pytest.fixture(scope="module")
def encoder(tiny_bert: Path) -> SentenceEncoder:
    return load_sentence_encoder(tiny_bert)


def plain_cosine(encoder: SentenceEncoder, left: str, right: str) -> float:
    if not left or not right:
        return 0.0
    one, other = encoder.embed([left])[0].astype(float), encoder.embed([right])[0].astype(float)
    return float(one @ other / np.sqrt(one @ one) / np.sqrt(other @ other))


def test_an_item_is_the_cosine_of_output_and_source(encoder: SentenceEncoder) -> None:
    metric = EmbeddingCosine(encoder=encoder)
    assert isinstance(metric, Metric)
    assert isinstance(encoder, SentenceEncoder)
    measured = metric.prepare(SET)(OUTPUTS)
    expected = [plain_cosine(encoder, output, source) for output, source in zip(OUTPUTS, SOURCES, strict=True)]
    np.testing.assert_allclose(measured.items, expected, atol=1e-6)
    assert measured.value == pytest.approx(np.mean(expected), abs=1e-6)
    assert measured.name == "embedding-cosine"
    assert measured.signature.startswith("embedding-cosine|against:source|encoder:tiny-bert|layer:3|")


def test_against_references_the_nearest_one_counts(encoder: SentenceEncoder) -> None:
    measured = EmbeddingCosine(encoder=encoder, against="references").prepare(SET)(OUTPUTS)
    expected = [
        max(plain_cosine(encoder, output, text) for text in texts)
        for output, texts in zip(OUTPUTS, REFERENCES, strict=True)
    ]
    np.testing.assert_allclose(measured.items, expected, atol=1e-6)
    assert measured.name == "reference-embedding-cosine"


def test_an_empty_output_is_like_nothing_and_a_copy_is_the_same(encoder: SentenceEncoder) -> None:
    measured = EmbeddingCosine(encoder=encoder).prepare(SET)(["", " \n", SOURCES[2]])
    assert measured.items[:2].tolist() == [0.0, 0.0]
    assert measured.items[2] == pytest.approx(1, abs=1e-6)


def test_large_sets_are_scored_as_small_ones(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    import paraloom.metrics.meaning.embedding_cosine as module

    metric = EmbeddingCosine(encoder=encoder, against="references")
    whole = metric.prepare(SET)(OUTPUTS).items
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 2)
    np.testing.assert_allclose(metric.prepare(SET)(OUTPUTS).items, whole)


def test_outputs_that_do_not_fit_are_refused(encoder: SentenceEncoder) -> None:
    with pytest.raises(InputError, match="1 outputs for 3 sources"):
        EmbeddingCosine(encoder=encoder).prepare(SET)(["a"])


def test_a_misspelt_word_for_what_to_compare_with_is_refused(encoder: SentenceEncoder) -> None:
    with pytest.raises(InputError, match=r"'reference'\. Choose one of: references, source"):
        EmbeddingCosine(encoder=encoder, against="reference")  # type: ignore[arg-type]


def test_outputs_may_come_one_after_the_other(encoder: SentenceEncoder) -> None:
    measure = EmbeddingCosine(encoder=encoder).prepare(SET)
    assert measure(iter(OUTPUTS)).items.tolist() == measure(OUTPUTS).items.tolist()  # type: ignore[arg-type]
