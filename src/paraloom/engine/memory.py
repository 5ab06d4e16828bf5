"""This machine in, how many bytes of memory are free out: what the kernel says, or less in a container or a job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

GROUPS = {
    "": ("sys/fs/cgroup", "memory.max", "anon"),
    "memory": ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss"),
}
"""Control groups of both versions, by their name in /proc/self/cgroup: where their folders lie, the file with what a
group may hold, and the line of memory.stat with what it holds and cannot give back."""


def available_memory(root: Path = Path("/")) -> int | None:
    """Bytes that processes may still take here without any being killed or swapped out; None where nothing tells.

    Pages of files are counted as free, for the kernel takes them back.
    """
    told = [*_of_kernel(root), *_of_groups(root)]
    return max(min(told), 0) if told else None


def _of_kernel(root: Path) -> Iterator[int]:
    for line in _lines(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024


def _of_groups(root: Path) -> Iterator[int]:
    """What is left of the limit of every control group that this process is in: its own, and those around it."""
    for line in _lines(root / "proc/self/cgroup"):
        _, name, path = line.split(":", 2)
        if name not in GROUPS:
            continue
        base, limit_file, held_line = GROUPS[name]
        top = root / base
        own = top / path.strip().lstrip("/")
        for folder in (own, *own.parents):
            if not folder.is_relative_to(top):
                break
            limit = "".join(_lines(folder / limit_file)).strip()
            if limit.isdigit():
                held = [int(stat.split()[1]) for stat in _lines(folder / "memory.stat") if stat.split()[0] == held_line]
                yield int(limit) - sum(held)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:  # another system, or a container that hides it
        return []
