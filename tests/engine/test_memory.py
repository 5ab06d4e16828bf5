"""How much memory is free, read from files as the kernel writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraloom.engine.memory import available_memory

MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n"
KERNEL = 8_000_000 * 1024

TOLD = [
    ({}, None),
    ({"proc/meminfo": MEMINFO}, KERNEL),
    ({"proc/meminfo": "MemTotal: 16000000 kB\n"}, None),
    # a container that sees itself as the root of all groups, without and with a limit
    ({"proc/meminfo": MEMINFO, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, KERNEL),
    (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": "4000\n",
            "sys/fs/cgroup/memory.stat": "anon 1500\nfile 2400\n",
        },
        2500,
    ),
    # a step of a batch job has no limit of its own, the job around it has one
    (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/slurm/job_7/step_0\n",
            "sys/fs/cgroup/slurm/job_7/step_0/memory.max": "max\n",
            "sys/fs/cgroup/slurm/job_7/memory.max": "9000\n",
            "sys/fs/cgroup/slurm/job_7/memory.stat": "anon 2000\nfile 100\n",
            "sys/fs/cgroup/slurm/memory.max": "900000\n",
        },
        7000,
    ),
    # groups of version 1: that of memory counts, no other
    (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "8:pids:/\n4:memory:/docker/ab\n0::/\n",
            "sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes": "5000\n",
            "sys/fs/cgroup/memory/docker/ab/memory.stat": "cache 800\nrss 10\ntotal_rss 1000\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        },
        4000,
    ),
    # more is held than is allowed
    (
        {
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": "100\n",
            "sys/fs/cgroup/memory.stat": "anon 150\n",
        },
        0,
    ),
]


@pytest.mark.parametrize(("files", "free"), TOLD)
def test_what_is_free_is_what_the_kernel_and_every_group_around_this_process_leave(
    files: dict[str, str], free: int | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert available_memory(tmp_path) == free


def test_this_machine_has_some_memory_free() -> None:
    free = available_memory()
    assert free is None or free > 1 << 20
