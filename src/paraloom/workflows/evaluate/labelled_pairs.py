"""A pair file of the user's in, checked pairs with labels and scores out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.given import Rows, read_rows
from paraloom.errors import InputError
from paraloom.workflows.evaluate.chosen_rows import rows_where
from paraloom.workflows.evaluate.same_text import same_pair

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
    notes: tuple[str, ...] = ()
    """What was seen while reading them that their reader should know."""

    def __len__(self) -> int:
        return len(self.truth)


def read_labelled_pairs(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    where: Sequence[str] = (),
    *,
    with_scores: bool = False,
) -> LabelledPairs:
    """The pairs of a file with `left`, `right`, `label` and, where asked for, `score`; all, or those with `where`."""
    wanted = ("left", "right", "label", "score") if with_scores else ("left", "right", "label")
    rows = read_rows(path, wanted, columns, required=wanted[:3])
    if with_scores and "score" not in rows.columns:
        raise InputError(
            f"{path} has no column 'score'; it has {', '.join(rows.columns)}. Score the pairs (`paraloom identify`, or "
            "--model NAME here), or say which column holds scores: --columns score=COLUMN."
        )
    if not len(rows):
        raise InputError(f"{path} has a header but no row. Give a file with at least one pair.")
    rows = rows_where(rows, where)
    left, right, labels = rows.texts("left"), rows.texts("right"), _labels(rows)
    return LabelledPairs(
        path=Path(path),
        left=left,
        right=right,
        truth=np.array(labels),
        scores=np.array(rows.numbers("score")) if with_scores else None,
        columns=rows.columns,
        lines=rows.lines,
        notes=(*(() if rows.note is None else (rows.note,)), *_empty(Path(path), left, right)),
    )


def _empty(path: Path, left: Sequence[str], right: Sequence[str]) -> list[str]:
    empty = sum(not one.strip() or not other.strip() for one, other in zip(left, right, strict=True))
    return [f"{path.name}: {empty} of {len(left)} pairs have an empty text."] if empty else []


def notes_on_splits(pairs: LabelledPairs) -> list[str]:
    """Splits that are measured together, which somebody parted."""
    splits = Counter(str(value).strip() for value in pairs.columns.get("split", ()) if value is not None)
    del splits[""]
    if len(splits) < 2:
        return []
    some = ", ".join(f"{name} ({count:,})" for name, count in splits.most_common(5)) + (" …" if len(splits) > 5 else "")
    chosen = "test" if "test" in splits else next(iter(splits))
    return [f"{pairs.path.name}: splits are measured together: {some}. Measure one: --where split={chosen}."]


def notes_on_repetitions(pairs: LabelledPairs) -> list[str]:
    """Rows that count twice or contradict each other."""
    labels_of: dict[frozenset[str], set[bool]] = {}
    for one, other, label in zip(pairs.left, pairs.right, pairs.truth.tolist(), strict=True):
        labels_of.setdefault(same_pair(one, other), set()).add(label)
    name, notes = pairs.path.name, []
    if again := len(pairs) - len(labels_of):
        notes.append(f"{name}: {again} of {len(pairs)} rows repeat a pair of another row, and count again.")
    if both := sum(len(found) > 1 for found in labels_of.values()):
        are = "1 pair is" if both == 1 else f"{both} pairs are"
        notes.append(f"{name}: {are} labelled both as a paraphrase and as none.")
    return notes


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
                    f"{_what_to_do(first, other)}"
                )
        if first.truth[row] != other.truth[row]:
            raise InputError(
                f"{first.path}, line {first.lines[row]}, and {other.path}, line {other.lines[row]}, have the same pair "
                f"with another label. Give the same labels to both."
            )


def _what_to_do(first: LabelledPairs, other: LabelledPairs) -> str:
    ours, theirs = (Counter(zip(one.left, one.right, strict=True)) for one in (first, other))
    if ours == theirs:
        return "Both files hold the same pairs in another order: sort them alike."
    return "Give files with the same pairs in the same order."


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
