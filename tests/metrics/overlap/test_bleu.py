"""BLEU through its interface: prepared once, used often, refusing what cannot be measured. Parity has its own file."""

from __future__ import annotations

import importlib
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Metric
from paraloom.metrics.overlap.bleu import SMOOTHING, Bleu, SentenceBleu
from paraloom.metrics.overlap.bleu_values import _write_values
from paraloom.metrics.overlap.chrf import Chrf
from paraloom.metrics.overlap.ibleu import IBleu
from paraloom.metrics.overlap.self_bleu import SelfBleu
from paraloom.metrics.overlap.ter import Ter

METRICS = [Bleu(), SentenceBleu(), Chrf(), Ter(), SelfBleu(), IBleu()]
SOURCES = ["the storm hit the coast", "two boats sank", "no one was hurt"]
REFERENCES = [["a storm hit the coast", "the coast was hit"], ["a pair of boats went down"], ["nobody was hurt"]]
OUTPUTS = ["the coast was hit by a storm", "two boats went down", "all are well"]


@pytest.fixture
def evaluation_set() -> EvaluationSet:
    return EvaluationSet.of(SOURCES, REFERENCES)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_has_a_name_a_direction_and_one_item_a_source(metric, evaluation_set):
    measured = metric.prepare(evaluation_set)(OUTPUTS)
    assert isinstance(metric, Metric)
    assert (measured.name, measured.better) == (metric.name, metric.better)
    assert measured.signature.startswith(f"{metric.name}|")
    assert measured.items.shape == (3,)
    assert measured.statistics.shape[0] == 3
    assert measured.combine(measured.statistics.sum(axis=0)) == pytest.approx(measured.value, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_what_was_measured_before_changes_nothing(metric, evaluation_set):
    measure = metric.prepare(evaluation_set)
    alone = metric.prepare(evaluation_set)(OUTPUTS)
    measure(["words that no one has met", "", "a a a a"])
    measure(SOURCES)
    again, once_more = measure(OUTPUTS), measure(OUTPUTS)
    assert alone.value == again.value == once_more.value
    assert alone.items.tolist() == again.items.tolist() == once_more.items.tolist()
    assert np.array_equal(alone.statistics, once_more.statistics)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_order_of_the_sources_changes_no_item(metric, evaluation_set):
    rows = [2, 0, 1]
    turned = metric.prepare(evaluation_set.chosen(rows))([OUTPUTS[row] for row in rows])
    straight = metric.prepare(evaluation_set)(OUTPUTS)
    assert turned.items.tolist() == straight.items[rows].tolist()
    assert turned.value == pytest.approx(straight.value, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("outputs", [OUTPUTS[:2], [*OUTPUTS, "one more"], "one text", ["a", None, "b"]])
def test_outputs_that_do_not_fit_are_an_error_not_a_number(metric, outputs, evaluation_set):
    with pytest.raises(InputError):
        metric.prepare(evaluation_set)(outputs)


BAD_REFERENCES = [
    ([["a", "b", "c"], ["d", "e", "f"]], "transposed"),
    ([["a"], ["b"]], "3 sources but 2 lists"),
    ([["a"], [], ["c"]], "no reference"),
    ([["a"], [" "], ["c"]], "is empty"),
    (["a", "b", "c"], "flat list"),
]


@pytest.mark.parametrize(("references", "told"), BAD_REFERENCES)
def test_references_that_do_not_fit_are_an_error_not_a_number(references, told):
    with pytest.raises(InputError, match=told):
        Bleu().prepare(EvaluationSet.of(SOURCES, references))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_values_of_subsets_follow_from_sums_and_can_travel_to_another_process(metric, evaluation_set):
    measured = metric.prepare(evaluation_set)(OUTPUTS)
    combine = pickle.loads(pickle.dumps(measured.combine))
    for rows in ([0], [0, 2], [1, 1, 2]):
        subset = metric.prepare(evaluation_set.chosen(rows))([OUTPUTS[row] for row in rows])
        assert combine(measured.statistics[rows].sum(axis=0)) == pytest.approx(subset.value, abs=1e-9)


def test_statistics_are_matches_ngrams_and_lengths(evaluation_set):
    measured = Bleu().prepare(evaluation_set)(OUTPUTS)
    assert measured.statistics.astype(int).tolist() == [
        [6, 4, 2, 1, 7, 6, 5, 4, 7, 5],
        [3, 2, 1, 0, 4, 3, 2, 1, 4, 6],
        [0, 0, 0, 0, 3, 2, 1, 0, 3, 3],
    ]


def test_settings_that_do_not_exist_are_refused():
    with pytest.raises(InputError, match="no smoothing 'loud'"):
        Bleu(smooth_method="loud")
    with pytest.raises(InputError, match="at least 1"):
        Bleu(max_ngram_order=0)
    with pytest.raises(InputError, match=r"no tokenizer 'mine'.*13a"):
        Bleu(tokenize="mine").prepare(EvaluationSet.of(["a"], [["b"]]))


def test_default_smoothing_values_are_sacrebleus():
    assert {name: value or 0 for name, value in BLEU.SMOOTH_DEFAULTS.items()} == SMOOTHING


def summed_with_compensation(numbers: list[float]) -> float:
    total = lost = 0.0
    for number in numbers:
        after = total + number
        lost += (total - after) + number if abs(total) >= abs(number) else (number - after) + total
        total = after
    return total + lost


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 40)), min_size=4, max_size=4))
def test_sums_are_rounded_as_the_running_python_rounds_them(pairs):
    """From 3.12 on `sum` compensates; both ways are there, and sacrebleu's last digit tells which one is right."""
    matches = [float(found) for found, _ in pairs]
    ngrams = [float(found + more) for found, more in pairs]
    row = np.array([[*matches, *ngrams, 9.0, 9.0]])
    logarithms = [math.log(100.0 * found / all_) for found, all_ in zip(matches, ngrams, strict=True)]
    plain = 0.0
    for logarithm in logarithms:
        plain += logarithm
    for compensated, total in ((True, summed_with_compensation(logarithms)), (False, plain)):
        values = np.empty(1)
        _write_values(row, 3, 0.0, False, compensated, values)
        assert values[0] == math.exp(total / 4)


