"""What a reader is, and how the splits it found become a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.corpus.known.files import Expected, find_file
from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs
from paraloom.errors import InputError

Part = tuple[KnownPairs, tuple[str, ...]]
"""The pairs of one file, and notes on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownReader:
    """One published corpus: what it is called, what its labels mean, where its files are looked for."""

    name: str
    title: str
    definition: str
    """What its labels mean: one of `DEFINITIONS`."""
    places: tuple[str, ...]
    """Sub-folders of the given folder that may hold it, beside the folder itself."""
    files: Mapping[str, tuple[str, ...]]
    """Names of each split's file, as published; the first that is there is read."""
    read: Callable[[KnownReader, Path], KnownCorpus]

    def found(self, folder: Path, expected: Expected) -> dict[str, Path]:
        """The file of each split that is there."""
        files = {split: find_file(folder, self.places, names, expected) for split, names in self.files.items()}
        return {split: file for split, file in files.items() if file is not None}

    def corpus(self, folder: Path, parts: Mapping[str, Part], more: Iterable[str] = ()) -> KnownCorpus:
        """The splits that were read; an error where there is none."""
        if not parts:
            raise InputError(self.nothing_in(folder))
        missing = [
            f"{split}: no file {_either(names)} was found." for split, names in self.files.items() if split not in parts
        ]
        notes = [note for _, told in parts.values() for note in told]
        return KnownCorpus(
            name=self.name,
            title=self.title,
            definition=self.definition,
            splits={split: pairs for split, (pairs, _) in parts.items()},
            notes=(*notes, *more, *missing),
        )

    def nothing_in(self, folder: Path) -> str:
        """What to say where no file of the corpus is in a folder."""
        wanted = "; ".join(f"{split} is {_either(names)}" for split, names in self.files.items())
        return f"No file of {self.title} is in {folder}, nor in {_either(self.places)} there ({wanted})."


def _either(names: Sequence[str]) -> str:
    return " or ".join(names)
