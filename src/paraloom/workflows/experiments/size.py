"""A corpus in, how well a system does after learning from more and more of it out.

Figure 4 of Dou et al. (2022): the training set is cut by group, since pairs of one group say much the same. Which
groups come first is drawn anew with each seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from paraloom.corpus.known import KnownPairs
from paraloom.errors import InputError
from paraloom.models.training.plan import PlanOptions
from paraloom.reports.experiments import Curve, Experiment, ResultRow, ResultTable
from paraloom.reports.pages import number
from paraloom.workflows.experiments.learners import check_learners
from paraloom.workflows.experiments.options import ExperimentOptions, SizeExperimentOptions
from paraloom.workflows.experiments.parts import Parts, read_parts
from paraloom.workflows.experiments.trials import Result, Tell, Trials, floor_told, held_out_and_measured, measure

METRICS = ("f1", "accuracy", "max-f1")

PUBLISHED = {"multipit-expert": {"f1": 0.8320, "accuracy": 0.8456}}
"""From all training pairs: DeBERTa-v3-large (Dou et al., 2022, table 3). Figure 4 has no numbers for fewer."""

PUBLISHED_NOTE = (
    "The figures in brackets are those of DeBERTa-v3-large on all training pairs (Dou et al., 2022, table 3); their "
    "figure 4 shows it for fewer, without numbers."
)


def run_size(
    data: Path,
    options: ExperimentOptions = ExperimentOptions(),
    settings: SizeExperimentOptions = SizeExperimentOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train on every number of groups with every system and seed; with a folder, what is done is not done again."""
    check_learners(options, plan)
    [part] = read_parts((settings.corpus,), data, options)
    train = part.train.labelled()
    groups = len(set(train.groups))
    counts = [*sorted({count for count in settings.groups if count < groups}), groups]
    learned = {(count, seed): first_groups(train, count, seed) for count in counts for seed in options.seeds}
    _check_kinds(learned, part)
    trials = Trials.of("size", options, settings, plan, [part], held_out_and_measured(part), out, tell)
    found = {
        system: {
            count: [_trained(trials, part, system, seed, count, learned[count, seed]) for seed in options.seeds]
            for count in counts
        }
        for system in trials.systems
    }
    # The paper learned from all pairs: there is nothing of it beside a part of them.
    published = {} if options.limit else PUBLISHED.get(part.name, {})
    return Experiment(
        name="size",
        title="More and more training data",
        headline=_headline(found, part),
        about=f"{part.title}, {number(len(train))} training pairs in {_of_all(groups, part)} groups.",
        tables=tuple(_table(trials, part, system, results, published) for system, results in found.items()),
        curves=tuple(_curve(part, found, metric) for metric in ("f1", "accuracy")),
        notes=(f"{part.told} {floor_told(part.test)}", *([PUBLISHED_NOTE] if published else [])),
        signatures=trials.signatures(),
    )


def _of_all(groups: int, part: Parts) -> str:
    """A number of groups to learn from, and of how many, where a limit left some out."""
    return number(groups) if groups == part.groups else f"{number(groups)} of {number(part.groups)}"


def first_groups(pairs: KnownPairs, count: int, seed: int) -> KnownPairs:
    """The pairs of so many groups, as they are drawn with a seed; more groups hold all pairs of fewer ones."""
    names = sorted(set(pairs.groups))
    drawn = {names[place] for place in np.random.default_rng(seed).permutation(len(names))[:count]}
    return pairs.chosen([row for row, group in enumerate(pairs.groups) if group in drawn])


def _check_kinds(learned: Mapping[tuple[int, int], KnownPairs], part: Parts) -> None:
    """An error before anything is trained, where pairs to learn from are all of one kind."""
    for (count, seed), pairs in learned.items():
        if len({*pairs.targets.tolist()}) < 2:
            raise InputError(
                f"The first {count} groups of {part.title} with seed {seed} hold pairs of one kind only. "
                "Give larger numbers with --groups."
            )


def _trained(trials: Trials, part: Parts, system: str, seed: int, count: int, learned: KnownPairs) -> Result:
    name = f"{system}/{count} groups/seed {seed}"

    def train() -> Result:
        held_out = [part.dev.examples(part.definition)]
        trained = trials.fit(name, system, seed, [learned.examples(part.definition)], held_out)
        return {
            "dev": measure(trained, part.dev, part.definition),
            "test": measure(trained, part.test, part.definition),
            "learned": len(learned),
        }

    return trials.done(name, train)


def _table(
    trials: Trials,
    part: Parts,
    system: str,
    results: Mapping[int, Sequence[Result]],
    published: Mapping[str, float],
) -> ResultTable:
    """`published` stands beside what was learned from all groups."""
    rows = []
    most = max(results)
    for count, found in results.items():
        beside = published if count == most else {}
        cells = tuple(trials.cell(found, f"test/{metric}", beside.get(metric)) for metric in METRICS)
        pairs = round(sum(one["learned"] for one in found) / len(found))
        label = f"{number(count)} groups"
        rows.append(ResultRow(label=label, about=f"{number(pairs)} pairs", cells=cells, is_marked=count == most))
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
    about = (
        f"On {part.title} ({part.measured}), one point a number of groups; a line through a point is the range of the "
        "seeds."
    )
    return Curve(title=f"{metric} by groups", about=about, x_title="groups learned from", y_title=metric, lines=lines)


def _headline(found: Mapping[str, Mapping[int, Sequence[Result]]], part: Parts) -> str:
    """From the fewest groups to all, by the first system."""
    system, results = next(iter(found.items()))
    means = {count: sum(float(one["test"]["f1"]) for one in some) / len(some) for count, some in results.items()}
    fewest, most = min(means), max(means)
    whole = f"all {number(most)}" if most == part.groups else _of_all(most, part)
    return (
        f"{system}: F1 on {part.title} ({part.measured}) goes from {means[fewest]:.3f} with {number(fewest)} groups to "
        f"{means[most]:.3f} with {whole}."
    )
