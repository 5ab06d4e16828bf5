"""Pairs in, a trained embedder in a folder out, with its card and its curve.

A training that was stopped goes on when it is called again in the same way; a folder made another way is refused.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.embedders import Embedder, load_embedder
from paraloom.models.training.checkpoints import read_json, write_whole
from paraloom.models.training.curve import TRAINING
from paraloom.models.training.embedding_training import EmbeddingPoint, TrainedEmbedding, train_embedding
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import PlanOptions, TrainingPlan
from paraloom.reports.embedder_card import EmbedderCard, read_embedder_card
from paraloom.reports.training_charts import Look, curve_of_looks
from paraloom.workflows.evaluate.report_folder import check_report_folder
from paraloom.workflows.train.claimed_folder import UNFINISHED, claimed
from paraloom.workflows.train.embedder_bases import (
    BASES,
    PLANS,
    Trainee,
    TransformerTrainee,
    open_source,
    open_trainee,
)
from paraloom.workflows.train.embedder_lessons import Lessons, Teacher, make_lessons, open_teacher
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions
from paraloom.workflows.train.embedder_sets import EmbedderSets, read_embedder_sets

README = "README.md"
CURVE = "training.svg"

Tell = Callable[[str], None]


def train_embedder(
    files: Sequence[str | Path],
    out: str | Path,
    options: TrainEmbedderOptions = TrainEmbedderOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    tell: Tell | None = None,
) -> EmbedderCard:
    """Train an embedder on the pairs of files or corpora and write it, with its card, into a folder."""
    out = Path(out)
    check_report_folder(out)
    _check(options)
    torch_library()
    whole = plan.on(PLANS[options.system])
    sets = read_embedder_sets([Path(file) for file in files], options)
    source, teacher = open_source(options, whole.max_tokens), open_teacher(options)
    made_by = _made_by(options, whole, sets, source, teacher)
    with claimed(out, made_by):
        return _finished(out) or _train(sets, source, teacher, options, whole, made_by, out, tell or _silent)


def _silent(line: str) -> None:
    """Nobody listens."""


def _check(options: TrainEmbedderOptions) -> None:
    if not options.objective or len(set(options.objective)) < len(options.objective):
        raise InputError(f"--objective {' '.join(options.objective)}: give at least one, each once.")
    if options.temperature <= 0:
        raise InputError(f"--temperature {options.temperature} divides cosines: it must be above 0. 0.05 is usual.")
    if options.hard_negatives < 0:
        raise InputError(f"--hard-negatives {options.hard_negatives} is a count. Give 0 to mine none.")


def _train(
    sets: EmbedderSets,
    source: Embedder,
    teacher: Teacher | None,
    options: TrainEmbedderOptions,
    plan: TrainingPlan,
    made_by: Mapping[str, Any],
    out: Path,
    tell: Tell,
) -> EmbedderCard:
    begun = time.perf_counter()
    trainee = open_trainee(source, sets.texts, options, out / UNFINISHED / "base", plan.max_tokens)
    lessons = make_lessons(sets, trainee.embedder, teacher, trainee.sizes, options, out / UNFINISHED / "asked", tell)
    for note in lessons.notes:
        tell(note)
    trained = train_embedding(
        trainee.make_task,
        lessons.lessons,
        sets.texts,
        sets.held_out,
        plan,
        seed=options.seed,
        chosen_by=options.chosen_by,
        made_by={**made_by, "paraloom": paraloom_version()},
        folder=out / UNFINISHED / "training",
        tell=tell,
    )
    about = _about(options, sets)
    trainee.save(trained.task, out, about)
    if options.pack and isinstance(trainee, TransformerTrainee):
        trainee.pack(trained.task, out, about)
    card = _card(trainee, trained, sets, lessons, options, plan, made_by, out, time.perf_counter() - begun)
    looks = [Look(point.learning_rate, point.epoch, point.figures[options.chosen_by]) for point in trained.curve]
    write_whole(out / CURVE, curve_of_looks("training", looks, options.chosen_by).encode())
    write_whole(out / README, card.as_markdown(out.name).encode())
    # Last: only a folder with this file is finished.
    write_whole(out / TRAINING, (json.dumps(card.as_json(), indent=1, ensure_ascii=False) + "\n").encode())
    shutil.rmtree(out / UNFINISHED, ignore_errors=True)
    return card


def _made_by(
    options: TrainEmbedderOptions, plan: TrainingPlan, sets: EmbedderSets, source: Embedder, teacher: Teacher | None
) -> dict[str, Any]:
    """All that decides what comes out, but for the machine."""
    return {
        "system": options.system,
        "base": source.signature,
        "objective": list(options.objective),
        "teacher": None if teacher is None else teacher.signature,
        "hard negatives": options.hard_negatives,
        "dims": options.dims,
        "sizes": list(options.sizes),
        "temperature": options.temperature,
        "pieces": options.pieces,
        "chosen by": options.chosen_by,
        "pack": options.pack,
        "seed": options.seed,
        "plan": plan.as_json(),
        **sets.hashes,
    }


def _about(options: TrainEmbedderOptions, sets: EmbedderSets) -> dict[str, Any]:
    """What the embedder's own card says of where it comes from."""
    return {
        "base": options.base or BASES[options.system],
        "objective": list(options.objective),
        "teacher": options.teacher,
        "trained_on": [
            {"name": one["name"], "pairs": one["training_pairs"], "hash": one["training_hash"]}
            for one in sets.sources
            if one["training_pairs"]
        ],
        "chosen_on": [
            {"name": one["name"], "pairs": one["held_out_pairs"], "hash": one["held_out_hash"]}
            for one in sets.sources
            if one["held_out_pairs"]
        ],
        "paraloom": paraloom_version(),
    }


