"""Corpora of several definitions in, how a system that learned one does under the others out.

What counts as a paraphrase differs between corpora: about the same information (loose), fit to train generators on
(strict), each side implies the other (implication). A system is trained on each corpus and tested on all; on all of
them as if they meant the same; and on all of them, told which definition each pair was labelled by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from paraloom.corpus.known import joined
from paraloom.models.identifiers import Examples
from paraloom.models.training.plan import PlanOptions
from paraloom.reports.experiments import Cell, Experiment, ResultRow, ResultTable
from paraloom.reports.pages import number
from paraloom.workflows.experiments.learners import check_learners
from paraloom.workflows.experiments.options import DefinitionExperimentOptions, ExperimentOptions
from paraloom.workflows.experiments.parts import Parts, read_parts
from paraloom.workflows.experiments.trials import GAINS_NOTE, Result, Tell, Trials, floor_told, gain, measure

METRICS = {"f1": "F1 at a score above .5", "mcc": "Matthews' correlation at a score above .5", "max-f1": "best F1"}
"""What a table is of."""

BLINDLY, TOLD = "all, as if they meant the same", "all, told the definition"
ONE_NAME = "loose"
"""The name all definitions go by where a system is not told them apart."""

PUBLISHED: dict[tuple[tuple[str, ...], str], dict[str, float]] = {
    (("twitter-url",), "ap-h"): {"f1": 0.743, "mcc": 0.218},
    (("twitter-url",), "msrp"): {"f1": 0.829, "mcc": 0.358},
    (("twitter-url", "ap-h"), "ap-h"): {"f1": 0.809, "mcc": 0.440},
    (("multipit-crowd",), "multipit-expert"): {"f1": 0.7282},
    (("multipit-crowd", "multipit-expert"), "multipit-expert"): {"f1": 0.7336},
    (("multipit-expert",), "multipit-expert"): {"f1": 0.8320},
}
"""Learned from, tested on → figures. AP_H and MSRP: RoBERTa-base (Nighojkar and Licato, 2021, tables 5 and 6).
MultiPIT: DeBERTa-v3-large (Dou et al., 2022, table 3)."""

PUBLISHED_NOTE = (
    "Figures in brackets are published ones, on the official test sets. Nighojkar and Licato (2021, tables 5 and 6): "
    "RoBERTa-base trained on TwitterPPDB, and, beside all corpora taken for the same, on TwitterPPDB and AP_H mixed. "
    "Dou et al. (2022, table 3): DeBERTa-v3-large trained on one part of MultiPIT, or on both mixed."
)


def run_definitions(
    data: Path,
    options: ExperimentOptions = ExperimentOptions(),
    settings: DefinitionExperimentOptions = DefinitionExperimentOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train every way with every system and seed; with a folder, what is done is kept there and not done again."""
    check_learners(options, plan)
    parts = read_parts(tuple(dict.fromkeys(settings.corpora)), data, options)
    called = {part.name: f"on {part.title} ({part.measured})" for part in parts}
    trials = Trials.of("definitions", options, settings, plan, parts, called, out, tell)
    tables = []
    found_by: dict[str, dict[str, list[Result]]] = {}
    for system in trials.systems:
        found: dict[str, list[Result]] = {}
        for seed in options.seeds:
            for way, result in _all_ways(trials, parts, system, seed).items():
                found.setdefault(way, []).append(result)
        found_by[system] = found
        tables += [_table(trials, system, parts, found, metric) for metric in METRICS]
        tables.append(_gains_table(system, parts, found))
    return Experiment(
        name="definitions",
        title="One word, several definitions",
        headline=_headline(found_by, parts),
        about="Learned from " + ", ".join(f"{part.title} ({part.definition})" for part in parts) + ".",
        tables=tuple(tables),
        curves=(),
        notes=(*(f"{part.told} {floor_told(part.test)}" for part in parts), PUBLISHED_NOTE),
        signatures=trials.signatures(draws="groups"),
    )


def _all_ways(trials: Trials, parts: Sequence[Parts], system: str, seed: int) -> dict[str, Result]:
    ways = {
        part.name: _trained(trials, part.name, parts, system, seed, [part], one_name=part.definition) for part in parts
    }
    ways[BLINDLY] = _trained(trials, "blindly", parts, system, seed, parts, one_name=ONE_NAME)
    ways[TOLD] = _trained(trials, "told", parts, system, seed, parts, one_name=None)
    return ways


