"""Arrow columns of one part in, counts and NumPy arrays out: the small tools for counting part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

PLACES = 6
"""Decimals that shares and means keep."""

OTHER = "other"
"""What the names beyond a cap are counted under."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often something was met, and its share of all that was counted with it."""

    name: str
    count: int
    share: float


def share(part: float, whole: float) -> float:
    """One number as a share of another; 0 of nothing is 0.

    >>> share(1, 3), share(0, 0)
    (0.333333, 0.0)
    """
    return round(part / whole, PLACES) if whole else 0.0


def counted(counts: Mapping[str, int], most: int | None = None, whole: int | None = None) -> tuple[Count, ...]:
    """Counts, the largest first; those beyond the cap together as `other`.

    >>> [(count.name, count.count) for count in counted({"a": 1, "b": 3, "c": 1}, most=1)]
    [('b', 3), ('other', 2)]
    """
    total = sum(counts.values()) if whole is None else whole
    order = sorted(counts.items(), key=lambda item: (item[0] == OTHER, -item[1], item[0]))
    shown, rest = (order, []) if most is None or len(order) <= most else (order[:most], order[most:])
    if rest:
        shown = [item for item in shown if item[0] != OTHER]
        shown.append((OTHER, sum(count for _, count in rest)))
    return tuple(Count(name=name, count=count, share=share(count, total)) for name, count in shown)


def add_values(counts: Counter[str], column: pa.ChunkedArray | pa.Array, missing: str | None = None) -> None:
    """Count the values of a column of words; null counts as `missing`, or not at all."""
    import pyarrow.compute as pc

    for met in pc.value_counts(column).to_pylist():
        name = missing if met["values"] is None else met["values"]
        if name is not None:
            counts[name] += met["counts"]


def first_of_each(column: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """In a sorted column, which rows are the first with their value."""
    import numpy as np
    import pyarrow.compute as pc

    first = np.ones(len(column), bool)
    if len(column) > 1:
        values = column.combine_chunks()
        first[1:] = pc.not_equal(values.slice(1), values.slice(0, len(values) - 1)).to_numpy(zero_copy_only=False)
    return first


def kept(table: pa.Table) -> pa.Table:
    """The rows that were not left out."""
    import pyarrow.compute as pc

    return table.filter(pc.is_null(table.column("dropped_for")))


def short_ids(column: pa.ChunkedArray | pa.Array) -> npt.NDArray[np.uint64]:
    """Ids as 64-bit numbers, so that distinct ones can be counted in an eighth of the memory of their text."""
    import numpy as np

    numbers = [int(value[:16], 16) for value in column.to_pylist()]
    return np.array(numbers, np.uint64)


def count_distinct(parts: Iterable[npt.NDArray[np.uint64]]) -> int:
    """How many different numbers the arrays hold together."""
    import numpy as np

    arrays = list(parts)
    return int(np.unique(np.concatenate(arrays)).size) if arrays else 0


def to_numpy(column: pa.ChunkedArray, missing: Any) -> npt.NDArray[Any]:
    """A column as NumPy values, nulls replaced."""
    import pyarrow.compute as pc

    values: npt.NDArray[Any] = pc.fill_null(column, missing).to_numpy()
    return values
