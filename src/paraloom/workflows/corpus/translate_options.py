"""Where a parallel corpus is, and who translates it. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelOptions:
    """Where the two languages are, and who translates."""

    foreign: Path | None = None
    """The other language's file, line by line, where it does not stand in a column of the first."""
    parallel_columns: tuple[int, int] = (1, 2)
    """Of one file: the column of the text and that of the foreign text, from 1 on."""
    translator: str = "opus-mt-fr-en"
    """The model that translates the foreign side, by name, on the shelf or on the hub, or its folder."""
    device: str = "cpu"
    """Where it runs: `cpu` or `cuda`."""
    hub: bool = False
    """Ask the model hub for a translator that is not on this machine."""
    overwrite: bool = False
    """Replace a file that is there already."""
