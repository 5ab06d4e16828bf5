"""Examples in, an adapter that has learned to paraphrase out."""

from __future__ import annotations

from pathlib import Path

from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.train.generator import train_generator
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

from .examples import DEV, EXAMPLES

TRAINED = "trained"
RANK = 4
"""All weights of the package together stay below 45 MB, which leaves a million and a half numbers."""


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