def test_importing_the_metrics_loads_neither_numba_nor_sacrebleu(child_environment):
    names = "bleu, chrf, ter, self_bleu, ibleu, inter_bleu"
    code = (
        f"import sys; from paraloom.metrics.overlap import {names}; print({{'numba', 'sacrebleu'}} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("metric", [Bleu, SentenceBleu])
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"smooth_method": "loud"}, "no smoothing 'loud'"),
        ({"max_ngram_order": 0}, "at least 1"),
        ({"smooth_method": "add-k", "smooth_value": -3}, "Smoothing by -3 does not exist"),
        ({"smooth_method": "floor", "smooth_value": math.nan}, "Smoothing by nan does not exist"),
    ],
)
def test_bad_settings_are_refused_before_anything_is_read(metric, wrong, told):
    with pytest.raises(InputError, match=told):
        metric(**wrong)


@pytest.mark.parametrize("tokenizer", ["flores200", "flores101", "spm", "spBLEU-1K"])
def test_a_tokenizers_model_is_not_downloaded_unasked(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(InputError, match=r"not on this machine\. Download https://"):
        Bleu(tokenize=tokenizer).prepare(EvaluationSet.of(["a"], [["b"]]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("tokenizer", "extra"), [("ja-mecab", "ja"), ("ko-mecab", "ko")])
def test_a_tokenizer_without_its_packages_says_what_to_install(tokenizer, extra, monkeypatch):
    module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{tokenizer.replace('-', '_')}")
    for package in ("MeCab", "mecab_ko"):
        if hasattr(module, package):
            monkeypatch.setattr(module, package, None)
    with pytest.raises(InputError, match=rf"cannot run here .*pip install 'sacrebleu\[{extra}\]'"):
        Bleu(tokenize=tokenizer).prepare(EvaluationSet.of(["a"], [["b"]]))
