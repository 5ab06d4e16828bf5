"""Adversarial attempts in, what learning from them as well does to an identifier out.

Table 6 of Nighojkar and Licato (2021): a system learns from a corpus, from it and the attempts (labelled by the judge,
or as their file says), and from it and pairs by people, with and without the attempts; all are measured on AP_H by
Matthews' correlation. No text that is measured on is learned from or chosen by, and none that a corpus holds out to
choose by is learned from; attempts that are held out may have sources that a corpus has, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paraloom.corpus.known import KnownPairs, joined, split_by_group, without_texts_of
from paraloom.corpus.known.division import at_most
from paraloom.corpus.known.groups import group_pairs
from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import mean_of_runs, measure_decisions
from paraloom.metrics.meaning.adversarial import ImplicationModel
from paraloom.metrics.significance import compare, group_numbers
from paraloom.models.training.plan import PlanOptions
from paraloom.reports.experiments import Cell, Experiment, ResultRow, ResultTable
from paraloom.reports.pages import number, percent
from paraloom.workflows.experiments.adversarial_options import MEASURED, AdversarialExperimentOptions
from paraloom.workflows.experiments.learners import check_learners
from paraloom.workflows.experiments.options import ExperimentOptions
from paraloom.workflows.experiments.parts import SPLIT_SEED, Parts, read_parts
from paraloom.workflows.experiments.trials import GAINS_NOTE, Result, Tell, Trials, floor_told, measure
from paraloom.workflows.generate.adversarial_attempts import Attempts, read_attempts

DEFINITION = "implication"
METRICS = ("mcc", "f1", "accuracy")

PUBLISHED = {
    ("twitter-url",): {"mcc": 0.218, "f1": 0.743},
    ("twitter-url", "ap-h"): {"mcc": 0.440, "f1": 0.809},
    ("twitter-url", "ap-t5"): {"mcc": 0.437, "f1": 0.716},
    ("twitter-url", "ap-h", "ap-t5"): {"mcc": 0.525, "f1": 0.816},
}
"""Learned from → figures of RoBERTa-base on AP_H's test set (Nighojkar and Licato, 2021, tables 5 and 6)."""
PUBLISHED_NOTE = (
    "Figures in brackets are those of RoBERTa-base on AP_H's official test set (Nighojkar and Licato, 2021, tables 5 "
    "and 6). With their own attempts on MSRP sentences beside TwitterPPDB they report an MCC of .369, and of .516 with "
    "AP_H as well."
)

