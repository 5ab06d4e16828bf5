"""Examples in, a trained adapter out, and what of it is shipped."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from paraloom.models.generators.shipped import ADAPTER
from paraloom.models.shelf import CARD
from paraloom.models.training.curve import TRAINING
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.train.generator import train_generator
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

from .choosing import CHOSEN
from .examples import DEV

TRAINED = "trained"
RANK = 4
"""All weights of the package together stay below 45 MB, which leaves a million and a half numbers."""

ABOUT = {
    "name": "paraloom",
    "kind": "generator",
    "about": "writes English paraphrases: an adapter over smollm2-135m; the usual choice (recipes/generator)",
    "base": "smollm2-135m",
    "recipe": "recipes/generator",
    "licence": "Apache-2.0",
    "learned from": [
        "paraphrases that a teacher wrote (Qwen2.5-Coder-0.5B-Instruct, Apache-2.0, trained on MultiPIT_Auto, "
        "Twitter-URL's pairs labelled by machine, Quora question pairs and ParaSCI-ACL) and a judge let pass "
        "(all-mpnet-base-v2, Apache-2.0, trained without MultiPIT_Expert), of sentences of these corpora, of news "
        "articles, of politicians' posts and of MNLI's dev set",
    ],
}
"""What the card says of it."""


def learn(work: Path, *, few: int = 0) -> None:
    """Every example was chosen already, one way: nothing is left out here but what is too long."""
    train_generator(
        [work / CHOSEN],
        work / TRAINED,
        TrainGeneratorOptions(
            rank=RANK, one_way=True, held_out=work / DEV, keep_tokenised=True, max_pairs=few, base=_base(work)
        ),
        PlanOptions(epochs=2, batch_size=128, learning_rates=(2e-3,), evaluate_every=500, warm_up=0.03, max_tokens=112),
        fit=FitOptions(max_bleu=100.0, facts="any", near_copies=True, min_words=1),
        tell=lambda line: print(line, flush=True),
    )


def _base(work: Path) -> str:
    """The base's file, where a machine without a shelf has it in the working folder; else its name."""
    return next(map(str, work.glob("*.gguf")), "smollm2-135m")


def ship(work: Path, out: Path) -> None:
    """The adapter, and a card that says how it came about, without texts of any corpus."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(work / TRAINED / ADAPTER, out / ADAPTER)
    told = json.loads((work / TRAINED / TRAINING).read_text(encoding="utf-8"))
    told.pop("written", None)
    (out / TRAINING).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    (out / CARD).write_text(json.dumps(ABOUT, indent=1) + "\n", encoding="utf-8")
