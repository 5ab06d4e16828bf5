"""A corpus with few negatives and judged candidates in, what bootstrapped pairs change in a classifier out.

Kanerva et al. (2023, section 7): a first classifier learns from the corpus alone; where it is safe, candidates become
negatives and positives; classifiers learn from all of them, and embedders (`bootstrap_embedders`). Tables 4 and 5 with
the four trainings of figure 8. Here
the labels of the candidates that are sought in are known and hidden: so it is seen how many of those taken are right.

A classifier says what is likelier, as in the paper: where it has scores alone, they become probabilities on held-out
pairs. (Their .5 lies where F1 is best, which for a corpus of paraphrases is where every pair is called one.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known import KnownPairs, joined
from paraloom.metrics.identification.graded_figures import graded_figures
from paraloom.metrics.likeness.character_cosine import character_cosines
from paraloom.models.identifiers import Identifier
from paraloom.models.identifiers.calibrated import Calibration, calibrate
from paraloom.models.identifiers.confidences import confidences, of_scores
from paraloom.models.identifiers.grades import Grading
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.region_options import NOWHERE, RegionOptions
from paraloom.pairs.regions import Scored, best_negatives, best_positives, negatives, positives
from paraloom.reports.experiments import Experiment
from paraloom.workflows.bench.graded_labels import NEGATIVE, as_taught
from paraloom.workflows.experiments.bootstrap_embedders import embedder_options, train_embedders
from paraloom.workflows.experiments.bootstrap_sets import (
    POSITIVE,
    Sets,
    examples_of,
    held_back,
    read_sets,
    safe_pairs,
    trainings,
)
from paraloom.workflows.experiments.bootstrap_tables import classifier_tables, headline, selected_table
from paraloom.workflows.experiments.learners import check_learners
from paraloom.workflows.experiments.options import (
    BootstrapEmbedderOptions,
    BootstrapExperimentOptions,
    ExperimentOptions,
)
from paraloom.workflows.experiments.parts import Parts
from paraloom.workflows.experiments.trials import Result, Tell, Trials

GRADED_SYSTEM = "graded-heads"

PUBLISHED_NOTE = (
    "Figures in brackets are those of Kanerva et al. (2023, Tables 4 and 5): FinBERT, 84,000 pairs of the corpus, as "
    "many negatives, other and larger test sets; the precisions are those they estimate for their regions."
)


def run_bootstrap(
    data: Path,
    options: ExperimentOptions = ExperimentOptions(),
    settings: BootstrapExperimentOptions = BootstrapExperimentOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    embedding: BootstrapEmbedderOptions = BootstrapEmbedderOptions(),
    out: Path | None = None,
    tell: Tell | None = None,
) -> Experiment:
    """Train the first classifier, select, and train the others, with every system and seed; embedders in the end."""
    classifies, embeds = "classifier" in settings.part, "embedder" in settings.part
    check_learners(options, replace(plan, device=None) if embeds else plan)  # a device is what embedders make use of
    asked = embedder_options(options, embedding, plan) if embeds else None
    sets = read_sets(data, options, settings)
    called = {"own": f"on {sets.corpus.title}", "found": f"on {sets.found.title}"}
    decisive = replace(settings, mined=())  # what was mined counts by its pairs, wherever they lie
    trials = Trials.of("bootstrap", options, decisive, plan, sets.all_parts, called, out, tell)
    systems = {
        system: {seed: _System(trials, sets, settings, system, seed) for seed in options.seeds}
        for system in trials.systems
    }
    results = {
        system: {seed: one.all_ways() if classifies else {"train": one.first()} for seed, one in by_seed.items()}
        for system, by_seed in systems.items()
    }
    headlines = [headline(results, sets.found.title)] if classifies else []
    tables, notes = [], [sets.corpus.told, sets.found.told, _about_safe(settings, sets), PUBLISHED_NOTE]
    signatures = trials.signatures(draws="groups")
    for system, its in results.items():
        tables += [selected_table(system, its), *(classifier_tables(sets, system, its) if classifies else ())]
    if asked is not None:
        selected = {
            system: {seed: ways["train"]["selected"] for seed, ways in its.items()} for system, its in results.items()
        }
        embedders = train_embedders(trials, sets, asked, embedding, selected, most_safe=settings.most_safe)
        headlines.append(embedders.headline)
        tables += embedders.tables
        notes += embedders.notes
        signatures |= embedders.signatures
    return Experiment(
        name="bootstrap",
        title="Bootstrapped negatives and positives",
        headline=" ".join(headlines),
        about=f"Learned from {sets.corpus.title}; candidates of {sets.found.title}.",
        tables=tuple(tables),
        curves=(),
        notes=tuple(notes),
        signatures=signatures,
    )


def _about_safe(settings: BootstrapExperimentOptions, sets: Sets) -> str:
    if not settings.most_safe:
        return "All safe pairs are learned from."
    most = len(sets.corpus.train) if settings.most_safe == "equal" else settings.most_safe
    of_corpus = ", as many as the corpus has pairs," if settings.most_safe == "equal" else ""
    return f"At most {most:,} safe negatives{of_corpus} and as many safe positives are learned from, drawn by lot."


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A trained classifier that says what is likelier."""

    identifier: Identifier
    definition: str
    calibration: Calibration | None
    """None where it gives grades, with probabilities of its own."""

    @classmethod
    def of(cls, identifier: Identifier, held_out: KnownPairs, definition: str, *, graded: bool) -> Judge:
        """The classifier, with what its scores mean by held-out pairs."""
        if graded:
            return cls(identifier=identifier, definition=definition, calibration=None)
        scores = identifier.score(held_out.left, held_out.right, definition)
        return cls(identifier=identifier, definition=definition, calibration=calibrate(scores, held_out.targets))

    def scored(self, pairs: KnownPairs) -> Scored:
        """Candidates with lexical similarity and how sure it is of each."""
        lexical = character_cosines(pairs.left, pairs.right)
        if self.calibration is None:
            return Scored(lexical, *confidences(self.identifier, pairs.left, pairs.right, self.definition))
        return Scored(lexical, *of_scores(self._chances(self.calibration, pairs)))

    def labels(self, pairs: KnownPairs) -> list[str]:
        """What it holds each pair for."""
        if self.calibration is None:
            assert isinstance(self.identifier, Grading)
            return [as_taught(grade) for grade in self.identifier.grades(pairs.left, pairs.right)]
        chances = self._chances(self.calibration, pairs)
        return [POSITIVE if chance > 0.5 else NEGATIVE for chance in chances.tolist()]

    def truth(self, pairs: KnownPairs) -> list[str]:
        """What each pair truly is, in the same labels."""
        if self.calibration is None:
            return [as_taught(grade) for grade in pairs.grades or ()]
        return [POSITIVE if target > 0.5 else NEGATIVE for target in pairs.targets.tolist()]

    def _chances(self, calibration: Calibration, pairs: KnownPairs) -> NDArray[np.float64]:
        return calibration.probabilities(self.identifier.score(pairs.left, pairs.right, self.definition))


