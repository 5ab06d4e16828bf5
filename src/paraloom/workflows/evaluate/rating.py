"""Ratings of generations in, their summary and every metric held against them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Metric
from paraloom.metrics.overlap.reference_diversity import ReferenceSelfBleu, reference_self_bleu
from paraloom.metrics.ratings.metric_correlations import correlate_with_people
from paraloom.metrics.ratings.rated_outputs import RatedOutputs, Ratings, mean_rating, summarise_aspect
from paraloom.metrics.significance import check_resampling, compare
from paraloom.reports.rating import RatingEvaluation, RunMetric, SystemDifference
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.metrics import METRICS, chosen_metrics
from paraloom.workflows.evaluate.rated_files import read_rated_outputs
from paraloom.workflows.evaluate.rating_options import RatingOptions

Floats = NDArray[np.float64]
Step = Callable[[str, int, int], None]
"""Told the metric that is measured now, how many were, and how many there are."""


def evaluate_rating(
    files: Sequence[str | Path],
    options: RatingOptions = RatingOptions(),
    metric_options: MetricOptions = MetricOptions(),
    step: Step | None = None,
) -> RatingEvaluation:
    """Read ratings, summarise them by aspect and system, and hold every metric that can run against them."""
    if not files:
        raise InputError("There is no file of ratings. Give one with `source`, `output` and the rated aspects.")
    check_resampling(options.resamples, seed=options.seed)
    rated = read_rated_outputs(files, options)
    metrics, not_run = _metrics(metric_options)
    evaluation = hold_against_people(
        rated,
        metrics,
        not_run,
        must_run=bool(metric_options.metrics),
        resamples=options.resamples,
        seed=options.seed,
        step=step,
    )
    return replace(evaluation, files=tuple(Path(file).name for file in files))


def hold_against_people(
    rated: RatedOutputs,
    metrics: Sequence[tuple[Metric, bool]],
    not_run: dict[str, str] | None = None,
    *,
    must_run: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    step: Step | None = None,
) -> RatingEvaluation:
    """Summaries of ratings, and each metric's correlation with them.

    `metrics` come with whether they need references. One that cannot measure these outputs is listed as not run with
    the reason; where it must run, that is an error.
    """
    not_run = dict(not_run or {})
    values: dict[str, Floats] = {}
    run = []
    for number, (metric, needs_references) in enumerate(metrics):
        if step is not None:
            step(metric.name, number, len(metrics))
        try:
            measured, signature = _measured(rated, metric, needs_references)
        except ParaloomError as error:
            if must_run:
                raise
            not_run[metric.name] = str(error)
            continue
        if not np.isfinite(measured).any():
            not_run[metric.name] = "it has no value for one output alone"
            continue
        values[metric.name] = measured
        counted = int(np.isfinite(measured).sum())
        run.append(RunMetric(name=metric.name, better=metric.better, signature=signature, items=counted))
    shown = (None, *rated.system_names) if len(rated.system_names) > 1 else (None,)
    return RatingEvaluation(
        files=(),
        items=len(rated),
        sources=len(set(rated.sources)),
        systems=rated.system_names,
        aspects=rated.scored,
        summaries=tuple(
            summarise_aspect(rated, aspect, system, resamples=resamples, seed=seed)
            for system in shown
            for aspect in rated.scored
        ),
        differences=tuple(_differences(rated, resamples, seed)),
        metrics=tuple(run),
        correlations=tuple(
            one
            for system in shown
            for one in correlate_with_people(values, rated, system, resamples=resamples, seed=seed)
        ),
        not_run=not_run,
        human=_human(rated),
        resamples=resamples,
        seed=seed,
        notes=tuple(rated.notes),
    )


def _metrics(options: MetricOptions) -> tuple[list[tuple[Metric, bool]], dict[str, str]]:
    """The metrics asked for, or all, each with whether it needs references."""
    metrics: list[tuple[Metric, bool]] = []
    not_run: dict[str, str] = {}
    for name in options.metrics or METRICS:
        made, missing = chosen_metrics([name] if options.metrics else None, options, among=[name])
        not_run |= missing
        metrics += [(metric, METRICS[name].against in ("references", "both")) for metric in made]
    return metrics, not_run


def _measured(rated: RatedOutputs, metric: Metric, needs_references: bool) -> tuple[Floats, str]:
    """One value an item, NaN where the metric has none; and how it was computed."""
    rows = [row for row in range(len(rated)) if rated.references[row] or not needs_references]
    if not rows:
        raise InputError("no source has a reference")
    sources = [rated.sources[row] for row in rows]
    # A metric that needs no reference reads none: its source stands in where there is none.
    references = [rated.references[row] or (rated.sources[row],) for row in rows]
    measured = metric.prepare(EvaluationSet.of(sources, references))([rated.outputs[row] for row in rows])
    values = np.full(len(rated), np.nan)
    if len(measured.items):
        values[rows] = measured.items
    return values, _of_one_output(measured.signature)


def _of_one_output(signature: str) -> str:
    """A corpus metric's signature as that of its value for one output: sentence BLEU has the effective order."""
    return f"sentence-{signature.replace('|eff:no|', '|eff:yes|')}" if "|eff:no|" in signature else signature


def _differences(rated: RatedOutputs, resamples: int, seed: int) -> list[SystemDifference]:
    """Every two systems on the sources that both were rated on; a source is drawn with all its ratings."""
    place = {source: number for number, source in enumerate(dict.fromkeys(rated.sources))}
    source_of = np.array([place[source] for source in rated.sources])
    systems = np.array(rated.systems)
    found = []
    for ours, other in combinations(rated.system_names, 2):
        for aspect, ratings in rated.ratings.items():
            of_system = {
                name: Ratings(
                    item=source_of[ratings.item[systems[ratings.item] == name]],
                    value=ratings.value[systems[ratings.item] == name],
                )
                for name in (ours, other)
            }
            shared = np.intersect1d(of_system[ours].item, of_system[other].item)
            if len(shared) > 1:
                comparison = compare(
                    mean_rating(aspect, of_system[ours], shared),
                    mean_rating(aspect, of_system[other], shared),
                    resamples=resamples,
                    seed=seed,
                )
                found.append(SystemDifference(ours=ours, other=other, sources=len(shared), comparison=comparison))
    return found


def _human(rated: RatedOutputs) -> ReferenceSelfBleu | None:
    """Self-BLEU of the references of sources that have several."""
    by_source = dict(zip(rated.sources, rated.references, strict=True))
    several = {source: texts for source, texts in by_source.items() if len(texts) > 1}
    if not several:
        return None
    return reference_self_bleu(EvaluationSet.of(list(several), list(several.values())))
