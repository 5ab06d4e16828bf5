"""What unrelated sentences score in, rescaled BERTScores out: where 0 means no more alike than by chance."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

COLUMNS = ("LAYER", "P", "R", "F")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Mean precision, recall and F1 of unrelated sentences under one encoder and layer, from 0 to 1."""

    precision: float
    recall: float
    f1: float

    def __post_init__(self) -> None:
        for value in (self.precision, self.recall, self.f1):
            if not -1 <= value < 1:
                raise InputError(f"A baseline of {value} cannot be rescaled from: it must be below 1 and not below -1.")

    @property
    def signature(self) -> str:
        """A short name for the three numbers."""
        written = f"{self.precision:.8f} {self.recall:.8f} {self.f1:.8f}"
        return blake2b(written.encode(), digest_size=4).hexdigest()

    def rescale(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores with columns precision, recall, F1: the baseline becomes 0 and 1 stays 1 (Zhang et al., 2020).

        >>> Baseline(precision=0.5, recall=0.5, f1=0.5).rescale(np.array([[0.5, 0.75, 1.0]])).tolist()
        [[0.0, 0.5, 1.0]]
        """
        at = np.array([self.precision, self.recall, self.f1])
        return np.asarray((scores - at) / (1 - at))

    @classmethod
    def read(cls, file: Path, layer: int) -> Baseline:
        """One layer's row of a file with the columns LAYER, P, R and F, as the authors' package has them."""
        try:
            rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"The baseline {file} cannot be read: {error}.") from error
        if not rows or not set(COLUMNS) <= set(rows[0]):
            raise InputError(f"The baseline {file} needs the columns {', '.join(COLUMNS)}, with commas between them.")
        try:
            by_layer = {int(row["LAYER"]): [float(row[part]) for part in ("P", "R", "F")] for row in rows}
        except (TypeError, ValueError) as error:
            raise InputError(f"The baseline {file} holds something that is no number: {error}.") from error
        if layer not in by_layer:
            raise InputError(
                f"The baseline {file} has no layer {layer}; it has {', '.join(map(str, sorted(by_layer)))}."
            )
        precision, recall, f1 = by_layer[layer]
        return cls(precision=precision, recall=recall, f1=f1)
