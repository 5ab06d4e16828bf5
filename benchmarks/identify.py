"""How many pairs a second? Our shipped identifier, the cascade and sentence-transformers' CrossEncoder, in one run.

    python benchmarks/identify.py                                         # made-up pairs
    python benchmarks/identify.py --data corpora --corpus pit2015         # real ones, with F1 beside the speed
    python benchmarks/identify.py --pairs pairs.tsv                       # your own: left TAB right (TAB 1 or 0)

All on two cores and on the same pairs. Contenders take turns, the order turned round at every repeat, every repeat with
pairs that nobody has seen before (an identifier may remember answers); the median counts, of the peer with its best
batch size. The peer is CrossEncoder on all-MiniLM-L6-v2: its head is untrained unless --peer names a folder, which
changes its F1 and not its speed.

Memory is the most that `paraloom identify` held (resident, as Linux counts it) on more and more pairs; a size that
would take longer than --patience is printed as not run.

Prints a table and writes benchmarks/results/identify.json. The bars: the shipped model at least 1.5 times, the cascade
at least 10 times as fast as the peer, memory at most 1.25 times as much for a hundred times as many pairs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pairs_to_identify import Pairs, corpus_pairs, file_pairs, made_up_pairs, write_pairs

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold, best_f1
from paraloom.metrics.parts import cores
from paraloom.models.identifiers import load, shipped_systems
from paraloom.models.shelf import model_folder
from paraloom.workflows.bench.shipped import has_seen, seen_splits

HERE = Path(__file__).resolve().parent
PEER = "sentence-transformers CrossEncoder, MiniLM-L6"
PEER_BASE = "all-MiniLM-L6-v2"
BATCH_SIZES = (32, 128)
SHIPPED, CASCADE, CHEAP = "paraloom", "cascade", "ngram-regression"
BARS = {SHIPPED: 1.5, CASCADE: 10.0}
"""How many times as fast as the peer."""
MOST_LOSS = 0.005
"""F1 that the cascade may lose against the shipped model."""
FLAT = 1.25
"""Times as much memory for the largest file as for the smallest."""

TELLING = """
import atexit, pathlib
atexit.register(lambda: pathlib.Path({status!r}).write_text(pathlib.Path("/proc/self/status").read_text()))
from paraloom.cli import main
main()
"""
"""The command, which leaves behind what the kernel counted: `ru_maxrss` would begin with this process's own memory."""

Score = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]


@dataclass(frozen=True, kw_only=True)
class SpeedRow:
    """One contender: the median over repeats, and its F1 where labels are known."""

    contender: str
    pairs_per_second: float
    repeats: list[float]
    parameters: int
    times_as_fast: float | None
    """As the peer at its best batch size; None where it was not run."""
    f1: float | None
    max_f1: float | None
    """None where labels are not known, or it has learned from these pairs."""
    has_seen_the_pairs: bool
    bar: float | None

    @property
    def met(self) -> bool:
        """Whether it is as fast as was promised."""
        return self.bar is None or self.times_as_fast is None or self.times_as_fast >= self.bar


@dataclass(frozen=True, kw_only=True)
class MemoryRow:
    """`paraloom identify` on one file."""

    model: str
    pairs: int
    megabytes: float | None
    seconds: float | None
    not_run: str = ""


