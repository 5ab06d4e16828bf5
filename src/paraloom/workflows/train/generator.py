"""Pairs in, a trained generator in a folder out, with its card and its curve.

A training that was stopped goes on when it is called again in the same way; a folder made another way is refused.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.generators import Generator
from paraloom.models.generators.loading import load_generator
from paraloom.models.identifiers import Identifier, load
from paraloom.models.shelf import CARD as SHELF_CARD
from paraloom.models.training.checkpoints import read_json, write_whole
from paraloom.models.training.curve import TRAINING
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import PlanOptions, TrainingPlan
from paraloom.models.training.writing_training import TrainedWriter, train_writer
from paraloom.pairs.fit_options import FitOptions
from paraloom.reports.generator_card import TrainedGeneratorCard, WrittenExample, read_generator_card
from paraloom.reports.training_charts import Look, perplexity_curve
from paraloom.workflows.evaluate.report_folder import check_report_folder
from paraloom.workflows.train.claimed_folder import UNFINISHED, claimed
from paraloom.workflows.train.generator_bases import PLANS, Writer, open_base, plan_for
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from paraloom.workflows.train.generator_sets import GeneratorSets, read_generator_sets, write_filtered

README = "README.md"
CURVE = "training.svg"
STRICT = "strict"
SHOWN = 5
"""Held-out sources for which the card shows what is written."""

Tell = Callable[[str], None]


def train_generator(
    files: Sequence[str | Path],
    out: str | Path,
    options: TrainGeneratorOptions = TrainGeneratorOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    fit: FitOptions = FitOptions(),
    tell: Tell | None = None,
) -> TrainedGeneratorCard:
    """Train a generator on the pairs of files or corpora and write it, with its card, into a folder."""
    out, tell = Path(out), tell or _silent
    check_report_folder(out)
    torch_library()
    writer = open_base(options)
    identifier = load_judge(options)
    judge = None if identifier is None else partial(identifier.score, definition=STRICT)
    sets = read_generator_sets([Path(file) for file in files], options, fit, judge=judge)
    whole = plan_for(writer, plan.on(PLANS[options.method]))
    made_by = _made_by(options, fit, whole, sets, writer, identifier)
    with claimed(out, made_by):
        if options.filtered is not None:
            write_filtered(sets, options.filtered)
        return _finished(out) or _train(sets, writer, identifier, options, whole, made_by, out, tell)


def _silent(line: str) -> None:
    """Nobody listens."""


def load_judge(options: TrainGeneratorOptions) -> Identifier | None:
    """Who is asked for strict paraphrases, or None; one that does not know them is refused."""
    if not options.judge:
        return None
    identifier = load(options.judge)
    if STRICT not in identifier.definitions:
        raise InputError(
            f"--judge {options.judge} judges by {', '.join(identifier.definitions)}, not by the strict definition. "
            "Choose an identifier that does (paraloom models list)."
        )
    return identifier


def _train(
    sets: GeneratorSets,
    writer: Writer,
    identifier: Identifier | None,
    options: TrainGeneratorOptions,
    plan: TrainingPlan,
    made_by: Mapping[str, Any],
    out: Path,
    tell: Tell,
) -> TrainedGeneratorCard:
    begun = time.perf_counter()
    for reason, count in sets.counts.items():
        tell(f"left out as {reason}: {count:,} of {len(sets.rows):,} examples")
    tell(f"learning from {len(sets.pairs):,} examples")
    trained = train_writer(
        writer.make_task,
        sets.pairs,
        sets.held_out,
        plan,
        weights=sets.weights,
        seed=options.seed,
        made_by={**made_by, "paraloom": paraloom_version()},
        folder=out / UNFINISHED / "training",
        tell=tell,
    )
    name = out.resolve().name
    learned_from = ", ".join(str(one["name"]) for one in sets.sources if one["training_pairs"])
    about = f"{options.base}{f' and {options.start}' if options.start else ''} trained on {learned_from}"
    writer.save(trained.task, out, name=name, about=about)
    shelf = {"name": name, "kind": "generator", "about": about, "licence": "not said"}
    write_whole(out / SHELF_CARD, (json.dumps(shelf, indent=1, ensure_ascii=False) + "\n").encode())
    generator = load_generator(out)
    card = _card(generator, trained, sets, identifier, options, plan, made_by, time.perf_counter() - begun)
    looks = [Look(point.learning_rate, point.epoch, point.perplexity) for point in trained.curve]
    write_whole(out / CURVE, perplexity_curve("training", looks).encode())
    write_whole(out / README, card.as_markdown(out.name).encode("utf-8", "replace"))
    # Last: only a folder with this file is finished.
    write_whole(out / TRAINING, (json.dumps(card.as_json(), indent=1) + "\n").encode())
    shutil.rmtree(out / UNFINISHED, ignore_errors=True)
    return card


def _made_by(
    options: TrainGeneratorOptions,
    fit: FitOptions,
    plan: TrainingPlan,
    sets: GeneratorSets,
    writer: Writer,
    identifier: Identifier | None,
) -> dict[str, Any]:
    """All that decides what comes out, but for the machine."""
    return {
        "base": writer.signature,
        "method": options.method,
        "fit": asdict(fit),
        "judge": None if identifier is None else identifier.signature,
        "one way": options.one_way,
        "seed": options.seed,
        "plan": plan.as_json(),
        **sets.hashes,
    }


def _finished(out: Path) -> TrainedGeneratorCard | None:
    told = read_json(out / TRAINING) if (out / TRAINING).is_file() else {}
    return read_generator_card(told) if "made_by" in told else None


def _card(
    generator: Generator,
    trained: TrainedWriter,
    sets: GeneratorSets,
    identifier: Identifier | None,
    options: TrainGeneratorOptions,
    plan: TrainingPlan,
    made_by: Mapping[str, Any],
    seconds: float,
) -> TrainedGeneratorCard:
    notes = list(sets.notes)
    if trained.best.step == 0:
        kept = "the adapter that it started from" if options.start else "the base"
        notes.append(f"No look at held-out pairs was better than the one before training: {kept} is left as it was.")
    low_rank = f"rank {options.rank}, {f'the last {options.layers}' if options.layers else 'all'} layers"
    return TrainedGeneratorCard(
        name=generator.name,
        base=options.base,
        start=options.start,
        method="full" if options.method == "full" else low_rank,
        signature=generator.signature,
        judge="" if identifier is None else identifier.signature,
        sources=sets.sources,
        notes=tuple(notes),
        given_examples=len(sets.rows),
        left_out=sets.counts,
        examples=len(sets.pairs),
        plan={**plan.as_json(), "seed": options.seed},
        learning_rate=trained.best.learning_rate,
        epoch=trained.best.epoch,
        held_out_examples=len(sets.held_out),
        before=trained.curve[0].perplexity,
        after=trained.best.perplexity,
        written=_written(generator, sets),
        seconds=round(seconds, 1),
        paraloom=paraloom_version(),
        more={
            "pairs": sets.pair_count,
            "curve": [asdict(point) for point in trained.curve],
            "made_by": dict(made_by),
        },
    )


def _written(generator: Generator, sets: GeneratorSets) -> tuple[WrittenExample, ...]:
    """What is written for a few held-out sources: those in the middle of each fifth of the pairs."""
    by_source = dict(reversed(sets.held_out))  # of several references the first
    pairs = list(reversed(by_source.items()))
    count = min(SHOWN, len(pairs))
    shown = [pairs[(2 * place + 1) * len(pairs) // (2 * count)] for place in range(count)]
    found = generator.generate([source for source, _ in shown], 1, np.random.default_rng(1))
    return tuple(
        WrittenExample(source=source, output=candidates[0].text if candidates else "", reference=reference)
        for (source, reference), candidates in zip(shown, found, strict=True)
    )
