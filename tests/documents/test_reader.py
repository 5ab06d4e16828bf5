"""Whole files and records become documents and captions, and every offset counts the text that is stored."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paraloom.documents.options import DocumentReadOptions, Kind, ReadOptions, SourceOptions
from paraloom.documents.reader import CueDecoder, Decoder, SourceDecoder, first_of_cues, merge_documents
from paraloom.engine import foreign, foreign_files
from paraloom.tables import Cue, Document, check, schema
from paraloom.text.normalise import repair

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def records_of(raw: bytes, format: str, file: str = "file", folders: tuple[str, ...] = ("films", "storm")) -> pa.Table:
    context = json.dumps(folders).encode() if format in ("srt", "vtt", "xml", "html", "plain") else None
    row = {"file": file, "offset": 0, "raw": raw, "format": format, "context": context}
    return pa.Table.from_pylist([row], schema=foreign.SCHEMA)


def document_of(
    raw: bytes | dict[str, Any], format: str = "jsonl", sources: SourceOptions = SourceOptions(), **given: Any
) -> dict[str, Any]:
    written = json.dumps(raw).encode() if isinstance(raw, dict) else raw
    (row,) = check(
        SourceDecoder(DocumentReadOptions(**given), sources)(records_of(written, format)), Document
    ).to_pylist()
    return row


SRT = b"1\n00:00:01,000 --> 00:00:02,500\nIt is raining again.\n\n2\n00:00:03,000 --> 00:00:04,000\nYes, it is.\n"
LATER = SRT.replace(b"00:00:0", b"00:01:0")


def test_a_subtitle_file_is_a_document_with_captions() -> None:
    row = document_of(SRT, "srt")
    assert (row["kind"], row["work"], row["dropped_for"]) == ("subtitle", "films/storm", None)
    cues = check(CueDecoder(DocumentReadOptions(), SourceOptions())(records_of(SRT, "srt")), Cue).to_pylist()
    assert [(cue["text"], cue["begins_at"], cue["ends_at"]) for cue in cues] == [
        ("It is raining again.", 1.0, 2.5),
        ("Yes, it is.", 3.0, 4.0),
    ]
    for cue in cues:
        assert cue["document_id"] == row["document_id"]
        assert row["text"][cue["start"] : cue["end"]] == cue["text"]


def test_files_that_cannot_have_captions_have_none() -> None:
    decoder = CueDecoder(DocumentReadOptions(), SourceOptions())
    records = pa.concat_tables([records_of(b"{}", "jsonl"), records_of(b"<p>", "html"), records_of(b"", "srt")])
    assert decoder(records) == schema(Cue).empty_table()


def test_the_same_text_at_other_times_or_of_another_work_is_another_document() -> None:
    decoder = SourceDecoder(DocumentReadOptions(), SourceOptions())
    ids = [
        decoder(records).column("document_id")[0].as_py()
        for records in (
            records_of(SRT, "srt"),
            records_of(SRT, "srt", "copy"),
            records_of(LATER, "srt"),
            records_of(SRT, "srt", folders=("films", "rain")),
        )
    ]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_a_file_met_twice_has_its_captions_once() -> None:
    documents = SourceDecoder(DocumentReadOptions(), SourceOptions())
    cues = CueDecoder(DocumentReadOptions(), SourceOptions())
    rows = [decoded for file in ("a", "b") for decoded in documents(records_of(SRT, "srt", file)).to_pylist()]
    assert merge_documents(rows)["copies"] == 2
    one, two = (cues(records_of(SRT, "srt", file)).to_pylist() for file in ("a", "b"))
    assert one == two
    assert first_of_cues([one[0], two[0]]) == one[0]


NEWS = {
    "title": "Storm hits the coast",
    "text": "The storm hit the coast.\nTrees fell.",
    "date_publish": "2026-03-01T12:00:00",
    "source_domain": "pier.example",
    "url": "https://www.pier.example/storm",
    "language": "en",
    "authors": ["Ada"],
}


def test_a_record_of_news_is_an_article() -> None:
    row = document_of(NEWS)
    assert row["text"] == "Storm hits the coast\n\nThe storm hit the coast.\nTrees fell."
    assert {name: row[name] for name in ("title", "created_at", "source", "language", "urls", "kind", "work")} == {
        "title": "Storm hits the coast",
        "created_at": NOON,
        "source": "pier.example",
        "language": "en",
        "urls": ["https://pier.example/storm"],
        "kind": "article",
        "work": None,
    }


DATES = [
    (None, None, None),
    ("", None, None),
    ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC), None),
    ("soon", None, "bad_row: created_at is unreadable"),
    ([2026], None, "bad_row: created_at is not a time"),
    ("1066-10-14", None, "bad_row: created_at is out of range"),
]


@pytest.mark.parametrize(("date", "created_at", "reason"), DATES)
def test_an_article_without_a_date_is_kept_and_one_with_a_wrong_date_is_not(
    date: Any, created_at: datetime | None, reason: str | None
) -> None:
    row = document_of({**NEWS, "date_publish": date})
    assert (row["created_at"], row["dropped_for"], row["kind"]) == (created_at, reason, "article")


WORKS = [
    ({"title": "Is it wet?", "forum": "Weather"}, "thread", "weather: is it wet?"),
    ({"title": " IS it\nwet?", "forum": "weather"}, "thread", "weather: is it wet?"),
    ({"title": "Is it &lt;wet&gt;?", "forum": "Weather"}, "thread", "weather: is it <wet>?"),
    ({"title": "Is it wet?", "subforum": "Rain"}, "thread", "rain: is it wet?"),
    ({"forum": "Weather"}, "thread", None),
    ({"title": "Is it wet?", "kind": "thread"}, "thread", ": is it wet?"),
    ({"title": "Is it wet?", "work": 7, "kind": "essay"}, "essay", "7"),
    ({"title": "Is it wet?", "work": "w", "series": "s", "forum": "f"}, "thread", "w"),
    ({"title": "Is it wet?"}, "article", None),
]


@pytest.mark.parametrize(("columns", "kind", "work"), WORKS)
def test_a_record_says_what_it_is_a_version_of(columns: dict[str, Any], kind: str, work: str | None) -> None:
    row = document_of({"text": "It is.", **columns})
    assert (row["kind"], row["work"], row["series"]) == (kind, work, columns.get("series"))
    assert row["text"] == ("It is." if kind == "essay" or "title" not in columns else f"{row['title']}\n\nIt is.")


def test_columns_are_mapped() -> None:
    record = {"body": "It is.", "head": {"line": "Is it wet?"}, "board": {"name": "Weather"}, "when": 1772366400}
    row = document_of(record, map="text=body,title=head.line,forum=board.name,created_at=when")
    assert row["text"] == "Is it wet?\n\nIt is."
    assert (row["kind"], row["work"], row["created_at"]) == ("thread", "weather: is it wet?", NOON)


def test_the_user_says_what_documents_are(tmp_path: Path) -> None:
    (tmp_path / "works.csv").write_text("file,work,series\nfile,Storm,Weather\n")
    row = document_of(NEWS, sources=SourceOptions(kind="essay", works=tmp_path / "works.csv"))
    assert (row["kind"], row["work"], row["series"], row["text"]) == ("essay", "Storm", "Weather", NEWS["text"])


BAD = [
    (b"", "srt", None, "subtitle"),
    (b"nothing", "srt", None, "subtitle"),
    (b" \n", "vtt", None, "subtitle"),
    (b"", "xml", None, "article"),
    (b"<document><s></s></document>", "xml", None, "subtitle"),
    (b"<rss></rss>", "xml", None, "article"),
    (b"<feed><entry/></feed>", "xml", "thread", "thread"),
    (b"", "html", None, "article"),
    (b" ", "plain", None, "translation"),
    (b" ", "plain", "essay", "essay"),
    (b'{"text": ""}', "jsonl", None, "article"),
    (b'{"text": "", "forum": "a"}', "jsonl", None, "thread"),
    (b"no JSON", "jsonl", None, "article"),
    (b"no JSON", "jsonl", "thread", "thread"),
]


@pytest.mark.parametrize(("raw", "format", "given", "kind"), BAD)
def test_a_bad_row_has_the_kind_that_it_was_to_be(raw: bytes, format: str, given: Kind | None, kind: str) -> None:
    row = document_of(raw, format, SourceOptions(kind=given))
    assert row["dropped_for"].startswith("bad_row: ")
    assert row["kind"] == kind


TWEET = {"id_str": "12", "created_at": "Sun Mar 01 12:00:00 +0000 2026", "text": "Rain", "user": {"screen_name": "a"}}
POST = "bad_row: a post, which `paraloom build` reads; or say with --kind what it is"
UNKNOWN = "bad_row: unknown kind; say with --kind which it is: subtitle, article, thread, translation, essay"
NOT_ALIGNED = [
    ({**NEWS, "kind": "post"}, POST),
    (TWEET, POST),
    ({**NEWS, "kind": "recipe"}, UNKNOWN),
]


@pytest.mark.parametrize(("record", "reason"), NOT_ALIGNED)
def test_what_cannot_be_aligned_is_told_unless_the_user_says_what_it_is(record: dict[str, Any], reason: str) -> None:
    assert document_of(record)["dropped_for"] == reason
    row = document_of(record, sources=SourceOptions(kind="article"))
    assert (row["kind"], row["dropped_for"]) == ("article", None)


def test_a_record_without_a_kind_is_a_post_to_those_who_read_posts() -> None:
    (row,) = Decoder(ReadOptions())(records_of(json.dumps({"text": "It rains."}).encode(), "jsonl")).to_pylist()
    assert (row["kind"], row["dropped_for"]) == ("post", None)


def test_a_whole_file_is_no_post() -> None:
    (row,) = Decoder(ReadOptions())(records_of(SRT, "srt")).to_pylist()
    assert row["dropped_for"] == "bad_row: a whole document; `paraloom align` reads it"


def test_a_document_may_be_longer_than_a_post() -> None:
    texts = {length: {"text": "rain " * (length // 5)} for length in (100_000, 1_000_000, 1_000_005, 10_000_000)}
    decoder = Decoder(ReadOptions())
    post = [decoder(records_of(json.dumps(text).encode(), "jsonl")).to_pylist()[0] for text in texts.values()]
    document = [document_of(text) for text in texts.values()]
    long = "bad_row: too long"
    assert [row["dropped_for"] for row in post] == [None, long, long, long]
    assert [row["dropped_for"] for row in document] == [None, None, long, long]


def test_lone_surrogates_are_not_repaired_in_silence() -> None:
    row = document_of(b'{"text": "rain \\ud800", "title": "Rain", "forum": "a"}')
    assert row["dropped_for"] == "bad_row: lone surrogate"


def test_a_folder_of_everything_is_found_and_read(tmp_path: Path) -> None:
    folder = tmp_path / "Storm (2026)"
    folder.mkdir()
    (folder / "a.srt").write_bytes(SRT)
    (folder / "b.srt.gz").write_bytes(gzip.compress(LATER))
    (folder / "c.txt").write_text("It rains.\n\nIt does.")
    (folder / "d.json").write_text(json.dumps(NEWS, indent=1))
    feed = "\ufeff<rss><channel><title>P</title><item><description>Wet.</description></item></channel></rss>"
    (folder / "e.rss").write_text(feed)
    (folder / "f.srt").write_bytes(b"")
    (folder / ".g.srt").write_bytes(SRT)
    (folder / "h.pdf").write_bytes(b"%PDF")
    decoder = SourceDecoder(DocumentReadOptions(), SourceOptions())
    chunks = foreign.plan(foreign_files.expand([tmp_path], whole=True), whole=True)
    documents = pa.concat_tables([decoder(table) for chunk in chunks for table in foreign.records(chunk)])
    rows = check(documents, Document).to_pylist()
    work = "Storm (2026)"
    assert [(row["file"], row["kind"], row["work"], row["dropped_for"]) for row in rows] == [
        (f"{work}/a.srt", "subtitle", work, None),
        (f"{work}/b.srt.gz", "subtitle", work, None),
        (f"{work}/c.txt", "translation", work, None),
        ("d.json", "article", None, None),
        (f"{work}/e.rss", "article", None, None),
        (f"{work}/f.srt", "subtitle", None, "bad_row: no text"),
    ]
    assert (folder / "e.rss").read_bytes()[rows[4]["offset"] :].startswith(b"<item>")


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    ["cafÃ©", "a&amp;b", "\u200fשלום\u200f", "e\u0301", "<i>so</i>", "a\u2028b", "\ufeffa", "👩🏽‍🚀", "\u0ce6\u0cbc"]
)


@settings(deadline=None)
@given(title=TEXTS, text=TEXTS, kind=st.sampled_from(["article", "thread"]))
def test_the_heading_of_an_article_or_thread_is_the_first_line_of_what_is_stored(
    title: str, text: str, kind: str
) -> None:
    row = document_of({"title": title, "text": text, "kind": kind})
    body = repair(text).strip()
    if not body:
        assert row["dropped_for"] == "bad_row: no text"
        return
    assert row["dropped_for"] in (None, "repost")
    if row["title"] is None:
        assert row["text"] == body
        return
    line, _, rest = row["text"].partition("\n")
    assert line == row["title"] == " ".join(repair(title).split())
    assert rest.lstrip() == body or body.casefold().startswith(row["title"].split()[0].casefold())


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, st.integers(0, 5000), st.integers(1, 60)), min_size=1, max_size=8))
def test_captions_stand_in_the_stored_text_where_they_say(captions: list[tuple[str, int, int]]) -> None:
    def time(tenths: int) -> str:
        return f"{tenths // 36000:02}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02},{tenths % 10}00"

    written = "\n\n".join(
        f"{number}\n{time(begins)} --> {time(begins + lasts)}\n{text}"
        for number, (text, begins, lasts) in enumerate(captions, 1)
    )
    raw = written.encode()
    (row,) = SourceDecoder(DocumentReadOptions(), SourceOptions())(records_of(raw, "srt")).to_pylist()
    cues = check(CueDecoder(DocumentReadOptions(), SourceOptions())(records_of(raw, "srt")), Cue).to_pylist()
    if row["dropped_for"] is not None:
        assert cues == []
        return
    assume(cues)
    reached = 0
    for cue in cues:
        assert cue["document_id"] == row["document_id"]
        assert reached <= cue["start"] < cue["end"] <= len(row["text"])
        assert cue["text"] == row["text"][cue["start"] : cue["end"]] == cue["text"].strip()
        assert cue["begins_at"] <= cue["ends_at"]
        reached = cue["end"]
