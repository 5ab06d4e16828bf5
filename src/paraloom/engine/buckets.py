"""Arrow rows in, the same rows cut by bucket or gathered by key out. All of it is deterministic.

A bucket is a range of the first hex digits of a key, so that sorting, grouping and joining can be done one
bucket at a time in bounded memory, and both engines cut alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

PREFIX_DIGITS = 3
"""How many hex digits of a key decide its bucket."""
MOST_BUCKETS = 1 << (4 * PREFIX_DIGITS)
_DIGITS = re.compile(f"[0-9a-f]{{{PREFIX_DIGITS}}}")  # not int(): it takes signs, blanks and other scripts' digits
BYTES_PER_BUCKET = 16 << 20
"""How much raw input one bucket should hold, about: it bounds the memory a step needs."""

BYTES_AT_ONCE = 256 << 20
"""Of a bucket that holds more, so much is gathered at a time: a long text may stand in it very many times."""


def bucket_count(input_bytes: int) -> int:
    """How many buckets a run of this much raw input is cut into: a power of two.

    >>> bucket_count(10_000), bucket_count(300 << 20)
    (1, 32)
    """
    count = 1
    while count < MOST_BUCKETS and count * BYTES_PER_BUCKET < input_bytes:
        count *= 2
    return count


def bucket_of(key: str, buckets: int) -> int:
    """The bucket of one key.

    >>> bucket_of("00ff", 16), bucket_of("ffff", 16), bucket_of("any word", 1)
    (0, 15, 0)
    """
    digits = key if begins_like_an_id(key) else blake2b(key.encode("utf-8", "surrogatepass"), digest_size=2).hexdigest()
    return int(digits[:PREFIX_DIGITS], 16) * buckets // MOST_BUCKETS


def begins_like_an_id(key: str) -> bool:
    """True where the first characters decide the bucket, as in an id; the bucket of a phrase depends on all of it."""
    return _DIGITS.match(key) is not None


def buckets_of(keys: pa.ChunkedArray | pa.Array, buckets: int) -> pa.Array:
    """The bucket of every key of a column; a number is its own bucket."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_integer(keys.type):
        numbers = keys.cast(pa.int64())
        return numbers.combine_chunks() if isinstance(numbers, pa.ChunkedArray) else numbers
    prefixes = pc.utf8_slice_codeunits(keys, 0, PREFIX_DIGITS)
    if isinstance(prefixes, pa.ChunkedArray):
        prefixes = prefixes.combine_chunks()
    encoded = prefixes.dictionary_encode()
    words = encoded.dictionary.to_pylist()
    if all(begins_like_an_id(word) for word in words):
        numbers = [int(word, 16) * buckets // MOST_BUCKETS for word in words]
        return pa.array(numbers, pa.int64()).take(encoded.indices)
    return pa.array([bucket_of(key, buckets) for key in keys.to_pylist()], pa.int64())


def gather(tables: Mapping[str, pa.Table], by: str) -> pa.Table:
    """One row a key: the key, and for each input the list of its rows that have it, in the order of all their columns.

    >>> import pyarrow as pa
    >>> left = pa.table({"id": ["b", "a"], "text": ["two", "one"]})
    >>> right = pa.table({"id": ["b", "b"], "n": [7, 3]})
    >>> gathered = gather({"left": left, "right": right}, by="id")
    >>> gathered.column("id").to_pylist(), gathered.column("right").to_pylist()
    (['a', 'b'], [[], [{'n': 3}, {'n': 7}]])
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    ordered = {name: _sorted(table, by) for name, table in tables.items()}
    every = pa.chunked_array([chunk for table in ordered.values() for chunk in table.column(by).chunks], pa.string())
    keys = pc.unique(every)
    keys = keys.take(pc.array_sort_indices(keys))
    columns: dict[str, pa.Array] = {by: keys}
    for name, table in ordered.items():
        places = pc.index_in(table.column(by), value_set=keys)
        lengths = np.bincount(places.to_numpy(), minlength=len(keys)) if len(table) else np.zeros(len(keys), np.int64)
        offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
        names = [column for column in table.column_names if column != by]
        arrays = [_one_chunk(table.column(column)) for column in names]
        rows = pa.StructArray.from_arrays(arrays, fields=[table.schema.field(column) for column in names])
        columns[name] = pa.ListArray.from_arrays(offsets, rows)
    return pa.table(columns)


def in_pieces(tables: Mapping[str, pa.Table], by: str) -> Iterator[dict[str, pa.Table]]:
    """The same rows a piece at a time, all rows of a key together: what is gathered must fit into an Arrow array."""
    import numpy as np
    import pyarrow as pa

    size = sum(table.nbytes for table in tables.values())
    if size <= BYTES_AT_ONCE:
        yield dict(tables)
        return
    numbers = {name: buckets_of(table.column(by), MOST_BUCKETS).to_numpy() for name, table in tables.items()}
    present = np.unique(np.concatenate(list(numbers.values())))
    for some in np.array_split(present, min(len(present), 2 * size // BYTES_AT_ONCE)):
        yield {
            name: table.filter(pa.array((numbers[name] >= some[0]) & (numbers[name] <= some[-1])))
            for name, table in tables.items()
        }


def join(tables: Sequence[pa.Table], by: str) -> pa.Table:
    """The rows of the first input beside those of the others that have the same key; keys that one lacks are left out.

    >>> import pyarrow as pa
    >>> joined = join([pa.table({"id": ["a", "b"], "n": [1, 2]}), pa.table({"id": ["b"], "text": ["two"]})], by="id")
    >>> joined.to_pylist()
    [{'id': 'b', 'n': 2, 'text': 'two'}]
    """
    joined, *others = tables
    for other in others:
        joined = joined.join(other, by, join_type="inner", use_threads=False)
    return joined


def join_in_pieces(tables: Sequence[pa.Table], by: str) -> Iterator[pa.Table]:
    """The same as `join`, a piece at a time: a long text may stand beside very many rows."""
    import numpy as np

    first, *others = tables
    if not len(first):
        return
    beside = sum(_bytes_by_key(other, by, first.column(by)) for other in others)
    pieces = np.cumsum(_bytes_of_rows(first) + beside) // BYTES_AT_ONCE
    ends = [*(np.flatnonzero(np.diff(pieces)) + 1).tolist(), len(first)]
    for start, end in pairwise([0, *ends]):
        yield join([first.slice(start, end - start), *others], by)


def _bytes_by_key(table: pa.Table, by: str, keys: pa.ChunkedArray) -> NDArray[np.float64]:
    """How much of a table lies beside each of these keys."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    sized = pa.table({by: table.column(by), "bytes": _bytes_of_rows(table)})
    sums = sized.group_by(by, use_threads=False).aggregate([("bytes", "sum")])
    places = pc.index_in(keys, value_set=sums.column(by))
    return np.asarray(pc.fill_null(sums.column("bytes_sum").take(places), 0.0).to_numpy())


def _bytes_of_rows(table: pa.Table) -> NDArray[np.float64]:
    """How large every row is, about: to the letter where there is text."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = np.zeros(len(table))
    for column in table.columns:
        if pa.types.is_string(column.type):
            sizes += pc.fill_null(pc.binary_length(column), 0).to_numpy()
        else:
            sizes += column.nbytes / max(len(table), 1)
    return sizes


def _sorted(table: pa.Table, by: str) -> pa.Table:
    """Ordered by the key, then by every column that can be ordered, so that the order in files never shows."""
    import pyarrow as pa

    if len(table) < 2:
        return table
    rest = [field.name for field in table.schema if field.name != by and not pa.types.is_nested(field.type)]
    return table.sort_by(
        [(column, "ascending") for column in (by, *sorted(rest, key=lambda name: not name.endswith("_id")))]
    )


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else combined.chunk(0)
