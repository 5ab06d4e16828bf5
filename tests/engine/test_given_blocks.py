"""Files of pairs come out block by block: every row in its order, a bad one with its reason, a bad file refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine import foreign_json, given_blocks, given_lines
from paraloom.engine.given_blocks import read_blocks, survey_pairs
from paraloom.errors import InputError

PAIRS = [("the storm hit", "a storm hits"), ('she said "no"', "she, too; refused"), ("å → ß", "嵐\u2028🙂"), ("", "x")]


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def in_every_format(folder: Path) -> list[Path]:
    table = io.StringIO(newline="")
    csv.writer(table).writerows([("left", "right"), *PAIRS])
    tsv = "".join(f"{left}\t{right}\n" for left, right in PAIRS)
    objects = [{"left": left, "right": right} for left, right in PAIRS]
    pq.write_table(pa.Table.from_pylist(objects), folder / "pairs.parquet")
    categories = pa.table({side: pa.array([row[side] for row in objects]).dictionary_encode() for side in objects[0]})
    pq.write_table(categories, folder / "categories.parquet")
    return [
        written(folder, "bare.tsv", tsv),
        written(folder, "headed.tsv", "left\tright\n" + tsv),
        written(folder, "windows.tsv", tsv.replace("\n", "\r\n")),
        written(folder, "old mac.tsv", tsv.replace("\n", "\r")),
        written(folder, "mark.tsv", b"\xef\xbb\xbf" + tsv.encode()),
        written(folder, "wide.tsv", tsv.encode("utf-16")),
        written(folder, "ends early.txt", tsv.removesuffix("\n")),
        written(folder, "blank lines behind.tsv", tsv + "\n\n"),
        written(folder, "pairs.tsv.gz", gzip.compress(tsv.encode())),
        written(folder, "pairs.tsv.zst", zstandard.compress(tsv.encode())),
        written(folder, "pairs.csv", table.getvalue()),
        written(folder, "pairs.jsonl", "".join(json.dumps(row) + "\n\n" for row in objects)),
        written(folder, "pairs.json", json.dumps(objects, indent=2)),
        written(folder, "pairs.parquet.gz", gzip.compress((folder / "pairs.parquet").read_bytes())),
        folder / "pairs.parquet",
        folder / "categories.parquet",
    ]


def rows_of(path: Path, columns: dict[str, str] | None = None, at_once: int = 3) -> list[tuple[str, str]]:
    survey = survey_pairs(path, columns)
    blocks = list(read_blocks(survey, at_once))
    assert sum(len(block) for block in blocks) == survey.rows
    assert all(len(block) <= at_once for block in blocks)
    return [pair for block in blocks for pair in zip(block.left, block.right, strict=True)]


def troubles_of(path: Path) -> list[str | None]:
    survey = survey_pairs(path)
    found = [trouble for block in read_blocks(survey, 2) for trouble in block.troubles]
    assert survey.troubles == {trouble: found.count(trouble) for trouble in found if trouble}
    return found


def test_every_format_holds_the_same_rows(tmp_path: Path) -> None:
    for path in in_every_format(tmp_path):
        assert rows_of(path) == PAIRS, path.name


FIRST_LINES = [
    ("left\tright", {}, True),
    ("id\tright\tleft", {}, True),
    ("left\tother", {}, False),
    ("a storm\ta gale", {}, False),
    ("left\tright", {"left": "2", "right": "1"}, True),
    ("sentence1\tsentence2", {"left": "sentence1", "right": "sentence2"}, True),
    ("sentence1\tsentence2", {"left": "1", "right": "2"}, False),
    ("id\tright", {"left": "1"}, True),
]

BY_NUMBER = [
    # first line, lines behind it, is the first a header
    ("Quality\tID\tone\tother", ["1\t7\ta\tb", "0\t8\tc\td"], True),
    ("1\tID\tone\tother", ["1\t7\ta\tb", "0\tx\tc\td"], False),
    ("1\t7\tone\tother", ["1\t7\ta\tb", "0\t8\tc\td"], False),
    ("Quality\tID\tone\tother", ["1\t7\ta\tb", "short", "0\t8\tc\td"], True),
    ("a\tb\tc\td", [], False),
]


@pytest.mark.parametrize(("first", "behind", "is_header"), BY_NUMBER)
def test_where_columns_are_numbers_a_word_above_numbers_tells_of_a_header(
    first: str, behind: list[str], is_header: bool, tmp_path: Path
) -> None:
    path = written(tmp_path, "pairs.tsv", "\n".join([first, *behind]) + "\n")
    survey = survey_pairs(path, {"left": "3", "right": "4"})
    assert survey.has_header is is_header
    assert survey.rows == len(behind) + (not is_header)
    assert ("is taken for a header, as column" if is_header else "is read as a pair") in survey.notes[0]
    left = [text for block in read_blocks(survey, 5) for text in block.left]
    assert ("one" in left) is (not is_header and bool(behind))


@pytest.mark.parametrize(("first", "columns", "is_header"), FIRST_LINES)
def test_a_first_line_is_a_header_if_it_names_the_texts(
    first: str, columns: dict[str, str], is_header: bool, tmp_path: Path
) -> None:
    path = written(tmp_path, "pairs.tsv", first + "\n" + "\t".join("xyz"[: first.count("\t") + 1]) + "\n")
    survey = survey_pairs(path, columns)
    assert survey.has_header is is_header
    assert survey.rows == 2 - is_header
    assert bool(survey.notes) is not is_header


def test_columns_are_taken_by_name_or_number(tmp_path: Path) -> None:
    path = written(tmp_path, "pairs.csv", "id,a,b\n1,x,y\n")
    assert rows_of(path, {"left": "b", "right": "2"}) == [("y", "x")]
    assert survey_pairs(path, {"left": "b", "right": "2"}).names == ("id", "a", "b")
    lines = written(tmp_path, "pairs.jsonl", '{"a": "x", "b": "y"}\n')
    assert rows_of(lines, {"left": "b", "right": "a"}) == [("y", "x")]


TROUBLES = [
    ("pairs.tsv", "left\tright\na\tb\na\na\tb\tc\n\na\tb\n", [None, "1 column", "3 columns", None]),
    ("pairs.csv", "left,right\r\nA\rB,c\nd,e\r\nf,g\n", ["line end outside quotes", None, None]),
    ("pairs.tsv", "left\tright\r\nA\rB\tc\nd\te\r\n", [None, None]),
    ("pairs.jsonl", '{"left": "a",\r"right": "b"}\r\n{"left": "a", "right": "b"}\n', [None, None]),
    ("pairs.csv", 'left,right\na,b\n"a,b\na,b,c\n\na,b\n', [None, "unclosed quote", "3 columns", None]),
    ("pairs.csv", 'left,right\n"a\n\nb",c\n"d ""e""",f\n', [None, None]),
    (
        "pairs.jsonl",
        '{"left": "a", "right": "b"}\n{"left": "a", "rig\n[1]\n"x"\n{"left": "a"}\n{"left": 4, "right": "b"}\n'
        '{"left": null, "right": "b"}\n{}\n{"left": "\\ud83d", "right": "b"}\n',
        [
            *(None, "not JSON", "not an object", "not an object", "no right"),
            *("left is no text", "no left", "no left", None),
        ],
    ),
    ("pairs.json", '[{"left": "a", "right": "b"}, {"left": "a", "right"}, {"left": "c", "right": "d"}]', 3),
]


