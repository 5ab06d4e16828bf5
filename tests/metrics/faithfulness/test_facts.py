"""The shares of outputs that keep facts and that make some up."""

from __future__ import annotations

import pytest

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.faithfulness.facts import FactsInvented, FactsKept
from paraloom.metrics.measured import Metric

SOURCES = ["Joe Biden won 3 states"] * 5
OUTPUTS = [
    "Three states went to Biden",
    "Biden won",
    "Biden won three states on Monday",
    "Trump won four states",
    "Joe Biden won 3 states",
]
SET = EvaluationSet.of(SOURCES, [["Biden took three"]] * 5)

METRICS: list[tuple[Metric, list[float]]] = [
    (FactsKept(), [100, 0, 0, 0, 100]),
    (FactsInvented(), [0, 0, 100, 100, 0]),
]


@pytest.mark.parametrize(("metric", "items"), METRICS, ids=lambda given: getattr(given, "name", ""))
def test_the_share_is_the_mean_over_the_outputs(metric: Metric, items: list[float]) -> None:
    measured = metric.prepare(SET)(OUTPUTS)
    assert measured.items.tolist() == items
    assert measured.value == sum(items) / len(items)
    assert measured.signature == f"{metric.name}|language:en|kinds:name+number|rules:2"
    assert measured.better == metric.better


def test_they_point_opposite_ways_and_a_parrot_is_faithful() -> None:
    assert (FactsKept().better, FactsInvented().better) == ("higher", "lower")
    assert FactsKept().prepare(SET)(SOURCES).value == 100
    assert FactsInvented().prepare(SET)(SOURCES).value == 0


def test_the_language_decides_what_is_a_name() -> None:
    nouns = EvaluationSet.of(["Die Frau kaufte gestern ein Haus"], [["x"]])
    output = ["Gestern hat eine Dame ein Haus erworben"]
    assert FactsKept(language="de").prepare(nouns)(output).value == 100
    assert FactsKept(language="de").prepare(nouns)(output).signature.startswith("facts-kept|language:de|")
