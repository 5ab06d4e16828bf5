"""How the shipped generator was made: thin matrices over SmolLM2-135M, learned from pairs and then from preferences.

    python -m recipes.generator prepare --data DATA --work WORK --base QWEN   (half an hour on two cores)
    python -m recipes.generator learn --work WORK                             (an hour on two cores, without a GPU)
    python -m recipes.generator teach --work WORK                             (five minutes on a large GPU)
    python -m recipes.generator judge --work WORK --base MPNET                (four minutes there)
    python -m recipes.generator choose --work WORK                            (two minutes on two cores)
    python -m recipes.generator prefer --work WORK                            (two minutes on a GPU)
    python -m recipes.generator ship --work WORK                              (seconds)

First it learns from pairs that keep every fact of their source. Then from preferences: a larger model,
Qwen2.5-Coder-0.5B-Instruct (Hui et al., 2024), trained whole on such pairs, writes sixteen candidates for each of
42,000 sentences, a cross-encoder over all-mpnet-base-v2 says how faithful each is, and what is faithful is preferred to
what is likely and false (direct preference optimisation; Rafailov et al., 2023).

DATA holds the corpora under the names they are published with; QWEN and MPNET are folders that transformers reads.
`prepare` also needs all-MiniLM-L6-v2, for its word pieces, `learn` and `prefer` the base (`paraloom models fetch
all-MiniLM-L6-v2 smollm2-135m`). What was tried and what helped: docs/decisions/010.
"""

from __future__ import annotations

import argparse
from pathlib import Path

WEIGHTS = Path(__file__).resolve().parents[2] / "src" / "paraloom" / "models" / "weights" / "generators" / "paraloom"
STEPS = ("prepare", "learn", "teach", "judge", "choose", "prefer", "ship")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--work", type=Path, required=True, help="folder for everything between the steps")
    parser.add_argument("--data", type=Path, help="folder of the published corpora (prepare)")
    parser.add_argument("--base", type=Path, help="folder of the model that a step begins with (prepare, judge)")
    parser.add_argument("--device", default="cuda", help="where teacher and judge run")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the adapter goes (ship)")
    parser.add_argument("--few", type=int, default=0, help="so many examples of each kind, to try the recipe out")
    given = parser.parse_args()
    STEP[given.step](given)


def _prepare(given: argparse.Namespace) -> None:
    from paraloom.models.shelf import model_folder

    from .examples import prepare
    from .judging import prepare_judge
    from .teacher_base import prepare_teacher

    prepare(given.data, given.work, few=given.few)
    prepare_teacher(given.base, given.work)
    prepare_judge(given.data, model_folder("all-MiniLM-L6-v2"), given.work)


def _teach(given: argparse.Namespace) -> None:
    from .teaching import teach

    teach(given.work, device=given.device, few=given.few)


def _judge(given: argparse.Namespace) -> None:
    from .judging import judge

    judge(given.base, given.work, device=given.device, few=given.few)


def _choose(given: argparse.Namespace) -> None:
    from .choosing import choose

    choose(given.work)


def _learn(given: argparse.Namespace) -> None:
    from .learning import learn

    learn(given.work)


def _prefer(given: argparse.Namespace) -> None:
    from .preferring import prefer

    prefer(given.work, few=given.few)


def _ship(given: argparse.Namespace) -> None:
    from .shipping import ship

    ship(given.work, given.out)


STEP = dict(zip(STEPS, (_prepare, _learn, _teach, _judge, _choose, _prefer, _ship), strict=True))

if __name__ == "__main__":
    main()
