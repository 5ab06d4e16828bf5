"""Every table folder opens with what people use to read Parquet, with the same rows and columns."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

from paraloom.engine import store
from paraloom.tables import NOUNS, schema
from paraloom.workflows.build import TABLES

Shape = tuple[int, list[str]]


def with_pandas(folder: Path) -> Shape:
    frame = pd.read_parquet(folder)
    return len(frame), list(frame.columns)


def with_polars(folder: Path) -> Shape:
    frame = pl.read_parquet(folder)
    return len(frame), frame.columns


def with_duckdb(folder: Path) -> Shape:
    with duckdb.connect() as connection:
        found = connection.sql("SELECT * FROM read_parquet(?)", params=[f"{folder}/*.parquet"]).to_arrow_table()
        return len(found), found.column_names


READERS: dict[str, Callable[[Path], Shape]] = {"pandas": with_pandas, "polars": with_polars, "duckdb": with_duckdb}


def shape_of(run: Path, table: str) -> Shape:
    return store.read_made_by(run, table)["rows"], schema(NOUNS[table]).names


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_folder_opens_with(reader: str, table: str, sample_run: Path) -> None:
    assert READERS[reader](sample_run / table) == shape_of(sample_run, table)


def test_every_table_folder_opens_with_datasets(
    sample_run: Path, tmp_path: Path, child_environment: dict[str, str]
) -> None:
    code = (
        "import json, sys; from datasets import load_dataset\n"
        "def shape(table):\n"
        "    data = load_dataset('parquet', data_dir=f'{sys.argv[1]}/{table}', split='train', cache_dir=sys.argv[2])\n"
        "    return [len(data), data.column_names]\n"
        "print(json.dumps({table: shape(table) for table in sys.argv[3:]}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(sample_run), str(tmp_path / "cache"), *TABLES],
        env={**child_environment, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert {table: tuple(shape) for table, shape in found.items()} == {
        table: shape_of(sample_run, table) for table in TABLES
    }
