"""A pair file of the user's in, checked pairs with labels and scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.given import Rows, read_rows
from paraloom.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABELS = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}
"""How a label may be written, in any case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPairs:
    """Pairs of one file in their order, each with its label."""

    path: Path
    left: Sequence[str]
    right: Sequence[str]
    truth: NDArray[np.bool_]
    scores: NDArray[np.float64] | None
    columns: Mapping[str, Sequence[Any]]
    """All columns of the file, for those that pairs may be sliced by."""
    lines: Sequence[int]

    def __len__(self) -> int:
        return len(self.truth)


def read_labelled_pairs(
    path: str | Path, columns: Mapping[str, str] | None = None, *, with_scores: bool = False
) -> LabelledPairs:
    """The pairs of a file with `left`, `right`, `label` and, where asked for, `score`."""
    wanted = ("left", "right", "label", "score") if with_scores else ("left", "right", "label")
    rows = read_rows(path, wanted, columns)
    if not len(rows):
        raise InputError(f"{path} has a header but no row. Give a file with at least one pair.")
    return LabelledPairs(
        path=Path(path),
        left=rows.texts("left"),
        right=rows.texts("right"),
        truth=np.array(_labels(rows)),
        scores=np.array(rows.numbers("score")) if with_scores else None,
        columns=rows.columns,
        lines=rows.lines,
    )


def check_same_pairs(first: LabelledPairs, other: LabelledPairs) -> None:
    """Refuse two files that are not about the same pairs with the same labels, in the same order."""
    if len(first) != len(other):
        raise InputError(
            f"{first.path} has {len(first)} pairs and {other.path} has {len(other)}. "
            "Systems are compared on the same pairs, in the same order."
        )
    for row in range(len(first)):
        for side in ("left", "right"):
            ours, theirs = getattr(first, side)[row], getattr(other, side)[row]
            if ours != theirs:
                raise InputError(
                    f"{first.path}, line {first.lines[row]}, and {other.path}, line {other.lines[row]}, are not the "
                    f"same pair: {side} is {_shown(ours)} in one and {_shown(theirs)} in the other. "
                    "Give files with the same pairs in the same order."
                )
        if first.truth[row] != other.truth[row]:
            raise InputError(
                f"{first.path}, line {first.lines[row]}, and {other.path}, line {other.lines[row]}, have the same pair "
                f"with another label. Give the same labels to both."
            )


def _labels(rows: Rows) -> list[bool]:
    found = []
    for line, value in zip(rows.lines, rows.columns["label"], strict=True):
        label = LABELS.get(str(value).strip().lower())
        if label is None:
            raise InputError(
                f"{rows.path}, line {line}: the label is {_shown(str(value))}, but must be 1 or 0 (or true or false). "
                "Leave out pairs without a clear label."
            )
        found.append(label)
    return found


def _shown(text: str, longest: int = 40) -> str:
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
