"""Sources are read of text and tables alike, every row in its place, whatever is wrong with it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from paraloom.errors import InputError
from paraloom.workflows.generate.source_file import SourceSurvey, read_sources, survey_sources

TEXTS = ["a storm", "", "a storm", "two, three"]


def read(path: Path, column: str | None = None, format: str = "auto") -> list[tuple[str, str | None]]:
    return [(each.text, each.trouble) for each in read_sources(surveyed(path, column, format))]


def surveyed(path: Path, column: str | None = None, format: str = "auto") -> SourceSurvey:
    return survey_sources(path, str(path), column, format)


@pytest.mark.parametrize("name", ["s.txt", "s", "s.en", "s.txt.gz", "s.txt.zst"])
def test_every_line_of_a_text_is_a_source(name: str, tmp_path: Path) -> None:
    data = "\n".join(TEXTS).encode()
    packed = {".gz": gzip.compress, ".zst": zstandard.compress}.get(Path(name).suffix, bytes)
    (tmp_path / name).write_bytes(packed(data))
    assert read(tmp_path / name) == [(text, None) for text in TEXTS]
    survey = surveyed(tmp_path / name)
    assert (survey.rows, len(survey.repeated), survey.format) == (4, 1, "text")


LINES = [
    (b"a\r\nb\r\n", ["a", "b"]),
    (b"a\n\n\n", ["a", "", ""]),
    (b"\xef\xbb\xbfa\nb", ["a", "b"]),
    ("a\nb\n".encode("utf-16"), ["a", "b"]),
    (b"caf\xe9\n", ["café"]),
    (b"a\x00b\n", ["a\x00b"]),
    ("a\u2028b\x85c\n".encode(), ["a\u2028b\x85c"]),
    (b"", []),
    (b"id, name and text\nof a line\n", ["id, name and text", "of a line"]),
]


@pytest.mark.parametrize(("data", "texts"), LINES)
def test_lines_end_at_line_feeds_alone_and_bytes_are_read_somehow(
    data: bytes, texts: list[str], tmp_path: Path
) -> None:
    (tmp_path / "s.txt").write_bytes(data)
    assert [text for text, _ in read(tmp_path / "s.txt")] == texts


def test_bytes_that_are_no_utf8_are_told(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_bytes(b"a\ncaf\xe9\n")
    assert "1 line is not UTF-8 (line 2)" in surveyed(tmp_path / "s.txt").notes[0]


TABLES = [
    ("s.tsv", "id\ttext\n1\ta storm\n2\t\n", None),
    ("s.tsv", "a storm\t1\n\t2\n", None),
    ("s.tsv", "1\ta storm\n2\t\n", "2"),
    ("s.csv", 'id,sentence\n1,"a storm"\n2,\n', None),
    ("s.csv", "left,right,said\nx,y,a storm\nx,y,\n", "said"),
    ("s.jsonl", '{"source": "a storm"}\n\n{"source": ""}\n', None),
    ("s.jsonl", '{"said": "a storm"}\n{"said": ""}\n', "said"),
    ("s.json", '[{"text": "a storm"}, {"text": ""}]', None),
    ("s", '{"text": "a storm"}\n{"text": ""}\n', None),
    ("s", "id\ttext\n1\ta storm\n2\t\n", None),
]


@pytest.mark.parametrize(("name", "written", "column"), TABLES)
def test_one_column_of_a_table_is_read(name: str, written: str, column: str | None, tmp_path: Path) -> None:
    (tmp_path / name).write_text(written, encoding="utf-8")
    assert read(tmp_path / name, column) == [("a storm", None), ("", None)]


def test_parquet_is_read_with_its_gaps(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "text": ["a storm", None]}), tmp_path / "s.parquet")
    assert read(tmp_path / "s.parquet") == [("a storm", None), ("", "bad_row: no text")]
    assert read(tmp_path / "s.parquet", "id") == [("", "bad_row: id is no text")] * 2


def test_a_row_that_is_no_source_is_kept_in_its_place(tmp_path: Path) -> None:
    rows = ['{"text": "a"}', "broken", '{"text": 7}', "[1]", '{"other": "b"}', json.dumps({"text": "c"})]
    (tmp_path / "s.jsonl").write_text("\n".join(rows), encoding="utf-8")
    assert read(tmp_path / "s.jsonl") == [
        ("a", None),
        ("broken", "bad_row: not JSON"),
        ("", "bad_row: text is no text"),
        ("[1]", "bad_row: not an object with named values"),
        ("", "bad_row: no text"),
        ("c", None),
    ]
    (tmp_path / "s.tsv").write_text("id\ttext\n1\ta\tb\n2\tc\n", encoding="utf-8")
    assert read(tmp_path / "s.tsv") == [("1\ta\tb", "bad_row: 3 columns instead of 2"), ("c", None)]


REFUSED = [
    ("s.csv", "id,mood\n1,2\n", None, r"not known which column of .*it has id, mood\. Say which: --column NAME"),
    ("s.csv", "id,mood\n1,2\n", "text", r"no column 'text'; it has id, mood\. Give --column one of these"),
    ("s.jsonl", '{"mood": "a"}\n', None, "not known which column"),
    ("s.jsonl", '{"mood": "a"}\n', "text", "no column 'text'; it has mood"),
    ("s.txt", "a\n", "text", "is text, and has none"),
    ("s.csv", "", None, "is empty"),
    ("s.parquet", "none", None, "not a readable Parquet file"),
]


@pytest.mark.parametrize(("name", "written", "column", "told"), REFUSED)
def test_a_file_whose_sources_are_not_known_is_refused(
    name: str, written: str, column: str | None, told: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(written, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        surveyed(tmp_path / name, column)


def test_a_packed_file_that_ends_early_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.txt.gz").write_bytes(gzip.compress(b"a storm\n" * 100)[:-9])
    with pytest.raises(InputError, match="ends too early"):
        surveyed(tmp_path / "s.txt.gz")
