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


def add_weights(counts: Counter[str], column: pa.ChunkedArray | pa.Array, weights: pa.ChunkedArray | pa.Array) -> None:
    """Add up the weights of every value of a column of words; null does not count."""
    import pyarrow as pa

    sums = pa.table({"name": column, "weight": weights}).group_by("name").aggregate([("weight", "sum")])
    for name, weight in zip(sums.column("name").to_pylist(), sums.column("weight_sum").to_pylist(), strict=True):
        if name is not None:
            counts[name] += weight


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


def short_ids(column: pa.ChunkedArray) -> npt.NDArray[np.uint64]:
    """The first 16 hex digits of ids as numbers: eight bytes each, where a Python number or text takes many times that.

    >>> import pyarrow as pa
    >>> short_ids(pa.chunked_array([["00000000000000ff" + "0" * 16, "f" * 32]])).tolist()
    [255, 18446744073709551615]
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    digits = pc.utf8_slice_codeunits(column, 0, 16).cast(pa.binary()).cast(pa.binary(16))
    arrays = [
        np.frombuffer(chunk.buffers()[1], np.uint8, len(chunk) * 16, chunk.offset * 16) for chunk in digits.chunks
    ]
    letters = np.concatenate([np.empty(0, np.uint8), *arrays]).reshape(-1, 8, 2)
    values = (letters & 15) + 9 * (letters >> 6)  # in ASCII only letters have bit 6 set, and `a` ends in 1
    return np.ascontiguousarray(values[:, :, 0] << 4 | values[:, :, 1]).view(">u8").reshape(-1).astype(np.uint64)


def distinct(parts: Iterable[npt.NDArray[np.uint64]]) -> npt.NDArray[np.uint64]:
    """The different numbers that the arrays hold together, sorted."""
    import numpy as np

    arrays = list(parts)
    return np.unique(np.concatenate(arrays)) if arrays else np.empty(0, np.uint64)


def is_among(numbers: npt.NDArray[np.uint64], ordered: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Which numbers are in a sorted array, however large: `np.isin` would sort it again for every part.

    >>> import numpy as np
    >>> is_among(np.array([1, 2, 9], np.uint64), np.array([2, 5], np.uint64)).tolist()
    [False, True, False]
    """
    import numpy as np

    if not ordered.size:
        return np.zeros(numbers.shape, bool)
    places = np.minimum(np.searchsorted(ordered, numbers), ordered.size - 1)
    found: npt.NDArray[np.bool_] = ordered[places] == numbers
    return found


def to_numpy(column: pa.ChunkedArray, missing: Any) -> npt.NDArray[Any]:
    """A column as NumPy values, nulls replaced."""
    import pyarrow.compute as pc

    values: npt.NDArray[Any] = pc.fill_null(column, missing).to_numpy()
    return values
