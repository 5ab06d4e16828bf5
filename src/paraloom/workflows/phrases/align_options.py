"""How the words of pairs are aligned. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignOptions:
    """What a word is, what is learned from, and how a file is written."""

    tokenized: bool = False
    """Texts are tokens with blanks between them already: taken as they are. Else they are parted into words and marks,
    and `left` and `right` are written so."""
    learn_from: tuple[Path, ...] = ()
    """Files of pairs that an aligner that learns sees beside the given one: the more, the better it knows words."""
    save: Path | None = None
    """Folder for what the statistical aligner has learned: `--settings folder=DIR` aligns other pairs by it. One that
    holds the same already stays as it is."""
    columns: tuple[str, ...] = ()
    """Where the texts lie in the file: `left=sentence1 right=sentence2`, by name or number from 1."""
    batch: int = 2048
    """Rows that are read, aligned and written at a time. It decides how much memory is used, and no link."""
    replace_columns: bool = False
    """Replace a column `alignment` that the file has already; else such a file is refused."""
    overwrite: bool = False
    """Replace the file that --out names, once the new one is whole; else a file that is there is refused."""

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise InputError(f"--batch {self.batch} makes no progress. Give a number such as 2048.")
