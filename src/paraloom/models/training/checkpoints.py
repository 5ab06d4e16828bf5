"""What a training has reached goes in, and comes out again after it was stopped: in a folder, or in memory alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Protocol

from paraloom.errors import InputError, TargetTaken

MADE_BY = "made_by.json"
REACHED = "reached.pt"
FINISHED = "finished.json"

Weights = dict[str, Any]
"""Tensors by name."""


class Checkpoints(Protocol):
    """Where a training keeps what it has reached."""

    def finished(self) -> dict[str, Any] | None:
        """What `finish` was told, if it ever was."""

    def reached(self) -> dict[str, Any] | None:
        """What `reach` was told last, if ever."""

    def better(self, weights: Weights, name: str) -> None:
        """Keep the best weights so far under a name that the next `reach` repeats as `best`."""

    def reach(self, state: dict[str, Any]) -> None:
        """Keep all that is needed to go on from here."""

    def best(self, name: str) -> Weights:
        """The best weights."""

    def finish(self, told: dict[str, Any]) -> None:
        """Nothing more will come: keep this and the best weights alone."""


class InMemory:
    """A training that starts anew when it was stopped."""

    def __init__(self) -> None:
        self.weights: Weights = {}

    def finished(self) -> dict[str, Any] | None:
        return None

    def reached(self) -> dict[str, Any] | None:
        return None

    def better(self, weights: Weights, name: str) -> None:
        self.weights = {key: tensor.detach().cpu().clone() for key, tensor in weights.items()}

    def reach(self, state: dict[str, Any]) -> None:
        pass

    def best(self, name: str) -> Weights:
        return self.weights

    def finish(self, told: dict[str, Any]) -> None:
        pass


class InFolder:
    """A training that goes on where it was stopped, at whatever moment.

    Every file appears whole. Best weights have a new name each time, and the old ones go only after a checkpoint
    names the new ones.
    """

    def __init__(self, folder: Path, made_by: Mapping[str, Any]) -> None:
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file. Name a folder to train in.")
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / MADE_BY).is_file():
            refuse_if_other(folder, read_json(folder / MADE_BY), made_by)
        elif any(file.suffix != ".unfinished" for file in folder.iterdir()):
            raise TargetTaken(f"{folder} holds files that no training has left. Choose another folder.")
        else:
            write_whole(folder / MADE_BY, _as_bytes(made_by))

    def finished(self) -> dict[str, Any] | None:
        file = self.folder / FINISHED
        return read_json(file) if file.is_file() else None

    def reached(self) -> dict[str, Any] | None:
        file = self.folder / REACHED
        return self._load(file) if file.is_file() else None

    def better(self, weights: Weights, name: str) -> None:
        self._save(weights, self._best_file(name))

    def reach(self, state: dict[str, Any]) -> None:
        self._save(state, self.folder / REACHED)
        self._drop_all_but(state["best"])

    def best(self, name: str) -> Weights:
        return self._load(self._best_file(name))

    def finish(self, told: dict[str, Any]) -> None:
        write_whole(self.folder / FINISHED, _as_bytes(told))
        (self.folder / REACHED).unlink(missing_ok=True)

    def _best_file(self, name: str) -> Path:
        return self.folder / f"best-{name}.pt"

    def _drop_all_but(self, name: str) -> None:
        for file in self.folder.glob("best-*.pt"):
            if file != self._best_file(name):
                file.unlink()

    def _save(self, kept: Any, file: Path) -> None:
        import torch

        write_whole_by(file, lambda unfinished: torch.save(kept, unfinished))

    def _load(self, file: Path) -> dict[str, Any]:
        import torch

        try:
            kept: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
        except (OSError, RuntimeError, ValueError, EOFError, UnpicklingError) as error:
            reason = f"{file} is no whole checkpoint ({type(error).__name__})"
            raise InputError(f"{reason}. Delete {self.folder} and train anew.") from error
        return kept


def refuse_if_other(folder: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse a folder whose training began with anything else than is asked for now."""
    before, now = json.loads(json.dumps(before)), json.loads(json.dumps(now))
    changed = [
        f"{key} was {before.get(key)!r}, is {now.get(key)!r}"
        for key in sorted({*before, *now})
        if before.get(key) != now.get(key)
    ]
    if changed:
        raise TargetTaken(
            f"{folder} holds another training: {'; '.join(changed)}. Choose another folder, or delete this one."
        )


def read_json(file: Path) -> dict[str, Any]:
    """A JSON object that a training has written."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}). Delete {file.parent} and train anew.") from error
    if not isinstance(told, dict):
        raise InputError(f"{file} is not what a training writes. Delete {file.parent} and train anew.")
    return told


def write_whole(file: Path, content: bytes) -> None:
    """Write a file that is either whole or absent."""
    write_whole_by(file, lambda unfinished: _write(unfinished, content))


def write_whole_by(file: Path, write: Callable[[Path], object]) -> None:
    """The same for what writes itself."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    write(unfinished)
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())  # a name that outlives a power cut must not stand for an empty file
    unfinished.replace(file)


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def _as_bytes(told: Mapping[str, Any]) -> bytes:
    return (json.dumps(told, indent=1) + "\n").encode()
