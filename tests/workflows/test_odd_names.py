"""Files whose names are no UTF-8 are read as any others, and told with escapes wherever a name is written."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.documents.options import ReadOptions
from paraloom.engine import store
from paraloom.errors import InputError
from paraloom.reports.pages import write_page
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.build import BuildOptions, build
from paraloom.workflows.mine.lookup import look_up
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions
from paraloom.workflows.mine.run_options import options_of_run
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import random_vectors, small_options

NAME = os.fsdecode(b"caf\xe9")
TOLD_NAME = r"caf\xe9"
SALTED = ReadOptions(author_salt="grain")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with files of several kinds, each in its own way called so."""
    folder = tmp_path / "data"
    try:
        (folder / NAME).mkdir(parents=True)
    except OSError:
        pytest.skip("this file system has names in UTF-8 alone")
    (folder / f"{NAME}.txt").write_text("\n".join(TOLD[:20]) + "\n")
    (folder / NAME / f"{NAME}.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TOLD[20:40]))
    (folder / f"cut {NAME}.txt.gz").write_bytes(gzip.compress("\n".join(TOLD[40:60]).encode())[:-12])
    pq.write_table(pa.table({"text": TOLD[60:80]}), folder / "plain.parquet")
    (folder / "plain.parquet").rename(folder / f"{NAME}.parquet")
    return folder


FILES = [
    (f"{TOLD_NAME}.parquet", 20),
    (f"{TOLD_NAME}.txt", 20),
    (f"{TOLD_NAME}/{TOLD_NAME}.jsonl", 20),
    (f"cut {TOLD_NAME}.txt.gz", 1),
]


def test_files_are_mined_and_told_by_their_names(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / f"vectors {NAME}"
    random_vectors(folder)
    told: list[str] = []
    options = small_options(str(folder), judge=JudgeOptions(identify=False))
    mined = mine([data], tmp_path / "run", options, tell=told.append)
    sentences = store.read_table(mined.run, "sentences").to_pylist()
    named = [row["document_id"] for row in sentences]
    assert sorted({*named}) == [name for name, _ in FILES]
    assert all(named.count(name) >= count for name, count in FILES)
    summary = json.loads(mined.summary.read_text("utf-8"))
    assert summary["files"] == [name for name, _ in FILES]
    assert summary["sentences"]["broken"][0]["file"] == f"cut {TOLD_NAME}.txt.gz"
    assert summary["search"]["embedder"] == f"vectors {TOLD_NAME}"
    assert TOLD_NAME in mined.report.read_text("utf-8")
    assert any(TOLD_NAME in line for line in mined.told)
    assert "".join([*told, *mined.told]).encode()
    pairs = store.read_table(mined.run, "pairs").to_pylist()
    assert {row["proposed_by"] for row in pairs} == {f"neighbours:vectors {TOLD_NAME}"}
    asked = options_of_run(mined.run)
    assert asked.embed.embedder == str(folder)  # it is opened by its own name
    grown = mine([mined.run, data / f"{NAME}.txt"], tmp_path / "grown", replace(asked, judge=options.judge))
    assert any("vectors are used again" in line for line in grown.told)
    assert look_up(mined.run, TOLD[:1], 1)[0].found[0].text == TOLD[0]


def test_files_are_built_from_and_told_by_their_names(data: Path, tmp_path: Path) -> None:
    built = build([data], tmp_path / "run", BuildOptions(read=SALTED), until="documents")
    documents = store.read_table(built.run, "documents").to_pylist()
    assert {row["file"] for row in documents} == {name.rpartition("/")[2] for name, _ in FILES}
    assert [name for name in store.read_made_by(built.run, "documents")["inputs"] if TOLD_NAME not in name] == []


def test_a_folder_that_is_a_work_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "films" / NAME).mkdir(parents=True)
    for name in (NAME, "b"):
        caption = f"1\n00:00:01,000 --> 00:00:02,000\nHello there, {name!a}.\n"
        (tmp_path / "films" / NAME / f"{name}.srt").write_text(caption)
    run = align([tmp_path / "films"], tmp_path / "run", AlignOptions(read=SALTED), until="documents").run
    documents = store.read_table(run, "documents").to_pylist()
    assert {(row["file"], row["work"]) for row in documents} == {
        (f"{TOLD_NAME}/{name}.srt", TOLD_NAME) for name in (TOLD_NAME, "b")
    }


def made(name: str, tmp_path: Path, data: Path) -> Any:
    ways = {
        "mine": lambda: mine([data], tmp_path / NAME, small_options("fast")),
        "mine to a file": lambda: mine([data], tmp_path / f"{NAME}.tsv", small_options("fast")),
        "build": lambda: build([data], tmp_path / NAME, BuildOptions(read=SALTED)),
    }
    return ways[name]()


@pytest.mark.parametrize("way", ["mine", "mine to a file", "build"])
def test_a_run_folder_that_no_table_can_lie_in_is_refused_at_once(way: str, data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"caf\\xe9.*: the path of a run folder must be UTF-8"):
        made(way, tmp_path, data)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_a_run_that_was_moved_into_such_a_folder_is_refused(data: Path, tmp_path: Path) -> None:
    options = small_options("fast", judge=JudgeOptions(identify=False))
    run = mine([data / f"{NAME}.txt"], tmp_path / "run", options).run
    run.rename(tmp_path / NAME)
    with pytest.raises(InputError, match="the path of a run folder must be UTF-8"):
        mine([tmp_path / NAME], tmp_path / "grown", options)


def test_a_page_and_its_numbers_tell_names_that_can_be_written(tmp_path: Path) -> None:
    report = write_page(tmp_path, f"<p>{NAME}.tsv</p>", "summary.json", {"files": (f"{NAME}.tsv",), NAME: 1})
    assert report.read_text("utf-8") == f"<p>{TOLD_NAME}.tsv</p>"
    assert json.loads((tmp_path / "summary.json").read_text("utf-8")) == {"files": [f"{TOLD_NAME}.tsv"], TOLD_NAME: 1}
