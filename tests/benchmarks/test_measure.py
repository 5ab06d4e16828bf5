"""What a command costs is seen while it runs: also the disk that it gives back before it ends."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
WRITES_AND_REMOVES = """
import pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
(folder / "aside").write_bytes(bytes(3_000_000))
while not (folder / "seen").exists():
    time.sleep(0.01)
(folder / "aside").unlink()
(folder / "kept").write_bytes(bytes(1000))
"""


def test_the_disk_is_told_as_it_was_when_it_was_fullest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    measure = import_module("measure")
    look, folder = measure.bytes_below, tmp_path / "written"

    def looked(path: Path) -> int:
        found: int = look(path)
        if found >= 3_000_000:
            (folder / "seen").touch()  # only now it may be removed
        return found

    monkeypatch.setattr(measure, "bytes_below", looked)
    monkeypatch.setattr(measure, "LOOK_AGAIN", 0.02)
    took = measure.measure(["-c", WRITES_AND_REMOVES, str(folder)], folder)
    assert took.disk_bytes == 3_000_000
    assert look(folder) == 1000
    assert look(folder / "kept") == 1000
    assert look(tmp_path / "nowhere") == 0


def test_without_a_folder_no_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    assert import_module("measure").measure(["-c", ""]).disk_bytes == 0
