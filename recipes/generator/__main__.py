"""How the shipped generator was made: thin matrices over SmolLM2-135M, learned from pairs that keep every fact.

    python -m recipes.generator prepare --data DATA --work WORK    (five minutes on two cores)
    python -m recipes.generator learn --work WORK                  (an hour on two cores, without a GPU)
    python -m recipes.generator ship --work WORK                   (seconds)

`prepare` needs nothing that Paraloom does not; `learn` needs the extra `train` and the base (`paraloom models fetch
smollm2-135m`). DATA holds the corpora under the names they are published with. A training that was stopped goes on
where it was. What was tried and what helped: docs/decisions/010.
"""

from __future__ import annotations

import argparse
from pathlib import Path

WEIGHTS = Path(__file__).resolve().parents[2] / "src" / "paraloom" / "models" / "weights" / "generators" / "paraloom"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("prepare", "learn", "ship"))
    parser.add_argument("--work", type=Path, required=True, help="folder for everything between the steps")
    parser.add_argument("--data", type=Path, help="folder of the published corpora (prepare)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the adapter goes (ship)")
    parser.add_argument("--few", type=int, default=0, help="so many examples of each corpus, to try the recipe out")
    given = parser.parse_args()
    if given.step == "prepare":
        from .examples import prepare

        prepare(given.data, given.work, few=given.few)
    else:
        from .learning import learn, ship

        learn(given.work) if given.step == "learn" else ship(given.work, given.out)


if __name__ == "__main__":
    main()
