"""How the shipped network was made: one small encoder, eight questions, learned from an ensemble four times its size.

    python -m recipes.identifier prepare --data DATA --work WORK            (a minute)
    python -m recipes.identifier teach --base MPNET --work WORK --seed 1     (2 minutes on a large GPU; seeds 1, 2, 3)
    python -m recipes.identifier specialise --base MPNET --work WORK         (2 minutes there)
    python -m recipes.identifier learn --work WORK                           (6 minutes there)
    python -m recipes.identifier polish --work WORK                          (2 minutes there)
    python -m recipes.identifier pack --work WORK                            (seconds)
    python -m recipes.identifier measure --work WORK                         (minutes on two cores)
    python -m recipes.identifier cascade --work WORK                         (minutes on two cores)

`prepare` needs scikit-learn and the models `gte-small` (`paraloom models fetch`), the next four torch, `pack` and
`measure` nothing that Paraloom does not. What was tried and what helped: docs/decisions/006.
"""

from __future__ import annotations

import argparse
from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[2] / "src" / "paraloom" / "models" / "weights" / "pairs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "step", choices=("prepare", "teach", "specialise", "learn", "polish", "pack", "measure", "cascade")
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for everything between the steps")
    parser.add_argument("--data", type=Path, help="folder of the published corpora (prepare)")
    parser.add_argument("--base", type=Path, help="folder of all-mpnet-base-v2 (teach, specialise)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="where the packed model goes (pack, measure)")
    parser.add_argument("--few", type=int, default=0, help="so many rows of each kind, to try the recipe out")
    given = parser.parse_args()
    work: Path = given.work
    if given.step == "prepare":
        from paraloom.models.shelf import model_folder

        from .rows import prepare

        prepare(given.data, model_folder("gte-small"), work)
    elif given.step in ("pack", "measure"):
        from .packing import measure, pack

        (pack if given.step == "pack" else measure)(work, given.out)
    elif given.step == "cascade":
        from .cascading import cascade
        from .learning import told

        cascade(work, told(work, with_specialists=False), given.out.parent / "cascade")
    else:
        from . import learning

        common = {"device": given.device, "few": given.few}
        if given.step == "teach":
            learning.teach(given.base, work, work, seed=given.seed, **common)
        elif given.step == "specialise":
            learning.specialise(given.base, work, work, seed=11, **common)
        elif given.step == "learn":
            told = learning.told(work, with_specialists=True)
            learning.learn(work / "base", work, work, name="student", seed=1, told=told, **common)
        else:
            told = learning.told(work, with_specialists=False)
            learning.polish(work / "student-student", work, work, name="polished", seed=1, told=told, **common)


main()
