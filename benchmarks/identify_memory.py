"""Sizes of files in, the memory and seconds of `paraloom identify` on each out."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from identify_bars import MemoryRow, shown_memory
from pairs_to_identify import write_pairs

TELLING = """
import atexit, pathlib
atexit.register(lambda: pathlib.Path({status!r}).write_text(pathlib.Path("/proc/self/status").read_text()))
from paraloom.cli import main
main()
"""
"""The command, which leaves behind what the kernel counted: `ru_maxrss` would begin with this process's own memory."""


def memory_rows(model: str, sizes: Sequence[int], patience: float, say: Callable[[str], None]) -> list[MemoryRow]:
    """One run of the command a size; none that would, by the last one's speed, take too long."""
    rows: list[MemoryRow] = []
    with tempfile.TemporaryDirectory(prefix="paraloom-identify-") as folder:
        for size in sorted({*sizes}):
            why = not_worth_running(size, rows[-1] if rows else None, patience)
            rows.append(MemoryRow(model=model, pairs=size, not_run=why) if why else measured(model, size, Path(folder)))
            say(shown_memory(rows[-1]))
    return rows


def not_worth_running(size: int, last: MemoryRow | None, patience: float) -> str:
    """Why a larger file is not run after the last one; empty where it is."""
    if last is None:
        return ""
    if last.seconds is None:
        return "as the smaller file was not" if not last.failed else "as the smaller file failed"
    expected = last.seconds * size / last.pairs
    return f"as it would take about {expected / 60:.0f} min" if expected > patience else ""


def measured(model: str, size: int, folder: Path) -> MemoryRow:
    """Run the command on a file of so many pairs, in a process of its own."""
    given, out, status = folder / f"pairs-{size}.tsv", folder / "scores.tsv", folder / "status"
    write_pairs(given, size)
    command = [sys.executable, "-c", TELLING.format(status=str(status)), "identify", str(given)]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "--out", str(out), "--model", model], stderr=subprocess.PIPE, text=True, check=False
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        said = done.stderr.strip().rpartition("\n")[2]
        why = f"failed with exit code {done.returncode}: {said}"
        return MemoryRow(model=model, pairs=size, not_run=why, failed=True)
    with out.open("rb") as lines:
        written = sum(1 for _ in lines) - 1
    out.unlink()
    given.unlink()
    if written != size:
        return MemoryRow(model=model, pairs=size, not_run=f"gave back {written:,} pairs", failed=True)
    [peak] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
    return MemoryRow(model=model, pairs=size, megabytes=int(peak.split()[1]) / 1000, seconds=seconds)
