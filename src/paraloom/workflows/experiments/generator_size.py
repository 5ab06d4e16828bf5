"""Pairs in, what a generator writes after learning from more and more of them out (Dou et al., 2022, figure 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from paraloom.reports.experiments import Curve, Experiment
from paraloom.reports.pages import number
from paraloom.workflows.experiments.generator_options import GeneratorSizeOptions, WritingStudy
from paraloom.workflows.experiments.writing_trials import FIGURES, Result, Tell, WritingTrials

ALL = "all pairs"


def run_generator_size(
    files: Sequence[Path],
    settings: GeneratorSizeOptions = GeneratorSizeOptions(),
    study: WritingStudy = WritingStudy(),
    *,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train on every number of pairs and measure what is written; fewer pairs are always among more."""
    trials = WritingTrials.of("generator-size", files, study, out=out, tell=tell)
    options, fit = study.training, study.fit
    found: dict[str, Result] = {}
    for size in sorted(settings.sizes):
        if options.max_pairs and size >= options.max_pairs:
            break
        name = f"{number(size)} pairs"
        found[name] = trials.trained(name, replace(options, max_pairs=size), fit)
    found[ALL] = trials.trained(ALL, options, fit)
    return Experiment(
        name="generator-size",
        title="More and more pairs",
        headline=_headline(trials, found),
        about=f"{', '.join(file.name for file in files)}.",
        tables=(trials.table(found, first="pairs", title="by number of pairs", columns=("perplexity", *FIGURES)),),
        curves=tuple(_curves(found)),
        notes=trials.notes,
        signatures={trials.system: trials.signature},
    )


def _curves(found: Mapping[str, Result]) -> list[Curve]:
    curves = []
    for title, figures in (
        ("Perplexity", ("perplexity",)),
        ("BLEU and self-BLEU", ("bleu", "self-bleu")),
        ("BERT-iBLEU", ("bert-ibleu",)),
    ):
        lines = {
            figure: sorted((float(one["examples"]), (float(one[figure]),)) for one in found.values())
            for figure in figures
            if all(figure in one for one in found.values())
        }
        if lines:
            about = "On held-out pairs, by how many examples were learned from."
            curves.append(Curve(title=title, about=about, x_title="examples", y_title=title, lines=lines))
    return curves


def _headline(trials: WritingTrials, found: Mapping[str, Result]) -> str:
    """From the fewest pairs to all."""
    first, last = next(iter(found)), ALL
    return (
        f"{trials.system}: perplexity on held-out pairs goes from {found[first]['perplexity']:.2f} with {first} to "
        f"{found[last]['perplexity']:.2f} with all ({number(found[last]['examples'])} examples)."
    )
