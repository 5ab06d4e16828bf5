"""The benchmark says whether its bars are met, and fails where one is not."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "benchmarks" / "metrics.py"


@pytest.fixture(scope="module")
def benchmark() -> dict:
    # As the module runs under another name, its `main` does not start; dataclasses look their module up by that name.
    return runpy.run_path(str(FILE), run_name="__benchmark__")


def row(benchmark: dict, metric: str, times: float, identical: bool = True):
    return benchmark["Row"](
        metric=metric,
        sentences=1,
        variants=1,
        sacrebleu_seconds=times,
        seconds=1.0,
        times_as_fast=times,
        identical=identical,
        bar=benchmark["BARS"].get(metric),
    )


CASES = [
    ("bleu", 10.0, "bar 10: met", None),
    ("bleu", 9.9, "bar 10: MISSED", "Not as fast as promised: bleu."),
    ("ter", 2.6, "bar 2.5: met", None),
    ("ter", 2.4, "bar 2.5: MISSED", "Not as fast as promised: ter."),
]


@pytest.mark.parametrize(("metric", "times", "told", "failure"), CASES)
def test_a_bar_is_met_or_fails_the_run(benchmark, metric: str, times: float, told: str, failure: str | None) -> None:
    one = row(benchmark, metric, times)
    assert benchmark["shown"](one).endswith(told)
    assert benchmark["why_it_failed"]([row(benchmark, "chrf2", 0.5), one]) == failure


def test_another_value_fails_the_run_however_fast(benchmark) -> None:
    assert (
        benchmark["why_it_failed"]([row(benchmark, "bleu", 99.0, identical=False)]) == "Values differ from sacrebleu's."
    )


def test_ours_and_sacrebleus_are_compared_with_the_bar_of_the_metric(benchmark) -> None:
    pairs = benchmark["make_pairs"](20)
    slow = benchmark["one_by_one"](benchmark["sacrebleu"].corpus_bleu, force=True)
    compared = benchmark["compare"]("bleu", slow, benchmark["ours"](benchmark["Bleu"]()), pairs, 2, 1)
    assert compared.identical
    assert compared.bar == 10
