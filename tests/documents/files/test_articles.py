"""The article of a saved web page is found, without the network, or it is said why there is none."""

from __future__ import annotations

import importlib.util
import socket
import sys
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.documents.decode import decode
from paraloom.documents.files import articles
from paraloom.documents.files.sources import Sources
from paraloom.documents.options import DocumentReadOptions, SourceOptions
from paraloom.documents.reader import check_formats
from paraloom.engine import foreign
from paraloom.errors import InputError
from paraloom.tables import Document, check

needs_trafilatura = pytest.mark.skipif(
    importlib.util.find_spec("trafilatura") is None, reason="trafilatura is not installed"
)


def document_of(raw: bytes | str, encoding: str | None = None, **given: Any) -> dict[str, Any]:
    written = raw.encode() if isinstance(raw, str) else raw
    row = {"file": "page.html", "offset": 0, "raw": written, "format": "html", "context": b'["pages"]'}
    sources = Sources(SourceOptions(encoding=encoding))
    records = pa.Table.from_pylist([row], schema=foreign.SCHEMA)
    documents = check(decode(records, DocumentReadOptions(**given), sources=sources), Document)
    (found,) = documents.to_pylist()
    return found


FIRST = "The storm reached the coast on Sunday evening, and the harbour was closed until the next day."
SECOND = "Nobody was hurt, said the mayor, but the sea took two boats and a part of the old wooden pier."


def page(head: str = "", body: str = f"<p>{FIRST}</p><p>{SECOND}</p>", html: str = "<html>") -> str:
    return f"""<!DOCTYPE html>{html}<head><title>Storm hits the coast | The Pier</title>{head}</head><body>
    <nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></nav>
    <article><h1>Storm hits the coast</h1>{body}</article>
    <footer><a href="/about">About us</a> Copyright 2019</footer></body></html>"""


@needs_trafilatura
def test_a_page_is_an_article() -> None:
    head = """<link rel="canonical" href="https://www.pier.example/storm?utm_source=x">
    <meta property="og:site_name" content="The Pier"><meta name="author" content="Ada Example">
    <meta property="article:published_time" content="2026-03-01T12:00:00Z">"""
    row = document_of(page(head, html='<html class="a" lang="en-GB">'), keep_authors=True)
    assert row["text"] == f"Storm hits the coast\n\n{FIRST}\n\n{SECOND}"
    assert row["title"] == "Storm hits the coast"
    assert row["created_at"] == datetime(2026, 3, 1, tzinfo=UTC)
    assert (row["author"], row["language"], row["source"]) == ("ada example", "en", "The Pier")
    assert row["urls"] == ["https://pier.example/storm"]
    assert row["native_id"] == "https://pier.example/storm"
    assert (row["kind"], row["work"], row["dropped_for"]) == ("article", None, None)


DATES = [
    ('<meta name="date" content="2026-03-01">', datetime(2026, 3, 1, tzinfo=UTC)),
    ('<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2026-03-01"}</script>',
     datetime(2026, 3, 1, tzinfo=UTC)),
    ('<meta property="article:published_time" content="2062-03-01">', datetime(2062, 3, 1, tzinfo=UTC)),
    ("", None),
]  # fmt: skip


@needs_trafilatura
@pytest.mark.parametrize(("head", "created_at"), DATES)
def test_the_day_is_the_one_that_the_page_gives(head: str, created_at: datetime | None) -> None:
    row = document_of(page(head))
    assert (row["created_at"], row["dropped_for"]) == (created_at, None)


ADDRESSES = [
    ('<link rel="canonical" href="https://pier.example/a">', ["https://pier.example/a"], "pier.example"),
    ('<meta property="og:url" content="https://pier.example/a">', ["https://pier.example/a"], "pier.example"),
    ('<link rel="canonical" href="https://pier.example/">', [], "pier.example"),
    ('<base href="https://pier.example/">', [], "pier.example"),
    ('<link rel="canonical" href="/a">', [], "unknown"),
    ("", [], "unknown"),
]


