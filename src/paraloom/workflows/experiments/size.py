"""A corpus in, how well a system does after learning from more and more of it out.

Figure 4 of Dou et al. (2022): the training set is cut by group, since pairs of one group say much the same. Which
groups come first is drawn anew with each seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from paraloom.corpus.known import KnownPairs
from paraloom.errors import InputError
from paraloom.models.training.plan import TrainingPlan
from paraloom.reports.experiments import Curve, Experiment, ResultRow, ResultTable
from paraloom.reports.pages import number
from paraloom.workflows.experiments.options import ExperimentOptions, SizeExperimentOptions
from paraloom.workflows.experiments.parts import Parts, drawn_groups, read_parts
from paraloom.workflows.experiments.trials import Result, Tell, Trials, floor_told, measure, signature

METRICS = ("f1", "accuracy", "max-f1")

PUBLISHED = {"multipit-expert": {"f1": 0.8320, "accuracy": 0.8456}}
"""From all training pairs: DeBERTa-v3-large (Dou et al., 2022, table 3). Figure 4 has no numbers for fewer."""


def run_size(
    data: Path,
    options: ExperimentOptions = ExperimentOptions(),
    settings: SizeExperimentOptions = SizeExperimentOptions(),
    plan: TrainingPlan = TrainingPlan(),
    *,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train on every number of groups with every system and seed; with a folder, what is done is not done again."""
    if any(count < 1 for count in settings.groups):
        raise InputError(f"--groups are {settings.groups}, but must be 1 or more.")
    part = read_parts(settings.corpus, data, options)
    groups = len(set(part.train.groups))
    counts = [*sorted({count for count in settings.groups if count < groups}), groups]
    trials = Trials.of("size", options, settings, plan, [part], out, tell)
    found = {
        system: {count: [_trained(trials, part, system, seed, count) for seed in options.seeds] for count in counts}
        for system in trials.systems
    }
    return Experiment(
        name="size",
        title="More and more training data",
        headline=_headline(found, part),
        about=f"{part.title}, {number(len(part.train))} training pairs in {number(groups)} groups.",
        tables=tuple(_table(trials, part, system, results, groups) for system, results in found.items()),
        curves=tuple(_curve(part, found, metric) for metric in ("f1", "accuracy")),
        notes=(
            f"{part.told} {floor_told(part.test)}",
            "The figures in brackets are those of DeBERTa-v3-large on all training pairs (Dou et al., 2022, table 3); "
            "their figure 4 shows it for fewer, without numbers.",
        ),
        signature=signature(trials.made_by),
    )


def first_groups(pairs: KnownPairs, count: int, seed: int) -> KnownPairs:
    """The pairs of so many groups, as they are drawn with a seed; more groups hold all pairs of fewer ones."""
    return pairs.chosen(sorted(row for group in drawn_groups(pairs, seed)[:count] for row in group))


def _trained(trials: Trials, part: Parts, system: str, seed: int, count: int) -> Result:
    name = f"{system}/{count} groups/seed {seed}"
    learned = first_groups(part.train, count, seed)

    def train() -> Result:
        held_out = [part.dev.examples(part.definition)]
        trained = trials.fit(name, system, seed, [learned.examples(part.definition)], held_out)
        return {
            "dev": measure(trained, part.dev, part.definition),
            "test": measure(trained, part.test, part.definition),
            "learned": len(learned),
        }

    if len({*learned.targets.tolist()}) < 2:
        raise InputError(
            f"The first {count} groups of {part.title} with seed {seed} hold pairs of one kind only. "
            "Give larger numbers with --groups."
        )
    return trials.done(name, train)


def _table(
    trials: Trials, part: Parts, system: str, results: Mapping[int, Sequence[Result]], groups: int
) -> ResultTable:
    rows = []
    for count, found in results.items():
        beside = PUBLISHED.get(part.name, {}) if count == groups else {}
        cells = tuple(trials.cell(found, f"test/{metric}", beside.get(metric)) for metric in METRICS)
        pairs = round(sum(one["learned"] for one in found) / len(found))
        label = f"{number(count)} groups"
        rows.append(ResultRow(label=label, about=f"{number(pairs)} pairs", cells=cells, is_marked=count == groups))
    return ResultTable(
        system=system,
        title=f"on {part.title}",
        about=part.told,
        first="groups",
        second="",
        columns=METRICS,
        rows=tuple(rows),
    )


def _curve(part: Parts, found: Mapping[str, Mapping[int, Sequence[Result]]], metric: str) -> Curve:
    lines = {
        system: [(float(count), tuple(float(one["test"][metric]) for one in results)) for count, results in its.items()]
        for system, its in found.items()
    }
    about = f"On {part.title}, one point a number of groups; a line through a point is the range of the seeds."
    return Curve(title=f"{metric} by groups", about=about, x_title="groups learned from", y_title=metric, lines=lines)


def _headline(found: Mapping[str, Mapping[int, Sequence[Result]]], part: Parts) -> str:
    """From the fewest groups to all, by the first system."""
    system, results = next(iter(found.items()))
    means = {count: sum(float(one["test"]["f1"]) for one in some) / len(some) for count, some in results.items()}
    fewest, most = min(means), max(means)
    return (
        f"{system}: F1 on {part.title} goes from {means[fewest]:.3f} with {number(fewest)} groups to "
        f"{means[most]:.3f} with all {number(most)}."
    )