@pytest.mark.parametrize(("name", "text", "reasons"), TROUBLES)
def test_a_row_that_is_no_pair_stays_in_its_place_with_a_reason(
    name: str, text: str, reasons: list[str | None] | int, tmp_path: Path
) -> None:
    found = troubles_of(written(tmp_path, name, text))
    if isinstance(reasons, int):
        assert len(found) == reasons
        assert found[0] is None
        assert found[-1] is None
        assert str(found[1]).startswith("bad_row: ")
        return
    assert len(found) == len(reasons)
    for trouble, reason in zip(found, reasons, strict=True):
        assert trouble == reason is None or str(trouble).startswith(f"bad_row: {reason}")


def test_nulls_of_a_parquet_file_are_no_texts(tmp_path: Path) -> None:
    pq.write_table(pa.table({"left": ["a", None], "right": ["b", "c"]}), tmp_path / "pairs.parquet")
    assert troubles_of(tmp_path / "pairs.parquet") == [None, "bad_row: no left"]


def test_a_line_beyond_all_measure_is_a_bad_row_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert given_lines.LONGEST == foreign_json.LONGEST
    monkeypatch.setattr(given_lines, "LONGEST", 100)
    for end in ("\n", ""):
        path = written(tmp_path, "pairs.tsv", f"a\tb\n{'x' * 200}\ty\nc\td\n{'x' * 5000}{end}")
        assert troubles_of(path) == [None, "bad_row: too long", None, "bad_row: too long"]
        path = written(tmp_path, "pairs.jsonl", f'{{"left": "a", "right": "b"}}\n{"x" * 200}{end}')
        assert troubles_of(path) == [None, "bad_row: too long"]


def test_a_block_ends_early_where_texts_are_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_blocks, "CHARACTERS_AT_ONCE", 25)
    path = written(tmp_path, "pairs.tsv", "0123456789\t0123456789\n" * 5)
    assert [len(block) for block in read_blocks(survey_pairs(path), 100)] == [2, 2, 1]


LATIN = "café\tthé\nplain\ttext\nÄrger\t„Wut“\n"


def test_lines_that_are_not_utf8_are_read_as_windows_1252_and_told(tmp_path: Path) -> None:
    path = written(tmp_path, "pairs.tsv", LATIN.encode("cp1252"))
    assert rows_of(path) == [("café", "thé"), ("plain", "text"), ("Ärger", "„Wut“")]
    note = survey_pairs(path).notes[-1]
    assert "2 lines are not UTF-8 (the first is line 1)" in note
    assert "save the file as UTF-8" in note


def test_utf_16_is_read_and_told(tmp_path: Path) -> None:
    path = written(tmp_path, "pairs.tsv", LATIN.encode("utf-16"))
    assert rows_of(path)[2] == ("Ärger", "„Wut“")
    assert "was read as UTF-16-LE" in survey_pairs(path).notes[-1]


