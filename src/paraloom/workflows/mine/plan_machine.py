"""This machine in, what of it decides how long a run takes out: its disk, its helper processes, their memory."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import harmonic_mean, median
from typing import TypeVar

T = TypeVar("T")

SPEED_SECONDS = 0.2
"""How long a search is timed."""
TIMES_TOGETHER = 5
"""So often a search by one core and by all of them are timed at one moment."""
FILE_BYTES = 1 << 25
PAGE = 4096
PAGES = 512
"""So many are read from anywhere in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskSpeeds:
    """Bytes a second."""

    write: float
    """Onto the disk."""
    again: float
    """Of a file that was written lately: memory holds it."""
    through: float
    """Of one that memory does not hold, read from its beginning to its end."""
    pages: float
    """Of the same, read from anywhere, a page at a time."""


def disk_speeds(folder: Path) -> DiskSpeeds:
    """How fast the disk is that a folder lies on."""
    file = folder / "written"
    block = os.urandom(1 << 20)
    start = time.perf_counter()
    with file.open("wb") as opened:
        for _ in range(FILE_BYTES // len(block)):
            opened.write(block)
        opened.flush()
        os.fsync(opened.fileno())
    written = time.perf_counter() - start
    with file.open("rb", buffering=0) as opened:
        handle = opened.fileno()
        again = _seconds_of_reading(handle, range(0, FILE_BYTES, len(block)), len(block))
        _forget(handle)
        through = _seconds_of_reading(handle, range(0, FILE_BYTES, len(block)), len(block))
        _forget(handle, is_read_anywhere=True)
        places = random.Random(1).sample(range(0, FILE_BYTES, PAGE), PAGES)
        pages = _seconds_of_reading(handle, places, PAGE)
    file.unlink()
    return DiskSpeeds(
        write=FILE_BYTES / written, again=FILE_BYTES / again, through=FILE_BYTES / through, pages=PAGES * PAGE / pages
    )


def _forget(handle: int, *, is_read_anywhere: bool = False) -> None:
    """Let the system drop what it holds of a file, and read no more of it than is asked for; not all systems can."""
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        if is_read_anywhere:
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_RANDOM)


def _seconds_of_reading(handle: int, places: Iterable[int], size: int) -> float:
    start = time.perf_counter()
    for place in places:
        os.pread(handle, size, place)
    return max(time.perf_counter() - start, 1e-6)


def bytes_below(path: Path) -> int:
    """The bytes of a file, or of all files in a folder, which may be written into meanwhile; 0 where there is none."""
    files = [path] if path.is_file() else (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    total = 0
    for file in files:
        with contextlib.suppress(FileNotFoundError):  # it was there when the names were read
            total += file.lstat().st_size
    return total


def in_own_process(work: Callable[..., T], *given: object) -> T:
    """What a function gives that is called in a process of its own."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *given).result()


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """Helper processes, one a core, as they were seen at one moment or at several."""

    together: tuple[float, ...]
    """How fast a core was when all searched, of what it was alone, each time."""
    ready: float
    """Seconds until they had begun."""
    memory: int
    """The most bytes that one held."""

    @classmethod
    def at(cls, moments: Sequence[Helpers]) -> Helpers:
        """What all moments have told."""
        return cls(
            together=tuple(share for moment in moments for share in moment.together),
            ready=median(moment.ready for moment in moments),
            memory=max(moment.memory for moment in moments),
        )

    @property
    def share(self) -> float:
        """How fast a core is over a long time: what takes twice as long for half of it takes half as long again.

        >>> round(Helpers(together=(1.0, 0.5), ready=1.0, memory=0).share, 3)
        0.667
        """
        return min(harmonic_mean(self.together), 1.0)


def helpers(dims: int) -> Helpers:
    """How they do at this moment. Cores may be shared with other machines of the same host, and are slower when all are
    at work in some seconds than in others: they are to be looked at more than once."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from paraloom.metrics.parts import cores

    count = max(cores(), 1)
    start = time.perf_counter()
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        list(pool.map(_helper, [dims] * count, [0.01] * count))
        ready = time.perf_counter() - start
        shares, most = [], 0
        for _ in range(TIMES_TOGETHER):
            alone = pool.submit(_helper, dims, SPEED_SECONDS).result()[0]
            told = list(pool.map(_helper, [dims] * count, [SPEED_SECONDS] * count))
            shares.append(sum(speed for speed, _ in told) / count / alone)
            most = max([most, *(held for _, held in told)])
    return Helpers(together=tuple(shares), ready=ready, memory=most)


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
