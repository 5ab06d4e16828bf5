"""Paths, globs and folders name files; what of a folder is not taken is told."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from paraloom.engine.foreign import plan, records
from paraloom.engine.foreign_files import expand, named_files
from paraloom.errors import InputError

LINES = b'{"text": "A storm"}\n{"text": "Rain"}\n'


def written(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(LINES)
    return [folder / name for name in names]


def names(folder: Path, files: list[Path]) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in files]


def test_paths_globs_and_folders_name_each_file_once_and_sorted(tmp_path: Path) -> None:
    written(tmp_path, "b.jsonl", "a.jsonl.gz", "c.txt.bz2", "d.tsv.xz", "notes.md", ".hidden.jsonl", ".git/x.json")
    found = expand([str(tmp_path / "b.jsonl"), str(tmp_path / "*.jsonl*"), str(tmp_path)])
    assert names(tmp_path, found) == ["a.jsonl.gz", "b.jsonl", "c.txt.bz2", "d.tsv.xz"]


def test_a_path_with_brackets_in_its_name_is_a_path_first(tmp_path: Path) -> None:
    (path,) = written(tmp_path, "posts[1].jsonl")
    assert expand([str(path)]) == [path]


def test_standard_input_is_copied_to_a_file_named_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    (path,) = expand(["-"])
    rows = [row for chunk in plan([path]) for table in records(chunk) for row in table.to_pylist()]
    assert [row["file"] for row in rows] == ["stdin", "stdin"]


MISSING = [("nothing.jsonl", "There is no file"), ("nothing*.jsonl", "No file matches"), (".", "holds no file")]


@pytest.mark.parametrize(("pattern", "message"), MISSING)
def test_what_is_missing_is_an_error_that_names_it(
    pattern: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message) as error:
        expand([pattern])
    assert pattern in str(error.value)


def test_files_of_a_folder_with_other_endings_are_counted_and_told(tmp_path: Path) -> None:
    written(tmp_path, "a.txt", "b.en", "deep/c.EN", "part-00000", "film.srt", ".cache")
    found = named_files([tmp_path])
    assert names(tmp_path, list(found.files)) == ["a.txt"]
    assert found.passed_over == {".en": 2, "": 1, ".srt": 1}
    assert list(found.told()) == [
        "Passed over: 4 files (2 .en, 1 without an ending, 1 .srt). Name them, or a glob of them, to have them read."
    ]
    assert names(tmp_path, list(named_files([tmp_path], whole=True).files)) == ["a.txt", "film.srt"]
    assert named_files([tmp_path / "part-*"]).passed_over == {}
    (tmp_path / "a.txt").unlink()
    with pytest.raises(InputError, match=r"It has 4 files \(2 .en"):
        named_files([tmp_path])


def test_runs_in_a_folder_are_passed_over_and_the_one_that_is_named_is_not(tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", "old/run/pairs.made_by.json", "old/run/pairs/part-00.parquet", "old/run/summary.json")
    written(tmp_path, "old/b.jsonl")
    found = named_files([tmp_path])
    assert names(tmp_path, list(found.files)) == ["a.jsonl", "old/b.jsonl"]
    assert found.runs == [tmp_path / "old" / "run"]
    assert "1 run folder" in "".join(found.told())
    inside = named_files([tmp_path / "old" / "run"])
    assert names(tmp_path, list(inside.files)) == ["old/run/pairs/part-00.parquet", "old/run/summary.json"]


@pytest.mark.parametrize("given", [".", "**/*.json*", "../here"])
def test_what_is_to_be_left_out_is_not_taken_whatever_way_leads_there(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    written(here, "a.jsonl", "mine/summary.json", "pairs.jsonl")
    monkeypatch.chdir(here)
    (here / "again.jsonl").symlink_to(here / "pairs.jsonl")
    found = named_files([given], leave_out=[Path("mine"), tmp_path / "here" / "pairs.jsonl"])
    assert [path.name for path in found.files] == ["a.jsonl"]


def test_a_file_that_is_named_and_left_out_is_told(tmp_path: Path) -> None:
    kept, own = written(tmp_path, "a.jsonl", "pairs.jsonl")
    found = named_files([kept, own], leave_out=[own])
    assert (found.files, found.left_out) == ([kept], [own])
    assert list(found.told()) == [f"Left out: {own} is what this run itself writes."]
