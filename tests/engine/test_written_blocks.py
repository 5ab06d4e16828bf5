"""What was given is written again with new columns, in any format: rows, columns, values and order are kept."""

from __future__ import annotations

import csv
import gzip
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from paraloom.engine.given_blocks import read_blocks, survey_pairs
from paraloom.engine.written_blocks import Layout, compressed, layout_for, open_writer
from paraloom.errors import InputError

ROWS: list[dict[str, Any]] = [
    {"id": "1", "left": "the storm hit", "right": 'she said "no", twice'},
    {"id": "2", "left": "å → ß", "right": "嵐🙂"},
    {"id": "3", "left": "", "right": "x"},
]
ADDED = {"score": "number", "is_paraphrase": "integer", "dropped_for": "text"}
VALUES: list[tuple[float | None, int | None, str | None]] = [(0.25, 0, None), (1e-06, 0, None), (None, None, "bad_row")]


def given_file(folder: Path, ending: str) -> Path:
    path = folder / f"given{ending}"
    if ending == ".parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    elif ending == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    elif ending == ".json":
        path.write_text(json.dumps(ROWS, indent=1), encoding="utf-8")
    elif ending == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([list(ROWS[0]), *(list(row.values()) for row in ROWS)])
    else:
        lines = ["\t".join(ROWS[0]), *("\t".join(row.values()) for row in ROWS)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write(given: Path, target: Path, at_once: int = 2, *, replacing: bool = False) -> Layout:
    survey = survey_pairs(given)
    layout = layout_for(str(target), survey, ADDED, replacing=replacing)
    with target.open("wb") as file:
        stream = compressed(file, str(target))
        writer = open_writer(stream, layout)
        done = 0
        for block in read_blocks(survey, at_once):
            here = VALUES[done : done + len(block)]
            writer.write(block, {name: [row[place] for row in here] for place, name in enumerate(ADDED)})
            done += len(block)
        writer.close()
        if stream is not file:
            stream.close()
    return layout


def read_back(path: Path) -> list[dict[str, Any]]:
    """By libraries that are not ours."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    ending = path.suffixes[0]
    if ending == ".parquet":
        return pq.read_table(path).to_pylist()
    text = data.decode()
    if ending == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if ending == ".json":
        return json.loads(text)
    if ending == ".csv":
        return list(csv.DictReader(io.StringIO(text, newline="")))
    header, *lines = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    return [dict(zip(header, line, strict=True)) for line in lines]


ENDINGS = (".tsv", ".csv", ".jsonl", ".json", ".parquet")


@pytest.mark.parametrize("out", [*ENDINGS, ".tsv.gz", ".jsonl.zst", ".csv.gz"])
@pytest.mark.parametrize("given", ENDINGS)
def test_rows_columns_and_order_are_kept_in_any_format(given: str, out: str, tmp_path: Path) -> None:
    target = tmp_path / f"out{out}"
    write(given_file(tmp_path, given), target)
    found = read_back(target)
    assert [list(row) for row in found] == [[*ROWS[0], *ADDED]] * 3
    assert [{name: row[name] for name in ROWS[0]} for row in found] == ROWS
    as_text = out.startswith((".tsv", ".csv"))
    expected = [["" if value is None else str(value) for value in row] if as_text else list(row) for row in VALUES]
    assert [[row[name] for name in ADDED] for row in found] == expected


def test_objects_stay_byte_for_byte(tmp_path: Path) -> None:
    lines = [
        '{"left":"a",  "right": "b", "id": 123456789012345678901234567890, "x": 1.50, "left": "again"}',
        r'{"left": "\ud83d", "right": "é", "x": NaN}',
        "{ }",
    ]
    given = tmp_path / "given.jsonl"
    given.write_text("\n".join(lines), encoding="utf-8")
    write(given, tmp_path / "out.jsonl")
    found = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert found[0] == lines[0][:-1] + ', "score":0.25,"is_paraphrase":0,"dropped_for":null}'
    assert found[1].startswith(lines[1][:-1] + ", ")
    assert json.loads(found[2]) == {"score": None, "is_paraphrase": None, "dropped_for": "bad_row"}


def test_a_line_that_is_no_object_is_kept_as_text(tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    given.write_text('{"left": "a", "right": "b"}\n{"left": "a"\n', encoding="utf-8")
    write(given, tmp_path / "out.jsonl")
    kept = read_back(tmp_path / "out.jsonl")[1]
    assert kept["line"] == '{"left": "a"'
    write(given, tmp_path / "out.tsv")
    assert read_back(tmp_path / "out.tsv")[1]["left"] == ""


def test_tabs_and_line_ends_become_a_space_in_tsv_alone_and_are_counted(tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    given.write_text(json.dumps({"left": "a\tb\r\nc", "right": "plain"}) + "\n", encoding="utf-8")
    layout = write(given, tmp_path / "out.tsv")
    assert (read_back(tmp_path / "out.tsv")[0]["left"], layout.changed.spaced) == ("a b c", 1)
    layout = write(given, tmp_path / "out.csv")
    assert (read_back(tmp_path / "out.csv")[0]["left"], layout.changed.spaced) == ("a\tb\r\nc", 0)


@pytest.mark.parametrize("out", [".tsv", ".csv", ".parquet"])
def test_half_a_character_is_written_as_a_question_mark_and_counted(out: str, tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    given.write_text(r'{"left": "storm \ud83d!", "right": "b"}' + "\n", encoding="utf-8")
    layout = write(given, tmp_path / f"out{out}")
    assert read_back(tmp_path / f"out{out}")[0]["left"] == "storm ?!"
    assert layout.changed.replaced == 1


def test_columns_of_parquet_keep_their_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "left": pa.array(["a", "b"]).dictionary_encode(),
            "right": pa.array(["c", None], pa.large_string()),
            "at": pa.array([datetime(2026, 1, 2), None], pa.timestamp("ns")),
            "votes": pa.array([[1, 2], None], pa.list_(pa.int8())),
        }
    )
    pq.write_table(table, tmp_path / "given.parquet")
    write(tmp_path / "given.parquet", tmp_path / "out.parquet")
    out = pq.read_table(tmp_path / "out.parquet")
    assert out.select(table.column_names).equals(table)
    assert [str(field.type) for field in list(out.schema)[-3:]] == ["double", "int64", "string"]


def test_values_of_objects_keep_their_kind_in_parquet(tmp_path: Path) -> None:
    rows = [
        {"left": "a", "right": "b", "n": 1, "x": 1, "yes": True, "mixed": 1, "deep": {"k": [1]}, "none": None},
        {"left": "a", "right": "b", "n": None, "x": 0.5, "yes": False, "mixed": "t", "big": 2**70},
    ]
    given = tmp_path / "given.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write(given, tmp_path / "out.parquet", at_once=1)
    first, second = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [first[name] for name in ("n", "x", "yes", "mixed", "none")] == [1, 1.0, True, "1", None]
    assert json.loads(first["deep"]) == {"k": [1]}
    assert [second[name] for name in ("n", "x", "yes", "mixed")] == [None, 0.5, False, "t"]
    assert float(second["big"]) == 2**70


def test_columns_of_one_name_are_told_apart_where_names_must_differ(tmp_path: Path) -> None:
    given = tmp_path / "given.tsv"
    given.write_text("left\tright\tid\tid\na\tb\t1\t2\n", encoding="utf-8")
    write(given, tmp_path / "out.jsonl")
    assert read_back(tmp_path / "out.jsonl")[0]["id.2"] == "2"
    write(given, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8").startswith("left\tright\tid\tid\tscore")


def test_a_column_of_the_same_name_is_refused_or_replaced(tmp_path: Path) -> None:
    for ending, text in ((".tsv", "score\tleft\tright\n9\ta\tb\n"), (".jsonl", '{"score":9,"left":"a","right":"b"}\n')):
        given = tmp_path / f"given{ending}"
        given.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"already has a column 'score'.*--replace-columns"):
            write(given, tmp_path / f"out{ending}")
        write(given, tmp_path / f"out{ending}", replacing=True)
        (row,) = read_back(tmp_path / f"out{ending}")
        assert list(row) == ["left", "right", *ADDED]
        assert float(row["score"]) == 0.25


def test_a_compressed_parquet_file_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Parquet is compressed already"):
        write(given_file(tmp_path, ".tsv"), tmp_path / "out.parquet.gz")
