"""Records of any file become sentences: each text once, with how often it was met; what is none says why."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine import foreign
from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.sentences.lines import LineReader, merge_copies
from paraloom.sentences.record_texts import asked_columns, columns_among
from paraloom.tables import Sentence, check, make_id, schema
from paraloom.workflows.mine.input_files import given_files


def rows_of(records: list[tuple[str, int, bytes, str, bytes | None]], **options: Any) -> list[dict[str, Any]]:
    columns = list(zip(*records, strict=True))
    table = pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, foreign.SCHEMA, strict=True)],
        schema=foreign.SCHEMA,
    )
    made = LineReader(LineOptions(**options))(table)
    return check(merge_copies(made.sort_by("sentence_id")), Sentence).to_pylist()


def of_lines(*lines: str | bytes, **options: Any) -> list[dict[str, Any]]:
    raws = [line.encode() if isinstance(line, str) else line for line in lines]
    return rows_of([("a.txt", 10 * place, raw, "text", None) for place, raw in enumerate(raws)], **options)


KEPT_OR_WHY: list[tuple[str | bytes, str | None]] = [
    ("The storm hit the coast.", None),
    ("Myrsky iski rannikolle.", None),
    ("暴风雨袭击了海岸", None),
    ("", "empty"),
    (" \t\r", "empty"),
    ("12:30 – 14:00 ...", "no_letters"),
    ("🌧🌧", "no_letters"),
    ("x" * 1001, "too_long"),
    (b"caf\xe9 au lait", "undecodable"),
    ("ab", "too_short"),
]


@pytest.mark.parametrize(("line", "reason"), KEPT_OR_WHY)
def test_a_line_is_kept_or_left_out_for_a_reason(line: str | bytes, reason: str | None) -> None:
    (row,) = of_lines(line, min_characters=3)
    assert row["dropped_for"] == reason
    assert len(row["text"]) <= 1000


def test_a_line_of_a_megabyte_is_a_row_with_the_beginning_of_its_text() -> None:
    (row,) = of_lines("word " * 200_000)
    assert (row["dropped_for"], row["text"]) == ("too_long", ("word " * 200)[:1000])


COPIES = [
    (("The storm.", "the  STORM.", "The ﬆorm. "), {}, 1),
    (("The storm.", "The storm!"), {}, 2),
    (("The storm.", "The storm!", "the storm"), {"ignore_punctuation": True}, 1),
    (("Straße", "STRASSE"), {}, 1),
]


@pytest.mark.parametrize(("lines", "options", "different"), COPIES)
def test_texts_that_differ_in_case_and_white_space_are_copies(
    lines: tuple[str, ...], options: dict[str, Any], different: int
) -> None:
    rows = of_lines(*lines, **options)
    assert (len(rows), sum(row["copies"] for row in rows)) == (different, len(lines))


def test_of_copies_the_first_one_keeps_its_id_wherever_records_are_cut() -> None:
    rows = [("b", "x"), ("a", "z"), ("a", "y"), ("a", None)]
    records = [
        (file, 0, json.dumps({"text": "A storm", "id": its_id}).encode(), "jsonl", None) for file, its_id in rows
    ]
    read = LineReader(LineOptions(columns=("text=text", "id=id")))
    for order in permutations(records):
        for cut in range(1, len(order)):
            tables = [
                read(pa.table(dict(zip(foreign.SCHEMA.names, zip(*part, strict=True), strict=True)), foreign.SCHEMA))
                for part in (order[:cut], order[cut:])
            ]
            (row,) = merge_copies(pa.concat_tables(tables).sort_by("sentence_id")).to_pylist()
            assert (row["document_id"], row["native_id"], row["copies"]) == ("a", "y", 4)


def test_of_copies_the_first_place_counts_whatever_comes_first() -> None:
    records = [("b.txt", 0, b"The storm", "text", None), ("a.txt", 50, b"the storm", "text", None)]
    for order in (records, records[::-1]):
        (row,) = rows_of(order)
        assert (row["document_id"], row["start"], row["end"], row["text"]) == ("a.txt", 50, 59, "the storm")


lines = st.lists(st.sampled_from(["A storm.", "a  storm.", "Rain", "", "42", "RAIN ", "Wind & rain"]), max_size=30)


@given(lines, st.integers(1, 7))
def test_where_records_are_cut_into_batches_does_not_show(texts: list[str], size: int) -> None:
    records = [("a.txt", place, text.encode(), "text", None) for place, text in enumerate(texts)]
    read = LineReader(LineOptions())
    batches = [
        pa.Table.from_pylist(
            [dict(zip(foreign.SCHEMA.names, record, strict=True)) for record in records[start : start + size]],
            schema=foreign.SCHEMA,
        )
        for start in range(0, len(records), size)
    ]
    parts = pa.concat_tables([schema(Sentence).empty_table(), *map(read, batches)])
    merged = merge_copies(parts.sort_by("sentence_id")).to_pylist()
    assert merged == (rows_of(records) if records else [])
    normalised = Counter(" ".join(text.split()).lower() for text in texts)
    assert {row["sentence_id"]: row["copies"] for row in merged} == {
        make_id("text", text): count for text, count in normalised.items()
    }


def test_a_text_that_one_input_leaves_out_and_another_keeps_is_kept() -> None:
    said = {"document_id": "d", "text": "the storm", "start": 3, "end": 12, "made_by": "post-splitter"}
    dropped = {**said, "sentence_id": make_id("text", "the storm"), "copies": 4, "dropped_for": "too_short"}
    kept = {**said, "sentence_id": make_id("d", 3, 12), "dropped_for": None}
    records = [
        ("s.parquet", place, json.dumps(row).encode(), "parquet", None) for place, row in enumerate((dropped, kept))
    ]
    (row,) = rows_of(records)
    assert (row["sentence_id"], row["copies"], row["dropped_for"]) == (dropped["sentence_id"], 5, None)


def test_a_sentence_of_another_run_keeps_its_document_and_its_copies() -> None:
    (row,) = rows_of([("part-00.parquet", 0, json.dumps({**OF_RUN, "copies": 7}).encode(), "parquet", None)])
    told = {"copies": 7, "native_id": None, "dropped_for": None}
    assert row == {**OF_RUN, "sentence_id": make_id("text", "a storm"), **told}
    (row,) = rows_of([("part-00.parquet", 0, json.dumps({**OF_RUN, "native_id": "x7"}).encode(), "parquet", None)])
    assert (row["document_id"], row["native_id"]) == ("d1", "x7")


OF_RUN = {
    "sentence_id": make_id("d1", 3, 10),
    "document_id": "d1",
    "text": "A storm",
    "start": 3,
    "end": 10,
    "made_by": "line",
}
FOREIGN: list[tuple[dict[str, Any], str | None]] = [
    ({"start": None}, None),
    ({"start": "3"}, None),
    ({"start": 3.0}, None),
    ({"start": True}, None),
    ({"start": 11}, None),
    ({"end": 1 << 63}, None),
    ({"copies": None}, None),
    ({"copies": -4}, None),
    ({"copies": 1 << 62}, None),
    ({"document_id": 7}, None),
    ({"made_by": ["a"]}, None),
    ({"sentence_id": "7", "dropped_for": "boring"}, None),
    ({"sentence_id": 7, "dropped_for": "boring"}, None),
    ({"dropped_for": 3}, None),
    ({"dropped_for": ""}, None),
    ({"native_id": 7}, None),
    ({"text": None}, "bad_row: no text"),
    ({"text": {"en": "A storm"}, "dropped_for": "boring"}, "bad_row: no text"),
]


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
@pytest.mark.parametrize(("changed", "reason"), FOREIGN, ids=[str(changed) for changed, _ in FOREIGN])
def test_a_row_that_only_has_the_columns_of_a_run_is_read_as_any_other(
    changed: dict[str, Any], reason: str | None, format: str
) -> None:
    (row,) = rows_of([("theirs", 5, json.dumps(OF_RUN | changed).encode(), format, None)])
    assert (row["document_id"], row["start"], row["copies"], row["dropped_for"]) == ("theirs", 5, 1, reason)
    if reason is None:
        assert (row["sentence_id"], row["text"]) == (make_id("text", "a storm"), "A storm")


COLUMNS = [
    (["id", "text", "sentence"], (), ["text"]),
    (["sentence1", "sentence2"], (), ["sentence1", "sentence2"]),
    (["id", "body"], ("text=body",), ["body"]),
    (["id", "body"], ("text=2",), ["body"]),
    (["a", "b"], ("left=a", "right=b"), ["a", "b"]),
    (["id", "body"], (), []),
]


@pytest.mark.parametrize(("names", "asked", "expected"), COLUMNS)
def test_columns_with_sentences_are_known_by_name_or_named(
    names: list[str], asked: tuple[str, ...], expected: list[str]
) -> None:
    assert columns_among(names, asked_columns(asked)) == expected


@pytest.mark.parametrize("asked", ["headline", "text=", "sentence=a", "ids=a"])
def test_a_column_that_is_not_said_as_it_must_be_is_refused(asked: str) -> None:
    with pytest.raises(InputError, match="say it as text=COLUMN"):
        asked_columns([asked])


def texts_in(folder: Path, name: str, content: bytes, *columns: str) -> list[tuple[str, str | None]]:
    (folder / name).write_bytes(content)
    lines = LineOptions(columns=columns)
    given = given_files([folder / name], lines)
    read = LineReader(lines)
    made = [row for chunk in given.chunks for records in foreign.records(chunk) for row in read(records).to_pylist()]
    return sorted((row["text"], row["dropped_for"]) for row in made)


def parquet(**columns: list[Any]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


TWO = [("A storm", None), ("Rain, wind", None)]
FILES = [
    ("plain.txt", b"A storm\nRain, wind\n", ()),
    ("old-mac.txt", b"A storm\rRain, wind", ()),
    ("windows.txt", "A storm\r\nRain, wind\r\n".encode("utf-8-sig"), ()),
    ("utf16.txt", "A storm\nRain, wind\n".encode("utf-16"), ()),
    ("packed.txt.gz", gzip.compress(b"A storm\nRain, wind\n", mtime=0), ()),
    ("rows.jsonl", b'{"text": "A storm"}\n{"text": "Rain, wind"}\n', ()),
    ("rows.json", b'[{"sentence": "A storm"}, {"sentence": "Rain, wind"}]', ()),
    ("rows.csv", b'id,text\n1,A storm\n2,"Rain, wind"\n', ()),
    ("german.csv", b"id;text\n1;A storm\n2;Rain, wind\n", ()),
    ("rows.tsv", b"id\ttext\n1\tA storm\n2\tRain, wind\n", ()),
    ("pairs.tsv", b"left\tright\tlabel\nA storm\tRain, wind\t1\n", ()),
    ("bare.tsv", b"A storm\tRain, wind\n", ()),
    ("numbered.tsv", b"1\tA storm\n2\tRain, wind\n", ("text=2",)),
    ("named.csv", b'id,headline\n1,A storm\n2,"Rain, wind"\n', ("text=headline",)),
    ("rows.parquet", parquet(text=["A storm", "Rain, wind"], n=[1, 2]), ()),
    ("pairs.parquet", parquet(left=["A storm"], right=["Rain, wind"]), ()),
]


@pytest.mark.parametrize(("name", "content", "columns"), FILES, ids=[name for name, *_ in FILES])
def test_every_kind_of_file_gives_its_sentences(
    tmp_path: Path, name: str, content: bytes, columns: tuple[str, ...]
) -> None:
    assert texts_in(tmp_path, name, content, *columns) == TWO


BROKEN = [
    ("cut.txt.gz", gzip.compress(b"A storm\n" * 100_000, mtime=0)[:-20], "broken: truncated file"),
    ("cut.parquet", parquet(text=["A storm"] * 1000)[:-30], "broken: unreadable file (Parquet magic bytes not found"),
    ("no.jsonl", b'{"text": "A storm"}\n{"text": "A sto', "bad_row: not JSON"),
    ("other.jsonl", b'{"text": "A storm"}\n{"body": "A storm"}\n', "bad_row: no text"),
]


@pytest.mark.parametrize(("name", "content", "reason"), BROKEN, ids=[name for name, *_ in BROKEN])
def test_a_broken_file_gives_what_can_be_read_and_a_row_that_says_what_is_wrong(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    made = texts_in(tmp_path, name, content)
    assert any(dropped.startswith(reason) for _, dropped in made if dropped)
    assert (("A storm", None) in made) == (name != "cut.parquet")


NOT_FOR_MINING = [
    ("film.srt", b"1\n00:00:01,000 --> 00:00:02,000\nA storm\n", "a document of its own"),
    ("rows.csv", b"id,body\n1,A storm\n", "not known which column"),
    ("rows.parquet", parquet(body=["A storm"]), "not known which column"),
]


@pytest.mark.parametrize(("name", "content", "told"), NOT_FOR_MINING)
def test_a_file_without_sentences_is_refused_before_anything_is_read(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=told):
        given_files([tmp_path / name])


def test_blank_lines_are_counted_where_a_file_is_cut_into_chunks(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("A storm\n\n\nRain\n   \nWind\n" * 50)
    (whole,) = given_files([file]).chunks
    cut = [
        chunk.__class__(**{**{name: getattr(chunk, name) for name in chunk.__slots__}, "blanks": True})
        for chunk in foreign.plan([file], bytes_per_chunk=37)
    ]
    assert len(cut) > 10
    counts = []
    for chunks in ([whole], cut):
        read = LineReader(LineOptions())
        tables = [read(records) for chunk in chunks for records in foreign.records(chunk)]
        merged = merge_copies(pa.concat_tables(tables).sort_by("sentence_id"))
        counts.append({row["text"]: row["copies"] for row in merged.to_pylist()})
    assert counts[0] == counts[1] == {"A storm": 50, "": 150, "Rain": 50, "Wind": 50}