def _finished(out: Path) -> EmbedderCard | None:
    told = read_json(out / TRAINING) if (out / TRAINING).is_file() else {}
    return read_embedder_card(told) if "made_by" in told else None


def _card(
    trainee: Trainee,
    trained: TrainedEmbedding,
    sets: EmbedderSets,
    lessons: Lessons,
    options: TrainEmbedderOptions,
    plan: TrainingPlan,
    made_by: Mapping[str, Any],
    out: Path,
    seconds: float,
) -> EmbedderCard:
    """Figures are those of what was saved, as anybody loads it."""
    embedder = load_embedder(out)
    by_size = {
        str(size): sets.held_out.figures(load_embedder(out, dims=size).embed(list(sets.held_out.texts)))
        for size in sorted(trainee.sizes)
    }
    begun = time.perf_counter()
    embedder.embed(list(sets.held_out.texts))
    took = time.perf_counter() - begun
    notes = [*sets.notes, *lessons.notes]
    if trained.best.step == 0:
        notes.append("No look at held-out pairs was better than the one before training: the base is left as it was.")
    return EmbedderCard(
        name=out.resolve().name,
        system=options.system,
        base=options.base or BASES[options.system],
        signature=embedder.signature,
        dims=embedder.dims,
        objective=options.objective,
        teacher=options.teacher,
        sources=sets.sources,
        notes=tuple(notes),
        plan={**plan.as_json(), "seed": options.seed, "temperature": options.temperature},
        chosen_by=options.chosen_by,
        learning_rate=trained.best.learning_rate,
        epoch=trained.best.epoch,
        held_out_texts=len(sets.held_out.texts),
        held_out_pairs=len(sets.held_out.truth),
        held_out_paraphrases=int(sets.held_out.truth.sum()),
        before=dict(trained.curve[0].figures),
        after=by_size[str(embedder.dims)],
        by_size=by_size,
        seconds=round(seconds, 1),
        texts_per_second=round(len(sets.held_out.texts) / max(took, 1e-9), 1),
        packed=options.pack,
        paraloom=paraloom_version(),
        more={"curve": [_point(one) for one in trained.curve], "made_by": dict(made_by)},
    )


def _point(point: EmbeddingPoint) -> dict[str, Any]:
    return {**asdict(point), "figures": dict(point.figures)}
