"""A folder of published corpora in, what every generator writes on every set out, beside people and parrots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.significance import bootstrap_intervals
from paraloom.models.generators.parrots import Parrot, Parroting
from paraloom.reports.bench_generation_summary import COLUMNS, BenchCell, BenchSetSummary, CurvePoint, GenerationBench
from paraloom.reports.generation_summary import Claim, GenerationSummary, Row, Score
from paraloom.workflows.bench.generation_contenders import PEOPLE, Contender, contenders, load_writer, read_written
from paraloom.workflows.bench.generation_options import GenerationBenchOptions
from paraloom.workflows.bench.generation_outputs import WritingCost, Written, write_outputs
from paraloom.workflows.bench.generation_published import TABLE_4, TABLE_5
from paraloom.workflows.bench.generation_sets import BenchSet, read_bench_sets
from paraloom.workflows.evaluate.generation import evaluate_generation
from paraloom.workflows.evaluate.generation_options import GenerationOptions
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.metrics import chosen_metrics
from paraloom.workflows.evaluate.stand_ins import drawn_references

Tell = Callable[[str], None]
OfSet = Mapping[str, Written]
"""By contender."""

SHOWN_PARROTS = (
    Parrot(),
    Parrot(kind="cut", position="tail", ratio=0.3),
    Parrot(kind="replace", position="tail", ratio=0.3),
)
"""Those that have a row of their own in the tables."""
CURVES = tuple(
    Parrot(kind=kind, position="random", ratio=ratio)
    for kind in ("cut", "replace")
    for ratio in (0.0, 0.1, 0.2, 0.3, 0.5, 0.7)
)
"""Parrots that are drawn as lines."""
CURVE_SOURCES = 200
"""So many sources, the first, the lines are measured on."""


def bench_generation(
    data: Path,
    options: GenerationBenchOptions = GenerationBenchOptions(),
    *,
    folder: Path | None = None,
    tell: Tell | None = None,
) -> GenerationBench:
    """Let every generator write on every set, and measure it; outputs are kept in `folder`, or forgotten."""
    if folder is None:
        with TemporaryDirectory(prefix="paraloom-bench-") as forgotten:
            return _bench(data, options, Path(forgotten), tell)
    return _bench(data, options, folder, tell)


def _bench(data: Path, options: GenerationBenchOptions, folder: Path, tell: Tell | None) -> GenerationBench:
    asked = contenders(options)
    sets, skipped = read_bench_sets(data, options.sets, options.limit)
    written, not_run = _written(asked, sets, options, folder, tell)
    if not any(written.values()):
        raise InputError(f"No generator could be run. {next(iter(not_run.values()))}")
    # Every metric that can run here, so that one that cannot stops nothing.
    by_encoder = MetricOptions(encoder=options.encoder, layer=options.layer)
    able, unable = chosen_metrics(None, by_encoder, among=COLUMNS)
    metrics = replace(by_encoder, metrics=tuple(metric.name for metric in able))
    first = next(contender.name for contender in asked if any(contender.name in some for some in written.values()))
    cells: list[BenchCell] = []
    summaries: list[BenchSetSummary] = []
    called: dict[str, str] = {}
    for one in sets:
        if not written[one.name]:
            continue
        if tell:
            tell(f"{one.name}: measuring {', '.join(written[one.name])}")
        measured, summary = _measured(one, written[one.name], first, options, metrics)
        # One that is called as a parrot of ours is called otherwise in the tables.
        called |= dict(zip(written[one.name], (cell.contender for cell in measured), strict=False))
        cells += measured
        summaries.append(summary)
    return GenerationBench(
        cells=tuple(cells),
        sets=tuple(summaries),
        contenders=tuple(called[contender.name] for contender in asked if contender.name in called),
        not_run=not_run,
        skipped={**skipped, **unable},
        table_4=TABLE_4,
        table_5=TABLE_5,
        resamples=options.resamples,
        seed=options.seed,
    )


def _written(
    asked: Sequence[Contender],
    sets: Sequence[BenchSet],
    options: GenerationBenchOptions,
    folder: Path,
    tell: Tell | None,
) -> tuple[dict[str, dict[str, Written]], dict[str, str]]:
    """What each contender wrote, by set and name; and who could not, with the reason. One is loaded at a time."""
    written: dict[str, dict[str, Written]] = {one.name: {} for one in sets}
    not_run: dict[str, str] = {}
    for contender in asked:
        try:
            writer = None if contender.file else load_writer(contender, options)
        except ParaloomError as error:
            not_run[contender.name] = str(error)
            continue
        for one in sets:
            if tell and writer:
                tell(f"{contender.name}: {len(one.evaluation_set.sources):,} sources of {one.name}")
            try:
                written[one.name][contender.name] = (
                    write_outputs(writer, contender.name, one, folder, batch=options.batch)
                    if writer
                    else read_written(contender, one)
                )
            except ParaloomError as error:
                not_run[f"{contender.name} on {one.name}"] = str(error)
    return written, not_run


def _measured(
    one: BenchSet,
    written: OfSet,
    first: str,
    options: GenerationBenchOptions,
    metrics: MetricOptions,
) -> tuple[list[BenchCell], BenchSetSummary]:
    metrics = replace(metrics, lowercase=one.is_lower)
    evaluated = evaluate_generation(
        one.given(),
        [each.rows for each in written.values()],
        GenerationOptions(resamples=options.resamples, seed=options.seed, types=False),
        metrics=metrics,
        against_first=True,
    )
    summary = evaluated.summary
    compared = _compared(summary) if next(iter(written)) == first else {}
    cells = [
        BenchCell(
            contender=system.row.name,
            set=one.name,
            kind="generator" if each.cost else "file",
            scores=system.row.scores,
            verdict=system.verdict,
            without=system.likeness.empty,
            against_first=compared.get(system.row.name),
            seconds_a_source=each.cost.seconds_a_source if each.cost else None,
            where=_where(each.cost) if each.cost else "",
            signature=each.signature,
        )
        for each, system in zip(written.values(), summary.systems, strict=True)
    ]
    cells.append(BenchCell(contender=PEOPLE, set=one.name, kind="people", scores=_people(summary.human, one, options)))
    parrots = {row.name: row for row in summary.parrots}
    cells += [
        BenchCell(contender=parrot.name, set=one.name, kind="parrot", scores=parrots[parrot.name].scores)
        for parrot in SHOWN_PARROTS
    ]
    return cells, BenchSetSummary(
        name=one.name,
        title=one.title,
        about=one.about,
        sources=len(one.evaluation_set.sources),
        of=one.of,
        references=sum(one.evaluation_set.reference_counts),
        signatures=summary.signatures,
        warnings=summary.warnings,
        curve=tuple(_curve(one, metrics, options.seed)),
    )


def _compared(summary: GenerationSummary) -> dict[str, dict[str, Claim]]:
    """What was tested of the first contender and each other, by the other's name and the metric."""
    found: dict[str, dict[str, Claim]] = {}
    for claim in summary.between_systems:
        found.setdefault(claim.other_name, {})[claim.metric] = claim
    return found


