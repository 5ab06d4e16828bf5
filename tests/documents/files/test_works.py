"""A table says which work a file is a version of; a heading stands first in its text, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.files.headings import headed
from paraloom.documents.files.works import Work, read_works
from paraloom.errors import InputError

TABLE = """file,work,series
storm_fi.srt,Storm,
films/rain/a.srt,Rain,Weather
films/wind/a.srt,Wind,Weather
later,Later,
"""
FOUND = [
    ("storm_fi.srt", (), Work("Storm")),
    ("storm_fi.srt", ("any", "folder"), Work("Storm")),
    ("storm_fi.srt.gz", (), Work("Storm")),
    ("a.srt", ("home", "films", "rain"), Work("Rain", "Weather")),
    ("a.srt", ("films", "wind"), Work("Wind", "Weather")),
    ("a.srt", ("wind",), Work("Wind", "Weather")),
    ("a.srt", ("other", "wind"), None),
    ("a.srt", ("films", "snow"), None),
    ("a.srt", (), None),
    ("later.vtt", ("films",), Work("Later")),
    ("later.srt.zst", (), Work("Later")),
    ("later.en.srt", (), None),
]


@pytest.mark.parametrize(("file", "folders", "work"), FOUND)
def test_the_work_of_a_file_is_found_by_its_name_and_its_folders(
    file: str, folders: tuple[str, ...], work: Work | None, tmp_path: Path
) -> None:
    (tmp_path / "works.csv").write_text(TABLE)
    assert read_works(tmp_path / "works.csv").of(file, folders) == work


def test_numbers_are_works_too(tmp_path: Path) -> None:
    rows = [{"file": "./a.txt", "work": 7}, {"file": "b.txt"}, {"work": "c"}, {"file": "", "work": "d"}]
    (tmp_path / "works.jsonl").write_text("\n".join(map(json.dumps, rows)))
    works = read_works(tmp_path / "works.jsonl")
    assert works.of("a.txt", ()) == Work("7")
    assert works.of("b.txt", ()) is None


WRONG = [
    ("file,work\na.srt,Storm\na.srt,Rain\n", "a.srt is a version of Storm, and of Rain"),
    ("name,film\na.srt,Storm\n", "has no row with a `file` and its `work`"),
    ("", "has no row with a `file` and its `work`"),
]


@pytest.mark.parametrize(("table", "told"), WRONG)
def test_a_table_that_says_nothing_or_two_things_is_an_error(table: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "works.csv").write_text(table)
    with pytest.raises(InputError, match=told):
        read_works(tmp_path / "works.csv")


HEADED = [
    ("Storm", "It rained.", "Storm", "Storm\n\nIt rained."),
    ("Storm", "Storm\nIt rained.", "Storm", "Storm\n\nIt rained."),
    ("Storm", "Storm \n\n\n It rained.", "Storm", "Storm\n\nIt rained."),
    ("Storm", "Storms came.", "Storm", "Storm\n\nStorms came."),
    ("Storm", "Storm came.", "Storm", "Storm\n\nStorm came."),
    ("Storm", "Storm", "Storm", "Storm"),
    ("Two  lines\n of it", "TWO LINES\nOF IT\nIt rained.", "Two lines of it", "Two lines of it\n\nIt rained."),
    ("What (is) it?*", "What (is) it?*\nRain.", "What (is) it?*", "What (is) it?*\n\nRain."),
    ("", "It rained.", None, "It rained."),
    (" ", "It rained.", None, "It rained."),
    (None, "It rained.", None, "It rained."),
]


@pytest.mark.parametrize(("title", "text", "line", "expected"), HEADED)
def test_the_title_is_the_first_line(title: str | None, text: str, line: str | None, expected: str) -> None:
    assert headed(title, text) == (line, expected)


@given(st.text(max_size=30), st.text(max_size=60).map(str.strip))
def test_a_heading_is_put_there_once(title: str, text: str) -> None:
    line, made = headed(title, text)
    assert headed(line, made) == (line, made)
    assert made.startswith(line or "")
    assert made.endswith(text[-1:]) or not text