def main() -> None:
    """Measure speed, then memory; print, write down, and fail where a bar is missed."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--pairs", type=Path, help="TSV of left, right and perhaps 1 or 0")
    asked.add_argument("--data", type=Path, help="folder with published corpora")
    asked.add_argument("--corpus", default="pit2015", help="which of them")
    asked.add_argument("--definition", default="loose")
    asked.add_argument("--count", type=int, default=1_000, help="pairs a repeat")
    asked.add_argument("--repeats", type=int, default=5)
    asked.add_argument("--peer", type=Path, help="folder of a CrossEncoder that was trained, for its F1")
    asked.add_argument("--sizes", nargs="*", type=int, default=[10_000, 100_000, 1_000_000], help="pairs of a file")
    asked.add_argument("--patience", type=float, default=600, help="seconds that a size may take")
    asked.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = asked.parse_args()

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    wanted = options.count * options.repeats
    if options.pairs:
        pairs = file_pairs(options.pairs, wanted)
    elif options.data:
        pairs = corpus_pairs(options.corpus, options.data, wanted)
    else:
        pairs = made_up_pairs(wanted)
    repeats = min(options.repeats, max(1, len(pairs) // options.count))
    before = os.getloadavg()
    say: Callable[[str], None] = (lambda line: None) if options.json else (lambda line: print(line, flush=True))
    contenders, parameters, missing = made_ready(options.definition, options.peer)
    seen = [name for name in contenders if name in shipped_systems() and knows(name, pairs)]
    for line in missing:
        say(line)
    speeds, scores = take_turns(contenders, pairs, repeats, min(options.count, len(pairs)))
    rows = speed_rows(speeds, scores, parameters, pairs.part(0, repeats * options.count), seen)
    for row in rows:
        say(shown(row))
    memory = [
        one
        for model in (CHEAP, *(name for name in (CASCADE, SHIPPED) if name in shipped_systems()))
        for one in memory_rows(model, options.sizes, options.patience, say)
    ]
    result = {
        "rows": [asdict(row) | {"met": row.met} for row in rows],
        "cascade_f1_lost": f1_lost(rows),
        "memory": [asdict(row) for row in memory],
        "memory_flat": {model: flat(memory, model) for model in dict.fromkeys(row.model for row in memory)},
        "not_run": missing,
        "pairs": pairs.about,
        "pairs_a_repeat": options.count,
        "words_a_text": pairs.words,
        "cores": cores(),
        "load_before": before,
        "python": platform.python_version(),
        "versions": versions(),
    }
    target = HERE / "results" / "identify.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")
    if options.json:
        print(json.dumps(result, indent=2))
    say(f"{pairs.about}, {pairs.words:.1f} words a text; {cores()} cores, load before {before[0]:.1f}")
    raise SystemExit(why_it_failed(rows, memory))


def made_ready(definition: str, peer: Path | None) -> tuple[dict[str, Score], dict[str, int], list[str]]:
    """Every contender loaded, how many parameters each has, and a line for each that is not there."""
    contenders: dict[str, Score] = {}
    parameters: dict[str, int] = {}
    missing = []
    for name in (CHEAP, CASCADE, SHIPPED):
        if name not in shipped_systems():
            missing.append(f"{name}: not run: it is not shipped with this version")
            continue
        identifier = load(name)
        if definition not in identifier.definitions:
            missing.append(f"{name}: not run: it was not trained for the definition {definition}")
            continue
        contenders[name] = lambda left, right, one=identifier: one.score(left, right, definition)
        parameters[name] = identifier.parameters
    if SHIPPED not in shipped_systems():
        from paraloom.models.implication import load as load_implication

        model = load_implication()
        contenders["implication"] = lambda left, right: model.answer(left, right).implication
        parameters["implication"] = 0
    try:
        encoder = Peer(peer)
    except (ImportError, InputError) as error:
        missing.append(f"{PEER}: not run: {error}")
        return contenders, parameters, missing
    for size in BATCH_SIZES:
        contenders[f"{PEER}, batch {size}"] = lambda left, right, size=size: encoder(left, right, size)
        parameters[f"{PEER}, batch {size}"] = encoder.parameters
    return contenders, parameters, missing


class Peer:
    """Both texts through MiniLM-L6, as sentence-transformers does it."""

    def __init__(self, folder: Path | None) -> None:
        import torch
        from sentence_transformers import CrossEncoder

        torch.set_num_threads(cores())
        self.model = CrossEncoder(str(folder or model_folder(PEER_BASE)), num_labels=1, device="cpu")
        self.parameters = sum(parameter.numel() for parameter in self.model.model.parameters())

    def __call__(self, left: Sequence[str], right: Sequence[str], size: int) -> NDArray[np.float64]:
        pairs = list(zip(left, right, strict=True))
        found = self.model.predict(pairs, batch_size=size, show_progress_bar=False)
        return np.asarray(found, np.float64)


def take_turns(
    contenders: dict[str, Score], pairs: Pairs, repeats: int, count: int
) -> tuple[dict[str, list[float]], dict[str, list[NDArray[np.float64]]]]:
    """Pairs a second and scores of every contender at every repeat."""
    warm = made_up_pairs(64)
    for score in contenders.values():
        score(warm.left, warm.right)
    speeds: dict[str, list[float]] = {name: [] for name in contenders}
    scores: dict[str, list[NDArray[np.float64]]] = {name: [] for name in contenders}
    for repeat in range(repeats):
        part = pairs.part(repeat * count, (repeat + 1) * count)
        names = list(contenders) if repeat % 2 == 0 else list(reversed(contenders))
        for name in names:
            started = time.perf_counter()
            found = contenders[name](part.left, part.right)
            speeds[name].append(len(part) / (time.perf_counter() - started))
            scores[name].append(found)
    return speeds, scores


def speed_rows(
    speeds: dict[str, list[float]],
    scores: dict[str, list[NDArray[np.float64]]],
    parameters: dict[str, int],
    pairs: Pairs,
    seen: Sequence[str],
) -> list[SpeedRow]:
    """Medians, against the peer at its best batch size."""
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    best_peer = max((median for name, median in medians.items() if name.startswith(PEER)), default=None)
    rows = []
    for name, values in speeds.items():
        f1, max_f1 = (None, None) if name in seen else figures(np.concatenate(scores[name]), pairs)
        rows.append(
            SpeedRow(
                contender=name,
                pairs_per_second=medians[name],
                repeats=values,
                parameters=parameters[name],
                times_as_fast=None if best_peer is None else medians[name] / best_peer,
                f1=f1,
                max_f1=max_f1,
                has_seen_the_pairs=name in seen,
                bar=BARS.get(name),
            )
        )
    return rows


def knows(name: str, pairs: Pairs) -> bool:
    """Whether a shipped identifier has learned from these very pairs, by its card."""
    trained_on = None if pairs.source is None else seen_splits(load(name))
    return trained_on is not None and pairs.source is not None and has_seen(trained_on, *pairs.source)


def figures(scores: NDArray[np.float64], pairs: Pairs) -> tuple[float | None, float | None]:
    """F1 above .5, and at the best threshold; None where labels are not known."""
    if pairs.labels is None:
        return None, None
    truth = np.array(pairs.labels[: len(scores)], np.bool_)
    return at_threshold(scores, truth).f1, best_f1(scores, truth).f1


def f1_lost(rows: Sequence[SpeedRow]) -> float | None:
    """What the cascade loses of the shipped model's F1."""
    by_name = {row.contender: row.f1 for row in rows}
    ours, cascade = by_name.get(SHIPPED), by_name.get(CASCADE)
    return None if ours is None or cascade is None else ours - cascade


