"""Parts of a set: the metric from summed statistics is the metric measured on the part alone."""

from __future__ import annotations

import numpy as np
import pytest

from paraloom.metrics.diversity.distinct import Distinct
from paraloom.metrics.diversity.pinc import Pinc
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.ter import Ter
from paraloom.workflows.evaluate.subsets import by_reference_count, sampled_sets

WORDS = ["storm", "coast", "tram", "late", "bridge", "closed", "market", "opened", "council", "rain", "river", "old"]
random = np.random.default_rng(5)


def sentence(length: int) -> str:
    return " ".join(random.choice(WORDS, length))


TEXTS = EvaluationSet.of(
    [sentence(8) for _ in range(60)], [[sentence(8) for _ in range(1 + number % 13)] for number in range(60)]
)
METRICS = (Bleu(), Ter())
MEASURED = [metric.prepare(TEXTS)(TEXTS.sources) for metric in METRICS]


def test_sources_are_grouped_by_their_number_of_references() -> None:
    bins = by_reference_count(TEXTS.reference_counts, MEASURED)
    assert [bin.name for bin in bins] == [*map(str, range(1, 10)), "10–11", "12–13"]
    assert sum(bin.sources for bin in bins) == 60
    for bin in bins:
        rows = [row for row, count in enumerate(TEXTS.reference_counts) if bin.least <= count <= bin.most]
        assert bin.sources == len(rows)
        part = TEXTS.chosen(rows)
        for metric in METRICS:
            assert bin.values[metric.name] == pytest.approx(metric.prepare(part)(part.sources).value)


def test_a_metric_that_is_no_sum_is_left_out_of_the_groups() -> None:
    measured = [Distinct().prepare(TEXTS)(TEXTS.sources), Pinc().prepare(TEXTS)(TEXTS.sources)]
    assert set(by_reference_count(TEXTS.reference_counts, measured)[0].values) == {"pinc"}


def test_sampled_sets_are_what_measuring_each_would_give() -> None:
    found = sampled_sets(MEASURED, samples=7, sample_size=20, seed=2)
    drawn = np.random.default_rng(2)
    values = []
    for _ in range(7):
        part = TEXTS.chosen(drawn.choice(60, size=20, replace=False, shuffle=False).tolist())
        values.append([metric.prepare(part)(part.sources).value for metric in METRICS])
    for one, column in zip(found, np.array(values).T, strict=True):
        assert (one.mean, one.deviation) == pytest.approx((column.mean(), column.std(ddof=1)))
        assert (one.smallest, one.largest) == pytest.approx((column.min(), column.max()))


@pytest.mark.parametrize(("samples", "size"), [(0, 20), (1, 20), (50, 60), (50, 5000)])
def test_no_sets_are_drawn_where_all_would_be_the_same(samples: int, size: int) -> None:
    assert sampled_sets(MEASURED, samples=samples, sample_size=size, seed=1) == ()
