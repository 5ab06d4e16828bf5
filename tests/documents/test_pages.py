"""Tables of pages, saved pages and short links are read whatever their format."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from paraloom.documents.pages import Page, page_of_html, read_pages, read_shorteners
from paraloom.errors import InputError

HTML = [
    (b"<title> A  storm </title>", Page(title="A storm")),
    (b'<meta name="twitter:title" value="Storm"><title>no</title>', Page(title="Storm")),
    (b'<meta property="og:title" content="Storm &amp; flood">', Page(title="Storm & flood")),
    (b'<META CONTENT="Storm" PROPERTY="twitter:title"/>', Page(title="Storm")),
    (b'<meta property="og:title" content="og"><meta name="twitter:title" content="tw">', Page(title="tw")),
    (b'<meta name="description" content="d"><meta property="og:description" content="o">', Page(description="o")),
    (b'<link rel="canonical" href="http://www.example.com/a?utm_source=x">', Page(url="https://example.com/a")),
    (b'<meta property="og:url" content="https://example.com/b">', Page(url="https://example.com/b")),
    (b"<title>" + b"x" * 4_001 + b"</title>", Page()),
    ("<title>Köln</title>".encode(), Page(title="Köln")),
    ('<meta charset="iso-8859-1"><title>Köln</title>'.encode("cp1252"), Page(title="Köln")),
    (
        '<meta http-equiv="x" content="text/html; charset=iso-8859-1"><title>Köln</title>'.encode("cp1252"),
        Page(title="Köln"),
    ),
    (b'<svg><title>logo</title></svg><meta name="twitter:title" content="">', Page(title="logo")),
    (b"", Page()),
    (b"\xff\x00<<<meta <title", Page()),
    (b"<title>Storm</title><![CD no such section", Page(title="Storm")),
]


@pytest.mark.parametrize(("html", "expected"), HTML)
def test_a_page_says_what_it_is_in_its_head(html: bytes, expected: Page) -> None:
    assert page_of_html(html) == expected


ROWS = [
    {"url": "http://www.example.com/a/", "title": "A", "description": "of a"},
    {"url": "https://t.co/xyz", "title": "T", "description": None},
    {"url": "nonsense", "title": "N"},
]
TABLES = [
    ("pages.jsonl", "\n".join(json.dumps(row) for row in ROWS) + "\nbroken\n"),
    ("pages.json", json.dumps(ROWS)),
    (
        "pages.csv",
        "url,title,description\nhttp://www.example.com/a/,A,of a\nhttps://t.co/xyz,T,\nx,N,\n",
    ),
    (
        "pages.tsv",
        "url\ttitle\tdescription\nhttp://www.example.com/a/\tA\tof a\nhttps://t.co/xyz\tT\t\n",
    ),
]


@pytest.mark.parametrize(("name", "content"), TABLES)
def test_tables_of_pages_are_read_by_canonical_link(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    pages = pickle.loads(pickle.dumps(read_pages(tmp_path / name)))
    expected = Page(url="https://example.com/a", title="A", description="of a")
    assert pages.of(["https://example.com/none", "https://example.com/a"]) == expected
    assert pages.of(["https://t.co/xyz"]).title == "T"
    assert pages.of([]) is None
    assert len(pages.by_url) == 2


def test_a_folder_of_saved_pages_is_read_by_link_and_by_number(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_bytes(b'<link rel="canonical" href="https://example.com/a"><title>A</title>')
    (tmp_path / "02.htm").write_bytes(b"<title>B</title>")
    pages = read_pages(tmp_path)
    assert pages.of(["https://example.com/a"]) == pages.of([], "1")
    assert pages.of(["https://example.com/b"], "2") == Page(title="B")


def test_short_links_are_read_by_canonical_link(tmp_path: Path) -> None:
    path = tmp_path / "short.tsv"
    path.write_text("url\ttarget\nhttp://bit.ly/1\thttp://www.example.com/a\nhttps://t.co/x\tnonsense\n")
    assert read_shorteners(path) == {"https://bit.ly/1": "https://example.com/a"}


def test_what_is_no_table_of_pages_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "posts.csv"
    path.write_text("id,text\n1,a\n")
    with pytest.raises(InputError, match="Name its columns url, title, description"):
        read_pages(path)
    with pytest.raises(InputError, match="`url` and `target`"):
        read_shorteners(path)
    with pytest.raises(InputError, match=r"no \.html file"):
        read_pages(tmp_path)
    with pytest.raises(InputError, match="There is no file"):
        read_pages(tmp_path / "none.csv")