BLANK = [
    ("pairs.tsv", "left\tright\n\na\tb\n  \r\n\t\n\n", 3),
    ("pairs.csv", "\nleft,right\na,b\n\n ,\n", 2),
    ("pairs.csv", 'left,right\n"a\n\nb",c\n,\n\n \n\n', 3),
    ("pairs.jsonl", '{"left": "a", "right": "b"}\n\n{"left": "a", "right": "b"}\n \t\n\n', 3),
]


@pytest.mark.parametrize(("name", "text", "blank"), BLANK)
def test_blank_lines_are_skipped_in_every_format_and_told(name: str, text: str, blank: int, tmp_path: Path) -> None:
    path = written(tmp_path, name, text)
    assert troubles_of(path) == [None, None]
    assert f"{blank} blank lines are skipped" in survey_pairs(path).notes[-1]


def test_a_file_is_called_as_its_owner_knows_it(tmp_path: Path) -> None:
    for name in ("a.tsv", "a.csv", "a.jsonl"):
        with pytest.raises(InputError, match=r"^standard input is empty"):
            survey_pairs(written(tmp_path, name, ""), called="standard input")
    with pytest.raises(InputError, match=r"^standard input is not a readable Parquet file"):
        survey_pairs(written(tmp_path, "a.parquet", "PAR1"), called="standard input")
    notes = survey_pairs(written(tmp_path, "a.tsv", "a\tb\n\n"), called="standard input").notes
    assert all(note.startswith(("standard input", "The first line of standard input")) for note in notes)


REFUSED = [
    ("pairs.tsv", b"", "is empty"),
    ("pairs.csv", b"le\rft,right\na,b\n", "line 1: the first row cannot be read (line end outside quotes)"),
    ("pairs.csv", b'"left,right\na,b\n', "line 1: the first row cannot be read (unclosed quote)"),
    ("pairs.jsonl", b"\n\n", "is empty"),
    ("pairs.csv", b"sentence1,sentence2\na,b\n", "has no column 'left'; it has sentence1, sentence2"),
    ("pairs.tsv", b"only one column\n", "has no column 'right'; it has a single column, and no header"),
    ("pairs.csv", b"left,right,left\na,b,c\n", "several columns called 'left'"),
    ("pairs.jsonl", b'{"text": "a"}\n', "has no column 'left'; it has text"),
    ("pairs.parquet", b"no parquet", "not a readable Parquet file"),
    ("pairs.tsv.gz", gzip.compress(b"a\tb\n" * 5000, mtime=0)[:-20], "ends too early"),
    ("pairs.xlsx", b"x", "ends in '.xlsx'"),
]


@pytest.mark.parametrize(("name", "content", "told"), REFUSED)
def test_a_file_that_is_no_pairs_is_refused_before_any_work(
    name: str, content: bytes, told: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(InputError, match=re.escape(told)):
        survey_pairs(path)


def test_a_column_that_is_no_text_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"left": [1], "right": ["b"]}), tmp_path / "pairs.parquet")
    with pytest.raises(InputError, match=r"'left' holds int64, not text.*--columns left=COLUMN"):
        survey_pairs(tmp_path / "pairs.parquet")


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"label": "3"}, "only left and right"),
        ({"left": "a", "right": "a"}, "for both"),
        ({"left": "9"}, "no column '9'"),
    ],
)
def test_columns_that_make_no_pair_are_refused(columns: dict[str, str], told: str, tmp_path: Path) -> None:
    path = written(tmp_path, "pairs.csv", "a,right\nx,y\n")
    with pytest.raises(InputError, match=told):
        survey_pairs(path, columns)


CELLS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12), st.integers(1, 13))
def test_blocks_of_any_size_together_are_the_file(pairs: list[tuple[str, str]], at_once: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        table = io.StringIO(newline="")
        csv.writer(table, lineterminator="\n").writerows([("left", "right"), *pairs])
        for name, text in (
            ("pairs.tsv", "left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in pairs)),
            ("pairs.csv", table.getvalue()),
            ("pairs.jsonl", "".join(json.dumps({"left": left, "right": right}) + "\n" for left, right in pairs)),
        ):
            path = Path(folder) / name
            path.write_bytes(text.encode())
            assert rows_of(path, at_once=at_once) == pairs, name


@given(st.text('ab,"\t\r\n {}[]:\\\x00é', max_size=60), st.sampled_from(["tsv", "csv", "jsonl", "json"]))
def test_whatever_lies_in_a_file_it_is_read_or_refused(text: str, format: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for name, header in (("bare", ""), ("headed", "left\tright\n" if format == "tsv" else "left,right\n")):
            path = Path(folder) / f"{name}.{format}"
            path.write_bytes((header + text).encode())
            try:
                survey = survey_pairs(path)
            except InputError:
                continue
            blocks = list(read_blocks(survey, 3))
            assert sum(len(block) for block in blocks) == survey.rows
            assert sum(trouble is not None for block in blocks for trouble in block.troubles) == sum(
                survey.troubles.values()
            )
