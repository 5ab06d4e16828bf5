"""How fast and how large is a build, from file to pairs? Ours and the same functions under pandas, in the same run.

    python benchmarks/build.py --posts 'posts/*.json'         # real posts to vary; by default the bundled sample's

Prints a table and writes benchmarks/results/build.json. The bars: 1M short posts under 120 s and 4 GB on 2 cores, time
linear and memory flat from 100k to 3M posts, at least 1.7 times as fast as pandas at no more than half its memory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

from measure import Measured, measure
from posts import real_sentences, write_posts

from paraloom import sample

HERE = Path(__file__).resolve().parent
SHORT, LONG = 1.2, 4.0
"""Sentences a post."""


def main() -> None:
    """Run what was asked for, row by row."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--posts", nargs="+", default=[str(sample.posts())], help="files of real posts to vary")
    asked.add_argument("--work", type=Path, help="folder for the made-up posts and the runs (default: a temporary one)")
    asked.add_argument("--sizes", nargs="+", type=int, default=[100_000, 1_000_000, 3_000_000])
    asked.add_argument("--peer-size", type=int, default=1_000_000, help="posts for the comparison; 0: none")
    asked.add_argument(
        "--variant-size", type=int, default=200_000, help="posts for long ones and for detection; 0: none"
    )
    options = asked.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="paraloom-bench-"))
    work.mkdir(parents=True, exist_ok=True)
    sentences = real_sentences(options.posts)
    rows: list[dict[str, object]] = []

    def row(system: str, count: int, each: float, detect: str, *, packed: bool = False) -> Measured:
        file = work / f"posts-{count}-{each}.jsonl"
        write_posts(file, count, sentences, each)
        file = pack(file) if packed else file
        out = work / "run"
        shutil.rmtree(out, ignore_errors=True)
        measured = measure([str(HERE / f"build_with_{system}.py"), str(file), str(out), detect])
        shutil.rmtree(out)
        about = {"system": system, "posts": count, "sentences_each": each, "language": detect, "packed": packed}
        rows.append({**about, **asdict(measured)})
        print(
            f"{system:9} {count:>9,} posts × {each} sentences, language {detect:6}"
            f"{', one .gz' if packed else ''}: {measured.seconds:7.1f} s, "
            f"{measured.cpu_seconds:7.1f} s of CPU, {measured.megabytes:6.0f} MB, "
            f"{measured.seconds / count * 1e6:6.1f} µs a post",
            flush=True,
        )
        return measured

    for size in options.sizes:
        row("paraloom", size, SHORT, "never")
    if options.variant_size:
        row("paraloom", options.variant_size, LONG, "never")
        row("paraloom", options.variant_size, SHORT, "always")
        row("paraloom", options.variant_size, SHORT, "never", packed=True)
    result: dict[str, object] = {"cores": os.cpu_count(), "rows": rows}
    if options.peer_size:
        ours = row("paraloom", options.peer_size, SHORT, "never")
        peer = row("pandas", options.peer_size, SHORT, "never")
        result["times_as_fast"] = peer.seconds / ours.seconds
        result["share_of_memory"] = ours.megabytes / peer.megabytes
        print(f"{result['times_as_fast']:.2f} times as fast as pandas, {result['share_of_memory']:.2f} of its memory")
    target = HERE / "results" / "build.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")


def pack(file: Path) -> Path:
    """The same file compressed: it can only be read by one process, from its start."""
    packed = file.with_name(file.name + ".gz")
    if not packed.exists():
        with file.open("rb") as plain, gzip.open(packed, "wb", compresslevel=1) as target:
            shutil.copyfileobj(plain, target)
    return packed


if __name__ == "__main__":
    main()
