"""Tables of pages, or folders of HTML files, in; titles and descriptions by canonical link out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from paraloom.documents.shapes.post import BadRow, as_text
from paraloom.documents.urls import canonical
from paraloom.errors import InputError

_HTML_ENDINGS = (".html", ".htm", ".xhtml")
_LONGEST_HTML = 4 << 20
_URL = ("canonical", "og:url", "twitter:url")
_TITLE = ("twitter:title", "og:title", "title")
_DESCRIPTION = ("twitter:description", "og:description", "description")
_WANTED = frozenset((*_URL, *_TITLE, *_DESCRIPTION))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a linked page says about itself."""

    url: str | None = None
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages by their canonical link, and by number where they are files called `1.html`, `2.html`."""

    by_url: Mapping[str, Page] = field(default_factory=dict)
    by_number: Mapping[str, Page] = field(default_factory=dict)

    def of(self, urls: Sequence[str], number: str | None = None) -> Page | None:
        """The page of the first of these links that has one, else of this number."""
        for url in urls:
            page = self.by_url.get(url)
            if page is not None:
                return page
        return self.by_number.get(number) if number is not None else None


def read_pages(path: Path) -> Pages:
    """Pages of a table with the columns `url`, `title`, `description`, or of a folder of HTML files."""
    path = Path(path)
    if path.is_dir():
        return _pages_of_folder(path)
    by_url: dict[str, Page] = {}
    for row in rows_of(path):
        url = canonical(str(row.get("url") or ""))
        if url is not None:
            page = Page(url=url, title=_text(row.get("title")), description=_text(row.get("description")))
            by_url.setdefault(url, page)
    if not by_url:
        raise InputError(f"{path} has no row with a link in a column `url`. Name its columns url, title, description.")
    return Pages(by_url)


def read_shorteners(path: Path) -> dict[str, str]:
    """Canonical short links and where they lead, of a table with the columns `url` and `target`."""
    links: dict[str, str] = {}
    for row in rows_of(Path(path)):
        url, target = canonical(str(row.get("url") or "")), canonical(str(row.get("target") or ""))
        if url is not None and target is not None and url != target:
            links.setdefault(url, target)
    if not links:
        raise InputError(f"{path} has no row with links in the columns `url` and `target`. Name its columns so.")
    return links


def rows_of(path: Path) -> Iterator[Mapping[str, Any]]:
    """Rows of any file that posts can be read from, those that are no objects left out."""
    from paraloom.documents.raw import read_record
    from paraloom.engine import foreign, foreign_files

    for chunk in foreign.plan(foreign_files.expand([path])):
        for table in foreign.records(chunk):
            columns = [table.column(name).to_pylist() for name in ("raw", "format", "context")]
            for raw, format, context in zip(*columns, strict=True):
                try:
                    yield read_record(raw, format, context)[0]
                except BadRow:
                    continue


def _text(value: object) -> str | None:
    return as_text(value.strip()) if isinstance(value, str) else None


def _pages_of_folder(folder: Path) -> Pages:
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in _HTML_ENDINGS and file.is_file())
    if not files:
        raise InputError(f"The folder {folder} holds no .html file. Give a folder of saved pages, or a table of pages.")
    by_url: dict[str, Page] = {}
    by_number: dict[str, Page] = {}
    for file in files:
        with file.open("rb") as opened:
            page = page_of_html(opened.read(_LONGEST_HTML))
        if page.url is not None:
            by_url.setdefault(page.url, page)
        if file.stem.isdecimal():
            by_number.setdefault(str(int(file.stem)), page)
    return Pages(by_url, by_number)


def page_of_html(html: bytes) -> Page:
    """What a page says about itself in its head: to Twitter, else to Open Graph, else in plain HTML.

    >>> page_of_html(b'<title>Storm</title><meta name="twitter:title" value="Storm hits coast">').title
    'Storm hits coast'
    """
    return page_of_text(html.decode(_encoding(html), "replace"))


def page_of_text(html: str) -> Page:
    """As `page_of_html`, of a page whose encoding is known."""
    from paraloom.text.normalise import repair

    parser = _Head()
    with suppress(AssertionError):  # the parser's word for a broken `<![`: what stands before it is known
        parser.feed(html)
        parser.close()

    def first(names: Sequence[str]) -> str | None:
        found = next((parser.found[name] for name in names if parser.found.get(name, "").strip()), None)
        return as_text(" ".join(repair(found).split())) if found else None

    return Page(
        url=next((url for name in _URL if (url := canonical(parser.found.get(name, "")))), None),
        title=first(_TITLE),
        description=first(_DESCRIPTION),
    )


def _encoding(html: bytes) -> str:
    head = html[:2048].lower()
    if b"charset=iso-8859-1" in head or b"charset=windows-1252" in head or b'charset="iso-8859-1' in head:
        return "cp1252"
    return "utf-8"


class _Head(HTMLParser):
    """Collects meta tags, the title and the canonical link; the first of each counts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, str] = {}
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "meta":
            name = (given.get("property") or given.get("name") or given.get("itemprop") or "").lower()
            content = given.get("content") or given.get("value") or ""
            if name in _WANTED and content:
                self.found.setdefault(name, content)
        elif tag == "link" and "canonical" in given.get("rel", "").lower().split() and given.get("href"):
            self.found.setdefault("canonical", given["href"])
        elif tag == "title":
            self._in_title = "title" not in self.found

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.found["title"] = self.found.get("title", "") + data
