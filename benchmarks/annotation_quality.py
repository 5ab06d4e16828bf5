"""How much of what bad annotators spoil does quality control win back? Simulated campaigns, several seeds.

    python benchmarks/annotation_quality.py                              # five seeds, the store called in process
    python benchmarks/annotation_quality.py --seeds 1 --way http         # one seed through the real service
    python benchmarks/annotation_quality.py --pairs 200 --annotators 20 --seeds 1 2

1,000 pairs, a quarter of them paraphrases, 6 judgments each, one question in 5 a hidden test question. 40 annotators:
28 are right in 85 of 100 cases, 6 answer by chance, 6 are right in 20 of 100. Three campaigns on the same pairs: the 28
alone; all 40 without control; all 40 with control. Control stops whoever has answered 8 test questions and got no more
than 70 % of them right, or has a kappa of no more than .2 against the majority of the others on 30 pairs; what they did
is set aside and goes to others. The rule of Dou et al. (2022), 85 %, cannot be asked of people who are right in 85 of
100 cases: see --min-test-accuracy.

F1 is that of the labels for the paraphrases, by majority (a tie counts as none), Dawid-Skene and MACE. Recovered is
(F1 with control - F1 without) / (F1 of the good alone - F1 without). The bar: at least .8 by majority, on average and
for every seed. Prints a table and writes benchmarks/results/annotation_quality.json; fails where the bar is missed.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, fields
from pathlib import Path
from statistics import mean
from typing import Any

from paraloom.workflows.annotate.quality import CONDITIONS, QualityOptions, recovered, run_campaign

HERE = Path(__file__).resolve().parent
BAR = 0.8
METHOD = "majority"


def main() -> None:
    """One seed after the other."""
    asked = asked_for()
    settings = {name: value for name in SETTINGS if (value := getattr(asked, name)) is not None}
    rows = [one_seed(QualityOptions(**settings, seed=seed), asked.way) for seed in asked.seeds]
    shares = [row["recovered"][METHOD] for row in rows]
    average = mean(1.0 if share is None else share for share in shares)  # nothing was lost, so nothing is missing
    print(f"recovered by {METHOD}: {average:.3f} on average of {len(rows)} seeds, bar {BAR}")
    options = asdict(QualityOptions(**settings))
    told = {"way": asked.way, "options": options, "mean_recovered": average, "bar": BAR, "seeds": rows}
    asked.out.parent.mkdir(exist_ok=True)
    asked.out.write_text(json.dumps(told, indent=2) + "\n")
    if average < BAR or any(share is not None and share < BAR for share in shares):
        raise SystemExit(f"Quality control recovers less than {BAR}.")


def one_seed(options: QualityOptions, way: str) -> dict[str, Any]:
    """The three campaigns of one seed, printed as they end."""
    outcomes, seconds = {}, {}
    for condition in CONDITIONS:
        started = time.perf_counter()
        outcomes[condition] = one = run_campaign(condition, options, way)
        seconds[condition] = time.perf_counter() - started
        f1 = ", ".join(f"{method} {value:.4f}" for method, value in one.f1.items())
        stopped = ", ".join(f"{kind} {count}" for kind, count in one.stopped.items())
        print(
            f"seed {options.seed} {condition:>10}: F1 {f1}; {one.answers:,} answers; stopped: {stopped}; "
            f"{one.complete:.0%} complete; {seconds[condition]:.0f} s",
            flush=True,
        )
    shares = recovered(outcomes)
    shown = ", ".join(f"{method} {'–' if one is None else f'{one:.3f}'}" for method, one in shares.items())
    print(f"seed {options.seed}  recovered: {shown}", flush=True)
    campaigns = {condition: asdict(one) for condition, one in outcomes.items()}
    return {"seed": options.seed, "recovered": shares, "campaigns": campaigns, "seconds": seconds}


SETTINGS = {field.name: type(field.default) for field in fields(QualityOptions) if field.name != "seed"}


def asked_for() -> argparse.Namespace:
    """What was given on the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    asked.add_argument("--way", choices=("direct", "http"), default="direct", help="in process, or by the service")
    asked.add_argument("--out", type=Path, default=HERE / "results" / "annotation_quality.json")
    for name, kind in SETTINGS.items():
        asked.add_argument(f"--{name.replace('_', '-')}", type=kind, default=None)
    return asked.parse_args()


if __name__ == "__main__":
    main()
