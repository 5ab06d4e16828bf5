"""How the shipped network was made: one small encoder, eight questions, learned from an ensemble four times its size.

    python -m recipes.identifier prepare --data DATA --work WORK            (two minutes)
    python -m recipes.identifier adapt --base MPNET --work WORK              (a minute on a large GPU)
    python -m recipes.identifier teach --base WORK/adapted --work WORK --seed 1   (100 s there; seeds 1 to 5)
    python -m recipes.identifier agree --work WORK                           (a minute)
    python -m recipes.identifier learn --work WORK                           (6 minutes there)
    python -m recipes.identifier polish --work WORK                          (a minute there)
    python -m recipes.identifier pack --work WORK                            (seconds)
    python -m recipes.identifier measure --work WORK                         (minutes on two cores)
    python -m recipes.identifier cascade --work WORK                         (minutes on two cores)

`prepare` needs scikit-learn and the model `gte-small` (`paraloom models fetch`), the next five torch, the last
three nothing that Paraloom does not. What was tried and what helped: docs/decisions/006.
"""

from __future__ import annotations

import argparse
from pathlib import Path

WEIGHTS = Path(__file__).resolve().parents[2] / "src" / "paraloom" / "models" / "weights"
STEPS = ("prepare", "adapt", "teach", "agree", "learn", "polish", "pack", "measure", "cascade")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--work", type=Path, required=True, help="folder for everything between the steps")
    parser.add_argument("--data", type=Path, help="folder of the published corpora (prepare)")
    parser.add_argument("--base", type=Path, help="folder of all-mpnet-base-v2 (adapt), or what came of it (teach)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where packed models go (pack, measure, cascade)")
    parser.add_argument("--few", type=int, default=0, help="so many rows of each kind, to try the recipe out")
    given = parser.parse_args()
    if given.step in ("prepare", "pack", "measure", "cascade"):
        on_a_laptop(given)
    else:
        on_a_gpu(given)


def on_a_laptop(given: argparse.Namespace) -> None:
    """The steps that need no torch."""
    if given.step == "prepare":
        from paraloom.models.shelf import model_folder

        from .rows import prepare

        prepare(given.data, model_folder("gte-small"), given.work)
    elif given.step == "cascade":
        from .cascading import cascade

        cascade(given.work, given.out / "cascade")
    else:
        from .packing import measure, pack

        (pack if given.step == "pack" else measure)(given.work, given.out / "pairs")


def on_a_gpu(given: argparse.Namespace) -> None:
    """The steps that train."""
    import numpy as np

    from . import learning, teaching

    work: Path = given.work
    common = {"device": given.device, "few": given.few}
    if given.step == "adapt":
        from .adapting import adapt

        adapt(given.base, work, work / "adapted", **common)
    elif given.step == "teach":
        teaching.teach(given.base, work, seed=given.seed, **common)
    elif given.step == "agree":
        teaching.agree(work)
    else:
        told = np.load(work / "told.npy").astype(np.float32)
        (learning.learn if given.step == "learn" else learning.polish)(work, told=told, **common)


main()
