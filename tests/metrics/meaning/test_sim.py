"""SIM is the cosine of averaged sub-word vectors as its authors compute it; SIMILE adds the penalty for length."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from nltk.tokenize import TreebankWordTokenizer

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.sim import SIMILE_ALPHA, Sim, length_penalty
from paraloom.metrics.measured import Metric
from paraloom.models.encoders import load_sentence_encoder
from paraloom.models.shelf import find_model

SOURCES = [
    "The storm hit the coast on Monday.",
    "He didn't say anything to his brother.",
    "Brightfern buys its rival Caldera for three billion.",
]
PARAPHRASES = [
    "On Monday, a storm struck the coast.",
    "He said nothing to his brother",
    "Caldera was bought by its competitor Brightfern for 3 billion.",
]
UNRELATED = ["My cat sleeps all day.", '"Prices rose again," she wrote.', "Is this the way to the lake?"]
SET = EvaluationSet.of(SOURCES, [[text, other] for text, other in zip(PARAPHRASES, UNRELATED, strict=True)])


@pytest.fixture(scope="module")
def folder() -> Path:
    return find_model("sim") or pytest.skip("needs: paraloom models fetch sim")


def plain_sim(folder: Path, left: str, right: str) -> float:
    """As the authors' code does it: lower case, Treebank words, sentencepiece, mean of the known pieces, cosine."""
    import json

    from safetensors.numpy import load_file

    table = load_file(folder / "model.safetensors")["embedding.weight"]
    number = {piece: n for n, piece in enumerate(json.loads((folder / "vocabulary.json").read_text(encoding="utf-8")))}
    cut = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sim.sp.30k.model"))

    def vector(text: str) -> np.ndarray:
        pieces = cut.encode(" ".join(TreebankWordTokenizer().tokenize(text.lower())), out_type=str)
        return np.mean([table[number[piece]].astype(float) for piece in pieces if piece in number], axis=0)

    one, other = vector(left), vector(right)
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_sim_is_what_the_authors_compute(folder: Path) -> None:
    metric = Sim(encoder=load_sentence_encoder("sim"))
    assert isinstance(metric, Metric)
    measured = metric.prepare(SET)(PARAPHRASES)
    expected = [plain_sim(folder, source, output) for source, output in zip(SOURCES, PARAPHRASES, strict=True)]
    np.testing.assert_allclose(measured.items, expected, atol=1e-5)
    assert measured.name == "sim"
    assert measured.signature.startswith(
        "sim|against:source|alpha:0|encoder:sim|case:lc|words:treebank|pooling:mean|weights:"
    )


def test_paraphrases_are_high_and_unrelated_sentences_low(folder: Path) -> None:
    measure = Sim(encoder=load_sentence_encoder("sim")).prepare(SET)
    assert min(measure(PARAPHRASES).items) > 0.7
    assert max(measure(UNRELATED).items) < 0.3


def test_against_references_the_nearest_one_counts(folder: Path) -> None:
    measured = Sim(encoder=load_sentence_encoder("sim"), against="references").prepare(SET)(PARAPHRASES)
    np.testing.assert_allclose(measured.items, 1, atol=1e-6)
    assert measured.name == "reference-sim"


def test_simile_is_sim_times_the_penalty(tiny_bert: Path) -> None:
    encoder = load_sentence_encoder(tiny_bert)  # the penalty is the same whatever the vectors
    sim = Sim(encoder=encoder).prepare(SET)(PARAPHRASES)
    simile = Sim(encoder=encoder, alpha=SIMILE_ALPHA).prepare(SET)(PARAPHRASES)
    lengths = [
        [len(TreebankWordTokenizer().tokenize(text)) for text in pair]
        for pair in zip(SOURCES, PARAPHRASES, strict=True)
    ]
    penalties = [math.exp(1 - max(pair) / min(pair)) ** 0.25 for pair in lengths]
    np.testing.assert_allclose(simile.items, sim.items * penalties)
    assert simile.name == "simile"


STRANGE = ["", "  ", "🌧", "北京下雨了", "x", "storm " * 10_000, "\ud83d"]


@pytest.mark.parametrize("output", STRANGE)
@pytest.mark.parametrize("alpha", [0.0, 0.25])
def test_a_strange_output_has_a_score(folder: Path, output: str, alpha: float) -> None:
    one = EvaluationSet.of(["the storm hit the coast"], [["北京 🌧"]])
    for against in ("source", "references"):
        (item,) = Sim(encoder=load_sentence_encoder("sim"), alpha=alpha, against=against).prepare(one)([output]).items
        assert -1 <= item <= 1
        if not output.strip():
            assert item == 0


def test_two_texts_of_which_nothing_is_known_are_not_the_same(folder: Path) -> None:
    one = EvaluationSet.of(["北京下雨了"], [["北京下雨了"]])
    assert Sim(encoder=load_sentence_encoder("sim")).prepare(one)(["猫在睡觉"]).value == 0


@pytest.mark.parametrize(("ours", "theirs", "penalty"), [(0, 0, 1.0), (0, 5, 0.0), (3, 3, 1.0), (3, 6, math.exp(-1))])
def test_the_penalty_grows_with_the_difference_in_length(ours: int, theirs: int, penalty: float) -> None:
    assert length_penalty(ours, theirs) == length_penalty(theirs, ours) == pytest.approx(penalty)


def test_a_negative_alpha_is_refused(tiny_bert: Path) -> None:
    with pytest.raises(InputError, match="alpha is -1"):
        Sim(encoder=load_sentence_encoder(tiny_bert), alpha=-1)


def test_a_misspelt_word_for_what_to_compare_with_is_refused(tiny_bert: Path) -> None:
    with pytest.raises(InputError, match=r"'sources'\. Choose one of: references, source"):
        Sim(encoder=load_sentence_encoder(tiny_bert), against="sources")
