"""A saved web page in, the article on it out: its main text in paragraphs, title, day, author and site."""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from paraloom.documents.files.markup import LINE, PARAGRAPH, characters, folded
from paraloom.documents.pages import page_of_text
from paraloom.documents.shapes.post import UNKNOWN, BadRow, Post, as_text
from paraloom.documents.urls import host_of
from paraloom.errors import InputError

LONGEST_PAGE = 4 << 20
"""A page of more characters is `too long`: finding the main text would take minutes. Pictures in it do not count."""

_LONGEST_HEAD = 1 << 20
_PICTURE = re.compile(r"data:[\w.+/\-]{1,80}(?:;[\w=\-]{1,40}){0,4},[\w+/=%\-.~!*']{100,}+")
_LANGUAGE = re.compile(r"""<html\s[^<>]{0,1000}?\blang\s*=\s*["']?([A-Za-z\-_]{2,20})""", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_ANY_DAY = {"original_date": True, "extensive_search": False, "max_date": "2099-12-31"}
"""The day that the page gives: none that is guessed from its text, and none that depends on the day of reading."""
_BLOCKS = frozenset(("p", "head", "item", "cell", "quote", "code", "table", "list", "row", "div", "ab"))


def read_page(raw: bytes, encoding: str | None) -> list[Post]:
    """The article of a page; none where it has no main text."""
    markup = _PICTURE.sub("", characters(raw, encoding)).replace("\x00", "")
    if len(markup) > LONGEST_PAGE:
        raise BadRow("too long")
    found = _extracted(markup)
    text = _paragraphs(found.body) if found is not None and found.body is not None else ""
    if found is None or not text or text == found.title:
        return []
    url = page_of_text(markup[:_LONGEST_HEAD]).url
    if url is not None and url.count("/") == 3 and url.endswith("/"):
        url = None  # a site whose every page says that it is the front page
    host = host_of(url or found.url or "")
    language = _LANGUAGE.search(markup)
    return [
        Post(
            kind="article",
            text=text,
            title=as_text(found.title),
            created_at=found.date,
            author=as_text(found.author),
            language=language[1] if language else None,
            links=[url] if url else [],
            native_id=url,
            platform=host or UNKNOWN,
            source=as_text(found.sitename) or host,
        )
    ]


@lru_cache(maxsize=1)
def load_trafilatura() -> Any:
    """The package that finds the main text of a page, or an error that says how to install it."""
    try:
        import trafilatura
    except ImportError as missing:
        raise InputError(
            "Web pages are read with trafilatura, which is not installed: pip install 'paraloom[collect]'"
        ) from missing
    for name in ("trafilatura", "htmldate", "courlan", "justext"):  # what they complain of is no news to the user
        logging.getLogger(name).addHandler(logging.NullHandler())
    return trafilatura


def _extracted(markup: str) -> Any:
    """What trafilatura makes of the page; None where it finds no main text, or is no page at all."""
    trafilatura = load_trafilatura()
    try:
        return trafilatura.bare_extraction(
            markup, include_comments=False, with_metadata=True, date_extraction_params=dict(_ANY_DAY)
        )
    except (
        AssertionError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise BadRow("no web page") from error


def _paragraphs(body: Any) -> str:
    """The text of the main part: cells and items of lists are paragraphs too, without marks of their own."""
    pieces: list[str] = []
    ahead: list[Any] = [body]  # elements and texts, the next one last
    while ahead:
        part = ahead.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        mark = PARAGRAPH if part.tag in _BLOCKS else LINE if part.tag == "lb" else ""
        text, tail = (_SPACE.sub(" ", each or "") for each in (part.text, part.tail))
        ahead += [tail, mark, *reversed(part), text, mark]
    return folded("".join(pieces))
