"""A command in, its seconds, the most memory its processes held together and the most disk it took out."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from paraloom.workflows.mine.plan_machine import bytes_below

LOOK_AGAIN = 1.0
"""Seconds between two looks; a look costs some milliseconds of the machine that is measured."""
LOOKS_A_DISK = 3
"""At the disk every third look is taken: it asks for the size of every file."""


@dataclass(frozen=True)
class Measured:
    """What one run of a command cost."""

    seconds: float
    cpu_seconds: float
    megabytes: float
    """Peak of the memory that belongs to the process tree alone plus its share of what is shared (PSS)."""
    disk_bytes: int = 0
    """The most that lay in the folder that was watched."""


def measure(arguments: list[str], folder: Path | None = None) -> Measured:
    """Run a Python script to its end; an error of the script is an error here. `folder` is what it writes into."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments])
    watched = psutil.Process(process.pid)
    peak = disk = looks = 0
    cpu: dict[int, float] = {}
    done = threading.Event()

    def watch() -> None:
        nonlocal peak, disk, looks
        while not done.wait(LOOK_AGAIN):
            total = 0
            looks += 1
            if folder is not None and looks % LOOKS_A_DISK == 0:
                disk = max(disk, bytes_below(folder))
            try:
                family = [watched, *watched.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            for member in family:
                try:
                    total += member.memory_full_info().pss
                    times = member.cpu_times()
                    cpu[member.pid] = times.user + times.system
                except psutil.Error:
                    continue  # it ended between being listed and being looked at
            peak = max(peak, total)

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    seconds = time.perf_counter() - started
    done.set()
    watcher.join()
    if code:
        raise SystemExit(f"{' '.join(arguments)} failed with exit code {code}.")
    disk = disk if folder is None else max(disk, bytes_below(folder))
    return Measured(seconds=seconds, cpu_seconds=sum(cpu.values()), megabytes=peak / 1e6, disk_bytes=disk)
