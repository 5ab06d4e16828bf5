"""The command line starts quickly, because it imports nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("torch", "faiss", "ray", "sklearn", "daft", "pyarrow", "sacrebleu", "numpy", "pandas")
CODE = """
import sys, time
started = time.perf_counter()
import paraloom.cli
print(time.perf_counter() - started)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def starts(child_environment: dict[str, str]) -> list[tuple[float, set[str]]]:
    """Seconds and modules of five imports, each in a process of its own."""
    found = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", CODE], env=child_environment, capture_output=True, text=True, check=True
        )
        seconds, modules = done.stdout.splitlines()
        found.append((float(seconds), set(modules.split())))
    return found


@pytest.mark.parametrize("name", HEAVY)
def test_the_command_line_starts_without(name: str, starts: list[tuple[float, set[str]]]) -> None:
    assert all(name not in modules for _, modules in starts)


def test_the_command_line_starts_quickly(starts: list[tuple[float, set[str]]]) -> None:
    best = min(seconds for seconds, _ in starts)
    print(f"import paraloom.cli: {best:.3f} s")
    assert best < 1.0  # 0.3 s on a machine that is not busy
