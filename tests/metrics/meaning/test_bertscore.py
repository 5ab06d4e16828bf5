"""BERTScore equals the published formula, written out plainly in torch; nothing an output holds breaks it."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModel, AutoTokenizer

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.bertscore import BertScore, measure_baseline
from paraloom.metrics.meaning.bertscore_baseline import Baseline
from paraloom.metrics.measured import Metric
from paraloom.models.encoders import load_encoder

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

SOURCES = ["the storm hit the coast", "a storm, a coast!", "不 雨 the 🌧", "hit a storm"]
REFERENCES = [
    ["a storm hit the coast", "the coast was hit"],
    ["the coast and the storm"],
    ["雨 🌧", "the rain", "不 雨 🌧"],
    ["a storm hit"],
]
OUTPUTS = ["the coast hit a storm", "", "雨 不", "hit a storm"]
SET = EvaluationSet.of(SOURCES, REFERENCES)


@cache
def model_and_tokeniser(folder: Path):
    return AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)


def plain_bertscore(
    folder: Path, layer: int, output: str, reference: str, idf: dict[int, float] | None = None
) -> tuple[float, float, float]:
    """Zhang et al. (2020), equations of section 3, token by token; [CLS] and [SEP] weigh nothing but can be matched."""
    model, tokeniser = model_and_tokeniser(folder)

    def tokens(text: str) -> tuple[list[int], list[torch.Tensor]]:
        ids = tokeniser(text, truncation=True, max_length=model.config.max_position_embeddings)["input_ids"]
        with torch.no_grad():
            states = model(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]
        return ids, [state / state.norm() for state in states]

    def weight(token: int) -> float:
        if token in (tokeniser.cls_token_id, tokeniser.sep_token_id):
            return 0.0
        return 1.0 if idf is None else idf.get(token, idf[-1])

    output_ids, output_states = tokens(output)
    reference_ids, reference_states = tokens(reference)
    if len(output_ids) == 2 or len(reference_ids) == 2:
        return 0.0, 0.0, 0.0
    precision = recall = 0.0
    for token, state in zip(output_ids, output_states, strict=True):
        precision += weight(token) * max(float(state @ other) for other in reference_states)
    for token, state in zip(reference_ids, reference_states, strict=True):
        recall += weight(token) * max(float(state @ other) for other in output_states)
    precision /= sum(weight(token) for token in output_ids)
    recall /= sum(weight(token) for token in reference_ids)
    return precision, recall, 2 * precision * recall / (precision + recall)


def plain_idf(folder: Path, references: list[str]) -> dict[int, float]:
    """Section 3: idf over the references, plus-one smoothing; -1 stands for a token that none of them holds."""
    _, tokeniser = model_and_tokeniser(folder)
    counted = Counter(token for text in references for token in set(tokeniser(text)["input_ids"]))
    number = len(references)
    return {token: math.log((number + 1) / (count + 1)) for token, count in counted.items()} | {
        -1: math.log(number + 1)
    }


def best(folder: Path, layer: int, outputs, others, part: int, idf=None) -> list[float]:
    return [
        100 * max(plain_bertscore(folder, layer, output, text, idf)[part] for text in texts)
        for output, texts in zip(outputs, others, strict=True)
    ]


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize(("part", "column"), [("p", 0), ("r", 1), ("f1", 2)])
def test_each_part_is_the_published_formulas(tiny_bert: Path, part, column: int, idf: bool) -> None:
    metric = BertScore(encoder=load_encoder(tiny_bert, 2), part=part, idf=idf)
    measured = metric.prepare(SET)(OUTPUTS)
    weights = plain_idf(tiny_bert, [text for texts in REFERENCES for text in texts]) if idf else None
    expected = best(tiny_bert, 2, OUTPUTS, REFERENCES, column, weights)
    np.testing.assert_allclose(measured.items, expected, atol=1e-3)
    assert measured.value == pytest.approx(np.mean(expected), abs=1e-3)
    assert measured.name == metric.name == f"bertscore-{part}"


def test_against_the_source_only_the_source_counts(tiny_bert: Path) -> None:
    metric = BertScore(encoder=load_encoder(tiny_bert, 3), against="source")
    measured = metric.prepare(SET)(OUTPUTS)
    np.testing.assert_allclose(measured.items, best(tiny_bert, 3, OUTPUTS, [[s] for s in SOURCES], 2), atol=1e-3)
    assert measured.name == "source-bertscore-f1"
    assert measured.items[3] == pytest.approx(100, abs=1e-4)


REAL_SOURCES = ["Violent storm hits the coast of Norland, three missing", "Brightfern buys its rival Caldera for 3bn"]
REAL_REFERENCES = [
    ["Three people are missing after a violent storm in Norland", "A storm in Norland: three missing on the coast"],
    ["Caldera is bought by rival Brightfern for three billion"],
]
REAL_OUTPUTS = ["The coast of Norland was hit by a storm and three are missing", "I like coffee 👩🏽‍🚀 雨"]


@pytest.mark.parametrize("layer", [5, 6])
@pytest.mark.parametrize("idf", [False, True])
def test_the_real_model_scores_as_the_formula_says(minilm: Path, layer: int, idf: bool) -> None:
    metric = BertScore(encoder=load_encoder("all-MiniLM-L6-v2", layer), idf=idf)
    measured = metric.prepare(EvaluationSet.of(REAL_SOURCES, REAL_REFERENCES))(REAL_OUTPUTS)
    weights = plain_idf(minilm, [text for texts in REAL_REFERENCES for text in texts]) if idf else None
    expected = best(minilm, layer, REAL_OUTPUTS, REAL_REFERENCES, 2, weights)
    np.testing.assert_allclose(measured.items, expected, atol=1e-3)
    assert measured.items[0] > measured.items[1]


def test_random_texts_score_as_the_formula_says(tiny_bert: Path) -> None:
    draw = random.Random(11)
    words = ["the", "storm", "coast", "hit", "a", "雨", "🌧", "x1", "don't", "zzz"]

    def text() -> str:
        return " ".join(draw.choices(words, k=draw.randint(1, 12)))

    sources = [text() for _ in range(40)]
    references = [[text() for _ in range(draw.randint(1, 3))] for _ in sources]
    outputs = [text() if draw.random() > 0.1 else "" for _ in sources]
    metric = BertScore(encoder=load_encoder(tiny_bert, 1, batch_size=7))
    measured = metric.prepare(EvaluationSet.of(sources, references))(outputs)
    np.testing.assert_allclose(measured.items, best(tiny_bert, 1, outputs, references, 2), atol=1e-3)


STRANGE = [
    ("", 0),
    ("   ", 0),
    ("\u200b", 0),
    ("x", None),
    ("🌧🌧🌧", None),
    ("北京下雨了", None),
    ("storm " * 10_000, None),
    ("\ud83d", None),
    ("[CLS] [SEP] [PAD]", None),
    ("\x00\n\t", 0),
]


@pytest.mark.parametrize(("output", "score"), STRANGE)
@pytest.mark.parametrize("idf", [False, True])
def test_a_strange_output_has_a_score_and_an_empty_one_scores_nothing(
    tiny_bert: Path, output: str, score: int | None, idf: bool
) -> None:
    evaluation_set = EvaluationSet.of(["the storm hit the coast"], [["a storm hit the coast"]])
    encoder = load_encoder(tiny_bert, 2)
    for part in ("p", "r", "f1"):
        measured = BertScore(encoder=encoder, part=part, idf=idf).prepare(evaluation_set)([output])
        assert np.isfinite(measured.items).all()
        assert -100 <= measured.items[0] <= 100
        if score is not None:
            assert measured.items[0] == score


def test_texts_that_were_cut_are_counted_once_each(tiny_bert: Path) -> None:
    long = "storm " * 200
    evaluation_set = EvaluationSet.of(["a", "b", "c"], [["the coast"], [long], ["hit"]])
    measured = BertScore(encoder=load_encoder(tiny_bert, 2)).prepare(evaluation_set)([long, long + "x", ""])
    assert measured.truncated == 2
    assert "max-tokens:64" in measured.signature


def test_one_reference_whose_every_word_is_common_is_weighed_evenly_not_by_zero(tiny_bert: Path) -> None:
    one = EvaluationSet.of(["the storm"], [["the storm"]])
    measured = BertScore(encoder=load_encoder(tiny_bert, 2), idf=True).prepare(one)(["the storm"])
    assert measured.value == pytest.approx(100, abs=1e-4)


texts = st.lists(
    st.sampled_from(["the", "storm", "coast", "hit", "a", "雨", "🌧", "qq", "[SEP]", "7,5"]), min_size=1, max_size=9
)


@settings(max_examples=40)
@given(left=texts.map(" ".join), right=texts.map(" ".join))
def test_precision_one_way_is_recall_the_other_way(tiny_bert_encoder, left: str, right: str) -> None:
    def score(part, output: str, reference: str) -> float:
        metric = BertScore(encoder=tiny_bert_encoder, part=part)
        return metric.prepare(EvaluationSet.of([reference], [[reference]]))([output]).value

    assert score("p", left, right) == pytest.approx(score("r", right, left), abs=1e-4)
    assert score("f1", left, right) == pytest.approx(score("f1", right, left), abs=1e-4)
    assert score("f1", left, left) == pytest.approx(100, abs=1e-4)


@pytest.fixture(scope="module")
def tiny_bert_encoder(tiny_bert: Path):
    return load_encoder(tiny_bert, 2)


def test_rows_are_scored_alike_however_many_there_are(tiny_bert_encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    import paraloom.metrics.meaning.bertscore as module

    metric = BertScore(encoder=tiny_bert_encoder)
    whole = metric.prepare(SET)(OUTPUTS)
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 3)
    np.testing.assert_allclose(metric.prepare(SET)(OUTPUTS).items, whole.items, atol=1e-4)


def test_a_baseline_is_taken_for_zero(tiny_bert_encoder, tmp_path: Path) -> None:
    file = tmp_path / "baseline.csv"
    file.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n2,0.2,0.4,0.3\n", encoding="utf-8")
    plain, rescaled = (
        BertScore(encoder=tiny_bert_encoder, baseline=baseline).prepare(SET)(OUTPUTS)
        for baseline in (None, Baseline.read(file, layer=2))
    )
    np.testing.assert_allclose(rescaled.items, 100 * (plain.items / 100 - 0.3) / 0.7)
    assert "|rescaled:no|" in plain.signature
    assert "|rescaled:no|" not in rescaled.signature


BAD_BASELINES = [
    ("LAYER,P,R\n2,0,0\n", "needs the columns LAYER, P, R, F"),
    ("", "needs the columns"),
    ("LAYER,P,R,F\n2,x,0,0\n", "no number"),
    ("LAYER,P,R,F\n2,0.1\n", "no number"),
    ("LAYER,P,R,F\n1,0,0,0\n", "has no layer 2; it has 1"),
    ("LAYER,P,R,F\n2,0,0,1\n", "must be below 1"),
    ("LAYER,P,R,F\n2,0,0,nan\n", "must be below 1"),
]


@pytest.mark.parametrize(("content", "complaint"), BAD_BASELINES)
def test_a_bad_baseline_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "b.csv").write_text(content)
    with pytest.raises(InputError, match=complaint):
        Baseline.read(tmp_path / "b.csv", layer=2)


def test_an_absent_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Baseline.read(tmp_path / "absent.csv", layer=2)


def test_a_measured_baseline_is_the_mean_over_random_pairs(tiny_bert: Path, tiny_bert_encoder) -> None:
    baseline = measure_baseline(tiny_bert_encoder, ["the storm", "a coast", "the storm", ""], pairs=50)
    either = [
        plain_bertscore(tiny_bert, 2, left, right)
        for left, right in [("the storm", "a coast"), ("a coast", "the storm")]
    ]
    low, high = sorted(part[0] for part in either)
    assert low - 1e-4 <= baseline.precision <= high + 1e-4
    assert baseline.f1 == pytest.approx(either[0][2], abs=1e-4)
    assert baseline == measure_baseline(tiny_bert_encoder, ["the storm", "a coast"], pairs=50)
    with pytest.raises(InputError, match="two different sentences"):
        measure_baseline(tiny_bert_encoder, ["the storm", "the storm", " "])


def test_the_signature_names_all_that_decides_a_score(tiny_bert: Path) -> None:
    metric = BertScore(encoder=load_encoder(tiny_bert, 2))
    assert isinstance(metric, Metric)
    signature = metric.prepare(SET)(OUTPUTS).signature
    settings = "against:references|nrefs:var|idf:no|rescaled:no|marks:weight-0|scale:100"
    assert signature.startswith(f"bertscore-f1|{settings}|encoder:tiny-bert|layer:2|max-tokens:64|weights:")
    assert signature != BertScore(encoder=load_encoder(tiny_bert, 1)).prepare(SET)(OUTPUTS).signature
    assert "|idf:yes|" in BertScore(encoder=load_encoder(tiny_bert, 2), idf=True).prepare(SET)(OUTPUTS).signature


def test_outputs_that_do_not_fit_are_refused(tiny_bert_encoder) -> None:
    with pytest.raises(InputError, match="3 outputs for 4 sources"):
        BertScore(encoder=tiny_bert_encoder).prepare(SET)(OUTPUTS[:3])


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"against": "sources"}, "'sources'. Choose one of: references, source"),
        ({"part": "F"}, "no part 'F'.*p, r, f1"),
    ],
)
def test_a_misspelt_setting_is_refused_at_once(tiny_bert_encoder, wrong, told: str) -> None:
    with pytest.raises(InputError, match=told):
        BertScore(encoder=tiny_bert_encoder, **wrong)


class Column(Sequence[str]):
    """Like a column of a data frame that was sorted: what `[0]` finds is not what comes first."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self):
        return iter(self.texts)

    def __getitem__(self, label):
        return self.texts[::-1][label]


def test_outputs_are_taken_in_their_order_whatever_their_labels(tiny_bert_encoder) -> None:
    measure = BertScore(encoder=tiny_bert_encoder).prepare(SET)
    assert measure(Column(OUTPUTS)).items.tolist() == measure(OUTPUTS).items.tolist()
