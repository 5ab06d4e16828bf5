"""A hundred thousand sources in, the same bytes out: `paraloom generate` left alone, and killed again and again.

    python benchmarks/generate_killed.py --sources 100000 --kills 5 --generator lexical
    python benchmarks/generate_killed.py --sources 100 --kills 3 --generator paraloom

Sources are sentences of the bundled sample with numbers in front, so that no two are alike. Every kill is a real
`kill -9` of the process in the middle of its work.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import subprocess
import sys
import time
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--sources", type=int, default=100_000)
    asked.add_argument("--kills", type=int, default=5)
    asked.add_argument("--generator", default="lexical")
    given = asked.parse_args()
    with TemporaryDirectory(prefix="paraloom-killed-") as folder:
        file = Path(folder) / "sources.txt"
        file.write_text("".join(f"{line}\n" for line in sources(given.sources)), encoding="utf-8")
        whole, killed = Path(folder) / "whole.jsonl", Path(folder) / "killed.jsonl"
        begun = time.perf_counter()
        subprocess.run(command(file, whole, given.generator), check=True, stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - begun
        print(
            f"{given.generator}: {given.sources:,} sources in {seconds:.1f} s, {given.sources / seconds:.1f} a second"
        )
        for number in range(given.kills):
            with subprocess.Popen(command(file, killed, given.generator), stderr=subprocess.DEVNULL) as process:
                time.sleep(max(3.0, seconds / (given.kills + 1)))
                was_running = process.poll() is None
                process.kill()
            print(f"kill {number + 1}: {'in the middle' if was_running else 'too late'}", flush=True)
        begun = time.perf_counter()
        overwriting = [*command(file, killed, given.generator), "--overwrite"]
        subprocess.run(overwriting, check=True, stderr=subprocess.DEVNULL)
        print(f"the rest in {time.perf_counter() - begun:.1f} s")
        same = digest(whole) == digest(killed)
        print(f"{whole.stat().st_size:,} bytes, {'the same' if same else 'NOT THE SAME'} ({digest(whole)})")
        sys.exit(0 if same else 1)


def sources(count: int) -> list[str]:
    """So many different sentences."""
    from paraloom import sample

    with sample.gold().open(encoding="utf-8", newline="") as stream:
        texts = [row["left"] for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]
    numbered = (f"{number}. {text}" for number, text in zip(itertools.count(1), itertools.cycle(texts)))
    return list(itertools.islice(numbered, count))


def command(file: Path, out: Path, generator: str) -> list[str]:
    run = "from paraloom.cli import main; main()"
    return [sys.executable, "-c", run, "generate", str(file), "--out", str(out), "--generator", generator]


def digest(file: Path) -> str:
    return blake2b(file.read_bytes(), digest_size=8).hexdigest()


if __name__ == "__main__":
    main()
