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

from .examples import DEV, EXAMPLES

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
        "MultiPIT_Auto, train (Dou et al., 2022)",
        "Twitter-URL, pairs labelled by machine (Lan et al., 2017)",
        "Quora question pairs, train",
        "ParaSCI-ACL, train (Dong et al., 2021)",
    ],
}
"""What the card says of it."""


def learn(work: Path) -> None:
    """Every example was chosen already, one way: nothing is left out here but what is too long."""
    train_generator(
        [work / EXAMPLES],
        work / TRAINED,
        TrainGeneratorOptions(rank=RANK, one_way=True, held_out=work / DEV, keep_tokenised=True),
        PlanOptions(epochs=1, batch_size=32, learning_rates=(2e-3,), evaluate_every=250, warm_up=0.03, max_tokens=112),
        fit=FitOptions(max_bleu=100.0, facts="any", near_copies=True),
        tell=lambda line: print(line, flush=True),
    )


def ship(work: Path, out: Path) -> None:
    """The adapter, and a card that says how it came about, without texts of any corpus."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(work / TRAINED / ADAPTER, out / ADAPTER)
    told = json.loads((work / TRAINED / TRAINING).read_text(encoding="utf-8"))
    told.pop("written", None)
    (out / TRAINING).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    (out / CARD).write_text(json.dumps(ABOUT, indent=1) + "\n", encoding="utf-8")
