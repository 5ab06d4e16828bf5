"""How do time, memory and disk of mining grow, and was the plan right?

    python benchmarks/mine_scale.py --data corpora --work FOLDER --sizes 1M 3M 10M
    python benchmarks/mine_scale.py --work FOLDER --sizes 2000 6000                 # a trial with the bundled sample
    python benchmarks/mine_scale.py --data corpora --work FOLDER --device cuda      # on a machine with a GPU

Sentences are made up of real ones (see mine_texts.py), with pairs planted among them, and mined by `paraloom mine …
--embedder fast --no-identify` (`--judge-most N` lets the identifier judge the best N) with as many helper processes as
the plan says `--memory` has room for. For every size: the plan made beforehand, wall time, the most memory that all
processes held together (their own and their share of what is shared), the disk at the end and when it was fullest, the
recall of planted pairs, and by how much the plan was wrong (with `--device cuda` there is none: plans are made for
processors). Then a power of the size is fitted to the times, and the time for `--extrapolate` sentences is *estimated*
from it.

FOLDER/mine_scale.json has a row a size, written when it is done; sizes that are there are not run again, and a run that
was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from measure import measure
from mine_texts import read_pairs, real_sentences, write_made_up
from mined import recall_of_pairs

from paraloom.metrics.parts import cores
from paraloom.workflows.mine.index_step import PROBES, read_probes
from paraloom.workflows.mine.plan import plan_mining
from paraloom.workflows.mine.plan_machine import bytes_below
from paraloom.workflows.mine.plan_options import PlanOptions, read_bytes, read_count
from paraloom.workflows.mine.plan_told import shown_bytes, shown_seconds
from paraloom.workflows.mine.plan_ways import Way

LEAST_POWER = 0.9
"""Mining cannot grow less than its sentences do: below this a fit tells of starting up."""
MINING = "from paraloom.cli import main; main()"


def main() -> None:
    """Mine every size, then fit."""
    asked = asked_for()
    asked.work.mkdir(parents=True, exist_ok=True)
    results = asked.work / "mine_scale.json"
    rows: list[dict[str, Any]] = json.loads(results.read_text()) if results.is_file() else []
    sentences: list[str] = []
    for size in sorted(read_count(size) for size in asked.sizes):
        if any(is_of(row, size, asked) for row in rows):
            continue
        sentences = sentences or real_sentences(asked.data)
        rows.append(one_size(asked, size, sentences))
        results.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    rows = [row for row in rows if row.get("device", "cpu") == asked.device]
    for row in rows:
        print(shown(row))
    for line in fitted(rows, [read_count(size) for size in asked.extrapolate]):
        print(line)
    print(f"Written to {results}")


def is_of(row: dict[str, Any], size: int, asked: argparse.Namespace) -> bool:
    """Whether a row tells of this size, mined in the way that is asked for."""
    way = (row["sentences_given"], row["judged"], row.get("device", "cpu"))
    return way == (size, asked.judge_most, asked.device)


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--work", type=Path, required=True, help="folder for sentences, runs and results")
    given.add_argument("--data", type=Path, default=os.environ.get("PARALOOM_DATA"), help="folder of the corpora")
    given.add_argument("--sizes", nargs="+", default=["1M", "3M", "10M"])
    given.add_argument("--extrapolate", nargs="+", default=["100M", "400M"])
    given.add_argument("--memory", default="", help="memory to stay within, such as 8GB")
    given.add_argument("--dims", type=int, default=0)
    given.add_argument("--index", default="auto", choices=("auto", "exact", "ivf"))
    given.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    given.add_argument("--workers", type=int, default=0, help="0: as many as the plan says, with a GPU one a core")
    given.add_argument("--judge-most", type=int, default=0, help="pairs for the identifier; 0: it is not asked")
    given.add_argument("--keep", action="store_true", help="keep the runs")
    return given.parse_args()


def one_size(asked: argparse.Namespace, size: int, sentences: Sequence[str]) -> dict[str, Any]:
    """Make, plan, mine and look."""
    file, planted = write_made_up(asked.work, sentences, size)
    options = PlanOptions(
        sentences=str(size),
        dims=asked.dims,
        memory=asked.memory,
        identify=bool(asked.judge_most),
        judge_most=asked.judge_most or None,
    )
    planned = planned_way(file, options, asked.index) if asked.device == "cpu" else None
    workers = asked.workers or (cores() if planned is None else max(planned.workers, 1))
    run = asked.work / f"run-{size}"
    arguments = ["mine", str(file), "--out", str(run), "--embedder", "fast", "--dims", str(asked.dims)]
    arguments += ["--workers", str(workers), "--index", asked.index, "--device", asked.device]
    arguments += ["--judge-most", str(asked.judge_most)] if asked.judge_most else ["--no-identify"]
    is_resumed = run.exists()
    took = measure(["-c", MINING, *arguments], run)
    recall, could = recall_of_pairs(run, read_pairs(planted))
    steps = json.loads((run / "seconds.json").read_text(encoding="utf-8"))
    wall = max(took.seconds, sum(steps.values())) if is_resumed else took.seconds
    probes = probes_of(run)
    row: dict[str, Any] = {
        "sentences_given": size,
        "judged": asked.judge_most,
        "workers": workers,
        "is_resumed": is_resumed,
        "seconds": wall,
        "cpu_seconds": took.cpu_seconds,
        "steps": steps,
        "megabytes": took.megabytes,
        "memory_limit": read_bytes(asked.memory) / 1e6 if asked.memory else None,
        "disk_bytes": bytes_below(run),
        "peak_disk_bytes": took.disk_bytes,
        "index": json.loads((run / "index.choice.json").read_text(encoding="utf-8"))["choice"],
        "probes": probes,
        "planted_pairs": could,
        "recall_of_planted": recall,
        "device": asked.device,
    }
    if planned is not None:
        hindsight = planned_way(file, replace(options, probes=probes["probes"]) if probes else options, asked.index)
        row |= {
            "planned": planned.told(),
            "planned_over_taken": planned.seconds / wall,
            "planned_with_its_probes_over_taken": hindsight.seconds / wall,
            "planned_memory_over_taken": planned.memory / 1e6 / took.megabytes,
            "planned_peak_disk_over_taken": planned.disk.most / took.disk_bytes,
        }
    if not asked.keep:
        shutil.rmtree(run)
    return row


def planned_way(file: Path, options: PlanOptions, index: str) -> Way:
    """What the plan says of the way that the run goes."""
    ways = plan_mining([file], options).ways
    if index == "auto":
        return ways[0]
    dims = ways[0].cost.choice.dims
    return next(
        way for way in ways if way.name in (f"fast {dims} exact", f"fast {dims} ivf int8") and index in way.name
    )


def probes_of(run: Path) -> dict[str, Any] | None:
    """How many lists were looked into in the end and the recall that was measured then, where there are lists."""
    return read_probes(run) if (run / "index" / PROBES).is_file() else None


def shown(row: dict[str, Any]) -> str:
    """A row as a line."""
    within = "" if row["memory_limit"] is None else f" (limit {row['memory_limit']:,.0f})"
    parts = [
        f"{row['sentences_given']:>12,} sentences",
        f"{shown_seconds(row['seconds']):>8}",
        f"{row['megabytes']:,.0f} MB{within}",
        f"{shown_bytes(row['disk_bytes'])} of disk, at most {shown_bytes(row.get('peak_disk_bytes', 0))}",
        str(row["index"]["kind"]),
        *([f"{row['probes']['probes']} lists, {row['probes']['recall']['share']:.1%} found"] if row["probes"] else []),
        f"recall of {row['planted_pairs']:,} planted pairs {row['recall_of_planted']:.3f}",
    ]
    if "planned" in row:
        parts.append(
            f"planned {shown_seconds(row['planned']['seconds'])} ({row['planned_over_taken']:.2f} of what it took; "
            f"{row['planned_with_its_probes_over_taken']:.2f} had its probes been known; of memory "
            f"{row.get('planned_memory_over_taken', 0):.2f}, of disk {row.get('planned_peak_disk_over_taken', 0):.2f})"
        )
    return "  ".join(parts)


def fitted(rows: Sequence[dict[str, Any]], sizes: Sequence[int]) -> list[str]:
    """A power of the size through the times of runs with lists, its error, and what it says of larger sizes."""
    points = [(row["sentences_given"], row["seconds"]) for row in rows if row["index"]["kind"] == "ivf"]
    if len(points) < 3:
        return ["Three sizes or more that are searched with lists are needed to fit how time grows, and how well."]
    power, height, error = power_through(points)
    lines = [f"Time grows with sentences to the power of {power:.2f}; the fit is off by up to {error:.0%}."]
    if power < LEAST_POWER:
        return [*lines, "What is fixed rules at these sizes: nothing is said of larger ones."]
    return lines + [
        f"{size:,} sentences: {shown_seconds(math.exp(height) * size**power)}, estimated, on this machine"
        for size in sizes
    ]


def power_through(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """The power, the logarithm of the factor, and the largest relative error at the points.

    >>> power, height, error = power_through([(10, 20), (100, 200), (1000, 2000)])
    >>> round(power, 6), round(math.exp(height), 6), round(error, 6)
    (1.0, 2.0, 0.0)
    """
    counts, seconds = (np.log(np.array(column, np.float64)) for column in zip(*points, strict=True))
    power, height = np.polyfit(counts, seconds, 1)
    error = np.abs(np.expm1(power * counts + height - seconds)).max()
    return float(power), float(height), float(error)


if __name__ == "__main__":
    main()