def _measured(judge: Judge, part: Parts) -> Result:
    """Figures of each label, over all, and which pairs were labelled right."""
    truth, said = judge.truth(part.test), judge.labels(part.test)
    figures = graded_figures(truth, said)
    return {
        "labels": {one.label: [one.precision, one.recall, one.f1, one.support] for one in figures.labels},
        "weighted": [figures.precision, figures.recall, figures.f1],
        "accuracy": figures.accuracy,
        "f1": figures.f1,
        "right": "".join("1" if one == other else "0" for one, other in zip(truth, said, strict=True)),
    }


@dataclass(frozen=True, slots=True)
class _System:
    """One system with one seed."""

    trials: Trials
    sets: Sets
    settings: BootstrapExperimentOptions
    system: str
    seed: int

    @property
    def _graded(self) -> bool:
        return self.system == GRADED_SYSTEM

    def first(self) -> Result:
        """Of the corpus alone: what it took, too."""
        return self._trained("train", self.sets.corpus.train, None)

    def all_ways(self) -> dict[str, Result]:
        """By way of learning; those that have nothing to learn from are left out."""
        safe = safe_pairs(self.sets, self.first()["selected"], self.settings.most_safe)
        return {way: self._trained(way, own, more) for way, own, more in trainings(self.sets.corpus.train, safe)}

    def _trained(self, way: str, own: KnownPairs | None, silver: KnownPairs | None) -> Result:
        name = f"{self.system}/{way}/seed {self.seed}"
        return self.trials.done(name, lambda: self._train(name, own, silver))

    def _train(self, name: str, own: KnownPairs | None, silver: KnownPairs | None) -> Result:
        learned, kept = ([] if own is None else [own]), ([] if own is None else [self.sets.corpus.dev])
        if silver is not None:
            rows, back = held_back(silver, self.trials.options.held_out_share)
            learned.append(silver.chosen(rows))
            # Of few pairs alone, those held back may be of one kind, by which nothing can be chosen.
            is_enough = len(back) and (own is not None or len(np.unique(silver.targets[back])) > 1)
            kept.append(silver.chosen(back) if is_enough else silver)
        definition = self.sets.corpus.definition
        trained = self.trials.fit(
            name,
            self.system,
            self.seed,
            [examples_of(_alike(learned), definition, graded=self._graded)],
            [examples_of(_alike(kept), definition, graded=self._graded)],
        )
        judge = Judge.of(trained, _alike(kept), definition, graded=self._graded)
        result: dict[str, Any] = {
            "own": _measured(judge, self.sets.corpus),
            "found": _measured(judge, self.sets.found),
            "learned": sum(len(one) for one in learned),
        }
        if silver is None:
            result["selected"] = self._select(judge)
        return result

    def _select(self, judge: Judge) -> Result:
        """Which candidates are held for safe, within which bounds, and how many of them truly are."""
        judged, pool = self.sets.judged, self.sets.pool
        bounds = self._bounds(judge.scored(judged), judged)
        scored = judge.scored(pool)
        taken = {
            "negatives": negatives(scored, bounds["negatives"]),
            "positives": positives(scored, bounds["positives"]),
        }
        taken["positives"] &= ~taken["negatives"]
        is_known = ~np.isnan(pool.targets)
        is_right = {"negatives": pool.targets < 0.5, "positives": pool.targets > 0.5}
        return {
            **{kind: np.flatnonzero(inside).tolist() for kind, inside in taken.items()},
            "precision": {
                kind: float(is_right[kind][inside & is_known].mean())
                for kind, inside in taken.items()
                if (inside & is_known).any()
            },
            "bounds": {kind: asdict(one) for kind, one in bounds.items()},
            "sought": len(pool),
        }

    def _bounds(self, scored: Scored, judged: KnownPairs) -> dict[str, RegionOptions]:
        if self.settings.bounds == "paper":
            return {"negatives": RegionOptions(), "positives": RegionOptions()}
        truth, weights, wanted = judged.targets > 0.5, np.ones(len(judged)), self.settings.wanted_precision
        return {
            "negatives": best_negatives(scored, truth, weights, wanted) or NOWHERE,
            "positives": best_positives(scored, truth, weights, wanted) or NOWHERE,
        }


def _alike(parts: Sequence[KnownPairs]) -> KnownPairs:
    """Several sets as one."""
    return parts[0] if len(parts) == 1 else joined(parts)
