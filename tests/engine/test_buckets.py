"""Every key has one bucket, whoever computes it; gathering and joining equal the plain way of doing them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine.buckets import (
    MOST_BUCKETS,
    bucket_count,
    bucket_of,
    buckets_of,
    gather,
    in_pieces,
    join,
    join_in_pieces,
)
from paraloom.tables import make_id

counts = st.sampled_from([1, 2, 8, 64, MOST_BUCKETS])
ids = st.integers(0, 500).map(make_id)
phrases = st.text(st.characters(codec="utf-8"), max_size=6)
awkward = st.sampled_from(["-1a", "+1a", " 1 ", "1_0", "0x1", "１２３", "", "a", "ABC", "abc", "-10 degrees"])
keys = st.one_of(ids, phrases, awkward)


@given(keys, counts)
def test_a_key_lands_in_one_of_the_buckets(key: str, buckets: int) -> None:
    assert 0 <= bucket_of(key, buckets) < buckets


@given(st.lists(keys), counts)
def test_a_column_of_keys_is_cut_as_each_key_is(some: list[str], buckets: int) -> None:
    column = pa.array(some, pa.string())
    assert buckets_of(column, buckets).to_pylist() == [bucket_of(key, buckets) for key in some]


@given(st.lists(ids, min_size=1), counts, st.integers(0, 20))
def test_a_column_in_pieces_is_cut_as_in_one(some: list[str], buckets: int, cut: int) -> None:
    pieces = pa.chunked_array([some[:cut], some[cut:]], pa.string())
    assert buckets_of(pieces, buckets) == buckets_of(pa.array(some, pa.string()), buckets)


@given(st.lists(ids, min_size=2), counts)
def test_buckets_of_ids_are_ranges_of_ids(some: list[str], buckets: int) -> None:
    numbers = [bucket_of(key, buckets) for key in sorted(some)]
    assert numbers == sorted(numbers)


@given(ids, st.integers(3, 32), counts)
def test_three_digits_of_an_id_are_enough_to_find_its_bucket(key: str, digits: int, buckets: int) -> None:
    assert bucket_of(key[:digits], buckets) == bucket_of(key, buckets)


COUNTS = [
    (0, 1),
    (16 << 20, 1),
    ((16 << 20) + 1, 2),
    (300 << 20, 32),
    (1 << 60, 4096),
]


@pytest.mark.parametrize(("size", "buckets"), COUNTS)
def test_more_input_is_cut_into_more_buckets(size: int, buckets: int) -> None:
    assert bucket_count(size) == buckets


LEFT = pa.schema([("id", pa.string()), ("text", pa.string()), ("n", pa.int64())])
RIGHT = pa.schema([("id", pa.string()), ("score", pa.float64()), ("tags", pa.list_(pa.string()))])
few = st.sampled_from(["a", "b", "c", "d", "é"])
left_rows = st.lists(
    st.fixed_dictionaries({"id": few, "text": st.none() | phrases, "n": st.none() | st.integers(-5, 5)}), max_size=12
)
right_rows = st.lists(
    st.fixed_dictionaries(
        {"id": few, "score": st.none() | st.floats(0, 1), "tags": st.just(["x"]) | st.just([])},
    ),
    max_size=12,
    unique_by=lambda row: (row["id"], row["score"]),  # what differs in a list alone has no order of its own
)


def ordered(rows: list[dict[str, Any]], *columns: str) -> list[dict[str, Any]]:
    """By these columns, nulls last, as Arrow sorts."""
    return sorted(
        rows, key=lambda row: [(row[name] is None, "" if row[name] is None else row[name]) for name in columns]
    )


@given(left_rows, right_rows, st.randoms())
def test_gathering_equals_a_dictionary_of_lists(left: list[Any], right: list[Any], random: Any) -> None:
    expected: dict[str, tuple[list[Any], list[Any]]] = defaultdict(lambda: ([], []))
    for row in ordered(left, "text", "n"):
        expected[row["id"]][0].append({"text": row["text"], "n": row["n"]})
    for row in ordered(right, "score"):
        expected[row["id"]][1].append({"score": row["score"], "tags": row["tags"]})
    for rows in (left, right):
        random.shuffle(rows)
    tables = {"left": pa.Table.from_pylist(left, LEFT), "right": pa.Table.from_pylist(right, RIGHT)}
    gathered = gather(tables, by="id")
    assert gathered.to_pylist() == [
        {"id": key, "left": expected[key][0], "right": expected[key][1]} for key in sorted(expected, key=str.encode)
    ]


@given(left_rows, right_rows)
def test_joining_equals_two_loops(left: list[Any], right: list[Any]) -> None:
    joined = join([pa.Table.from_pylist(left, LEFT), pa.Table.from_pylist(right, RIGHT.remove(2))], by="id")
    expected = [{**a, "score": b["score"]} for a in left for b in right if a["id"] == b["id"]]
    columns = ("id", "text", "n", "score")
    assert [{name: row[name] for name in columns} for row in ordered(joined.to_pylist(), *columns)] == [
        {name: row[name] for name in columns} for row in ordered(expected, *columns)
    ]


def test_joining_one_table_gives_it_back() -> None:
    table = pa.table({"id": ["a", "b"]})
    assert join([table], by="id") == table


numbered = st.lists(st.tuples(keys, st.integers(0, 9)), max_size=30)


@given(numbered, numbered)
def test_what_is_gathered_a_piece_at_a_time_is_what_is_gathered_at_once(
    left: list[tuple[str, int]], right: list[tuple[str, int]]
) -> None:
    tables = {
        name: pa.table({"id": pa.array([key for key, _ in rows], pa.string()), "n": [n for _, n in rows]})
        for name, rows in (("left", left), ("right", right))
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paraloom.engine.buckets.BYTES_AT_ONCE", 64)
        pieces = [gather(piece, "id").to_pylist() for piece in in_pieces(tables, "id")]
    found = sorted((row for piece in pieces for row in piece), key=lambda row: row["id"])
    assert found == sorted(gather(tables, "id").to_pylist(), key=lambda row: row["id"])
    if sum(table.nbytes for table in tables.values()) > 640 and len({key[:3] for key, _ in left + right}) > 20:
        assert len(pieces) > 2


@given(numbered, numbered)
def test_what_is_joined_a_piece_at_a_time_is_what_is_joined_at_once(
    left: list[tuple[str, int]], right: list[tuple[str, int]]
) -> None:
    tables = [
        pa.table(
            {"id": pa.array([key for key, _ in rows], pa.string()), name: pa.array([n for _, n in rows], pa.int64())}
        )
        for name, rows in (("left", left), ("right", right))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paraloom.engine.buckets.BYTES_AT_ONCE", 64)
        pieces = list(join_in_pieces(tables, "id"))
    found = Counter(tuple(row.values()) for piece in pieces for row in piece.to_pylist())
    assert found == Counter(tuple(row.values()) for row in join(tables, "id").to_pylist())
    assert len(pieces) > 1 or len(left) < 6


def test_one_long_text_beside_most_rows_is_joined_in_pieces_of_a_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = pa.table({"id": [f"{number:03x}" for number in range(1000)], "text": ["x" * 10_000, *["y"] * 999]})
    rows = pa.table({"id": ["000"] * 300 + ["3e7", "no text"], "n": range(302)})
    monkeypatch.setattr("paraloom.engine.buckets.BYTES_AT_ONCE", 100_000)
    pieces = list(join_in_pieces([rows, texts], "id"))
    assert max(piece.nbytes for piece in pieces) < 2 * 100_000
    assert len(pieces) < 100
    assert sorted(n for piece in pieces for n in piece.column("n").to_pylist()) == list(range(301))
