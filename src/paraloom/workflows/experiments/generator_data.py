"""Training sets in, what a generator writes after learning from each of them out, for the same held-out sources.

Tables 14 and 15 of Dou et al. (2022): corpora with and without the filter by BLEU, and paraphrases by a loose or a
strict definition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from paraloom.errors import InputError
from paraloom.reports.experiments import Experiment
from paraloom.reports.pages import number
from paraloom.workflows.experiments.generator_options import GeneratorDataOptions, WritingStudy
from paraloom.workflows.experiments.named_sets import NamedSet, named_sets, refuse_own_held_out
from paraloom.workflows.experiments.published_generators import (
    PUBLISHED_NOTE,
    PublishedGenerator,
    published_generator,
)
from paraloom.workflows.experiments.writing_trials import Result, Tell, WritingTrials
from paraloom.workflows.train.generator import load_judge
from paraloom.workflows.train.generator_options import TrainGeneratorOptions


def run_generator_data(
    sets: Sequence[str],
    settings: GeneratorDataOptions = GeneratorDataOptions(),
    study: WritingStudy = WritingStudy(),
    *,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train on every set, each given as NAME=FILE, and measure what is written; sets can be added later."""
    held_out = _held_out(study.training)
    asked = named_sets(sets, study, settings)
    refuse_own_held_out(asked)
    identifier = load_judge(
        study.training
    )  # one that cannot be asked is refused now, not after the training of a loose set
    signatures = {one.name: one.signature("" if identifier is None else identifier.signature) for one in asked}
    # What all trainings share is what is held out: their own files are told by each row.
    trials = WritingTrials.of("generator-data", [held_out], study, out=out, tell=tell)
    found = {one.name: _trained(trials, one, signatures[one.name]) for one in asked}
    published = _published(asked)
    return Experiment(
        name="generator-data",
        title="What generators learn from",
        headline=_headline(trials, found),
        about=f"Learned from {', '.join(one.file.name for one in asked)}; held out is {held_out.name}.",
        tables=(
            trials.table(
                found,
                first="training set",
                title="by training set",
                about={one.name: _about(one, found[one.name], published.get(one.name)) for one in asked},
                published={name: generator.figures for name, generator in published.items()},
            ),
        ),
        curves=(),
        notes=(
            *(_left_out(one, found[one.name]) for one in asked),
            *trials.notes,
            *((PUBLISHED_NOTE,) if published else ()),
        ),
        signatures={trials.system: "|".join([trials.signature, *(f"set-{told}" for told in signatures.values())])},
    )


def _held_out(options: TrainGeneratorOptions) -> Path:
    """The file that all generators are measured with."""
    if options.corpora or options.data is not None:
        raise InputError("--corpora and --data would add to every training set. Give each set as a file: NAME=FILE.")
    if options.held_out is None:
        raise InputError("All generators must be measured on the same pairs. Give a file of them: --held-out FILE.")
    return options.held_out


def _trained(trials: WritingTrials, one: NamedSet, signature: str) -> Result:
    """Under the same name, another file or filter is another result: it is kept by its signature."""
    own = replace(trials, files=(one.file,))
    return own.trained(one.name, one.options, one.fit, kept_as=signature)


def _published(sets: Sequence[NamedSet]) -> dict[str, PublishedGenerator]:
    found = {
        one.name: published_generator(one.name, is_filtered=one.is_filtered, is_judged=one.is_judged) for one in sets
    }
    return {name: generator for name, generator in found.items() if generator is not None}


def _about(one: NamedSet, result: Result, published: PublishedGenerator | None) -> str:
    """How much was learned from, and through which filters."""
    beside = "" if published is None else f" ({number(published.pairs)})"
    return f"{number(result['pairs'])}{beside} pairs, {number(result['examples'])} examples; {one.filters}"


def _left_out(one: NamedSet, result: Result) -> str:
    told = ", ".join(f"{reason} {number(count)}" for reason, count in result["left out"].items())
    return f"{one.name}: {one.file.name}; examples left out: {told or 'none'}."


def _headline(trials: WritingTrials, found: Mapping[str, Result]) -> str:
    """The set whose generator changes most and keeps the meaning."""
    best, told = trials.best(found)
    return f"{trials.system}: of {number(len(found))} training sets {best} {told}."
