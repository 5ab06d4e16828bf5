"""How many sentences a second does each embedder embed, on one core and on two, and what does it weigh?

    python benchmarks/embed.py --data corpora                                    # tweets of the Twitter URL corpus
    python benchmarks/embed.py --texts sentences.txt --embedders fast good@128   # your own, one sentence a line

Every embedder that is known by name, and those that can be cut with fewer dimensions too, takes turns on one and on two
cores, each time with the same distinct texts after a short warm-up; the best of `--repeats` counts. A slow embedder
gets fewer texts: as many as fit `--seconds`. Beside the wall clock stands how many sentences a second of processor time
embeds, which other work on the machine disturbs less. `model2vec:FOLDER` is that library's own embedding with a static
table. What is not on this machine is told and left out.

Prints a table and writes benchmarks/results/embed.json, row by row.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
FEW, TRIED = 32, 128
LEARNED_FROM = 20_000
"""Texts that an embedder learns from which learns from what it embeds."""
RESULTS = Path(__file__).resolve().parent / "results" / "embed.json"


def main() -> None:
    """Measure each embedder in a process of its own, so that none shares cores or memory with another."""
    options = asked_for()
    if options.one:
        print(json.dumps(measured(options)))
        return
    from paraloom.workflows.bench.mining import every_embedder

    rows = []
    RESULTS.parent.mkdir(exist_ok=True)
    for embedder in options.embedders or every_embedder():
        for cores in options.on_cores:
            row = in_own_process(embedder, cores)
            if row is None:
                break
            rows.append(row | {"load": os.getloadavg()[0]})
            print(shown(row), flush=True)
            RESULTS.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--data", type=Path, default=os.environ.get("PARALOOM_DATA"), help="folder of the corpora")
    given.add_argument("--texts", type=Path, help="a file of sentences, one a line, instead")
    given.add_argument("--embedders", nargs="+", default=[], help="by name or folder, NAME@DIMS; all unless given")
    given.add_argument("--on-cores", nargs="+", type=int, default=[1, 2], help="on so many cores each")
    given.add_argument("--sentences", type=int, default=80_000, help="at most so many")
    given.add_argument("--seconds", type=float, default=10.0, help="a slow embedder gets what fits these")
    given.add_argument("--repeats", type=int, default=2)
    given.add_argument("--cores", type=int, default=2, help=argparse.SUPPRESS)
    given.add_argument("--one", default="", help=argparse.SUPPRESS)
    return given.parse_args()


def in_own_process(embedder: str, cores: int) -> dict[str, object] | None:
    """What one embedder did; None, with the reason told, where it could not be loaded."""
    import subprocess

    command = [sys.executable, __file__, *sys.argv[1:], "--one", embedder, "--cores", str(cores)]
    surroundings = {**os.environ, **dict.fromkeys(THREADS, str(cores))}
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{embedder}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    row: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return row


def measured(options: argparse.Namespace) -> dict[str, object]:
    """One embedder on so many cores."""
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: options.cores]))
    from paraloom.workflows.bench.mining import megabytes_of

    texts = sentences(options)
    name = options.one
    if name.startswith("model2vec:"):
        from model2vec import StaticModel

        table = StaticModel.from_pretrained(name.removeprefix("model2vec:"))
        embed, dims, megabytes = table.encode, table.dim, megabytes_of(name.removeprefix("model2vec:"))
    else:
        from paraloom.workflows.evaluate.text_vectors import ask_for

        vectors = ask_for(name).vectors(texts[:LEARNED_FROM])
        embed, dims, megabytes = vectors.make, vectors.dims, megabytes_of(name)
    embed(texts[:FEW])
    once = timed(embed, texts[:TRIED])[0]
    count = max(TRIED, min(len(texts), int(TRIED * options.seconds / once)))
    runs = [timed(embed, texts[:count]) for _ in range(options.repeats)]
    return {
        "embedder": name,
        "cores": options.cores,
        "dims": dims,
        "megabytes": round(megabytes or 0.0, 1),
        "sentences": count,
        "a_second": round(count / min(wall for wall, _ in runs)),
        "a_processor_second": round(count / min(processor for _, processor in runs)),
    }


def timed(embed: Callable[[Sequence[str]], object], texts: Sequence[str]) -> tuple[float, float]:
    """Seconds of the wall clock and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    embed(texts)
    return time.perf_counter() - wall, time.process_time() - processor


def sentences(options: argparse.Namespace) -> list[str]:
    """Distinct texts: of a file, or of the Twitter URL corpus."""
    if options.texts:
        lines = options.texts.read_text(encoding="utf-8", errors="replace").splitlines()
        return list(dict.fromkeys(lines))[: options.sentences]
    if not options.data:
        raise SystemExit("Say where the corpora are (--data, or PARALOOM_DATA), or give --texts.")
    from paraloom.corpus.known import read_corpus

    splits = read_corpus("twitter-url", Path(options.data)).splits
    pairs = splits["train"].labelled()
    return list(dict.fromkeys([*pairs.left, *pairs.right]))[: options.sentences]


def shown(row: dict[str, object]) -> str:
    """A row as a line."""
    return (
        f"{row['embedder']!s:32} {row['cores']} core(s)  dims {row['dims']:>4}  {row['megabytes']:>6} MB  "
        f"{row['a_second']:>8} sentences/s  {row['a_processor_second']:>8} a processor second  ({row['sentences']})"
    )


if __name__ == "__main__":
    main()
