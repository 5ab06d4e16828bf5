"""Examples in, figures out: the trainings of an experiment, each done once and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known import KnownPairs
from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.identification.decisions import (
    THRESHOLD,
    best_f1,
    f1_of_calling_all,
    mean_of_runs,
    measure_decisions,
)
from paraloom.metrics.measured import Measured
from paraloom.metrics.significance import compare, group_numbers
from paraloom.models.identifiers import Examples, Identifier, score_examples
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.plan import PlanOptions
from paraloom.models.training.surroundings import training_in
from paraloom.reports.experiments import Cell
from paraloom.workflows.experiments.learners import chosen_systems, fresh, has_base
from paraloom.workflows.experiments.options import ExperimentOptions
from paraloom.workflows.experiments.parts import Parts
from paraloom.workflows.experiments.saved_rows import SavedRows

Tell = Callable[[str], None]
Result = dict[str, Any]

GAINS_NOTE = (
    "Over the same draws of the test pairs, in whole groups (paired bootstrap), with the middle 95% of them: what a "
    "range that holds 0 shows may well be chance."
)

EXTENDED = ("systems", "seeds", "lambdas", "groups", "part")
"""Settings that only say which trainings are asked for: a folder of results can be added to with others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """Everything that all trainings of one experiment share."""

    options: ExperimentOptions
    plan: PlanOptions
    made_by: dict[str, Any]
    called: Mapping[str, str]
    """By what is measured on in a result: what it is called where its figure is told."""
    rows: SavedRows
    folder: Path | None
    tell: Tell
    figure: str = "F1"
    """What is told of a result when it is done; in results its name is in lower case."""

    @classmethod
    def of(
        cls,
        experiment: str,
        options: ExperimentOptions,
        settings: Any,
        plan: PlanOptions,
        parts: Sequence[Parts],
        called: Mapping[str, str],
        folder: Path | None,
        tell: Tell | None,
    ) -> Trials:
        """The trainings of an experiment, with those that are in the folder already."""
        made = made_by(experiment, options, settings, plan, parts)
        decisive = {name: value for name, value in made.items() if name not in EXTENDED}
        return cls(
            options=options,
            plan=plan,
            made_by=made,
            called=called,
            rows=SavedRows(folder, decisive),
            folder=folder,
            tell=tell or (lambda line: None),
        )

    @property
    def systems(self) -> tuple[str, ...]:
        return chosen_systems(self.options)

    def done(self, name: str, train: Callable[[], Result]) -> Result:
        """The result of that name: from the file, or made now and kept."""
        if self.rows.get(name) is None:
            self.tell(f"{name} …")
            self.rows.add(name, train())
            self.tell(f"{name}: {self._told(self.rows.get(name))}")
        return cast("Result", self.rows.get(name))

    def _told(self, result: Any) -> str:
        figure = self.figure.lower()
        return ", ".join(f"{self.figure} {result[name][figure]:.3f} {words}" for name, words in self.called.items())

    def signatures(self, **more: str) -> dict[str, str]:
        """Of each system; `more` says how figures were made of the results."""
        return {system: signature(self.made_by, system, **more) for system in self.systems}

    def fit(
        self, name: str, system: str, seed: int, learned: Sequence[Examples], held_out: Sequence[Examples]
    ) -> Identifier:
        """Train a system; a network that is stopped while it trains goes on from there where there is a folder."""
        place = None if self.folder is None else self.folder / "unfinished" / name.replace("/", "-").replace(" ", "_")
        with training_in(place, self.tell):
            trained = fresh(system, self.options, self.plan).fit(learned, held_out, seed)
        if place is not None:
            rmtree(place, ignore_errors=True)
            if place.parent.is_dir() and not any(place.parent.iterdir()):
                place.parent.rmdir()
        return trained

    def cell(self, results: Sequence[Result], path: str, published: float | None = None) -> Cell:
        """One figure of several results; `path` leads to it, as in `test/f1`."""
        return Cell(values=tuple(_at(result, path) for result in results), published=published)


