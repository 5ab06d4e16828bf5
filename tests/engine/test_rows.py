"""Rows go into Arrow and come back the same; rows that share a key become the one that stands for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from itertools import groupby
from typing import Any, ClassVar

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine.rows import from_rows, lists_to_members, members_of, row_schema, to_python
from paraloom.engine.steps import merge_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """One column of every kind a noun may have."""

    KEY: ClassVar[tuple[str, ...]] = ("name", "number")

    name: str
    number: int
    share: float | None
    happened: datetime | None
    words: list[str]
    sure: bool
    remark: str | None


times = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
texts = st.text(st.characters(codec="utf-8"), max_size=8)
rows = st.lists(
    st.builds(
        Everything,
        name=texts,
        number=st.integers(-(2**63), 2**63 - 1),
        share=st.none() | st.floats(allow_nan=False),
        happened=st.none() | times,
        words=st.lists(texts, max_size=3),
        sure=st.booleans(),
        remark=st.none() | texts,
    ),
    max_size=8,
)


def back(table: pa.Table) -> list[Everything]:
    columns = {name: to_python(table.column(name)) for name in table.column_names}
    return [Everything(**{name: values[place] for name, values in columns.items()}) for place in range(len(table))]


@given(rows)
def test_a_round_trip_returns_the_same_rows(some: list[Everything]) -> None:
    assert back(from_rows(some, row_schema(Everything))) == some


@given(times, st.integers(-12, 12))
def test_a_time_keeps_its_moment_whatever_its_zone(moment: datetime, hours: int) -> None:
    elsewhere = moment.astimezone(timezone(timedelta(hours=hours)))
    schema = pa.schema([row_schema(Everything).field("happened")])
    (found,) = to_python(from_rows([_At(elsewhere)], schema).column("happened"))
    assert found == moment
    assert found.tzinfo is UTC


@dataclass
class _At:
    happened: datetime


@given(st.lists(rows, min_size=1, max_size=5), st.data())
def test_lists_of_rows_become_members_wherever_the_column_is_cut(lists: list[list[Everything]], data: Any) -> None:
    flat = from_rows([row for each in lists for row in each], row_schema(Everything))
    offsets = [sum(len(each) for each in lists[:place]) for place in range(len(lists) + 1)]
    structs = pa.StructArray.from_arrays(
        [column.combine_chunks() if column.num_chunks else pa.array([], column.type) for column in flat.columns],
        fields=list(flat.schema),
    )
    column = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), structs)
    start = data.draw(st.integers(0, len(lists) - 1))
    for members, given_rows in zip(lists_to_members(column.slice(start)), lists[start:], strict=True):
        assert len(members) == len(given_rows)
        for name in flat.column_names:
            assert members[name] == [getattr(row, name) for row in given_rows]


def test_members_made_by_hand_are_read_alike() -> None:
    members = members_of(text=["a", "b"], n=[1, None])
    assert (len(members), members["n"], members_of(text=["a"]).only("text")) == (2, [1, None], "a")


KEYED = pa.schema([("name", pa.string()), ("number", pa.int64()), ("copies", pa.int64()), ("seen", pa.string())])
keyed = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from("abc"),
            "number": st.integers(0, 2),
            "copies": st.integers(1, 3),
            "seen": st.none() | st.sampled_from("xyz"),
        }
    ),
    max_size=14,
)


def together(alike: list[dict[str, Any]]) -> dict[str, Any]:
    """The first row, with the copies of all: it depends on the order it is given."""
    copies = sum(row["copies"] for row in alike)
    return {**alike[0], "copies": copies, "seen": "".join(row["seen"] or "-" for row in alike)}


@given(keyed, st.randoms())
def test_merging_equals_grouping_by_hand(some: list[dict[str, Any]], random: Any) -> None:
    def key(row: Mapping[str, Any]) -> tuple[str, int]:
        return row["name"], row["number"]

    expected = {name: list(group) for name, group in groupby(sorted(some, key=key), key)}
    random.shuffle(some)
    table = pa.Table.from_pylist(some, KEYED).sort_by([("name", "ascending"), ("number", "ascending")])
    merged = merge_rows(table, ("name", "number"), together).to_pylist()
    assert [key(row) for row in merged] == sorted(expected)
    for row in merged:
        alike = expected[key(row)]
        if len(alike) == 1:
            assert row == alike[0]
        else:
            assert row["copies"] == sum(each["copies"] for each in alike)
            assert sorted(row["seen"]) == sorted(each["seen"] or "-" for each in alike)


@given(keyed, st.randoms())
def test_merging_does_not_depend_on_the_order_of_the_rows(some: list[dict[str, Any]], random: Any) -> None:
    shuffled = [*some]
    random.shuffle(shuffled)
    by_key = [("name", "ascending"), ("number", "ascending")]
    first, second = (
        merge_rows(pa.Table.from_pylist(each, KEYED).sort_by(by_key), ("name", "number"), together)
        for each in (some, shuffled)
    )
    assert first == second
