"""A table says which work a file is a version of; a heading stands first in its text, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.files.headings import headed
from paraloom.documents.files.works import Work, Works, _by_end, check_works, read_works
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


def test_rows_are_known_by_the_files_they_speak_of(tmp_path: Path) -> None:
    (tmp_path / "works.csv").write_text(TABLE)
    files = [("storm_fi.srt", ("any",)), ("a.srt", ("wind",)), ("later.vtt", ("x", "y")), ("later.srt", ("x", "y"))]
    (note,) = check_works(tmp_path / "works.csv", files)
    assert note == "works.csv: 1 row speaks of no file that was read, such as films/rain/a.srt."
    assert check_works(tmp_path / "works.csv", [*files, ("a.srt", ("films", "rain"))]) == ()


SEVERAL = [("a.srt", ("films", folder)) for folder in ("storm", "rain", "wind")]


def test_a_name_that_files_of_several_folders_have_is_an_error_that_says_how_to_name_them(tmp_path: Path) -> None:
    table = tmp_path / "works.csv"
    for name in ("a.srt", "a"):
        table.write_text(f"file,work\n{name},Film A\n")
        with pytest.raises(
            InputError, match=r"3 files .*films/rain/a.srt, films/storm/a.srt, …\. .*as in films/rain/a"
        ):
            check_works(table, SEVERAL)
    assert check_works(table, SEVERAL[:1]) == ()
    table.write_text("file,work\nstorm/a.srt,Storm\nrain/a.srt,Rain\na.srt,Wind\n")
    assert check_works(table, SEVERAL) == (), "one is left for the bare name"


def test_a_table_of_none_of_the_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "works.csv").write_text("file,work\nstorm.srt,Storm\nrain.srt,Rain\n")
    with pytest.raises(InputError, match=r"none of the files that are to be read, but of storm.srt"):
        check_works(tmp_path / "works.csv", SEVERAL)


@given(
    st.dictionaries(st.sampled_from(["a", "a.srt", "x/a.srt", "y/x/a.srt", "x/b.srt"]), st.sampled_from("AB")),
    st.lists(st.tuples(st.sampled_from(["a.srt", "a.srt.gz", "b.srt"]), st.lists(st.sampled_from("xy"), max_size=3))),
)
def test_a_row_fits_a_file_if_it_gives_its_work(rows: dict[str, str], files: list[tuple[str, list[str]]]) -> None:
    found = {name: Work(work) for name, work in rows.items()}
    works = Works(found, _by_end(found))
    fitting = works.fitting(files)
    assert set(fitting) == set(rows)
    for file, folders in files:
        fit = {found[row] for row, ways in fitting.items() if "/".join((*folders, file)) in ways}
        assert fit == ({works.of(file, folders)} - {None})
