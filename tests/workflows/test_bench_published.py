"""The papers' figures were copied without a slip: they agree with one another wherever one follows from others."""

from __future__ import annotations

import pytest

from paraloom.corpus.known import CORPORA
from paraloom.metrics.identification.decisions import f1_of_calling_all
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.workflows.bench.contenders import MEASURED_ON, contender_of, contenders_on
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.published import (
    AT_HALF,
    DOU_2_CROWD,
    DOU_2_EXPERT,
    DOU_3,
    KANERVA_TABLES,
    LAN_8,
    LAN_9,
    LAN_10,
    MAX_F1,
    NIGHOJKAR_5,
    TABLES,
    TEST_BASE_RATES,
)

# The last number is how far rounding may lead; GloVe on PIT-2015 is off by .0016 in the paper itself.
PRINTED = [
    (f"{table.name} {row.title}", row.figures[0], row.figures[1], row.figures[2], 0.002)
    for table in (LAN_8, LAN_9, LAN_10)
    for row in table.rows
]
PRINTED += [
    (f"{table.name} {row.title}", row.figures[2], row.figures[0], row.figures[1], 0.0002)
    for table in (DOU_2_CROWD, DOU_2_EXPERT)
    for row in table.rows
]
PRINTED += [(f"dou-3 {method} {data}", f1, p, r, 0.0002) for method, data, (p, r, f1, _) in DOU_3]
PRINTED += [
    (f"kanerva-{table.number} {table.test_set} {label}", f1, p, r, 0.0015)
    for table in KANERVA_TABLES
    for label, (p, r, f1) in table.labels.items()
]


@pytest.mark.parametrize(("name", "f1", "precision", "recall", "rounding"), PRINTED, ids=[row[0] for row in PRINTED])
def test_f1_follows_from_precision_and_recall(name, f1, precision, recall, rounding) -> None:
    assert abs(f1 - 2 * precision * recall / (precision + recall)) <= rounding, name


def test_the_random_rows_are_those_of_calling_every_pair_a_paraphrase() -> None:
    for table in (LAN_8, LAN_9, LAN_10):
        f1, base_rate, recall = table.rows[0].figures
        assert TEST_BASE_RATES[table.rows[0].corpus] == base_rate
        assert recall == 1
        assert abs(f1 - f1_of_calling_all(base_rate)) < 0.001
    rates = {"train": 2753 / 4076, "test": 1147 / 1725, "all": (2433 + 799) / (3746 + 1261)}  # of the paper's Table 4
    for row in NIGHOJKAR_5.rows:
        if row.system == "random" and (row.corpus, row.measured) != ("ap-h", "test"):
            assert abs(row.figures[1] - f1_of_calling_all(rates[row.measured])) < 0.002


def test_the_weighted_recall_is_the_accuracy() -> None:
    for table in KANERVA_TABLES:
        assert table.weighted[1] == table.accuracy


def test_every_row_is_a_system_and_a_corpus_of_ours_and_is_run() -> None:
    for table in TABLES:
        assert len({(row.corpus, contender_of(row).name) for row in table.rows}) == len(table.rows)
        for row in table.rows:
            assert row.system in SYSTEMS
            assert row.corpus in MEASURED_ON
            assert len(row.figures) == len(table.metrics)
            assert all(0 <= figure <= 1 for figure in row.figures)
            run = contenders_on(row.corpus, CORPORA[row.corpus].definition, BenchOptions())
            assert contender_of(row).name in {contender.name for contender in run}
    assert set(MEASURED_ON) <= set(CORPORA)


def test_tables_are_of_max_f1_or_at_one_threshold() -> None:
    assert {table.metrics for table in (LAN_8, LAN_9, LAN_10)} == {MAX_F1}
    assert {table.metrics for table in (DOU_2_CROWD, DOU_2_EXPERT)} == {AT_HALF}
    assert [len(table.rows) for table in TABLES] == [14, 14, 14, 10, 10, 8, 10]
