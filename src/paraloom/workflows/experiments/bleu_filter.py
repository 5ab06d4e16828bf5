"""Pairs in, what a generator writes after learning from those below one BLEU or another out.

Figure 8 of Dou et al. (2022): pairs whose sides are much alike teach to copy. Self-BLEU falls with the threshold, and
so does the number of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from paraloom.pairs.fit_options import FitOptions
from paraloom.reports.experiments import Curve, Experiment
from paraloom.workflows.experiments.generator_options import BleuFilterOptions, WritingStudy
from paraloom.workflows.experiments.writing_trials import Result, Tell, WritingTrials

NO_FILTER = 100.0

PUBLISHED_NOTE = (
    "Dou et al. (2022, table 14, T5-large, on a test set of theirs): BLEU 41.14 and self-BLEU 33.34 with a threshold "
    "of 14, which was best on their dev set (figure 8); 45.85 and 65.03 without one."
)


def run_bleu_filter(
    files: Sequence[Path],
    settings: BleuFilterOptions = BleuFilterOptions(),
    study: WritingStudy = WritingStudy(),
    *,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train at every threshold and measure what is written; with a folder, what is done is not done again."""
    trials = WritingTrials.of("bleu-filter", files, study, changed=("max_bleu",), out=out, tell=tell)
    found = {
        _name(one): trials.trained(_name(one), study.training, _with(study.fit, one)) for one in settings.thresholds
    }
    at = {_name(one): NO_FILTER if one == "none" else float(one) for one in settings.thresholds}
    return Experiment(
        name="bleu-filter",
        title="Pairs that are much alike left out",
        headline=_headline(trials, found),
        about=f"{', '.join(file.name for file in files)}.",
        tables=(trials.table(found, first="BLEU at most", title="by threshold of BLEU"),),
        curves=tuple(_curves(found, at)),
        notes=(*trials.notes, PUBLISHED_NOTE),
        signatures={trials.system: trials.signature},
    )


def _name(threshold: float | Literal["none"]) -> str:
    return "no threshold" if threshold == "none" else f"{threshold:g}"


def _with(fit: FitOptions, threshold: float | Literal["none"]) -> FitOptions:
    return replace(fit, max_bleu=NO_FILTER if threshold == "none" else float(threshold))


def _curves(found: Mapping[str, Result], at: Mapping[str, float]) -> list[Curve]:
    shown = [("BLEU and self-BLEU", "BLEU", ("bleu", "self-bleu")), ("BERT-iBLEU", "BERT-iBLEU", ("bert-ibleu",))]
    curves = []
    for title, y_title, figures in shown:
        lines = {
            figure: sorted((at[name], (float(result[figure]),)) for name, result in found.items())
            for figure in figures
            if all(figure in result for result in found.values())
        }
        if lines:
            about = "Of what is written for held-out sources; at 100 no pair was left out for its BLEU."
            curves.append(
                Curve(title=title, about=about, x_title="highest BLEU of a pair", y_title=y_title, lines=lines)
            )
    return curves


def _headline(trials: WritingTrials, found: Mapping[str, Result]) -> str:
    """The threshold with the highest BERT-iBLEU; where that cannot be measured, the one that copies least."""
    best, told = trials.best(found)
    which = "no threshold of BLEU" if best == "no threshold" else f"a threshold of BLEU of {best}"
    return f"{trials.system}: {which} {told}."
