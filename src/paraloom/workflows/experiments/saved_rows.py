"""Results in, one by one, a file out that a stopped experiment goes on from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paraloom.errors import TargetTaken

FILE = "rows.jsonl"


class SavedRows:
    """Results by name: each is on disk before the next one is begun. Without a folder they are only remembered."""

    def __init__(self, folder: Path | None, made_by: Mapping[str, Any]) -> None:
        self._rows: dict[str, Any] = {}
        self._file = None if folder is None else folder / FILE
        if self._file is None:
            return
        header = json.loads(json.dumps({"made_by": made_by}))
        if self._file.exists():
            self._read(self._file, header)
        else:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._append(header)

    def _read(self, file: Path, header: Mapping[str, Any]) -> None:
        written = file.read_bytes()
        # A line that was being written when the run was killed is not there.
        whole = written[: written.rfind(b"\n") + 1]
        # Only line feeds end a row: JSON leaves other ends of lines, which a name may hold, as they are.
        lines = whole.decode("utf-8").split("\n")[:-1]
        before = json.loads(lines[0]) if lines else {}
        if not lines or (len(lines) == 1 and before != header):  # begun another way, and without a single result
            file.write_bytes(b"")
            self._append(header)
            return
        if before != header:
            raise TargetTaken(
                f"{file} holds results that were made another way ({_difference(before, header)}). "
                "Choose another --out or delete it."
            )
        if len(whole) < len(written):
            file.write_bytes(whole)
        for line in lines[1:]:
            row = json.loads(line)
            self._rows[row["name"]] = row["result"]

    def get(self, name: str) -> Any | None:
        """The result of that name, if it is there."""
        return self._rows.get(name)

    def add(self, name: str, result: Any) -> None:
        """Keep a result."""
        self._rows[name] = json.loads(json.dumps(result))
        if self._file is not None:
            self._append({"name": name, "result": result})

    def _append(self, row: Mapping[str, Any]) -> None:
        assert self._file is not None
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())


def _difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    old, new = before.get("made_by", {}), now["made_by"]
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(f"{name} was {old.get(name)!r}, is {new.get(name)!r}" for name in names[:3]) or "another file"