@needs_trafilatura
@pytest.mark.parametrize(("head", "urls", "source"), ADDRESSES)
def test_only_the_address_of_the_page_itself_is_its_id(head: str, urls: list[str], source: str) -> None:
    row = document_of(page(head), keep_authors=True)
    assert (row["urls"], row["native_id"], row["source"]) == (urls, next(iter(urls), None), source)


@needs_trafilatura
def test_two_pages_of_a_site_that_names_only_its_front_page_are_two_documents() -> None:
    head = '<link rel="canonical" href="https://pier.example/"><base href="https://pier.example/">'
    one, two = document_of(page(head)), document_of(page(head, f"<p>{SECOND}</p><p>{FIRST}</p>"))
    assert one["document_id"] != two["document_id"]


BODIES = [
    (f"<p>{FIRST}<br>{SECOND}</p>", f"{FIRST}\n{SECOND}"),
    (f"<p>{FIRST}</p><blockquote>{SECOND}</blockquote>", f"{FIRST}\n\n{SECOND}"),
    (f"<p>{FIRST}</p><ul><li>{SECOND}</li><li>Two boats are missing.</li></ul>",
     f"{FIRST}\n\n{SECOND}\n\nTwo boats are missing."),
    (f"<p>{FIRST}</p><script>var a = '<p>{SECOND}</p>'</script>", FIRST),
    (f"<p>{FIRST.replace('storm', '<b>st<i>or</i>m</b>')}</p>", FIRST),
]  # fmt: skip


@needs_trafilatura
@pytest.mark.parametrize(("body", "text"), BODIES)
def test_the_main_text_is_in_paragraphs_without_marks(body: str, text: str) -> None:
    assert document_of(page(body=body))["text"] == f"Storm hits the coast\n\n{text}"


@needs_trafilatura
def test_text_in_nested_tables_is_found_once() -> None:
    cells = (
        f"<table><tr><td>Left</td><td><table><tr><td><p>{FIRST}</p><p>{SECOND}</p></td></tr></table></td></tr></table>"
    )
    row = document_of(f"<html><head><title>Storm hits the coast</title></head><body>{cells}</body></html>")
    assert row["text"].count(FIRST) == row["text"].count(SECOND) == 1
    assert "|" not in row["text"]
    deep = "<table><tr><td>" * 3000 + f"<p>{FIRST}</p>" + "</td></tr></table>" * 3000
    assert document_of(f"<html><body>{deep}</body></html>")["dropped_for"] in (None, "bad_row: no text")


@needs_trafilatura
def test_letters_that_run_from_right_to_left_stay_in_their_order() -> None:
    hebrew = "הסערה הגיעה אל החוף ביום ראשון בערב, והנמל היה סגור עד למחרת בבוקר, אמר ראש העיר לכתבים."
    arabic = "وصلت العاصفة إلى الساحل مساء الأحد، وأغلق الميناء حتى اليوم التالي، كما قال رئيس البلدية للصحفيين."
    markup = f'<html dir="rtl" lang="he"><head><title>סערה</title></head><body><article><h1>סערה</h1><p>{hebrew}</p>'
    row = document_of(markup + f"<p>\u200f{arabic}\u200f</p></article></body></html>")
    assert row["text"] == f"סערה\n\n{hebrew}\n\n{arabic}"
    assert row["language"] == "he"


NO_TEXT = [
    "",
    " \n\t",
    "<html></html>",
    "<html><head><title>Storm</title></head><body></body></html>",
    "<html><head><title>Storm</title></head><body><h1>Storm</h1></body></html>",
    "<html><body><script>var a = 1</script></body></html>",
    "<!-- nothing -->",
    "https://pier.example/storm",
    "just words",
]


@needs_trafilatura
@pytest.mark.parametrize("markup", NO_TEXT)
def test_a_page_without_main_text_is_a_bad_row_of_its_kind(markup: str) -> None:
    row = document_of(markup)
    assert (row["dropped_for"], row["kind"]) == ("bad_row: no text", "article")


