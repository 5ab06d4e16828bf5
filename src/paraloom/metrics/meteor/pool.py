"""Segments in, their METEOR statistics out: as many Java processes as pay, shared by all who measure."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.meteor.files import MeteorFiles
from paraloom.metrics.meteor.process import MeteorProcess, one_line, question
from paraloom.metrics.meteor.score import STATISTICS, meteor_of_sums, summable

ENOUGH_FOR_ANOTHER = 15_000
"""Outputs times references for which another process is started: reading its tables takes seconds and 600 MB."""
_AT_ONCE = 500
"""Segments that a process is given at once: few enough that all processes end together."""


class MeteorPool:
    """Java processes that are started when there is enough to do and end with the pool."""

    def __init__(self, files: MeteorFiles, memory: str, most: int) -> None:
        """Start nothing yet."""
        self._files = files
        self._memory = memory
        self._most = most
        self._processes: list[MeteorProcess] = []
        self._turn = threading.Lock()

    @property
    def process_ids(self) -> tuple[int, ...]:
        """Of the Java processes that are running now."""
        return tuple(process.process_id for process in self._processes if process.running)

    def close(self) -> None:
        """End all processes; more are started if it is asked again."""
        for process in self._processes:
            process.close()

    def statistics(self, lines: list[str]) -> NDArray[np.float64]:
        """One row a line, in their order; a line that comes twice is scored once."""
        rows = {line: row for row, line in enumerate(dict.fromkeys(lines))}
        if not rows:
            return np.empty((0, STATISTICS))
        different = list(rows)
        with self._turn:
            parts = self._parts(different)
        return np.concatenate(parts)[[rows[line] for line in lines]]

    def _parts(self, lines: list[str]) -> list[NDArray[np.float64]]:
        free: SimpleQueue[MeteorProcess] = SimpleQueue()
        running = self._started(sum(line.count(" ||| ") - 1 for line in lines))
        for process in running:
            free.put(process)

        def score(part: list[str]) -> NDArray[np.float64]:
            process = free.get()
            try:
                return process.statistics(part)
            finally:
                free.put(process)

        parts = [lines[begin : begin + _AT_ONCE] for begin in range(0, len(lines), _AT_ONCE)]
        with ThreadPoolExecutor(len(running)) as threads:
            scored = [threads.submit(score, part) for part in parts]
            try:
                return [part.result() for part in scored]
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                raise

    def _started(self, comparisons: int) -> list[MeteorProcess]:
        """The processes still running, and so many more that each has enough to do."""
        self._processes = [process for process in self._processes if process.running]
        wanted = min(self._most, 1 + comparisons // ENOUGH_FOR_ANOTHER)
        started = [MeteorProcess(self._files, self._memory) for _ in range(wanted - len(self._processes))]
        self._processes += started
        for process in started:
            _check(process)
        return self._processes


def _check(process: MeteorProcess) -> None:
    """Refuse a jar that computes otherwise than we do from its statistics."""
    statistics = process.statistics([question(["the storms hit a small town"]) + one_line("A storm hit the village!")])
    theirs = 100 * process.scores(statistics)[-1]
    ours = float(meteor_of_sums(summable(statistics))[0])
    if abs(theirs - ours) > 1e-9 or not ours:
        process.close()
        raise InputError(
            f"METEOR scores a sentence {theirs}, and its statistics give {ours}: this is not METEOR 1.5 for English. "
            "Install its package anew: pip install --force-reinstall 'paraloom[meteor]'."
        )


_shared: WeakValueDictionary[tuple[MeteorFiles, str, int], MeteorPool] = WeakValueDictionary()
_sharing = threading.Lock()


def shared_pool(files: MeteorFiles, memory: str, most: int) -> MeteorPool:
    """The pool for these settings that someone still holds, or a new one."""
    with _sharing:
        pool = _shared.get((files, memory, most))
        if pool is None:
            pool = _shared[files, memory, most] = MeteorPool(files, memory, most)
        return pool
