"""How many pairs a second? Our shipped identifier, the cascade and sentence-transformers' CrossEncoder, in one run.

    python benchmarks/identify.py                                         # made-up pairs: speed and memory
    python benchmarks/identify.py --data corpora --corpus pit2015         # real ones, with F1 beside the speed
    python benchmarks/identify.py --pairs pairs.tsv                       # your own: left TAB right (TAB 1 or 0)
    python benchmarks/identify.py --data corpora --peer trained           # F1 against a trained peer

All on two cores and on the same pairs. Contenders take turns, the order turned round at every repeat, every repeat with
pairs that nobody has seen before (an identifier may remember answers); the median counts, of the peer with its best
batch size. The peer is CrossEncoder on all-MiniLM-L6-v2, with an untrained head, which has no F1; or, with --peer, with
the network that `paraloom train identifier --system cross-encoder` saved into a folder.

Memory is the most that `paraloom identify` held (resident, as Linux counts it) on more and more pairs; a size that
would take longer than --patience is printed as not run.

Prints tables and writes benchmarks/results/identify.json. The bars: the shipped model at least 1.5 times as fast as the
peer at no less F1, the cascade at least 10 times as fast at .005 less F1 than the shipped model, memory at most 1.25
times as much for the largest file as for the smallest. It fails where one is missed, and where one was to be compared
and could not be.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from identify_bars import CASCADE, CHEAP, SHIPPED, bars, shown, shown_bar, why_it_failed

HERE = Path(__file__).resolve().parent
CORES = 2
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def main() -> None:
    """Measure speed, then memory; print, write down, and fail where a bar is missed."""
    options = asked_for()
    use_two_cores()
    from identify_memory import memory_rows
    from identify_speed import made_ready, reasons_against_f1, speed_rows, take_turns
    from pairs_to_identify import corpus_pairs, file_pairs, made_up_pairs

    from paraloom.metrics.parts import cores
    from paraloom.models.identifiers import shipped_systems

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
    no_f1 = reasons_against_f1(list(contenders), pairs, is_peer_trained=options.peer is not None)
    for line in missing:
        say(line)
    speeds, scores = take_turns(contenders, pairs, repeats, min(options.count, len(pairs)))
    rows = speed_rows(speeds, scores, parameters, pairs.part(0, repeats * options.count), no_f1)
    for row in rows:
        say(shown(row))
    memory = [
        one
        for model in (CHEAP, *(name for name in (CASCADE, SHIPPED) if name in shipped_systems()))
        for one in memory_rows(model, options.sizes, options.patience, say)
    ]
    kept = bars(
        rows,
        memory,
        options.sizes,
        with_labels=pairs.labels is not None or options.peer is not None,
        with_trained_peer=options.peer is not None,
    )
    for bar in kept:
        say(shown_bar(bar))
    result = {
        "rows": [asdict(row) for row in rows],
        "bars": [asdict(bar) for bar in kept],
        "memory": [asdict(row) for row in memory],
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
    raise SystemExit(why_it_failed(kept))


def asked_for() -> argparse.Namespace:
    """What was given on the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--pairs", type=Path, help="TSV of left, right and perhaps 1 or 0")
    asked.add_argument("--data", type=Path, help="folder with published corpora")
    asked.add_argument("--corpus", default="pit2015", help="which of them")
    asked.add_argument("--definition", default="loose")
    asked.add_argument("--count", type=int, default=1_000, help="pairs a repeat")
    asked.add_argument("--repeats", type=int, default=5)
    asked.add_argument("--peer", type=Path, help="folder of a trained cross-encoder, for the peer's F1")
    asked.add_argument("--sizes", nargs="*", type=int, default=[10_000, 100_000, 1_000_000], help="pairs of a file")
    asked.add_argument("--patience", type=float, default=600, help="seconds that a size may take")
    asked.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    return asked.parse_args()


def use_two_cores() -> None:
    """Before NumPy, torch and others are imported: they count the cores as they start, and make a thread for each."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    os.environ.update({name: str(CORES) for name in THREADS})


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


if __name__ == "__main__":
    main()