def memory_rows(model: str, sizes: Sequence[int], patience: float, say: Callable[[str], None]) -> list[MemoryRow]:
    """One run of the command a size; none that would, by the last one's speed, take too long."""
    rows: list[MemoryRow] = []
    with tempfile.TemporaryDirectory(prefix="paraloom-identify-") as folder:
        for size in sorted(sizes):
            row = memory_row(model, size, Path(folder), rows[-1] if rows else None, patience)
            rows.append(row)
            say(shown_memory(row))
    return rows


def memory_row(model: str, size: int, folder: Path, last: MemoryRow | None, patience: float) -> MemoryRow:
    """Run the command on a file of so many pairs, in a process of its own."""
    if last is not None and (last.seconds is None or last.seconds * size / last.pairs > patience):
        expected = "" if last.seconds is None else f": about {last.seconds * size / last.pairs / 60:.0f} min"
        return MemoryRow(model=model, pairs=size, megabytes=None, seconds=None, not_run=f"too long{expected}")
    given, out = folder / f"pairs-{size}.tsv", folder / "scores.tsv"
    write_pairs(given, size)
    status = folder / "status"
    command = [sys.executable, "-c", TELLING.format(status=str(status)), "identify", str(given)]
    started = time.perf_counter()
    done = subprocess.run([*command, "--out", str(out), "--model", model], stderr=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - started
    if done.returncode:
        return MemoryRow(
            model=model, pairs=size, megabytes=None, seconds=None, not_run=f"failed with exit code {done.returncode}"
        )
    with out.open("rb") as lines:
        written = sum(1 for _ in lines) - 1
    out.unlink()
    given.unlink()
    if written != size:
        raise SystemExit(f"{model}: {written} of {size} pairs came back.")
    [peak] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
    return MemoryRow(model=model, pairs=size, megabytes=int(peak.split()[1]) / 1000, seconds=seconds)


def flat(rows: Sequence[MemoryRow], model: str) -> float | None:
    """Memory for the largest file over that for the smallest, of those that were run."""
    run = [row.megabytes for row in rows if row.model == model and row.megabytes is not None]
    return run[-1] / run[0] if len(run) > 1 else None


def why_it_failed(rows: Sequence[SpeedRow], memory: Sequence[MemoryRow]) -> str | None:
    """Bars that were missed; None where all is well."""
    missed = [row.contender for row in rows if not row.met]
    lost = f1_lost(rows)
    if lost is not None and lost > MOST_LOSS:
        missed.append(f"the cascade loses {lost:.4f} F1")
    for model in dict.fromkeys(row.model for row in memory):
        grown = flat(memory, model)
        if grown is not None and grown > FLAT:
            missed.append(f"memory of {model} grows {grown:.2f} times")
    return f"Not as promised: {'; '.join(missed)}." if missed else None


def versions() -> dict[str, str]:
    """Of the libraries that are compared."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in ("sentence-transformers", "torch", "onnxruntime", "transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def shown(row: SpeedRow) -> str:
    """One line of the table."""
    quality = "" if row.f1 is None else f", F1 {row.f1:.3f}, max F1 {row.max_f1:.3f}"
    quality += ", F1 not told: it has learned from these pairs" if row.has_seen_the_pairs else ""
    against = "" if row.times_as_fast is None else f", {row.times_as_fast:7.2f} times the peer"
    bar = f", bar {row.bar:g}: {'met' if row.met else 'MISSED'}" if row.bar and against else ""
    return f"{row.contender:57} {row.pairs_per_second:>9,.0f} pairs/s{against}{quality}{bar}"


def shown_memory(row: MemoryRow) -> str:
    """One line of the table."""
    begun = f"paraloom identify --model {row.model:17} {row.pairs:>9,} pairs: "
    if row.megabytes is None:
        return f"{begun}not run: {row.not_run}"
    return f"{begun}{row.megabytes:7.0f} MB, {row.seconds:7.1f} s"


if __name__ == "__main__":
    main()
