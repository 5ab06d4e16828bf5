"""Lines made in Arrow are byte for byte those that Python writes cell by cell, whatever is in the cells."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.workflows.table_lines import LINE_FORMATS, NOT_IN_TSV, lines_of, write_lines

TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from('\t\r\n",\\\x00\x1f\x7fä'), max_size=6)
NUMBERS = st.floats() | st.integers(-10, 10).map(float) | st.integers(0, 2_000_000).map(lambda number: number / 1e6)
WHOLE = st.integers(-(2**63), 2**63 - 1)
COLUMNS = {
    "a text": (TEXTS, pa.string()),
    'so "called"': (TEXTS, pa.large_string()),
    "number": (NUMBERS, pa.float64()),
    "short": (st.floats(width=32), pa.float32()),
    "whole": (WHOLE, pa.int64()),
    "is_so": (st.booleans(), pa.bool_()),
    "list": (st.lists(TEXTS, max_size=2), pa.list_(pa.string())),
    "when": (st.datetimes(datetime(1970, 1, 1), datetime(2030, 1, 1)), pa.timestamp("us")),
}


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, unique=True))
    count = draw(st.integers(0, 5))
    columns = {}
    for name in names:
        values, kind = COLUMNS[name]
        columns[name] = pa.array(draw(st.lists(st.none() | values, min_size=count, max_size=count)), kind)
    return pa.table(columns)


def cell(value: Any) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def tsv(names: list[str], rows: list[dict[str, Any]]) -> bytes:
    cells = [[NOT_IN_TSV.sub(" ", cell(value)) for value in row.values()] for row in rows]
    return "".join("\t".join(row) + "\n" for row in [names, *cells]).encode()


def comma_separated(names: list[str], rows: list[dict[str, Any]]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows([names, *([cell(one) for one in row.values()] for row in rows)])
    return written.getvalue().encode()


def jsonl(names: list[str], rows: list[dict[str, Any]]) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def objects(names: list[str], rows: list[dict[str, Any]]) -> bytes:
    return b"[\n" + b",\n".join(map(orjson.dumps, rows)) + b"\n]\n" if rows else b"[]\n"


Oracle = Callable[[list[str], list[dict[str, Any]]], bytes]
ORACLES: dict[str, Oracle] = {"tsv": tsv, "csv": comma_separated, "jsonl": jsonl, "json": objects}


def written(table: pa.Table, format: str) -> bytes:
    file = io.BytesIO()
    write_lines(lines_of(table, format), table.column_names, format, file)
    return file.getvalue()


@given(tables(), st.sampled_from(sorted(ORACLES)))
def test_lines_are_those_that_python_writes(table: pa.Table, format: str) -> None:
    assert written(table, format) == ORACLES[format](table.column_names, table.to_pylist())
    assert sorted(ORACLES) == sorted(LINE_FORMATS)


@given(tables(), st.sampled_from(sorted(ORACLES)), st.data())
def test_lines_are_the_same_wherever_rows_are_cut(table: pa.Table, format: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(table)))
    parts = (table.slice(0, cut), table.slice(cut))
    file = io.BytesIO()
    lines = (some for part in parts for some in lines_of(part, format))
    write_lines(lines, table.column_names, format, file)
    assert file.getvalue() == written(table, format)


NUMBERS_WRITTEN = [
    (1.0, "1.0", "1.0"),
    (-0.0, "-0.0", "-0.0"),
    (0.873214, "0.873214", "0.873214"),
    (0.000001, "1e-06", "1e-6"),
    (1e22, "1e+22", "1e+22"),
    (math.inf, "inf", "null"),
    (None, "", "null"),
]


@pytest.mark.parametrize(("number", "in_tsv", "in_json"), NUMBERS_WRITTEN)
def test_a_number_is_written_as_python_and_json_have_it(number: float | None, in_tsv: str, in_json: str) -> None:
    table = pa.table({"score": pa.array([number], pa.float64()), "is_so": [True]})
    assert written(table, "tsv").decode() == f"score\tis_so\n{in_tsv}\t1\n"
    assert written(table, "jsonl").decode() == f'{{"score":{in_json},"is_so":true}}\n'


def test_other_values_are_written_as_they_are_told() -> None:
    when = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
    table = pa.table({"when": pa.array([when, None], pa.timestamp("us", "UTC")), "list": [["a", "b"], None]})
    assert written(table, "csv").decode() == "when,list\n2024-05-06 07:08:00+00:00,\"['a', 'b']\"\n,\n"
    assert json.loads(written(table, "json"))[1] == {"when": None, "list": None}
