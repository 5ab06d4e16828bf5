"""Named columns of numbers in, what small regression trees make of them out: NumPy alone, learned in `recipes`.

Every tree asks three questions (Friedman, 2001): is this column's number at most that? Where a number is missing, the
answer was learned, too: the way that such pairs took when the trees were grown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

DEPTH = 3
INNER, LEAVES = (1 << DEPTH) - 1, 1 << DEPTH
AT_ONCE = 65_536
"""Rows that are looked at together."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Trees whose answers are added up.

    >>> questions = np.array([[0, 0, 0, 0, 0, 0, 0]])
    >>> trees = Trees(columns=("cosine",), base=3.0, asked=questions, limits=np.full((1, 7), 0.5),
    ...     missing_is_more=np.zeros((1, 7), bool), leaves=np.array([[-1.0, 0, 0, 0, 0, 0, 0, 1.0]]))
    >>> trees.of({"cosine": np.array([0.1, 0.9, np.nan])}).tolist()
    [2.0, 4.0, 2.0]
    """

    columns: tuple[str, ...]
    """The names of what can be asked about."""
    base: float
    """The answer before any tree is asked."""
    asked: NDArray[np.int64]
    """Trees × 7: the column of each question; the two that follow question q are 2q + 1 and 2q + 2."""
    limits: Floats
    """Trees × 7: up to this number the way leads to the first of the two, beyond it to the second."""
    missing_is_more: NDArray[np.bool_]
    """Trees × 7: a missing number leads to the second."""
    leaves: Floats
    """Trees × 8."""

    def of(self, given: Mapping[str, Floats]) -> Floats:
        """One number a row; columns that are not given are missing in all rows."""
        if not (known := [given[name] for name in self.columns if name in given]):
            raise InputError(f"None of the columns is given. Give some of {', '.join(self.columns)}.")
        missing = np.full(len(known[0]), np.nan)
        values = np.stack([given.get(name, missing) for name in self.columns], axis=1)
        found = [self._block(values[start : start + AT_ONCE]) for start in range(0, len(values), AT_ONCE)]
        return np.concatenate([np.zeros(0), *found])

    def _block(self, values: Floats) -> Floats:
        rows = np.arange(len(values))
        found = np.full(len(values), self.base)
        for asked, limits, otherwise, leaves in zip(
            self.asked, self.limits, self.missing_is_more, self.leaves, strict=True
        ):
            at = np.zeros(len(values), np.int64)
            for _ in range(DEPTH):
                number = values[rows, asked[at]]
                at = 2 * at + 1 + np.where(np.isnan(number), otherwise[at], number > limits[at])
            found += leaves[at - INNER]
        return found

    @classmethod
    def read(cls, file: Path) -> Trees:
        """The trees of a file that `write_trees` wrote."""
        card: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        trees = card["trees"]
        shape = (len(trees), -1)
        rows = [np.array([tree[part] for tree in trees]).reshape(shape) for part in range(4)]
        asked, limits, otherwise, leaves = rows
        return cls(
            columns=tuple(card["columns"]),
            base=float(card["base"]),
            asked=asked.astype(np.int64),
            limits=limits.astype(np.float64),
            missing_is_more=otherwise.astype(bool),
            leaves=leaves.astype(np.float64),
        )


def write_trees(file: Path, trees: Trees, card: Mapping[str, Any]) -> None:
    """Write trees, a line each, behind what is said of them."""
    rows: list[Sequence[Any]] = [
        (asked.tolist(), limits.tolist(), otherwise.astype(int).tolist(), leaves.tolist())
        for asked, limits, otherwise, leaves in zip(
            trees.asked, trees.limits, trees.missing_is_more, trees.leaves, strict=True
        )
    ]
    head = json.dumps({**card, "columns": trees.columns, "base": trees.base}, indent=1)[:-2]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    file.write_text(f'{head},\n "trees": [\n{lines}\n ]\n}}\n', encoding="utf-8")
