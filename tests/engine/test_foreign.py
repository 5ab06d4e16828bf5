"""Foreign files are cut, read and mended as raw records, whatever their bytes."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import pickle
import random
import zipfile
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine import foreign, foreign_bytes
from paraloom.engine.foreign import Chunk, plan, records
from paraloom.engine.foreign_bytes import compression_of, growth_of
from paraloom.engine.foreign_csv import LONGEST_QUOTED
from paraloom.engine.foreign_files import expand
from paraloom.engine.foreign_formats import format_of
from paraloom.errors import InputError

POSTS = [{"id": str(number), "text": f"Post {number}: “ünïcode” \\ and \n breaks"} for number in range(7)]
LINES = b"".join(json.dumps(post).encode() + b"\n" for post in POSTS)


def read(*paths: Path, bytes_per_chunk: int = 32 << 20) -> list[dict[str, Any]]:
    return [row for chunk in plan(paths, bytes_per_chunk) for table in records(chunk) for row in table.to_pylist()]


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def raws(rows: Sequence[dict[str, Any]]) -> list[bytes]:
    return [row["raw"] for row in rows]


# ------------------------------------------------------------------------------------------------ which format

FORMATS = [
    (".jsonl", b'{"text": "a"}\n{"text": "b"}\n', "jsonl"),
    (".ndjson", b'{"text": "a"}', "jsonl"),
    (".jsonl", b'{"data": [{"id": "1", "text": "a"}]}\n', "json"),
    (".json", b' \n[{"text": "a"}]', "json"),
    (".json", b"[]", "json"),
    (".json", b'{"text": "a"}\n{"text": "b"}\n', "jsonl"),
    (".json", b'{"text": "a"\n}\n', "json"),
    (".json", b'{\n  "text": "a",\n  "id": 1\n}\n', "json"),
    (".json", b'{"statuses": [{"text": "a"}]}', "json"),
    (".json", b'{"search": {"n": [1, {"data": [{}]}]}, "statuses": [{"text": "a"}]}', "json"),
    (".json", b'broken\n{"text": "a"}\n{"text": "b"}\n', "jsonl"),
    (".json", b"(someone,NO.1,Set size:2,A storm https://t.co/abc)\n{}\n", "raw-day"),
    (".csv", b"id,text\n1,a\n", "csv"),
    (".csv", b"id;text\n1;a\n", "ssv"),
    (".tsv", b"id\ttext\n1\ta\n", "tsv"),
    ("", b"id\ttext\n1\ta\n", "tsv"),
    ("", b"id,text\n1,a\n", "csv"),
    ("", b'{"text": "a"}\n{"text": "b"}\n', "jsonl"),
    ("", b'[{"text": "a"}]', "json"),
    ("", b"Just a sentence, nothing more.\nAnd one more.\n", "text"),
    ("", b"PAR1...", "parquet"),
    (".txt", b"one, two\n", "text"),
    (".txt", b'{"text": "a"}\n{"text": "b"}\n', "jsonl"),
    (".txt", b'{"data": [{"id": "1", "text": "a"}]}\n', "json"),
    (".txt", b'{"text": "a"} is how JSON looks\nand this is a sentence\n', "text"),
    (".txt", b"[sic] is what one writes\n", "text"),
]


@pytest.mark.parametrize(("ending", "head", "format"), FORMATS)
def test_the_format_is_known_by_ending_and_first_bytes(ending: str, head: bytes, format: str) -> None:
    assert format_of(ending, head) == format


PACKS = (
    gzip.compress,
    zstandard.ZstdCompressor().compress,
    partial(bz2.compress, compresslevel=1),
    partial(lzma.compress, preset=0),
)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.jsonl.xz", "a.gz", "a.json", "a.dat"])
@pytest.mark.parametrize("pack", [bytes, *PACKS])
def test_compression_is_known_by_the_bytes_whatever_the_name(name: str, pack: Any, tmp_path: Path) -> None:
    assert [json.loads(raw) for raw in raws(read(written(tmp_path, name, pack(LINES))))] == POSTS


@pytest.mark.parametrize("pack", PACKS)
def test_a_packed_file_that_ends_too_early_says_so_behind_what_can_be_read(pack: Any, tmp_path: Path) -> None:
    noise = random.Random(2)
    lines = b"".join(b'{"text": "%d"}\n' % noise.getrandbits(400) for _ in range(4000))
    whole, cut = written(tmp_path, "whole", pack(lines)), written(tmp_path, "cut", pack(lines)[:-5000])
    *rows, last = read(cut)
    assert (last["format"], last["context"]) == ("broken", b"truncated file")
    assert raws(rows) == raws(read(whole))[: len(rows)]
    assert 0 < len(rows) < 4000


@pytest.mark.parametrize("pack", PACKS)
def test_how_much_a_file_grows_is_seen_by_its_beginning(
    pack: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_bytes, "_GROWTH_BYTES", 1 << 18)
    noise = random.Random(3)
    lines = b"".join(b"%x\n" % noise.getrandbits(400) for _ in range(6000))
    path = written(tmp_path, "packed", pack(lines))
    assert growth_of(path, compression_of(path)) == pytest.approx(len(lines) / path.stat().st_size, rel=0.25)
    assert growth_of(written(tmp_path, "plain", lines), None) == 1.0


def test_an_archive_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("posts.jsonl", LINES)
    with pytest.raises(InputError, match=r"posts.jsonl is a zip archive .* Unpack it"):
        plan([path])


def test_what_a_file_is_taken_for_can_be_said(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", b"id;text\n1;a\n")
    assert [plan([path], format=format)[0].format for format in (None, "text", "csv", "tsv")] == [
        *("ssv", "text", "ssv", "tsv"),
    ]


# ------------------------------------------------------------------------------------------------ lines


@settings(max_examples=150, deadline=None)
@given(
    # no zero bytes: a file with one in every second place is UTF-16, and rightly read as that
    lines=st.lists(st.binary(max_size=12).map(lambda line: line.translate(None, b"\r\n\0")), max_size=20),
    end=st.sampled_from([b"\n", b"\r\n", b"\r"]),
    bytes_per_chunk=st.integers(1, 60),
    ends=st.booleans(),
)
def test_chunks_hold_every_line_once_however_they_are_cut(
    lines: list[bytes], end: bytes, bytes_per_chunk: int, ends: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = b"".join(line + end for line in lines)
    path = written(tmp_path_factory.mktemp("cut"), "posts.jsonl", b"x" + (data if ends else data[: -len(end)]))
    whole = read(path)
    assert read(path, bytes_per_chunk=bytes_per_chunk) == whole
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    assert [raw.rstrip(b"\r") for raw in raws(whole)] == [line for line in content.split(end) if line.strip()]


def test_offsets_are_where_the_records_begin(tmp_path: Path) -> None:
    for name, pack in (("a.jsonl", bytes), ("a.jsonl.gz", gzip.compress)):
        for row in read(written(tmp_path, name, pack(LINES))):
            assert LINES[row["offset"] :].startswith(row["raw"])


def test_blank_lines_are_no_records(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", b"\n\n  \n" + LINES.replace(b"\n", b"\r\n\r\n") + b"\t\n")
    assert len(read(path)) == len(POSTS)


CARRIAGE_RETURNS = [
    ("a.jsonl", b'{"text": "a"}\r{"text": "b"}\r', [b'{"text": "a"}', b'{"text": "b"}']),
    ("a.txt", b"one\r\rtwo", [b"one", b"two"]),
    ("a.csv", b'id,text\r1,"a, b"\r2,"two\rlines"\r', [b'1,"a, b"', b'2,"two\nlines"']),
    ("a.tsv", b"id\ttext\r1\ta\r2\tb\r", [b"1\ta", b"2\tb"]),
    ("a", b"id\ttext\r1\ta\r", [b"1\ta"]),
    ("a.txt", b"one\rstill one\ntwo\n", [b"one\rstill one", b"two"]),
]


@pytest.mark.parametrize(("name", "data", "expected"), CARRIAGE_RETURNS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_carriage_return_ends_lines_where_there_is_no_line_feed(
    name: str, data: bytes, expected: list[bytes], pack: Any, tmp_path: Path
) -> None:
    rows = read(written(tmp_path, name, pack(data)))
    assert raws(rows) == expected
    for row in rows:
        assert data[row["offset"] :].replace(b"\r", b"\n").startswith(row["raw"].replace(b"\r", b"\n"))


def test_marks_at_the_beginning_are_skipped(tmp_path: Path) -> None:
    rows = read(written(tmp_path, "a.jsonl", b"\xef\xbb\xbf" + LINES))
    assert rows[0]["offset"] == 3
    assert [json.loads(raw) for raw in raws(rows)] == POSTS


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_utf_16_files_are_recoded_and_offsets_stay_their_own(encoding: str, name: str, tmp_path: Path) -> None:
    data = LINES.decode().replace("Post", "Pöst").encode(encoding)
    rows = read(written(tmp_path, name, gzip.compress(data) if name.endswith("gz") else data))
    assert [json.loads(raw)["id"] for raw in raws(rows)] == [post["id"] for post in POSTS]
    own = "utf-16-le" if encoding == "utf-16" else encoding
    for row in rows:
        assert data[row["offset"] :].decode(own).startswith(row["raw"].decode())


def test_one_line_in_utf_16_does_not_make_the_file_so(tmp_path: Path) -> None:
    rows = read(written(tmp_path, "a.jsonl", LINES.split(b"\n")[0].decode().encode("utf-16") + b"\n" + LINES))
    assert raws(rows)[-len(POSTS) :] == LINES.splitlines()


def test_an_overlong_line_is_cut_and_marked_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "LONGEST", 1 << 20)
    long = b'{"text": "' + b"x" * (3 << 20) + b'"}\n'
    for bytes_per_chunk in (32 << 20, 1 << 19):
        rows = read(written(tmp_path, "a.jsonl", LINES + long + LINES), bytes_per_chunk=bytes_per_chunk)
        assert raws(rows[:7]) == raws(rows[8:]) == LINES.splitlines()
        assert (rows[7]["format"], rows[7]["context"], rows[7]["offset"]) == ("broken", b"too long", len(LINES))
        assert len(rows[7]["raw"]) == 4096


def test_a_cut_compressed_file_gives_what_can_be_read_and_one_broken_record(tmp_path: Path) -> None:
    many = LINES * 2000
    for name, packed in (("a.jsonl.gz", gzip.compress(many)), ("a.jsonl.zst", zstandard.compress(many))):
        rows = read(written(tmp_path, name, packed[: len(packed) * 2 // 3]))
        assert rows[-1]["context"] == b"truncated file"
        assert all(row["format"] == "jsonl" for row in rows[:-1])
        assert raws(rows[:-1]) == many.splitlines()[: len(rows) - 1]


def test_garbage_behind_a_gzip_stream_loses_no_row(tmp_path: Path) -> None:
    rows = read(written(tmp_path, "a.jsonl.gz", gzip.compress(LINES) + b"garbage"))
    assert raws(rows[:7]) == LINES.splitlines()
    assert [row["context"] for row in rows[7:]] == [b"truncated file"]


def test_several_compressed_streams_behind_each_other_are_one(tmp_path: Path) -> None:
    for name, pack in (("a.gz", gzip.compress), ("a.zst", zstandard.compress)):
        assert raws(read(written(tmp_path, name, pack(LINES) * 3))) == LINES.splitlines() * 3


# ------------------------------------------------------------------------------------------------ CSV and TSV

CSV = [
    (b"id,text\n1,a\n2,b\n", [b"1,a", b"2,b"]),
    (b'id,text\r\n1,"a\r\nb"\r\n2,c\r\n', [b'1,"a\r\nb"\r', b"2,c\r"]),
    (b'id,text\n1,"a\n\n\nb"\n2,c\n', [b'1,"a\n\n\nb"', b"2,c"]),
    (b'id,text\n1,"say ""hi"", ok"\n', [b'1,"say ""hi"", ok"']),
    (b'id,text\n1,a 5" pipe\n2,b\n', [b'1,a 5" pipe', b"2,b"]),
    (b'id,text\n1,"stray\n2,b\n3,c\n', ["unclosed quote", b"2,b", b"3,c"]),
    (b'id,text\n1,"stray\n2,"b\nb"\n3,c\n', ["unclosed quote", b'2,"b\nb"', b"3,c"]),
    (b'"id","text"\n1,a\nid,text\n"id","text"\n2,b\n', [b"1,a", b"id,text", b"2,b"]),
    (b"id,text\n", []),
]


@pytest.mark.parametrize(("data", "expected"), CSV)
def test_csv_records_may_go_over_lines_but_a_stray_quote_breaks_one(
    data: bytes, expected: list[bytes | str], tmp_path: Path
) -> None:
    rows = read(written(tmp_path, "a.csv", data))
    found = [row["context"].decode() if row["format"] == "broken" else row["raw"] for row in rows]
    assert found == expected
    for row in rows:
        if row["format"] == "csv":
            assert row["context"] == b'["id","text"]'
            assert data[row["offset"] :].startswith(row["raw"])


def test_a_stray_quote_does_not_swallow_a_large_file(tmp_path: Path) -> None:
    lines = [b"%d,plain" % number for number in range(3 * LONGEST_QUOTED // 10)]
    data = b"id,text\n" + b"\n".join([lines[0], b'x,"stray', *lines[1:]])
    rows = read(written(tmp_path, "a.csv", data))
    assert [row["raw"] for row in rows if row["format"] == "csv"] == lines


def test_tsv_has_no_quoting(tmp_path: Path) -> None:
    rows = read(written(tmp_path, "a.tsv", b'id\ttext\n1\t"a\n2\tb"\n'))
    assert raws(rows) == [b'1\t"a', b'2\tb"']


@settings(max_examples=80, deadline=None)
@given(
    lines=st.lists(st.sampled_from([b"id\ttext", b"", b" \t", b"1\tA storm", b"2\tRain", b"3"]), max_size=20),
    end=st.sampled_from([b"\n", b"\r\n", b"\r"]),
    bytes_per_chunk=st.integers(1, 60),
)
def test_every_chunk_of_a_tsv_file_has_its_column_names(
    lines: list[bytes], end: bytes, bytes_per_chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.mktemp("cut"), "a.tsv", end + b"id\ttext" + end + end.join(lines))
    rows = read(path)
    assert read(path, bytes_per_chunk=bytes_per_chunk) == rows
    assert {row["context"] for row in rows} <= {b'["id","text"]'}
    told = [line for line in lines if line.strip() and line != b"id\ttext"]
    assert [raw.rstrip(b"\r") for raw in raws(rows)] == told


def test_a_tsv_file_whose_header_has_no_end_is_read_whole(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", b"\t".join(b"column %d" % number for number in range(100_000)))
    assert len(plan([path], 1 << 16)) == 1
    assert read(path) == []


# ------------------------------------------------------------------------------------------------ JSON lists

A, B = b'{"id": 1, "text": "a"}', b'{"id": 2, "text": "b } ] , {"}'
C = b'{"id": 3, "text": "c", "urls": [{"u": 1}, {"u": 2}]}'
LISTS = [
    (b"[]", []),
    (b"[" + A + b"," + B + b", " + C + b"]", [A, B, C]),
    (b"\n[\n" + A + b",\n" + B + b"\n]\n", [A, B]),
    (b"[" + A + b"][" + B + b"]", [A, B]),
    (A + b"\n\n" + b'{\n "id": 2}', [A, b'{\n "id": 2}']),
    (b'["a", "b\\"", 3, null, ' + A + b"]", [b'"a"', b'"b\\""', b"3", b"null", A]),
    (b'{"data": [' + A + b"," + C + b'], "meta": {"n": 2}}', [A, C]),
    (b'{"meta": {"data": [{"x": 1}]}, "posts": [' + A + b'], "other": [{"x": 1}]}' + b"\n" + B, [A, B]),
    (b'{"statuses": [' + A + b"]}{" + b'"statuses": [' + B + b"]}", [A, B]),
    (b"[" + A + b"," + B[:-1] + b"," + C + b"]", [A, None, C]),
    (b"[" + A[:-3] + b"," + C + b"," + B + b"]", [None, C, B]),
    (b"[" + A + b'{"id": 2, "text": "b", ' + C + b"]", [A, None, C]),
    (b"[" + A + B + C + b"]", [A, B, C]),
    (b"[" + A + b" garbage " + C + b"]", [A, None, C]),
    (b"[" + A + b"]," + C + b"]", [A, C]),
    (b"[" + A + b"," + C[:-9], [A, None]),
    (b"[" + A + b"," + b"[" * 5000 + b"," + C + b"]", [A, C]),
    (b"[" + A + b"," + b'[{"a":' * 5000 + b"," + C + b"]", [A, None, C]),
]


@pytest.mark.parametrize(("data", "expected"), LISTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_elements_of_json_files_are_records_and_broken_ones_break_alone(
    data: bytes, expected: list[bytes | None], pack: Any, tmp_path: Path
) -> None:
    rows = read(written(tmp_path, "a.json", pack(data)))
    assert [None if row["format"] == "broken" else row["raw"] for row in rows] == expected
    for row in rows:
        assert data[row["offset"] :].startswith(row["raw"])


def test_a_list_larger_than_the_window_is_read_element_by_element(tmp_path: Path) -> None:
    posts = [b'{"id": %d, "text": "%s", "more": [{"n": 1}]}' % (number, b"x" * 2000) for number in range(3000)]
    assert raws(read(written(tmp_path, "a.json", b"[" + b",".join(posts) + b"]"))) == posts
    broken = [post[:-20] if number % 500 == 7 else post for number, post in enumerate(posts)]
    rows = read(written(tmp_path, "b.json", b"[" + b",".join(broken) + b"]"))
    assert [row["raw"] for row in rows if row["format"] == "json"] == [
        post for number, post in enumerate(posts) if number % 500 != 7
    ]
    assert sum(row["format"] == "broken" for row in rows) == 6


def test_a_page_of_posts_passes_on_the_users_and_posts_it_includes(tmp_path: Path) -> None:
    page = {
        "data": [
            {"id": "1", "text": "a", "author_id": "7", "referenced_tweets": [{"type": "quoted", "id": "9"}]},
            {"id": "2", "text": "b", "author_id": "8"},
        ],
        "includes": {"users": [{"id": "7", "username": "ada"}], "tweets": [{"id": "9", "text": "quoted"}]},
    }
    rows = read(written(tmp_path, "a.json", json.dumps(page).encode()))
    assert [json.loads(row["context"])["includes"] for row in rows] == [
        {"users": [{"id": "7", "username": "ada"}], "tweets": [{"id": "9", "text": "quoted"}]},
        {"users": [], "tweets": []},
    ]


# ------------------------------------------------------------------------------------------------ raw days


def test_rows_of_a_raw_day_carry_the_header_of_their_set(tmp_path: Path) -> None:
    one, two = b"(ada,NO.1,Set size:2,Storm https://t.co/one)", b"(ada,NO.2,Set size:1,Two\nlines https://t.co/two)"
    broken = b"ada,NO.3,Set size:1,https://t.co/three)"
    data = b"\n".join([one, A, B, two, C, broken, A]) + b"\n"
    rows = read(written(tmp_path, "2016-10-10.json", data))
    assert [(row["raw"], row["context"]) for row in rows] == [
        (A, one),
        (B, one),
        (C, two.replace(b"\n", b" ")),
        (broken, b"broken set header"),
        (A, None),
    ]


# ------------------------------------------------------------------------------------------------ Parquet


def test_parquet_rows_become_json_and_their_numbers_offsets(tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": ["a", None, "c"],
            "score": [1.5, float("nan"), None],
            "raw": pa.array([b"abc", b"\xff\xfe", None]),
            "at": pa.array([datetime(2020, 1, 2), None, datetime(2021, 1, 2)], pa.timestamp("ns")),
            "far": pa.array([1, 2, 2**50], pa.timestamp("s")),
            "nested": [{"urls": ["u"]}, None, {"urls": []}],
        }
    )
    for pack in (bytes, gzip.compress):
        path = tmp_path / "a.parquet"
        pq.write_table(table, path, row_group_size=1)
        path.write_bytes(pack(path.read_bytes()))
        rows = read(path, bytes_per_chunk=1)
        assert [row["offset"] for row in rows] == [0, 1, 2]
        first, second, third = (json.loads(row["raw"]) for row in rows)
        assert first["at"] == "2020-01-02T00:00:00"
        assert (first["raw"], first["nested"]) == ("abc", {"urls": ["u"]})
        assert (second["text"], second["score"], second["raw"]) == (None, None, None)
        assert third["far"] is None
    assert len(plan([path])) == 1


def test_a_parquet_file_that_cannot_be_opened_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = written(tmp_path, "a.parquet", b"PAR1 and nothing else")
    with pytest.raises(InputError, match=r"a\.parquet is not a readable Parquet file"):
        plan([path])


# ------------------------------------------------------------------------------------------------ batches


def test_batches_are_bounded_in_rows_and_chunks_can_be_pickled(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", b'{"text":"a"}\n' * 20_000)
    (chunk,) = plan([path])
    tables = list(records(pickle.loads(pickle.dumps(chunk))))
    assert [len(table) for table in tables] == [8192, 8192, 3616]
    assert all(table.schema == foreign.SCHEMA for table in tables)


def test_empty_files_have_no_chunks(tmp_path: Path) -> None:
    assert plan([written(tmp_path, "a.jsonl", b"")]) == []
    assert read(written(tmp_path, "b.jsonl", b"\n \n")) == []
    assert isinstance(plan([written(tmp_path, "c.csv", b"id,text\n")])[0], Chunk)


DAMAGED_AND_WHOLE = [
    b'{"id": 3, "text": "c", "user": {"name": "x"}, "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}',
    b'{"a": [{"a": [{"a": {"id": 3}}]}]}',
]


@pytest.mark.parametrize("odd", DAMAGED_AND_WHOLE)
def test_a_damaged_element_that_is_whole_is_not_what_the_next_are_known_by(odd: bytes, tmp_path: Path) -> None:
    good = [b'{"id": %d, "text": "a", "lang": "en"}' % number for number in range(6)]
    data = b"[" + b", ".join([*good[:3], odd, b'"geo": null, "broken": {', *good[3:]]) + b"]"
    found = raws(read(written(tmp_path, "posts.json", data)))
    assert [raw for raw in found if raw in good] == good


# ------------------------------------------------------------------------------------------------ whole files


def read_whole(*paths: Path) -> list[dict[str, Any]]:
    return [row for chunk in plan(paths, whole=True) for table in records(chunk) for row in table.to_pylist()]


WHOLE = [
    ("a.srt", "srt"),
    ("a.VTT.gz", "vtt"),
    ("a.xml", "xml"),
    ("a.rss", "xml"),
    ("a.atom", "xml"),
    ("a.html", "html"),
    ("a.htm", "html"),
    ("a.xhtml.zst", "html"),
    ("a.txt", "plain"),
    ("a", "plain"),
]


@pytest.mark.parametrize(("name", "format"), WHOLE)
@pytest.mark.parametrize("text", [b"1\n\n2\r\n", b"", b" \n"])
def test_a_file_that_is_one_record_is_one_record_even_if_it_is_empty(
    name: str, format: str, text: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "Weather" / "Storm"
    folder.mkdir(parents=True)
    packed = gzip.compress(text) if name.endswith(".gz") else text
    path = written(folder, name, zstandard.compress(text) if name.endswith(".zst") else packed)
    (row,) = read_whole(path)
    assert (row["file"], row["offset"], row["raw"], row["format"]) == (f"Storm/{name}", 0, text, format)
    assert json.loads(row["context"]) == ["Storm"]
    (chunk,) = plan([path], whole=True, named=[tmp_path])
    assert chunk.folders == ("Weather", "Storm"), "below the folder that was named"


def test_files_of_a_folder_are_told_by_the_way_to_them_and_by_nothing_above(tmp_path: Path) -> None:
    ways = ("here.jsonl", "rain/a.jsonl", "rain/b/c.srt", "wind/a.jsonl")
    for way in ways:
        (tmp_path / way).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / way).write_bytes(LINES)
    found = plan(expand([tmp_path], whole=True), whole=True, named=[tmp_path])
    assert {row["file"] for chunk in found for table in records(chunk) for row in table.to_pylist()} == set(ways)
    assert {row["file"] for row in read_whole(tmp_path / "rain" / "a.jsonl")} == {"a.jsonl"}
    assert {row["file"] for row in read(tmp_path / "rain" / "a.jsonl", tmp_path / "rain" / "b" / "c.srt")} == {
        "a.jsonl",
        "c.srt",
    }


def test_only_who_asks_for_whole_files_gets_those_of_a_folder(tmp_path: Path) -> None:
    for name in ("a.srt", "b.jsonl", "c.html.gz", "d.md", "e.txt", ".f.srt"):
        written(tmp_path, name, LINES)
    assert [path.name for path in expand([tmp_path])] == ["b.jsonl", "e.txt"]
    assert [path.name for path in expand([tmp_path], whole=True)] == ["a.srt", "b.jsonl", "c.html.gz", "e.txt"]
    assert [len(read_whole(path)) for path in expand([tmp_path], whole=True)] == [1, 7, 1, 7]


def test_marks_are_no_part_of_a_whole_file_and_count_in_its_offset(tmp_path: Path) -> None:
    (row,) = read_whole(written(tmp_path, "a.srt", b"\xef\xbb\xbfwords"))
    assert (row["raw"], row["offset"]) == (b"words", 3)
    (row,) = read_whole(written(tmp_path, "b.srt", "1\nwörds and words".encode("utf-16")))
    assert row["raw"] == "1\nwörds and words".encode()


def test_a_whole_file_may_not_be_too_long_or_cut_off_unless_it_may_hold_many(tmp_path: Path) -> None:
    long = b"<p>" * (6 << 20)
    files = [written(tmp_path, name, long) for name in ("a.html", "b.xml", "c.srt")]
    files.append(written(tmp_path, "d.srt.gz", gzip.compress(LINES * 100)[:-20]))
    found = [(row["format"], row["context"] if row["format"] == "broken" else None) for row in read_whole(*files)]
    assert found == [("broken", b"too long"), ("xml", None), ("broken", b"too long"), ("broken", b"truncated file")]