def _at(result: Result, path: str) -> float:
    value: Any = result
    for step in path.split("/"):
        value = value[step]
    return float(value)


def held_out_and_measured(part: Parts) -> dict[str, str]:
    """What the two sets are called that one corpus's trainings are measured on."""
    return {"dev": "held out", "test": f"measured ({part.measured})"}


def measure(identifier: Identifier, pairs: KnownPairs, definition: str) -> Result:
    """Precision, recall, F1, accuracy and MCC at a score above .5, and the best F1 at any, on labelled pairs.

    What was decided on each pair is kept too, so that two ways of learning can be compared pair by pair.
    """
    scores = score_examples(identifier, pairs.examples(definition))
    decided = "".join("1" if score > THRESHOLD else "0" for score in scores.tolist())
    return {**figures(scores, pairs.targets > 0.5), "decided": decided}


def gain(ours: Sequence[Result], others: Sequence[Result], pairs: KnownPairs) -> Cell:
    """How much higher F1 is than another way's, both as means over the seeds, on the same draws of groups of pairs.

    >>> def decided(marks): return {"decided": marks}
    >>> pairs = KnownPairs(left="abcd", right="efgh", targets=np.array([1.0, 1.0, 0.0, 0.0]), groups="1234")
    >>> gain([decided("1100")], [decided("1010")], pairs).gain.difference
    0.5
    """
    truth = pairs.targets > 0.5
    compared = compare(_mean_f1(ours, truth), _mean_f1(others, truth), groups=group_numbers(pairs.groups))
    return Cell(values=(compared.difference,), gain=compared)


def _mean_f1(results: Sequence[Result], truth: NDArray[np.bool_]) -> Measured:
    decided = [np.array([float(mark) for mark in result["decided"]]) for result in results]
    return mean_of_runs([measure_decisions(scores, truth)["f1"] for scores in decided])


def floor_told(pairs: KnownPairs) -> str:
    """What F1 on these pairs must be read against."""
    share = float((pairs.targets > 0.5).mean())
    return (
        f"Of {len(pairs)} pairs {share:.1%} are paraphrases: calling every pair one gives an F1 of "
        f"{f1_of_calling_all(share):.3f}."
    )


def figures(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> dict[str, float]:
    """The same, of scores.

    >>> figures(np.array([0.9, 0.1, 0.8]), np.array([True, False, False]))["precision"]
    0.5
    """
    measured = {name: one.value for name, one in measure_decisions(scores, truth).items()}
    return {**measured, "max-f1": best_f1(scores, truth).f1}


def made_by(
    experiment: str, options: ExperimentOptions, settings: Any, plan: PlanOptions, parts: Sequence[Parts]
) -> dict[str, Any]:
    """All that decides the results of an experiment."""
    return {
        "experiment": experiment,
        **{name: value for name, value in asdict(options).items() if name != "hub"},
        **asdict(settings),
        "systems": chosen_systems(options),
        "plan": {name: value for name, value in plan.given.items() if name != "device"},
        "pairs": {part.name: part.fingerprint for part in parts},
        "paraloom": paraloom_version(),
    }


def signature(made: Mapping[str, Any], system: str, **more: str) -> str:
    """The same of one system as one line, in the manner of sacrebleu: without a plan or a base where it has none."""
    told = {"experiment": made["experiment"], "system": system}
    told |= {name: value for name, value in made.items() if value and name not in ("systems", "plan", "pairs")}
    if not has_base(system):
        told.pop("base", None)
    if SYSTEMS[system].own_plan() is not None:
        told["plan"] = [f"{name}={_written(value, ',')}" for name, value in made["plan"].items()] or "own"
    told["pairs"] = [f"{name}-{mark[:6]}" for name, mark in made["pairs"].items()]
    return "|".join(f"{name}:{_written(value)}" for name, value in (told | more).items())


def _written(value: Any, between: str = "+") -> str:
    return between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)