LoadJudge = Callable[[], ImplicationModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What one training learns from."""

    label: str
    parts: tuple[Parts, ...]
    over: str = ""
    """The way without the attempts that it is compared with."""


def run_adversarial(
    data: Path,
    attempts: Sequence[str],
    options: ExperimentOptions = ExperimentOptions(),
    settings: AdversarialExperimentOptions = AdversarialExperimentOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    judge: LoadJudge | None = None,
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train every way with every system and seed; with a folder, what is done is not done again.

    `attempts` are folders of games or files of attempts, as NAME=PATH or PATH.
    """
    check_learners(options, plan)
    if not attempts:
        raise InputError("There are no attempts to learn from. Give the folder of a game.")
    names = tuple(dict.fromkeys((*settings.corpora, *settings.added, MEASURED)))
    read = read_parts(names, data, options, only_learned=[name for name in names if name != MEASURED])
    corpora = {part.name: part for part in read}
    by_people = corpora[MEASURED]
    held_out = [by_people.test, *(part.dev for part in read)]
    sets = [_parted(read_attempts(one, judge or _judge), held_out, options) for one in attempts]
    if len({one.name for one in sets} | set(names)) < len(sets) + len(names):
        raise InputError("Two sets of attempts have one name, or that of a corpus. Give each another: NAME=PATH.")
    ways = _ways(corpora, sets, settings)
    called = {"test": f"on {by_people.title} ({by_people.measured})"}
    trials = Trials.of("adversarial", options, settings, plan, [*read, *sets], called, out, tell)
    trials = replace(trials, figure="MCC")
    found = {
        system: {way.label: [_trained(trials, way, by_people, system, seed) for seed in options.seeds] for way in ways}
        for system in trials.systems
    }
    return Experiment(
        name="adversarial",
        title="Learning from adversarial attempts",
        headline=_headline(found, ways, by_people),
        about="Learned from " + ", ".join(part.title for part in (*read, *sets)) + ".",
        tables=tuple(_table(trials, ways, by_people, system, results) for system, results in found.items()),
        curves=(),
        notes=(*(part.told for part in (*read, *sets)), floor_told(by_people.test), GAINS_NOTE, PUBLISHED_NOTE),
        signatures=trials.signatures(draws="groups"),
    )


def _judge() -> ImplicationModel:
    from paraloom.models.implication import load

    return load()


def _parted(attempts: Attempts, held_out: Sequence[KnownPairs], options: ExperimentOptions) -> Parts:
    """Each different attempt once, without those that share a text with what is measured on or chosen by."""
    label_of = dict(
        zip(zip(attempts.sources, attempts.attempts, strict=True), attempts.is_mutual.tolist(), strict=True)
    )
    left, right = [source for source, _ in label_of], [text for _, text in label_of]
    pairs = KnownPairs(
        left=left,
        right=right,
        targets=np.array(list(label_of.values()), np.float64),
        groups=group_pairs(left, right),
    )
    apart = at_most(without_texts_of(pairs, *held_out), options.limit, SPLIT_SEED)
    if len(set(apart.targets.tolist())) < 2:
        raise InputError(f"The attempts {attempts.name} are all of one kind. Play more sources.")
    share = options.held_out_share
    parts = split_by_group(apart, {"train": 1 - share, "dev": share}, SPLIT_SEED)
    mutual = float(apart.targets.mean())
    told = (
        f"{attempts.name}: {number(len(pairs))} different attempts, {number(len(pairs) - len(apart))} of them left out "
        f"as they share a text with what is held out, or by a limit; of the others {percent(mutual)} are mutually "
        f"implicative, and {share:.0%} choose."
    )
    return Parts(
        name=attempts.name,
        title=attempts.name,
        definition=DEFINITION,
        train=parts["train"],
        dev=parts["dev"],
        test=pairs.chosen([]),
        measured="",
        told=told,
        groups=len(set(parts["train"].groups)),
    )


def _ways(
    corpora: Mapping[str, Parts], sets: Sequence[Parts], settings: AdversarialExperimentOptions
) -> tuple[Way, ...]:
    """The corpora alone and with each set of attempts; then the same with each corpus beside them."""
    found = []
    for more in ((), *((corpora[name],) for name in settings.added)):
        without = tuple(corpora[name] for name in settings.corpora) + more
        label = " + ".join(part.title for part in without)
        found.append(Way(label=label, parts=without))
        found += [Way(label=f"{label} + {one.title}", parts=(*without, one), over=label) for one in sets]
    return tuple(found)


def _trained(trials: Trials, way: Way, by_people: Parts, system: str, seed: int) -> Result:
    name = f"{system}/{way.label}/seed {seed}"
    learned = joined([part.train.labelled() for part in way.parts]).examples(DEFINITION)
    held_out = joined([part.dev for part in way.parts]).examples(DEFINITION)

    def train() -> Result:
        trained = trials.fit(name, system, seed, [learned], [held_out])
        return {"test": measure(trained, by_people.test, DEFINITION), "learned": len(learned)}

    return trials.done(name, train)


def _table(
    trials: Trials, ways: Sequence[Way], by_people: Parts, system: str, results: Mapping[str, Sequence[Result]]
) -> ResultTable:
    rows = []
    for way in ways:
        found = results[way.label]
        beside = PUBLISHED.get(tuple(part.name for part in way.parts), {})
        cells: list[Cell | None] = [trials.cell(found, f"test/{metric}", beside.get(metric)) for metric in METRICS]
        if way.over:
            ours, others = ([run["test"] for run in runs] for runs in (found, results[way.over]))
            cells.append(gain_in_mcc(ours, others, by_people.test))
        else:
            cells.append(None)
        about = f"{number(found[0]['learned'])} pairs"
        rows.append(ResultRow(label=way.label, about=about, cells=tuple(cells), is_marked=bool(way.over)))
    return ResultTable(
        system=system,
        title=f"on {by_people.title} ({by_people.measured})",
        about="A row is what was learned from. The gain is in MCC, over the same without the attempts.",
        first="learned from",
        second="",
        columns=(*METRICS, "gain"),
        rows=tuple(rows),
    )


def gain_in_mcc(ours: Sequence[Result], others: Sequence[Result], pairs: KnownPairs) -> Cell:
    """How much higher MCC is than another way's, both as means over the seeds, on the same draws of groups of pairs.

    >>> pairs = KnownPairs(left="abcd", right="efgh", targets=np.array([1.0, 1.0, 0.0, 0.0]), groups="1234")
    >>> round(gain_in_mcc([{"decided": "1100"}], [{"decided": "1010"}], pairs).gain.difference, 6)
    1.0
    """
    truth = pairs.targets > 0.5
    means = [
        mean_of_runs([measure_decisions(np.array([*map(float, run["decided"])]), truth)["mcc"] for run in runs])
        for runs in (ours, others)
    ]
    compared = compare(*means, groups=group_numbers(pairs.groups))
    return Cell(values=(compared.difference,), gain=compared)


def _headline(found: Mapping[str, Mapping[str, Sequence[Result]]], ways: Sequence[Way], by_people: Parts) -> str:
    """What the first set of attempts does, by the first system."""
    system, results = next(iter(found.items()))
    way = next(one for one in ways if one.over)
    before, after = (
        sum(float(run["test"]["mcc"]) for run in results[label]) / len(results[label])
        for label in (way.over, way.label)
    )
    return (
        f"{system}: MCC on {by_people.title} ({by_people.measured}) is {before:.3f} from {way.over}, and {after:.3f} "
        f"with {way.parts[-1].title} as well."
    )
