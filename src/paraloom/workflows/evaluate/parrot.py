"""Files of sources and references in, out comes what copying scores on them (Mao and Lee, 2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from paraloom.corpus.evaluation_options import EvaluationSetOptions
from paraloom.corpus.evaluation_sets import GivenSet, read_evaluation_set
from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Measured
from paraloom.metrics.overlap.bleu import SentenceBleu
from paraloom.metrics.significance import bootstrap_intervals
from paraloom.models.generators.parrots import Parroting
from paraloom.reports.papers import PARROTS
from paraloom.reports.parrot_summary import MetricSummary, ParrotSummary, SetSummary
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.metrics import METRICS, chosen_metrics
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.evaluate.parrot_options import ParrotOptions
from paraloom.workflows.evaluate.strangers import doubts_of_references, separation, show_inputs
from paraloom.workflows.evaluate.subsets import by_reference_count, sampled_sets
from paraloom.workflows.evaluate.sweep import Step, sweep

DEFAULT_METRICS = ("bleu", "meteor", "ter", "self-bleu")
"""Those of the paper, and how much of the source is left."""

MOSTLY_SINGLE = 0.5
FINAL_MARKS = (".", "?", "!", "…", "。", "？", "！")


def evaluate_parrot(
    files: Sequence[str | Path],
    options: ParrotOptions = ParrotOptions(),
    *,
    reading: EvaluationSetOptions = EvaluationSetOptions(),
    metrics: MetricOptions = MetricOptions(),
    step: Step = lambda name, done, total: None,
) -> ParrotSummary:
    """Measure full and partial parroting on the sources and references of these files."""
    _check(options)
    given = _appended(read_evaluation_set(files, reading, named_columns(reading.columns)), options.append)
    evaluation_set = given.evaluation_set
    doubts = doubts_of_references(evaluation_set, given.files, options.seed)
    chosen, not_run = chosen_metrics(None, metrics, among=DEFAULT_METRICS)
    measured: list[Measured] = []
    for done, metric in enumerate(chosen):
        step("full parrot", done, len(chosen))
        measured.append(metric.prepare(evaluation_set)(evaluation_set.sources))
    step("full parrot", len(chosen), len(chosen))
    swept = sweep(
        evaluation_set,
        chosen,
        options.ratios,
        sample={
            metric.name: options.slow_sample if METRICS[metric.name].is_slow else options.sweep_sample
            for metric in chosen
        },
        seed=options.seed,
        step=step,
    )
    bleu = SentenceBleu(lowercase=metrics.lowercase, tokenize=metrics.tokenize)
    return ParrotSummary(
        measured_on=set_summary(given),
        warnings=(*doubts, *warnings_of(given, metrics.language)),
        metrics=tuple(
            MetricSummary(
                name=one.name,
                value=one.value,
                better=one.better,
                signature=one.signature,
                low=None if interval is None else interval.low,
                high=None if interval is None else interval.high,
            )
            for one, interval in zip(measured, bootstrap_intervals(measured, seed=options.seed), strict=True)
        ),
        not_run=not_run,
        by_reference_count=by_reference_count(evaluation_set.reference_counts, measured),
        curves=swept.points,
        curve_sources=swept.sources,
        replacement=Parroting(evaluation_set).replacement,
        samples=options.samples,
        sample_size=options.sample_size,
        sampled=sampled_sets(measured, samples=options.samples, sample_size=options.sample_size, seed=options.seed),
        inputs=show_inputs(
            evaluation_set, inputs=options.inputs, strangers=options.strangers, seed=options.seed, bleu=bleu
        ),
        separation=separation(evaluation_set, seed=options.seed, bleu=bleu),
        published=PARROTS[options.dataset] if options.dataset else None,
        seed=options.seed,
    )


def set_summary(given: GivenSet) -> SetSummary:
    """What was read, in numbers."""
    evaluation_set = given.evaluation_set
    return SetSummary(
        files=given.files,
        shape=given.shape,
        rows=given.counts.rows,
        sources=given.counts.sources,
        references=given.counts.references,
        words=sum(len(source.split()) for source in evaluation_set.sources),
        single_reference_share=given.share_with_one_reference,
        reference_counts=dict(sorted(Counter(evaluation_set.reference_counts).items())),
        told=(*given.remarks, *given.counts.told()),
        final_marks=sum(source.rstrip().endswith(FINAL_MARKS) for source in evaluation_set.sources)
        / len(evaluation_set.sources),
    )


def warnings_of(given: GivenSet, language: str) -> list[str]:
    """What makes scores on this set worth less than they look."""
    warnings = []
    if language != "en":
        warnings.append(
            f"--language {language}: function words are known of English (en) alone. Small changes are counted only "
            "where white space differs, and METEOR is not run; near copies are counted in any language."
        )
    share = given.share_with_one_reference
    if share < MOSTLY_SINGLE:
        return warnings
    return [
        *warnings,
        f"{share:.0%} of the sources have a single reference. A good paraphrase in other words than that one scores "
        "badly, so BLEU, METEOR and TER say little here: Mao and Lee (2019, section 3) strongly recommend sources with "
        "several.",
    ]


def check_seed(seed: int) -> None:
    """Refuse what no random draw can begin with."""
    if seed < 0:
        raise InputError(f"--seed {seed} is below 0. Give 0 or any larger whole number.")


def _appended(given: GivenSet, tail: str) -> GivenSet:
    if not tail:
        return given
    texts = given.evaluation_set
    appended = EvaluationSet.of(
        [source + tail for source in texts.sources],
        [[text + tail for text in references] for references in texts.references],
    )
    return replace(given, evaluation_set=appended, remarks=(*given.remarks, f"{tail!r} was put behind every text."))


def _check(options: ParrotOptions) -> None:
    check_seed(options.seed)
    wrong = [ratio for ratio in options.ratios if not 0 <= ratio <= 1]
    if wrong:
        raise InputError(f"--ratios {wrong[0]:g} is no share of words. Give shares from 0 to 1, such as 0.1 0.3 0.5.")
    for name in ("sweep_sample", "slow_sample", "samples", "sample_size", "strangers", "inputs"):
        if getattr(options, name) < 0:
            raise InputError(f"--{name.replace('_', '-')} {getattr(options, name)} is less than none.")
