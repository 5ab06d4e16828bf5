"""A table is written in the format of its ending, row by row, and read back the same; a file is whole or absent."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest

from paraloom.engine.given import read_rows
from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.workflows.table_files import check_table_file, write_table_file, write_table_parts
from paraloom.workflows.table_lines import ROWS_AT_ONCE

TEXT_FORMATS = ["jsonl", "json", "csv", "tsv", "csv.gz", "json.zst"]


MANY = 2 * ROWS_AT_ONCE + 1
SIZES = [(ending, rows) for ending in (*TEXT_FORMATS, "parquet") for rows in (1, MANY)]


@pytest.mark.parametrize(("ending", "rows"), [*SIZES, ("csv", 0), ("tsv", 0), ("parquet", 0)])
def test_rows_are_read_back_as_they_were_written(tmp_path: Path, ending: str, rows: int) -> None:
    texts = [f'gale {row}, "so" ä' for row in range(rows)]
    file = tmp_path / f"out.{ending}"
    write_table_file(pa.table({"text": pa.array(texts, pa.string()), "place": pa.array(range(rows), pa.int64())}), file)
    read = read_rows(file, ("text", "place"))
    assert list(read.columns["text"]) == texts
    assert [int(place) for place in read.columns["place"]] == list(range(rows))
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_a_file_of_no_objects_is_json(tmp_path: Path, ending: str) -> None:
    write_table_file(pa.table({"text": pa.array([], pa.string())}), tmp_path / f"out.{ending}")
    assert (tmp_path / f"out.{ending}").read_text(encoding="utf-8") == ("[]\n" if ending == "json" else "")


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "tsv"])
def test_few_rows_of_a_large_table_are_in_memory_at_once(tmp_path: Path, ending: str) -> None:
    table = pa.table({"text": [f"{row:06} " + "gale " * 20 for row in range(40_000)]})
    file = tmp_path / f"out.{ending}"
    tracemalloc.start()
    try:
        write_table_file(table, file)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < file.stat().st_size / 2


@pytest.mark.parametrize("ending", ["tsv", "csv.gz", "json.zst", "parquet"])
def test_the_hash_of_what_was_written_is_that_of_the_file_and_the_same_for_the_same_rows(
    tmp_path: Path, ending: str
) -> None:
    table = pa.table({"text": [f"gale {row}" for row in range(MANY)]})
    files = [tmp_path / f"{name}.{ending}" for name in ("one", "other")]
    hashes = {write_table_parts(iter([table, table]), table.schema, file) for file in files}
    assert hashes == {hash_of_file(file) for file in files}
    assert len(hashes) == 1


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    file.write_text("mine\n", encoding="utf-8")
    good = pa.table({"text": ["good"] * ROWS_AT_ONCE})
    bad = pa.table({"text": pa.array([b"\xff"], pa.binary()).view(pa.string())})  # no text: fails behind what is good
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        write_table_parts(iter([good, bad]), good.schema, file)
    assert file.read_text(encoding="utf-8") == "mine\n"
    assert [one.name for one in tmp_path.iterdir()] == ["out.csv"]


def test_a_file_among_those_of_a_table_is_refused_and_one_in_a_run_is_not(tmp_path: Path) -> None:
    for folder in ("run/pairs", "parts", "other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "run" / "pairs.made_by.json").write_text("{}", encoding="utf-8")
    for file in ("run/splits.parquet", "parts/1.parquet"):
        (tmp_path / file).write_bytes(b"")
    given = [tmp_path / "run", tmp_path / "parts", tmp_path / "other"]
    for folder, is_refused in (("run", False), ("run/pairs", True), ("parts", True), ("other", False)):
        target = tmp_path / folder / "out.json"
        if is_refused:
            with pytest.raises(InputError, match=f"lies among the files of the table {target.parent.name}"):
                check_table_file(target, given, "labels", overwrite=False)
        else:
            check_table_file(target, given, "labels", overwrite=False)
