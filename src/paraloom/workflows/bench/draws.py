"""Draws of the pairs of one row in, a file out, and back: so that a report of many rows is quick to make anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import write_text

DIGITS = 9
"""Decimals that are kept of each draw: more than any table shows, and the same whether read or drawn anew."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Intervals of every metric, and what ranks pairs over all draws."""

    bounds: Mapping[str, tuple[float, float]]
    resampled: NDArray[np.float64]
    """One row a draw: max F1, average precision, ROC-AUC."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "resampled", self.resampled.round(DIGITS))


def write_drawn(drawn: Drawn, file: Path) -> None:
    """Keep it; the file is either whole or absent."""
    file.parent.mkdir(parents=True, exist_ok=True)
    bounds = {name: list(ends) for name, ends in drawn.bounds.items()}
    write_text(file, json.dumps({"bounds": bounds, "resampled": drawn.resampled.tolist()}) + "\n")


def read_drawn(file: Path) -> Drawn | None:
    """What was kept; None where nothing was."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        bounds = {name: (float(low), float(high)) for name, (low, high) in kept["bounds"].items()}
        return Drawn(bounds=bounds, resampled=np.array(kept["resampled"], np.float64).reshape(-1, 3))
    except (OSError, ValueError, KeyError, TypeError):
        return None
