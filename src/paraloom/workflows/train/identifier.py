"""Labelled pairs and a system's name in, a trained identifier in a folder out, with its card and its curve.

A training that was stopped goes on when it is called again in the same way; a folder made another way is refused.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.corpus.known.groups import group_pairs
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.identification.figures import SystemFigures, measure_systems
from paraloom.metrics.identification.graded_figures import GradedFigures, graded_figures
from paraloom.metrics.significance import group_numbers
from paraloom.models.identifiers import Examples, Identifier, score_examples
from paraloom.models.identifiers.bases_here import check_base
from paraloom.models.identifiers.graded_heads import GradedExamples, GradedHeads
from paraloom.models.identifiers.mutual_implication import Entailments
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.checkpoints import read_json, write_whole
from paraloom.models.training.curve import TRAINING, curve_as_json
from paraloom.models.training.identity import hash_of_examples
from paraloom.models.training.plan import PlanOptions, TrainingPlan
from paraloom.models.training.surroundings import training_in
from paraloom.models.training.task import CurvePoint
from paraloom.reports.model_card import HeldOutFigures, ModelCard, read_model_card
from paraloom.reports.training_charts import training_curve
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.evaluate.report_folder import check_report_folder
from paraloom.workflows.train.claimed_folder import UNFINISHED, claimed
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.system_settings import untrained_system
from paraloom.workflows.train.training_sets import TrainingSets, read_entailment_sets, read_sets

README = "README.md"
CURVE = "training.svg"

Tell = Callable[[str], None]


def train_identifier(
    files: Sequence[str | Path],
    out: str | Path,
    options: TrainIdentifierOptions = TrainIdentifierOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    tell: Tell | None = None,
) -> ModelCard:
    """Train a system on the pairs of files or corpora and write it, with its card, into a folder."""
    out = Path(out)
    check_report_folder(out)
    if not options.seeds or len(set(options.seeds)) < len(options.seeds):
        raise InputError(f"--seeds {options.seeds}: give at least one, each once.")
    fresh = untrained_system(options, plan)
    check_base(getattr(fresh, "base", ""), hub=options.hub)
    with_grades = isinstance(fresh, GradedHeads)
    if with_grades and options.definition not in ("", "graded"):
        raise InputError(f"{options.system} learns grades. Leave out --definition {options.definition}.")
    columns = named_columns(options.columns)
    sets = read_sets(
        [Path(file) for file in files], _with_definition(options, with_grades), columns, with_grades=with_grades
    )
    told, told_held_out, notes = read_entailment_sets(options, columns)
    made_by = _made_by(options, fresh, sets, [*told, *told_held_out])
    sets = replace(
        sets,
        examples=(*sets.examples, *told),
        held_out=(*sets.held_out, *told_held_out),
        notes=(*sets.notes, *notes),
    )
    with claimed(out, made_by):
        return _finished(out) or _train(fresh, sets, options, made_by, out, tell)


def _train(
    fresh: Identifier,
    sets: TrainingSets,
    options: TrainIdentifierOptions,
    made_by: Mapping[str, Any],
    out: Path,
    tell: Tell | None,
) -> ModelCard:
    begun = time.perf_counter()
    best, by_seed = _best_of_seeds(fresh, sets.examples, sets.held_out, options, out / UNFINISHED, tell)
    card = _card(best, by_seed, sets, options, made_by, time.perf_counter() - begun)
    best.identifier.save(out)
    if best.curve:
        write_whole(out / CURVE, training_curve("training", best.curve).encode())
    write_whole(out / README, card.as_markdown(_about(best.identifier), out.name).encode())
    # Last: only a folder with this file is finished.
    write_whole(out / TRAINING, (json.dumps(card.as_json(), indent=1, ensure_ascii=False) + "\n").encode())
    shutil.rmtree(out / UNFINISHED, ignore_errors=True)
    return card


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trained:
    """An identifier of one seed, and how it does on the held-out pairs."""

    seed: int
    identifier: Identifier
    figures: Mapping[str, SystemFigures]
    graded: GradedFigures | None
    curve: tuple[CurvePoint, ...]
    pairs_per_second: float

    @property
    def f1(self) -> float:
        """The mean over definitions of F1 at .5."""
        return float(np.mean([one.figures["f1"].value for one in self.figures.values()]))


def _best_of_seeds(
    fresh: Identifier,
    examples: Sequence[Examples],
    held_out: Sequence[Examples],
    options: TrainIdentifierOptions,
    folder: Path,
    tell: Tell | None,
) -> tuple[_Trained, dict[str, dict[str, float]]]:
    best: _Trained | None = None
    by_seed = {}
    for seed in options.seeds:
        with training_in(folder / f"seed-{seed}", tell) as around:
            identifier = fresh.fit(examples, held_out, seed)
        found = _measured(identifier, held_out, seed, around.curves[-1] if around.curves else (), options)
        by_seed[str(seed)] = {name: one.figures["f1"].value for name, one in found.figures.items()}
        if tell and len(options.seeds) > 1:
            tell(f"seed {seed}: held-out F1 {found.f1:.4f}")
        if best is None or found.f1 > best.f1:
            best = found
    assert best is not None
    return best, by_seed


def _measured(
    identifier: Identifier,
    held_out: Sequence[Examples],
    seed: int,
    curve: tuple[CurvePoint, ...],
    options: TrainIdentifierOptions,
) -> _Trained:
    figures = {}
    pairs, seconds = 0, 0.0
    graded = None
    for one in held_out:
        if isinstance(one, Entailments):
            continue
        begun = time.perf_counter()
        scores = score_examples(identifier, one)
        seconds += time.perf_counter() - begun
        pairs += len(one)
        systems = {identifier.name: (identifier.signature, scores)}
        truth = np.asarray(one.targets) > 0.5
        groups = group_numbers(group_pairs(one.left, one.right))
        figures[one.definition] = measure_systems(systems, truth, groups=groups, resamples=options.resamples)[0][0]
        if isinstance(identifier, GradedHeads) and isinstance(one, GradedExamples):
            graded = graded_figures(_known_bases(one.grades), identifier.grades(one.left, one.right))
    return _Trained(
        seed=seed,
        identifier=identifier,
        figures=figures,
        graded=graded,
        curve=curve,
        pairs_per_second=pairs / max(seconds, 1e-9),
    )


def _known_bases(grades: Sequence[str]) -> list[str]:
    """1 is learned as 2, so it is measured as 2."""
    return ["2" if grade == "1" else grade for grade in grades]


def _with_definition(options: TrainIdentifierOptions, with_grades: bool) -> TrainIdentifierOptions:
    return replace(options, definition="graded") if with_grades else options


def _made_by(
    options: TrainIdentifierOptions, fresh: Identifier, sets: TrainingSets, more: Sequence[Examples]
) -> dict[str, Any]:
    """All that decides what comes out, but for the machine."""
    return {
        "system": options.system,
        "base": options.base,
        "settings": list(options.settings),
        "plan": _told_plan(fresh),
        "seeds": list(options.seeds),
        "training pairs": hash_of_examples(sets.examples),
        "held-out pairs": hash_of_examples(sets.held_out),
        "entailments": hash_of_examples(more),
        "resamples": options.resamples,
    }


def _told_plan(identifier: Identifier) -> dict[str, Any] | None:
    """How it is trained, but for the machine; once it is, with the learning rates that were tried."""
    plan: TrainingPlan | None = getattr(identifier, "plan", None)
    return None if plan is None else plan.as_json()


def _finished(out: Path) -> ModelCard | None:
    told = read_json(out / TRAINING) if (out / TRAINING).is_file() else {}
    return read_model_card(told) if "made_by" in told else None


def _card(
    best: _Trained,
    by_seed: Mapping[str, Mapping[str, float]],
    sets: TrainingSets,
    options: TrainIdentifierOptions,
    made_by: Mapping[str, Any],
    seconds: float,
) -> ModelCard:
    kept = max(best.curve, key=lambda point: point.f1, default=None)
    base = f" on {options.base}" if options.base else ""
    return ModelCard(
        title=f"{SYSTEMS[options.system].title}{base}",
        system=options.system,
        signature=best.identifier.signature,
        parameters=best.identifier.parameters,
        definitions=tuple(best.figures),
        sources=sets.sources,
        notes=sets.notes,
        plan=_told_plan(best.identifier) if best.curve else None,
        learning_rate=None if kept is None else kept.learning_rate,
        seeds=by_seed,
        kept_seed=str(best.seed),
        figures=tuple(HeldOutFigures.of(name, measured) for name, measured in best.figures.items()),
        graded=best.graded,
        seconds=round(seconds, 1),
        pairs_per_second=round(best.pairs_per_second, 1),
        paraloom=paraloom_version(),
        more={"curve": curve_as_json(best.curve), "made_by": dict(made_by)},
    )


def _about(identifier: Identifier) -> str:
    """The first line of its class's documentation: what kind of system it is."""
    first = (type(identifier).__doc__ or "").strip().splitlines()[0]
    return f"Says how likely two texts are paraphrases. {first}"
