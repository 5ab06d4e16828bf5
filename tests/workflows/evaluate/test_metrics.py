"""The list of metrics: names, what they tell, and what is said of those that cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.metrics import METRICS, chosen_metrics

TWO = EvaluationSet.of(
    ["the storm hit the coast", "a tram is late"], [["the coast was hit"], ["no tram yet", "late tram"]]
)

NEED_MORE = ("meteor", "nltk-meteor", "sim")
"""Metrics that need Java or a fetched model: the others must run anywhere."""


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_listed_under_the_name_it_gives_its_results(name: str, tiny_bert: Path) -> None:
    try:
        (metric,), _ = chosen_metrics([name], MetricOptions(encoder=str(tiny_bert), layer=2))
    except ParaloomError as error:
        if name not in NEED_MORE:
            raise
        pytest.skip(str(error))
    assert metric.name == name
    if name != "meteor":  # Java takes seconds to start; its own tests do that
        measured = metric.prepare(TWO)(["a storm hit land", "the tram is late"])
        assert measured.name == name
        assert measured.signature.startswith(name)
        assert measured.better == metric.better


def test_without_names_all_are_made_or_explained(tmp_path: Path) -> None:
    folder = str(tmp_path / "no-such-encoder")  # a name alone would be looked for on the hub, again and again
    metrics, not_run = chosen_metrics(options=MetricOptions(encoder=folder))
    assert {metric.name for metric in metrics} | set(not_run) == set(METRICS)
    assert {"bleu", "ter", "pinc"} <= {metric.name for metric in metrics}
    assert f"which layer of {folder}" in not_run["bertscore-f1"]
    assert f"There is no folder {folder}" in not_run["embedding-cosine"]


def test_what_is_asked_for_and_cannot_run_is_an_error() -> None:
    with pytest.raises(ParaloomError, match="no-such-encoder"):
        chosen_metrics(["bleu", "bertscore-f1"], MetricOptions(encoder="no-such-encoder"))


def test_an_unknown_name_is_refused_with_the_list() -> None:
    with pytest.raises(InputError, match=r"no metric 'blue'\. Choose from bleu,"):
        chosen_metrics(["blue"])


def test_meteors_tables_are_english() -> None:
    with pytest.raises(InputError, match=r"English tables.*'fi'"):
        chosen_metrics(["meteor"], MetricOptions(language="fi"))


def test_options_reach_the_metrics() -> None:
    (bleu, ibleu), _ = chosen_metrics(["bleu", "ibleu"], MetricOptions(lowercase=True, tokenize="intl", alpha=0.7))
    signature = bleu.prepare(TWO)(TWO.sources).signature
    assert "case:lc" in signature
    assert "tok:intl" in signature
    assert "alpha:0.7" in ibleu.prepare(TWO)(TWO.sources).signature
