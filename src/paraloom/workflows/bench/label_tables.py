"""Pooled results of the graded classifier in, Tables 4 and 5 of Kanerva et al. (2023) out, with ours label by label."""

from __future__ import annotations

from collections.abc import Iterator

from paraloom.metrics.identification.graded_figures import GradedFigures, graded_figures, mean_of_graded
from paraloom.reports.bench_identification_rows import LabelRow, LabelTable
from paraloom.workflows.bench.collected import Collected
from paraloom.workflows.bench.contenders import Contender, contenders_on
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.pooling import Pooled
from paraloom.workflows.bench.published import KANERVA, KANERVA_TABLES, PublishedLabels
from paraloom.workflows.bench.tables import LABELLED, Bench, cost_of, measured_on

SYSTEM = "graded-heads"


def label_tables(bench: Bench) -> tuple[LabelTable, ...]:
    """One for each half of each table; the same figures of ours stand beside both tables' halves."""
    return tuple(_label_table(bench, published) for published in KANERVA_TABLES)


def _label_table(bench: Bench, published: PublishedLabels) -> LabelTable:
    corpus = LABELLED[published.test_set]
    contender, pooled = _best_there(bench.collected, corpus, bench.options)
    if pooled is None:
        return LabelTable(
            paper=KANERVA,
            number=published.number,
            test_set=published.test_set,
            system=contender.name,
            rows=tuple(_rows(published, None)),
            not_run=bench.why_not_run(corpus, contender),
        )
    ours = mean_of_graded([graded_figures(true, predicted) for true, predicted in pooled.grades])
    return LabelTable(
        paper=KANERVA,
        number=published.number,
        test_set=published.test_set,
        system=contender.name,
        rows=tuple(_rows(published, ours)),
        measured_on=measured_on(pooled),
        cost=cost_of(pooled),
    )


def _best_there(collected: Collected, corpus: str, options: BenchOptions) -> tuple[Contender, Pooled | None]:
    """The first contender that has predicted labels; else the first of all, with nothing."""
    contenders = [
        one for one in contenders_on(corpus, "graded", BenchOptions(base=options.base)) if one.system == SYSTEM
    ]
    for contender in contenders:
        pooled = collected.pooled.get((corpus, contender.name))
        if pooled is not None and pooled.first.predicted_grades:
            return contender, pooled
    return contenders[0], None


def _rows(published: PublishedLabels, ours: GradedFigures | None) -> Iterator[LabelRow]:
    found = {one.label: one for one in ours.labels} if ours else {}
    for label, figures in published.labels.items():
        one = found.get(label)
        nothing = () if ours is None else (0.0, 0.0, 0.0)  # a label that is neither there nor predicted
        yield LabelRow(
            label=label,
            published=figures,
            published_support=published.support[label],
            ours=(one.precision, one.recall, one.f1) if one else nothing,
            support=None if ours is None else one.support if one else 0,
        )
    yield LabelRow(
        label="W. avg",
        published=published.weighted,
        published_support=None,
        ours=(ours.precision, ours.recall, ours.f1) if ours else (),
    )
    yield LabelRow(
        label="Acc",
        published=(published.accuracy,),
        published_support=None,
        ours=(ours.accuracy,) if ours else (),
    )
