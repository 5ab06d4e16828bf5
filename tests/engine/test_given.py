"""Users' files come out whole and in order, or as an error with the line."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine.given import Rows, read_json, read_lines, read_rows
from paraloom.errors import InputError

WANTED = ("left", "right")
PAIRS = [("the storm hit", "a storm hits"), ('she said "no"', "she, too; refused"), ("å → ß", "嵐\u2028🙂")]


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def in_every_format(folder: Path) -> list[Path]:
    import csv
    import io

    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerows([WANTED, *PAIRS])
    tsv = "".join(f"{left}\t{right}\n" for left, right in PAIRS)
    objects = [{"left": left, "right": right} for left, right in PAIRS]
    pq.write_table(pa.Table.from_pylist(objects), folder / "pairs.parquet")
    return [
        written(folder, "bare.tsv", tsv),
        written(folder, "headed.tsv", "left\tright\n" + tsv),
        written(folder, "windows.tsv", tsv.replace("\n", "\r\n")),
        written(folder, "mark.tsv", b"\xef\xbb\xbf" + tsv.encode()),
        written(folder, "wide.tsv", tsv.encode("utf-16")),
        written(folder, "pairs.tsv.gz", gzip.compress(tsv.encode())),
        written(folder, "pairs.tsv.zst", zstandard.compress(tsv.encode())),
        written(folder, "pairs.csv", table.getvalue()),
        written(folder, "pairs.jsonl", "".join(json.dumps(row) + "\n" for row in objects)),
        written(folder, "pairs.json", json.dumps(objects)),
        folder / "pairs.parquet",
    ]


def test_every_format_holds_the_same_rows(tmp_path: Path) -> None:
    for path in in_every_format(tmp_path):
        rows = read_rows(path, WANTED)
        assert list(zip(rows.texts("left"), rows.texts("right"), strict=True)) == PAIRS, path.name


def test_columns_can_be_named_by_name_or_number(tmp_path: Path) -> None:
    headed = written(tmp_path, "a.csv", "id,first,second,gold\n7,x,y,1\n")
    named = read_rows(headed, WANTED, {"left": "first", "right": "second", "label": "gold"})
    assert (named.texts("left"), named.texts("right"), named.numbers("label")) == (["x"], ["y"], [1.0])
    bare = written(tmp_path, "b.tsv", "1\t7\tx\ty\n0\t8\tz\tw\n")
    numbered = read_rows(bare, WANTED, {"left": "3", "right": "4", "label": "1"})
    assert (numbered.texts("left"), numbered.numbers("label")) == (["x", "z"], [1.0, 0.0])
    tsv = written(tmp_path, "c.tsv", "Quality\t#1 String\t#2 String\n1\tx\ty\n")
    assert read_rows(tsv, WANTED, {"left": "#1 String", "right": "#2 String"}).texts("right") == ["y"]


REFUSED = [
    ("a.tsv", "x\ty\nz\n", "line 2: 1 column, but the first line has 2"),
    ("a.tsv", "", "is empty"),
    ("a.tsv", "x\n", "no column 'right'; it has a single column, and no header"),
    ("a.csv", "left,other\nx,y\n", "no column 'right'; it has left, other"),
    ("a.csv", 'left,right\n"x,y\n', "line 2: this is not CSV"),
    ("a.csv", "left,right\nx,y,z\n", "line 2: 3 columns"),
    ("a.jsonl", '{"left": "x", "right": "y"}\n{"left": \n', "line 2: not JSON"),
    ("a.jsonl", "[1]\n", "line 1: \\[1\\], not an object"),
    ("a.json", '{"left": "x"}', "not a list of objects"),
    ("a.parquet", "PAR1", "not a Parquet file"),
    ("a.tsv", b"x\ty\n\xff\xfe\xfd\xfc\xfb\tz\n", "line 2: byte 4 is not UTF-8"),
    ("a.docx", "x", "Files with rows end in"),
    ("a.tsv.gz", gzip.compress(b"x\ty\n" * 999, mtime=0)[:-12], "ends too early"),
]


@pytest.mark.parametrize(("name", "text", "why"), REFUSED)
def test_a_file_that_cannot_be_read_says_where(tmp_path: Path, name: str, text: str | bytes, why: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(InputError, match=why) as told:
        read_rows(path, WANTED)
    assert str(path) in str(told.value)


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tsv")
    for read in (read_lines, read_json, lambda path: read_rows(path, WANTED)):
        with pytest.raises(InputError, match="There is no file"):
            read(tmp_path / "none.tsv")
        with pytest.raises(InputError, match="is a folder"):
            read(tmp_path)
        with pytest.raises(InputError, match="is no plain file"):
            read(tmp_path / "pipe.tsv")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "left\tright\nx\ty\n\n  \nz\tw\n\n"),
        ("a.csv", "left,right\nx,y\n\n\nz,w\n\n"),
        ("a.jsonl", '{"left": "x", "right": "y"}\n\n\n  \n{"left": "z", "right": "w"}\n\n'),
    ],
)
def test_a_blank_line_is_no_row_in_any_format(name: str, text: str, tmp_path: Path) -> None:
    path = written(tmp_path, name, text)
    for leaving_out in (False, True):
        rows = read_rows(path, WANTED, leaving_out=leaving_out)
        assert (rows.texts("left"), rows.lines[-1]) == (["x", "z"], 5)
        assert rows.left_out == {}
    assert len(rows.notes) == 1
    assert re.fullmatch(rf"{name}: [34] blank lines are skipped \(the first is line [23]\)\.", rows.notes[0])


def test_in_a_file_of_one_column_an_empty_line_is_an_empty_text(tmp_path: Path) -> None:
    assert read_rows(written(tmp_path, "a.txt", "one\n\nthree\n"), ("text",)).texts("text") == ["one", "", "three"]


LEFT_OUT = [
    ("a.tsv", "left\tright\nx\ty\nz\n", {3: "1 column, but the first line has 2"}),
    ("a.csv", 'left,right\n"x,y\nx,y\nA\rB,c\n', {2: "unclosed quote", 4: "line end outside quotes"}),
    ("a.jsonl", '{"left": "x", "right": "y"}\n{"left": \n[1]\n', {2: "not JSON", 3: "not an object"}),
    ("a.json", '[{"left": "x", "right": "y"}, 4]', {2: "not an object"}),
]


@pytest.mark.parametrize(("name", "text", "why"), LEFT_OUT)
def test_rows_that_cannot_be_read_are_left_out_where_that_is_asked(
    name: str, text: str, why: dict[int, str], tmp_path: Path
) -> None:
    rows = read_rows(written(tmp_path, name, text), WANTED, leaving_out=True)
    assert (rows.texts("left"), rows.texts("right")) == (["x"], ["y"])
    assert set(rows.left_out) == set(why)
    assert all(rows.left_out[line].startswith(reason) for line, reason in why.items())


def test_a_header_that_cannot_be_read_is_an_error_whatever_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: the first row cannot be read \(line end outside quotes\)"):
        read_rows(written(tmp_path, "a.csv", "left\rmore,right\nx,y\n"), WANTED, leaving_out=True)


def test_values_of_the_wrong_kind_are_named_with_their_line(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", '{"left": "x", "right": "y", "label": 1}\n\n{"left": 3, "right": "y"}\n')
    rows = read_rows(path, WANTED)
    with pytest.raises(InputError, match="line 3: left is 3, not text"):
        rows.texts("left")
    with pytest.raises(InputError, match="line 3: label is None, not a number"):
        rows.numbers("label")
    csv = read_rows(written(tmp_path, "b.csv", "left,right,label\nx,y,nan\n"), WANTED)
    with pytest.raises(InputError, match="line 2: label is 'nan', not a number"):
        csv.numbers("label")


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "one\u2028still one\r\n\ntwo\x0cstill two\n")
    assert read_lines(path) == ["one\u2028still one", "", "two\x0cstill two"]
    assert read_lines(written(tmp_path, "b.txt", "no line end")) == ["no line end"]


@given(st.lists(st.text(st.characters(exclude_characters="\n\r\t", exclude_categories=("Cs",))), min_size=1))
def test_lines_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    path.write_bytes("".join(f"{line}\n" for line in ["first", *lines]).encode())
    assert read_lines(path) == ["first", *lines]


def test_rows_know_how_many_they_are(tmp_path: Path) -> None:
    rows = read_rows(written(tmp_path, "a.tsv", "x\ty\nz\tw\n\n"), WANTED)
    assert isinstance(rows, Rows)
    assert len(rows) == 2


FIRST_LINES = [
    # name, first line, columns, is it a header, what is noted
    ("a.tsv", "left\tright", {"left": "1", "right": "2"}, True, None),
    ("a.tsv", "one\tright", {"left": "1"}, True, None),
    ("a.tsv", "one\ttwo", {"left": "one", "right": "2"}, True, None),
    (
        "a.tsv",
        "one\ttwo",
        {"left": "2", "right": "1"},
        False,
        "line 1 is read as data; columns 2, 1 are taken for left",
    ),
    ("a.tsv", "one\ttwo", {}, False, "line 1 is read as data; columns 1, 2 are taken for left, right"),
    ("a.csv", "one,two", {"left": "1", "right": "2"}, True, "Line 1 of a.csv is taken for its header"),
    ("a.csv", "left,two", {"right": "2"}, True, None),
]


@pytest.mark.parametrize(("name", "first", "columns", "is_header", "noted"), FIRST_LINES)
def test_a_first_line_that_names_a_column_is_no_data(
    tmp_path: Path, name: str, first: str, columns: dict[str, str], is_header: bool, noted: str | None
) -> None:
    tab = "," if name.endswith("csv") else "\t"
    rows = read_rows(written(tmp_path, name, f"{first}\nx{tab}y\n"), WANTED, columns)
    assert (rows.has_header, len(rows)) == (is_header, 1 if is_header else 2)
    assert rows.note is None if noted is None else noted in rows.note
    assert "x" in (rows.texts("left")[-1], rows.texts("right")[-1])


def test_a_header_with_one_of_two_names_is_a_header_that_lacks_the_other(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'right'; it has left, other"):
        read_rows(written(tmp_path, "a.tsv", "left\tother\nx\ty\n"), WANTED)


def test_a_column_that_is_not_there_is_told_with_the_headers_names(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "QID\tworker\nx\ty\n")
    with pytest.raises(InputError, match="no column 'nobody' to take for left; it has QID, worker\\."):
        read_rows(path, WANTED, {"left": "nobody", "right": "worker"})


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_a_name_of_two_columns_is_refused_where_it_is_used(tmp_path: Path, name: str) -> None:
    tab = "," if name.endswith("csv") else "\t"
    path = written(tmp_path, name, tab.join(["left", "left", "right", "more", "more"]) + f"\n{tab.join('abcde')}\n")
    with pytest.raises(InputError, match="several columns called 'left'"):
        read_rows(path, WANTED)
    rows = read_rows(path, WANTED, {"left": "2"})
    assert rows.texts("left") == ["b"]
    with pytest.raises(InputError, match="several columns called 'more'"):
        rows.refuse_repeated(["more"])
    with pytest.raises(InputError, match="several columns called 'more'"):
        read_rows(path, ("right",), {"label": "more"})


def test_a_comma_outside_quotes_is_told_as_that(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2: 3 columns.*must stand in quotes"):
        read_rows(written(tmp_path, "a.csv", "left,right\nx,y,z\n"), WANTED)


def test_a_truth_value_is_no_number(tmp_path: Path) -> None:
    rows = read_rows(written(tmp_path, "a.jsonl", '{"left": "x", "right": "y", "score": true}\n'), WANTED)
    with pytest.raises(InputError, match="score is True, not a number"):
        rows.numbers("score")
