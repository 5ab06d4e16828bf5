"""How training and held-out pairs are compared. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakageOptions:
    """Where pairs are read from, and what is told of those that are shared."""

    data: Path | None = None
    """Folder of published corpora: these may then be named (`msrp:train`, or `msrp` for all its splits)."""
    columns: tuple[str, ...] = ()
    """Where the texts lie in files with other names for them: `left=COLUMN right=COLUMN`, by name or number from 1."""
    examples: int = 3
    """Shared pairs and texts that are shown of each two sets."""
    refuse: bool = False
    """End with an error where a pair is shared."""
