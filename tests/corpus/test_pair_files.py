"""Any file with two texts a row is a file of pairs, read row by row."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.corpus.pair_files import PairFile
from paraloom.errors import InputError

EXPECTED = [("a storm", "a gale"), ("rain", "snow")]
WRITTEN = [
    ("pairs.tsv", "left\tright\tlabel\na storm\ta gale\t1\nrain\tsnow\t0\n", {}),
    ("pairs.tsv", "a storm\ta gale\nrain\tsnow\n", {}),
    ("pairs.tsv", "label\tsentence1\tsentence2\n1\ta storm\ta gale\n0\train\tsnow\n", {}),
    ("dev.data", "1\tT\ta storm\ta gale\t(1, 4)\n1\tT\train\tsnow\t(1, 4)\n", {"left": "3", "right": "4"}),
    ("pairs.tsv", "b\ta\na gale\ta storm\nsnow\train\n", {"left": "a", "right": "b"}),
    ("pairs.csv", 'sentence1,sentence2\n"a storm",a gale\nrain,snow\n', {}),
    ("pairs.jsonl", '{"left": "a storm", "right": "a gale"}\n\n{"left": "rain", "right": "snow"}\n', {}),
    ("pairs.json", json.dumps([{"txt1": "a storm", "txt2": "a gale"}, {"txt1": "rain", "txt2": "snow"}]), {}),
]


@pytest.mark.parametrize(("name", "content", "columns"), WRITTEN)
def test_pairs_are_found_by_usual_names_by_number_or_as_told(
    tmp_path: Path, name: str, content: str, columns: dict[str, str]
) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    pairs = PairFile(path=file, columns=columns)
    assert list(pairs) == EXPECTED
    assert list(pairs) == EXPECTED  # a second time
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content.encode()))
    assert list(PairFile(path=packed, columns=columns)) == EXPECTED


def test_parquet_is_read_too(tmp_path: Path) -> None:
    table = pa.table({"right": ["a gale", "snow", None], "left": ["a storm", "rain", "hail"], "n": [1, 2, 3]})
    pq.write_table(table, tmp_path / "pairs.parquet")
    pairs = PairFile(path=tmp_path / "pairs.parquet")
    assert list(pairs) == EXPECTED
    assert pairs.left_out == 1


def test_a_file_that_is_not_utf_8_is_read_as_identify_reads_it(tmp_path: Path) -> None:
    content = "sentence1\tsentence2\nein Café\tein Kaffee\nRegen\tSchnee\n"
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        (tmp_path / "pairs.tsv").write_bytes(content.encode(encoding))
        pairs = PairFile(path=tmp_path / "pairs.tsv")
        assert list(pairs) == [("ein Café", "ein Kaffee"), ("Regen", "Schnee")]
        assert pairs.left_out == 0


def test_a_row_without_two_texts_is_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"left": "a", "right": "b"}\n{"left": 1}\n{"left": "c", "right": "d"}\n')
    pairs = PairFile(path=tmp_path / "pairs.jsonl")
    assert list(pairs) == [("a", "b"), ("c", "d")]
    assert list(pairs) == [("a", "b"), ("c", "d")]
    assert pairs.left_out == 1


REFUSED = [
    ("pairs.tsv", "one\ntwo\n", {}, "has no column 'right'; it has a single column"),
    ("pairs.tsv", "left\tright\na\tb\nc\n", {}, "1 row of 2 has no two texts"),
    ("pairs.tsv", "a\tb\n", {"left": "4", "right": "1"}, "no column '4'"),
    ("pairs.tsv", "a\tb\n", {"left": "1"}, "has no column 'right'"),
    ("pairs.tsv", "a\tb\n", {"left": "1", "label": "2"}, "only left and right are read"),
    ("pairs.json", "{", {}, "has no column 'left'"),
    ("pairs.json", "{}", {}, "has no column 'left'"),
    ("pairs.parquet", "not parquet", {}, "not a readable Parquet file"),
    ("pairs.doc", "a\tb\n", {}, "ends in '.doc'"),
]


@pytest.mark.parametrize(("name", "content", "columns", "complaint"), REFUSED)
def test_what_is_no_file_of_pairs_is_an_error(
    tmp_path: Path, name: str, content: str, columns: dict[str, str], complaint: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=complaint):
        list(PairFile(path=tmp_path / name, columns=columns))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        PairFile(path=tmp_path / "none.tsv")
