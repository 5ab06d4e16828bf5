"""The student and preferences in, a student out that would rather say what is true of its source."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from paraloom.models.training.curve import TRAINING
from paraloom.models.training.plan import PlanOptions
from paraloom.models.training.preferred_writing import PLAN, Preferred, train_preferring
from paraloom.workflows.train.generator_bases import open_base
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

from .choosing import PREFERENCES
from .learning import RANK, TRAINED

PREFERRED = "preferred"
MOST, HELD_OUT = 16_000, 400
RATE, BATCH, BETA, ANCHOR = 2e-4, 32, 0.1, 0.2
SEED = 1


def prefer(work: Path, *, few: int = 0) -> None:
    """Write the adapter that prefers better texts, and how it came to them."""
    given = [json.loads(line) for line in (work / PREFERENCES).read_text(encoding="utf-8").splitlines()]
    learned, held_out = _parted([(one["source"], one["better"], one["worse"]) for one in given])
    learned, held_out = learned[: few or MOST], held_out[: few or HELD_OUT]
    writer = open_base(TrainGeneratorOptions(start=str(work / TRAINED), rank=RANK))
    plan = replace(PLAN, epochs=1, batch_size=BATCH, learning_rates=(RATE,))
    out = work / PREFERRED
    out.mkdir(parents=True, exist_ok=True)
    trained = train_preferring(
        writer.make_task,
        learned,
        held_out,
        PlanOptions().on(plan),
        beta=BETA,
        anchor=ANCHOR,
        seed=SEED,
        made_by={"start": writer.signature, "preferences": len(learned)},
        tell=lambda line: print(line, flush=True),
    )
    writer.save(trained.task, out, name="paraloom", about="taught by preferences")
    told = {
        "preferences": len(learned),
        "held_out": len(held_out),
        "beta": BETA,
        "anchor": ANCHOR,
        "plan": plan.as_json(),
        "curve": [asdict(point) for point in trained.curve],
    }
    (out / TRAINING).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _parted(preferences: list[Preferred]) -> tuple[list[Preferred], list[Preferred]]:
    """What is learned from and what is held out, in whole sources, in random order."""
    sources = list(dict.fromkeys(source for source, _, _ in preferences))
    drawn = np.random.default_rng(SEED).permutation(len(sources))
    held = {sources[place] for place in drawn[: min(HELD_OUT // 2, len(sources) // 5)]}
    order = np.random.default_rng(SEED + 1).permutation(len(preferences)).tolist()
    shuffled = [preferences[place] for place in order]
    return [one for one in shuffled if one[0] not in held], [one for one in shuffled if one[0] in held]