CHARSETS = [
    ('<meta charset="iso-8859-1">', "cp1252"),
    ('<meta charset="utf-8">', "cp1252"),
    ('<meta charset="no-such">', "cp1252"),
    ("", "cp1252"),
    ("", "utf-8"),
    ('<meta charset="iso-8859-1">', "utf-8"),
]


@needs_trafilatura
@pytest.mark.parametrize(("head", "encoding"), CHARSETS)
def test_a_page_with_a_wrong_charset_is_read(head: str, encoding: str) -> None:
    finnish = "Myrsky saapui rannikolle sunnuntai-iltana, ja satama suljettiin seuraavaan päivään asti, hän sanoi."
    more = "Kukaan ei loukkaantunut, mutta meri vei kaksi venettä ja osan vanhasta laiturista – “ikävää”, hän sanoi."
    row = document_of(page(head, f"<p>{finnish}</p><p>{more}</p>").encode(encoding))
    assert row["text"] == f"Storm hits the coast\n\n{finnish}\n\n{more}"


@needs_trafilatura
def test_a_page_with_broken_letters_is_read() -> None:
    raw = page('<meta charset="utf-8">', f"<p>{FIRST} Tempête à l’hôtel déjà fermé.</p><p>{SECOND}</p>").encode()
    row = document_of(raw.replace("ô".encode(), b"\xc3"))
    assert FIRST in row["text"]
    assert SECOND in row["text"]
    assert "Tempête à l’h" in row["text"]


@needs_trafilatura
def test_a_page_that_is_too_long_is_said_to_be() -> None:
    assert document_of(page(body=f"<p>{FIRST}</p>" * 100_000))["dropped_for"] == "bad_row: too long"
    picture = f'<img src="data:image/png;base64,{"iVBORw0KGgoAAAANSUhEUgAA" * 400_000}">'
    row = document_of(page(body=f"<p>{FIRST}</p>{picture}<p>{SECOND}</p>"))
    assert row["text"] == f"Storm hits the coast\n\n{FIRST}\n\n{SECOND}"


@needs_trafilatura
def test_the_network_is_never_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: Any, **named: Any) -> Any:
        raise AssertionError("the network was reached for")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    head = '<link rel="canonical" href="https://pier.example/a"><script src="https://pier.example/a.js"></script>'
    assert (
        document_of(page(head, f'<iframe src="https://pier.example/"></iframe><p>{FIRST}</p>'))["dropped_for"] is None
    )
    assert document_of("http://pier.example/")["dropped_for"] == "bad_row: no text"


def test_without_trafilatura_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    articles.load_trafilatura.cache_clear()
    with pytest.raises(InputError, match=r"pip install 'paraloom\[collect\]'"):
        document_of(page())
    with pytest.raises(InputError, match=r"pip install 'paraloom\[collect\]'"):
        check_formats(["jsonl", "html"])
    check_formats(["jsonl", "xml", "srt"])


MARKS = (
    "<html> </html> <head> </head> <body> </body> <p> </p> <table> <td> <tr> </table> <div> <a href=x> <meta charset=x>"
    ' <link rel=canonical href=//x> <script type="application/ld+json"> {"@type":1} </script> <time datetime=9999> <h1>'
    " <!-- --> <![CDATA[ & &lt; < > \x00 \x0b é 2026-13-45 <title> <lb/> <frameset> <svg> <math>"
)
PIECES = st.sampled_from(MARKS.split(" "))


@needs_trafilatura
@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES | st.text(max_size=6) | st.just(FIRST), max_size=40))
def test_any_pieces_of_pages_can_be_read(pieces: list[str]) -> None:
    row = document_of("".join(pieces).encode("utf-8", "replace"))
    assert row["text"] or row["dropped_for"]
    assert row["kind"] == "article"
