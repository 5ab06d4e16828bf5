"""Every record becomes one document, good or dropped for a reason."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.authors import author_hash
from paraloom.documents.decode import decode
from paraloom.documents.options import ReadOptions
from paraloom.documents.pages import Page, Pages
from paraloom.documents.salt import read_accounts
from paraloom.documents.shapes.mapped import parse
from paraloom.documents.shapes.post import LONGEST_FIELD
from paraloom.documents.times import microseconds
from paraloom.engine import foreign
from paraloom.errors import InputError
from paraloom.tables import Document, check, make_id, schema

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def records_of(*raws: bytes | dict[str, Any], format: str = "jsonl", context: bytes | None = None) -> pa.Table:
    encoded = [json.dumps(raw).encode() if isinstance(raw, dict) else raw for raw in raws]
    return pa.table(
        {
            "file": ["posts"] * len(encoded),
            "offset": list(range(len(encoded))),
            "raw": pa.array(encoded, pa.binary()),
            "format": [format] * len(encoded),
            "context": pa.array([context] * len(encoded), pa.binary()),
        },
        schema=foreign.SCHEMA,
    )


def document_of(raw: bytes | dict[str, Any], options: ReadOptions = ReadOptions(), **given: Any) -> dict[str, Any]:
    format, context = given.pop("format", "jsonl"), given.pop("context", None)
    table = decode(records_of(raw, format=format, context=context), options, **given)
    (row,) = check(table, Document).to_pylist()
    return row


def test_no_records_are_no_documents() -> None:
    table = decode(foreign.SCHEMA.empty_table())
    assert (len(table), table.schema) == (0, schema(Document))


def test_our_own_columns_are_read() -> None:
    row = document_of(
        {
            "id": "7",
            "text": " Fish &amp; chips ",
            "created_at": "2026-03-01T12:00:00Z",
            "author": "Ada",
            "url": "http://www.example.com/a?utm_source=x",
            "language": "en-GB",
            "trend": "#fish",
            "work": "Moby-Dick",
            "series": "Whales",
            "title": "Fish &amp; more",
            "page_title": "A page",
            "page_description": "of fish",
            "source": "the_pier",
            "platform": "open_sea",
        }
    )
    assert row == {
        "document_id": make_id("open_sea", "7"),
        "text": "Fish & chips",
        "title": "Fish & more",
        "created_at": NOON,
        "author": author_hash("ada", ""),
        "language": "en",
        "urls": ["https://example.com/a"],
        "media_urls": [],
        "trend": "#fish",
        "work": "Moby-Dick",
        "series": "Whales",
        "repost_of": None,
        "page_title": "A page",
        "page_description": "of fish",
        "source": "the_pier",
        "kind": "post",
        "native_id": "7",
        "file": "posts",
        "offset": 0,
        "copies": 1,
        "dropped_for": None,
    }


LINKS = [
    ({"urls": ["https://example.com/a", "https://example.com/b/"]}, ["https://example.com/a", "https://example.com/b"]),
    ({"urls": "https://example.com/a https://example.com/b"}, ["https://example.com/a", "https://example.com/b"]),
    (
        {"urls": "['https://example.com/a', 'https://example.com/b']"},
        ["https://example.com/a", "https://example.com/b"],
    ),
    ({"urls": "https://example.com/a|https://example.com/b"}, ["https://example.com/a", "https://example.com/b"]),
    ({"urls": "https://example.com/a,b"}, ["https://example.com/a,b"]),
    ({"urls": ["https://example.com/a", None, 3, "no link", "https://www.example.com/a"]}, ["https://example.com/a"]),
    ({"urls": []}, ["https://example.com/text"]),
    ({"urls": 3}, ["https://example.com/text"]),
    ({"link": "https://example.com/a"}, ["https://example.com/a"]),
    ({}, ["https://example.com/text"]),
]


@pytest.mark.parametrize(("columns", "expected"), LINKS)
def test_links_are_those_given_else_those_in_the_text(columns: dict[str, Any], expected: list[str]) -> None:
    assert document_of({"text": "see https://example.com/text", **columns})["urls"] == expected


def test_media_links_are_kept_apart() -> None:
    row = document_of({"text": "a https://example.com/a http://pbs.twimg.com/media/x.jpg https://x.com/ada/status/5"})
    assert row["urls"] == ["https://example.com/a"]
    assert row["media_urls"] == ["https://pbs.twimg.com/media/x.jpg", "https://twitter.com/i/status/5"]


TIMES = [
    ("2026-03-01T12:00:00Z", NOON),
    ("2026-03-01T07:00:00-05:00", NOON),
    ("2026-03-01 12:00:00", NOON),
    ("2026-03-01 12:00:00 UTC", NOON),
    ("2026-03-01T12:00:00.000000Z", NOON),
    ("Sun Mar 01 12:00:00 +0000 2026", NOON),
    ("Sun, 01 Mar 2026 12:00:00 +0000", NOON),
    ("Sun, 01 Mar 2026 12:00:00 GMT", NOON),
    (1772366400, NOON),
    (1772366400.0, NOON),
    (1772366400000, NOON),
    (1772366400000000, NOON),
    (1772366400000000000, NOON),
    ("1772366400", NOON),
    ("1772366400.0", NOON),
    ("1772366400000", NOON),
    ("1772366400000000", NOON),
    ("+1772366400000000000", NOON),
    (" 1772366400000 ", NOON),
    ("20260301", datetime(2026, 3, 1, tzinfo=UTC)),
    ("20260301T120000Z", NOON),
    ("1610123012345", datetime(2021, 1, 8, 16, 23, 32, 345000, tzinfo=UTC)),
    ("-1772366400", "bad_row: created_at is out of range"),
    ("99999999", "bad_row: created_at is unreadable"),
    ("1" * 10_000_000, "bad_row: created_at is unreadable"),
    ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
    (None, None),
    ("", None),
    ("  ", None),
    ("yesterday", "bad_row: created_at is unreadable"),
    ("Sun Foo 01 12:00:00 +0000 2026", "bad_row: created_at is unreadable"),
    ("Sun Mar 99 12:00:00 +0000 2026", "bad_row: created_at is unreadable"),
    ("2026-13-01", "bad_row: created_at is unreadable"),
    ("0001-01-01T00:00:00+14:00", "bad_row: created_at is out of range"),
    ("1969-12-31", "bad_row: created_at is out of range"),
    ("2999-01-01", "bad_row: created_at is out of range"),
    (0, "bad_row: created_at is out of range"),
    (-5, "bad_row: created_at is out of range"),
    (10**30, "bad_row: created_at is out of range"),
    (1e308, "bad_row: created_at is out of range"),
    ("9" * 400, "bad_row: created_at is out of range"),
    (True, "bad_row: created_at is not a time"),
    ([2026], "bad_row: created_at is not a time"),
    ({}, "bad_row: created_at is not a time"),
]


@pytest.mark.parametrize(("value", "expected"), TIMES)
def test_times_are_read_or_the_row_is_bad(value: object, expected: datetime | str | None) -> None:
    row = document_of({"text": "a storm", "created_at": value})
    assert (row["dropped_for"] if isinstance(expected, str) else row["created_at"]) == expected


FROM_1990, TO_2099 = 631_152_000, 4_102_444_799


@given(st.integers(FROM_1990, TO_2099), st.integers(0, 999_999), st.sampled_from([0, 3, 6]))
def test_a_number_is_the_same_time_with_and_without_quotes(seconds: int, fraction: int, digits: int) -> None:
    number = seconds * 10**digits + fraction // 10 ** (6 - digits)
    expected = number * 10 ** (6 - digits)
    assert microseconds(str(number)) == microseconds(number) == expected
    assert microseconds(f"{number}.0") == expected


LANGUAGES = [
    ("en", "en"),
    ("EN", "en"),
    ("en-US", "en"),
    ("pt_BR", "pt"),
    ("eng", "en"),
    ("in", "id"),
    ("iw", "he"),
    ("und", None),
    ("zxx", None),
    ("qme", None),
    ("", None),
    ("english", None),
    (7, None),
    (["en"], None),
    (None, None),
    ("fil", "fil"),
]


@pytest.mark.parametrize(("claimed", "expected"), LANGUAGES)
def test_languages_become_two_letters_where_there_are_two(claimed: object, expected: str | None) -> None:
    assert document_of({"text": "a storm", "language": claimed})["language"] == expected


def test_claimed_languages_are_left_out_on_request() -> None:
    assert document_of({"text": "a", "language": "en"}, ReadOptions(trust_language=False))["language"] is None


BAD = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b"storm", "not JSON"),
    (b'{"text": "a"} {"text": "b"}', "not JSON"),
    (b"[1, 2]", "not an object"),
    (b"7", "not an object"),
    (b"null", "not an object"),
    (b'{"text": "caf\xe9"}', "not UTF-8"),
    (b"\xff\xfe\x00", "not UTF-8"),
    (b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
    (b'{"text": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deep"),
    (b"{}", "no text"),
    (b'{"text": null}', "no text"),
    (b'{"text": NaN}', "no text"),
    (b'{"text": ""}', "no text"),
    (b'{"text": " \\n\\u0000\\u200b"}', "no text"),
    (b'{"text": 7}', "text is not a string"),
    (b'{"text": ["a"]}', "text is not a string"),
    (b'{"text": {"en": "a"}}', "text is not a string"),
    (b'{"text": "a \\ud83d b"}', "lone surrogate"),
    (b'{"text": "' + b"x" * 100_001 + b'"}', "too long"),
    (b'{"body": "a", "when": 1}', "unknown shape (body, when)"),
    (
        json.dumps({f"column{number}": 1 for number in range(9)}).encode(),
        "unknown shape (column0, column1, column2, column3, column4, column5, …)",
    ),
    (b'{"\\u0000": 1}', "unknown shape (\\x00)"),
]


@pytest.mark.parametrize(("raw", "reason"), BAD)
def test_a_bad_row_is_a_document_with_its_reason(raw: bytes, reason: str) -> None:
    row = document_of(raw)
    assert row["dropped_for"] == f"bad_row: {reason}"
    assert len(row["text"]) <= 200
    assert (row["urls"], row["native_id"], row["copies"]) == ([], None, 1)


STILL_GOOD = [
    b'\xef\xbb\xbf{"text": "a storm"}',
    b'{"text": "a storm", "score": NaN, "other": -Infinity}',
    b'{"text": "a storm", "id": NaN, "created_at": NaN, "urls": NaN, "language": NaN}',
    b'{"text": "a storm", "author": "\\ud83d", "trend": "\\udc00", "source": "\\ud800", "urls": ["https://\\ud83d.com"]}',
    b'{"text": "old", "text": "a storm"}',
    b'{"text": "a storm", "id": 123456789012345678901234567890123456789012345678901234567890}',
    b'{"text": "a storm", "id": true, "author": 1.5, "kind": 7, "title": [], "repost_of": {}}',
    b'{"text": "a \\u0000storm"}',
    b'{"text": "a\tstorm"}',
    b'"a storm"',
]


@pytest.mark.parametrize("raw", STILL_GOOD)
def test_other_oddities_only_empty_their_own_field(raw: bytes) -> None:
    row = document_of(raw)
    assert row["dropped_for"] is None
    assert row["text"].replace("\t", " ") == "a storm"


LONG = "x" * 10_000_000
LONGEST = "x" * LONGEST_FIELD
FIELDS = ["id", "author", "trend", "title", "repost_of", "page_title", "page_description"]


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_too_long_is_empty(name: str) -> None:
    named = ReadOptions(keep_authors=True)
    column = "native_id" if name == "id" else name
    assert document_of({"text": "a", name: LONGEST}, named)[column] == LONGEST
    row = document_of({"text": "a", name: LONGEST + "x"}, named)
    assert (row[column], row["dropped_for"]) == (None, None)


def test_nothing_in_a_row_is_longer_than_a_field_may_be() -> None:
    page = f"https://example.com/{LONG}"
    post = dict.fromkeys([*FIELDS, "language", "source", "platform", "kind"], LONG)
    row = document_of({**post, "text": "a", "urls": [page, "https://example.com/a"], "media_urls": [page]})
    assert (row["urls"], row["media_urls"], row["kind"], row["source"]) == (
        ["https://example.com/a"],
        [],
        "post",
        "unknown",
    )
    assert (row["language"], row["dropped_for"]) == (None, None)
    assert max(len(value) for value in row.values() if isinstance(value, str)) <= LONGEST_FIELD


def test_bad_neighbours_change_nothing() -> None:
    good = {"id": 1, "text": "a storm"}
    alone = document_of(good)
    for raw, _ in BAD:
        rows = decode(records_of(good, raw, good)).to_pylist()
        assert [{**rows[0], "offset": 0}, {**rows[2], "offset": 0}] == [alone, alone]


def test_broken_records_keep_the_reason_of_their_reader() -> None:
    row = document_of(b'{"text": "cut', format="broken", context=b"truncated file")
    assert (row["dropped_for"], row["text"]) == ("bad_row: truncated file", '{"text": "cut')


def test_bad_rows_with_the_same_bytes_at_different_places_are_different() -> None:
    rows = decode(records_of(b"x", b"x", b"y")).to_pylist()
    assert len({row["document_id"] for row in rows}) == 3


# ------------------------------------------------------------------------------------------------ ids and authors


def test_ids_come_from_the_platform_or_from_author_time_and_text() -> None:
    def id_of(**columns: Any) -> str:
        return str(document_of({"text": "a", **columns})["document_id"])

    assert id_of(id=1, source="s") == id_of(id="1", source="s", author="ada")
    assert id_of(id=1, source="s") != id_of(id=1, source="t")
    assert id_of(author="ada") == id_of(author="@Ada ")
    assert id_of(author="ada") != id_of(author="bob") != id_of(author="ada", created_at=1772366400)


def test_ids_without_a_source_do_not_merge_two_files_that_count_from_one() -> None:
    first, second = document_of({"id": 1, "text": "a"}), document_of({"id": 1, "text": "b"})
    assert first["document_id"] != second["document_id"]
    named = ReadOptions(source="mine")
    assert document_of({"id": 1, "text": "a"}, named)["document_id"] == make_id("mine", 1)


def test_authors_are_salted_hashes_unless_asked_otherwise() -> None:
    post = {"text": "a", "author": "Ada"}
    salted = document_of(post, ReadOptions(author_salt="s"))["author"]
    assert salted.startswith("a_")
    assert len(salted) == 18
    assert salted != document_of(post, ReadOptions(author_salt="t"))["author"]
    assert document_of(post, ReadOptions(keep_authors=True))["author"] == "ada"


@pytest.mark.parametrize("keep_authors", [False, True])
def test_listed_accounts_match_however_names_are_written(keep_authors: bool, tmp_path: Path) -> None:
    options = ReadOptions(author_salt="s", keep_authors=keep_authors)
    spellings = ["@Ada", "ada", " Ada ", "ADA"]
    for listed in spellings:
        (tmp_path / "accounts.txt").write_text(f"{listed}\n")
        accounts = read_accounts(tmp_path / "accounts.txt", options)
        assert {document_of({"text": "a", "author": name}, options)["author"] for name in spellings} == accounts


NATIVE_IDS = [
    ("17", "17"),
    ("p-17", "n_"),
    ("https://social.example/users/ada/statuses/1", "n_"),
    ("١٧", "n_"),
]


@pytest.mark.parametrize(("native_id", "expected"), NATIVE_IDS)
def test_native_ids_other_than_numbers_are_hashed_and_the_key_stays(native_id: str, expected: str) -> None:
    post = {"text": "a", "id": native_id, "source": "s"}
    row = document_of(post, ReadOptions(author_salt="s"))
    named = document_of(post, ReadOptions(keep_authors=True))
    assert row["native_id"].startswith(expected)
    assert named["native_id"] == native_id
    assert row["document_id"] == named["document_id"] == make_id("s", native_id)
    repost = document_of({"text": "b", "id": 2, "repost_of": native_id}, ReadOptions(author_salt="s"))
    assert repost["repost_of"] == row["native_id"]


def test_the_source_can_be_given() -> None:
    assert document_of({"text": "a", "source": "b"}, ReadOptions(source="c"))["source"] == "c"
    assert document_of({"text": "a"})["source"] == "unknown"


REPOSTS = [
    ("RT @Ada: a storm", "ada", "repost"),
    ("RT @ada a storm", "ada", "repost"),
    (" RT @ada: a storm", "ada", "repost"),
    ("so true RT @ada: a storm", None, None),
    ("RT if you agree", None, None),
]


@pytest.mark.parametrize(("text", "repost_of", "dropped_for"), REPOSTS)
def test_texts_that_begin_as_retweets_are_reposts(text: str, repost_of: str | None, dropped_for: str | None) -> None:
    row = document_of({"text": text}, ReadOptions(keep_authors=True))
    assert (row["repost_of"], row["dropped_for"]) == (repost_of, dropped_for)
    assert document_of({"text": text})["repost_of"] == (author_hash("ada", "") if repost_of else None)


# ------------------------------------------------------------------------------------------------ maps


def test_a_map_finds_our_columns_elsewhere() -> None:
    options = ReadOptions(map="text=body.en, created_at=date, author=user.name, url=refs.0.href, id=key.with.dots")
    record = {
        "body": {"en": "a storm"},
        "date": "2026-03-01T12:00:00Z",
        "user": {"name": "ada"},
        "refs": [{"href": "https://example.com/a"}],
        "key.with.dots": 5,
        "language": "en",
        "text": "another text",
    }
    row = document_of(record, options)
    assert (row["text"], row["created_at"], row["author"]) == ("a storm", NOON, author_hash("ada", ""))
    assert (row["urls"], row["native_id"], row["language"]) == (["https://example.com/a"], "5", "en")


@pytest.mark.parametrize("record", [{"text": "a storm"}, {"x": 1}, {"body": None, "text": "a storm"}, {}])
def test_a_record_without_the_text_that_the_map_names_is_a_bad_row_and_no_other_column_is_taken(
    record: dict[str, object],
) -> None:
    row = document_of(record, ReadOptions(map="text=body,created_at=when"))
    assert row["dropped_for"] == "bad_row: no text at body (--map text=body)"


def test_posts_of_platforms_and_lines_of_text_among_mapped_records_are_read_as_usual() -> None:
    options = ReadOptions(map="text=body")
    boost = {"uri": "https://mastodon.example/users/ada/statuses/1", "content": "<p>a storm</p>", "account": {}}
    for raw, format in ((boost, "jsonl"), (b"a storm", "text")):
        row = document_of(raw, options, format=format)
        assert (row["text"], row["dropped_for"]) == ("a storm", None)


def test_a_map_of_other_columns_leaves_the_text_where_it_is() -> None:
    row = document_of({"text": "a storm", "when": "2026-03-01T12:00:00"}, ReadOptions(map="created_at=when"))
    assert (row["text"], row["created_at"], row["dropped_for"]) == ("a storm", NOON, None)
    assert document_of({"x": 1}, ReadOptions(map="created_at=when"))["dropped_for"] == "bad_row: unknown shape (x)"


@pytest.mark.parametrize("specification", ["text", "text=", "=body", "words=body", "text=body,,x"])
def test_a_map_that_cannot_be_understood_is_an_error(specification: str) -> None:
    with pytest.raises(InputError, match="write COLUMN=PATH"):
        parse(specification)


# ------------------------------------------------------------------------------------------------ tables and text

ROWS = [
    ("csv", b'1,"a ""storm"", they say"', 'a "storm", they say'),
    ("csv", b'1,"a\nstorm"\r', "a\nstorm"),
    ("ssv", b"1;a storm", "a storm"),
    ("tsv", b'1\ta "storm', 'a "storm'),
]


@pytest.mark.parametrize(("format", "raw", "text"), ROWS)
def test_rows_of_tables_are_read_under_their_header(format: str, raw: bytes, text: str) -> None:
    row = document_of(raw, format=format, context=b'["id","text"]')
    assert (row["text"], row["native_id"], row["dropped_for"]) == (text, "1", None)


BAD_ROWS = [
    (b"1", "fewer columns than the header"),
    (b"1,a,b", "more columns than the header"),
    (b"1,", "no text"),
    (b"1,caf\xe9", "not UTF-8"),
    (b'1,"' + b"x" * 200_000 + b'"', "too long"),
]


@pytest.mark.parametrize(("raw", "reason"), BAD_ROWS)
def test_rows_that_do_not_fit_their_header_are_bad(raw: bytes, reason: str) -> None:
    assert document_of(raw, format="csv", context=b'["id","text"]')["dropped_for"] == f"bad_row: {reason}"


def test_lines_of_text_are_documents() -> None:
    assert document_of(b"Ein Sturm zieht auf.\r", format="text")["text"] == "Ein Sturm zieht auf."


# ------------------------------------------------------------------------------------------------ pages, short links


def test_pages_and_short_links_are_looked_up() -> None:
    pages = Pages({"https://example.com/a": Page(title="A page", description="of fish")})
    short = {"https://bit.ly/1": "https://www.example.com/a"}
    row = document_of({"text": "a bit.ly/1"}, pages=pages, shorteners=short)
    assert (row["urls"], row["page_title"], row["page_description"]) == (["https://example.com/a"], "A page", "of fish")
    own = document_of({"text": "a bit.ly/1", "page_title": "Mine"}, pages=pages, shorteners=short)
    assert (own["page_title"], own["page_description"]) == ("Mine", None)


def test_a_whole_file_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "posts.csv"
    path.write_bytes(b'id,text,source\n1,"a\nstorm",s\n2,b\n3,c,s\n')
    tables = [decode(table) for chunk in foreign.plan([path]) for table in foreign.records(chunk)]
    assert pa.concat_tables(tables).column("text").to_pylist() == ["a\nstorm", "2,b", "c"]