def _trained(
    trials: Trials,
    way: str,
    parts: Sequence[Parts],
    system: str,
    seed: int,
    learned: Sequence[Parts],
    *,
    one_name: str | None,
) -> Result:
    """Learn from some corpora, under one definition's name or each under its own, and measure on all."""
    name = f"{system}/{way}/seed {seed}"
    examples, held_out = _by_definition(learned, "train", one_name), _by_definition(learned, "dev", one_name)

    def train() -> Result:
        trained = trials.fit(name, system, seed, examples, held_out)
        measured = {part.name: measure(trained, part.test, one_name or part.definition) for part in parts}
        return {**measured, "learned": sum(len(one) for one in examples)}

    return trials.done(name, train)


def _by_definition(parts: Sequence[Parts], split: str, one_name: str | None) -> list[Examples]:
    """One set of examples a definition."""
    together: dict[str, list[Parts]] = {}
    for part in parts:
        together.setdefault(one_name or part.definition, []).append(part)
    return [joined([getattr(one, split) for one in some]).examples(name) for name, some in together.items()]


def _table(
    trials: Trials, system: str, parts: Sequence[Parts], found: Mapping[str, Sequence[Result]], metric: str
) -> ResultTable:
    rows = []
    for way, results in found.items():
        title = next((f"{part.title} ({part.definition})" for part in parts if part.name == way), way)
        cells = [
            trials.cell(results, f"{part.name}/{metric}", _published(way, parts, part.name).get(metric))
            for part in parts
        ]
        about = f"{number(results[0]['learned'])} pairs"
        rows.append(ResultRow(label=title, about=about, cells=tuple(cells), is_marked=way == TOLD))
    return ResultTable(
        system=system,
        title=METRICS[metric],
        about="A row is what was learned from, a column what was tested on.",
        first="learned from",
        second="",
        columns=tuple(f"{part.title} ({part.definition})" for part in parts),
        rows=tuple(rows),
    )


def _published(way: str, parts: Sequence[Parts], tested: str) -> dict[str, float]:
    """The figures of who learned from the same corpus, or, where all are mixed, of who mixed some of them."""
    names = {part.name for part in parts} if way == BLINDLY else {way}
    for (learned, on), figures in PUBLISHED.items():
        if on == tested and names.issuperset(learned) and (len(learned) > 1) == (way == BLINDLY):
            return figures
    return {}


def _gains_table(system: str, parts: Sequence[Parts], found: Mapping[str, Sequence[Result]]) -> ResultTable:
    """What telling the definition gains over not telling it, and over a model of its own."""

    def cells(other: str | None) -> tuple[Cell, ...]:
        return tuple(
            gain(
                [one[part.name] for one in found[TOLD]],
                [one[part.name] for one in found[other or part.name]],
                part.test,
            )
            for part in parts
        )

    return ResultTable(
        system=system,
        title="gains in F1 by telling the definition",
        about=GAINS_NOTE,
        first="over",
        second="",
        columns=tuple(f"{part.title} ({part.definition})" for part in parts),
        rows=(
            ResultRow(label="all, as if they meant the same", about="", cells=cells(BLINDLY)),
            ResultRow(label="a model for each definition", about="", cells=cells(None)),
        ),
    )


def _headline(found: Mapping[str, Mapping[str, Sequence[Result]]], parts: Sequence[Parts]) -> str:
    """Mean F1 over the test sets: blindly, each by its own, and told; by the first system."""
    system, ways = next(iter(found.items()))

    def mean(way: str, part: Parts) -> float:
        return sum(float(one[part.name]["f1"]) for one in ways[way]) / len(ways[way])

    blindly = sum(mean(BLINDLY, part) for part in parts) / len(parts)
    own = sum(mean(part.name, part) for part in parts) / len(parts)
    told = sum(mean(TOLD, part) for part in parts) / len(parts)
    return (
        f"{system}: mean F1 over {len(parts)} definitions is {own:.3f} with a model each, {blindly:.3f} with one that "
        f"takes them for the same, and {told:.3f} with one that is told the definition."
    )