def _people(human: Row, one: BenchSet, options: GenerationBenchOptions) -> dict[str, Score]:
    """People's row; where every source has several references, BLEU is that of one against the others.

    A system is compared with one reference more, so this is a little below what people would have.
    """
    scores = dict(human.scores)
    sources, references = one.evaluation_set.sources, one.evaluation_set.references
    if min(one.evaluation_set.reference_counts) < 2:
        return scores
    drawn = drawn_references(one.evaluation_set, options.seed)
    others = [[text for text in texts if text != own] for texts, own in zip(references, drawn, strict=True)]
    measured = Bleu(lowercase=one.is_lower).prepare(EvaluationSet.of(sources, others))(drawn)
    (interval,) = bootstrap_intervals([measured], resamples=options.resamples, seed=options.seed)
    scores["bleu"] = Score(
        value=measured.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
    )
    return scores


def _curve(one: BenchSet, metrics: MetricOptions, seed: int) -> list[CurvePoint]:
    """What BERT-iBLEU makes of ever more changed parrots."""
    if not {"self-bleu", "bert-ibleu"} <= set(metrics.metrics):
        return []
    part = one.evaluation_set.chosen(range(min(CURVE_SOURCES, len(one.evaluation_set.sources))))
    (likeness, balance), _ = chosen_metrics(["self-bleu", "bert-ibleu"], metrics)
    of_likeness, of_balance = likeness.prepare(part), balance.prepare(part)
    parroting = Parroting(part, seed)
    return [
        CurvePoint(
            kind=parrot.kind,
            ratio=parrot.ratio,
            self_bleu=of_likeness(outputs).value,
            bert_ibleu=of_balance(outputs).value,
        )
        for parrot in CURVES
        for outputs in (parroting.outputs(parrot),)
    ]


def _where(cost: WritingCost) -> str:
    cores = f"{cost.cores} core{'' if cost.cores == 1 else 's'}"
    return f"{cost.processor}, {cores}" if cost.device == "cpu" else cost.device
