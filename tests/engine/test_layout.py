"""Rows on disk by bucket: whole buckets, and some rows of one, from parts of tables and from what passes lay down."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine.layout import count_rows, laid_in, read_range
from paraloom.engine.spills import may_hold, write_spills

BUCKETS = 4
SCHEMA = pa.schema([("bucket", pa.int64()), ("place", pa.int64())])


@given(rows=st.integers(0, 30), group=st.integers(1, 9), start=st.integers(0, 35), length=st.integers(0, 35))
def test_some_rows_of_a_part_are_those_of_the_whole(rows: int, group: int, start: int, length: int) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "part-00.parquet"
        whole = pa.table({"number": pa.array(range(rows), pa.int64()), "other": pa.array(["x"] * rows, pa.string())})
        pq.write_table(whole, file, row_group_size=group)
        assert count_rows(file) == rows
        some = read_range(file, ("number",), start, start + length)
        assert some.to_pydict() == {"number": whole.column("number").to_pylist()[start : start + length]}


@given(tasks=st.lists(st.lists(st.integers(0, BUCKETS - 1), max_size=6), max_size=5))
def test_a_bucket_is_the_same_whether_spills_hold_one_or_many(tasks: list[list[int]]) -> None:
    with TemporaryDirectory() as named:
        folder = Path(named)
        laid_down: list[tuple[int, int]] = []
        for number, buckets in enumerate(tasks):
            places = range(len(laid_down), len(laid_down) + len(buckets))
            laid_down += zip(buckets, places, strict=True)
            made = pa.table({"bucket": buckets, "place": list(places)}, schema=SCHEMA)
            write_spills([made], SCHEMA, "bucket", BUCKETS, folder / f"task-{number:05d}")
        laid = laid_in(folder, "bucket", SCHEMA, BUCKETS)
        for bucket in range(BUCKETS):
            expected = [place for other, place in laid_down if other == bucket]
            assert laid.read(bucket, ("place",)).column("place").to_pylist() == expected
            assert laid.count(bucket) == len(expected)
            assert laid.read(bucket, ("place",), (1, 3)).column("place").to_pylist() == expected[1:3]
        alone = {buckets[0] for buckets in tasks if len(set(buckets)) == 1}
        opened = [bucket for bucket in range(BUCKETS) if any(may_hold(file, bucket) for file in laid.spills)]
        if all(len(set(buckets)) <= 1 for buckets in tasks):
            assert opened == sorted(alone)  # files of other buckets are not even opened


def test_a_run_folder_may_be_called_anything() -> None:
    assert may_hold("/runs/x-all-in-7/task-00000/0000.spill", 3)
