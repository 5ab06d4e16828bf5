"""A document's text in, the exact places of its sentences out, by the kind of document."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from paraloom.text.split import split
from paraloom.text.split_lines import join_captions, join_wrapped

Span: TypeAlias = tuple[int, int]

_BEFORE_IT = re.compile(r"(?:[^\w\n]*\n)*\s*(?:[-–—‐‑]+\s*)?")
"""Lines without words, and the dash of another speaker."""
_WORD = re.compile(r"\w")

JOIN: dict[str, Callable[[str], str]] = {
    "subtitle": join_captions,
    "translation": join_wrapped,
    "essay": join_wrapped,
    "article": join_wrapped,
}
"""How sentences that run over line breaks are put together; in other kinds (threads, posts) a line break ends one."""


def units(text: str, kind: str, start: int = 0, end: int | None = None) -> list[Span]:
    r"""The sentences between two places of a document's text; what has no words is none.

    >>> text = "- Who told you\nthat?\n- The man with\nthe hat... ♪\n♪♪"
    >>> [text[start:end] for start, end in units(text, "subtitle")]
    ['Who told you\nthat?', 'The man with\nthe hat... ♪\n♪♪']
    """
    end = len(text) if end is None else end
    part = text[start:end]
    joined = JOIN[kind](part) if kind in JOIN else part
    found = []
    for begin, stop in split(joined):
        if before := _BEFORE_IT.match(joined, begin, stop):
            begin = before.end()
        if _WORD.search(part, begin, stop):
            found.append((start + begin, start + stop))
    return found
