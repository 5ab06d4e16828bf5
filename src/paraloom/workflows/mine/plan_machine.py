"""This machine in, what of it decides how long a run takes out: its disk, its helper processes, their memory."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

SPEED_SECONDS = 0.2
"""How long a search is timed."""
FILE_BYTES = 1 << 25


def disk_speeds(folder: Path) -> tuple[float, float]:
    """Bytes a second of writing a file to the disk, and of reading it."""
    file = folder / "written"
    block = os.urandom(1 << 20)
    start = time.perf_counter()
    with file.open("wb") as opened:
        for _ in range(FILE_BYTES // len(block)):
            opened.write(block)
        opened.flush()
        os.fsync(opened.fileno())
    written = time.perf_counter() - start
    start = time.perf_counter()
    size = len(file.read_bytes())
    return FILE_BYTES / max(written, 1e-6), size / max(time.perf_counter() - start, 1e-6)


def helpers(dims: int) -> tuple[float, float, int]:
    """How fast a core is when all search, of what it is alone; seconds until helpers are ready; a helper's bytes."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from paraloom.metrics.parts import cores

    count = max(cores(), 1)
    start = time.perf_counter()
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        list(pool.map(_helper, [dims] * count, [0.01] * count))
        ready = time.perf_counter() - start
        alone = pool.submit(_helper, dims, SPEED_SECONDS).result()[0]
        told = list(pool.map(_helper, [dims] * count, [SPEED_SECONDS] * count))
    together = sum(speed for speed, _ in told) / count / alone
    return min(together, 1.0), ready, max(held for _, held in told)


def _helper(dims: int, seconds: float) -> tuple[float, int]:
    """GFLOP/s, and the most bytes that this process held."""
    from paraloom.models.neighbours.choice import calibrated_speed

    return calibrated_speed(dims, seconds=seconds), most_held()


def most_held() -> int:
    """The most bytes that this process has held. `getrusage` would count those of the one that started it too."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii", errors="replace").splitlines() if status.is_file() else []
    told = [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")]
    return told[0] if told else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
