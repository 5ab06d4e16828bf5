"""Small corpora of our own in the published forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

Write = Callable[[str, Sequence[str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes lines into a file of the test's folder, and gives the file."""

    def _write(name: str, lines: Sequence[str]) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8"))
        return file

    return _write
