"""A text and its title in, where the title stands as a heading above the text out."""

from __future__ import annotations

import re

HEADED = frozenset(("article", "thread"))
"""Kinds of documents whose text begins with the title, which is no part of the body."""
LONGEST_HEADING = 1000

_WORD = re.compile(r"\w")


def heading(text: str, title: str | None) -> tuple[int, int] | None:
    r"""Where the title stands, if it is the first line of the text (its white space may differ).

    >>> heading("Storm hits\ncoast\n\nIt came at night.", "Storm hits coast")
    (0, 16)
    >>> heading("Storms hit the coast.", "Storms") is None
    True
    """
    words = (title or "").split()
    if not words or len(title or "") > LONGEST_HEADING:
        return None
    start = end = _behind_blanks(text, 0)
    for word in words:
        begin = _behind_blanks(text, end)
        if not text.startswith(word, begin) or (begin == end > start):
            return None
        end = begin + len(word)
    behind = _behind_blanks(text, end)
    if behind < len(text) and "\n" not in text[end:behind]:
        return None  # the line goes on
    return (start, end) if _WORD.search(text, start, end) else None


def _behind_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
