"""A file of plain text in, one document out: a translation of what the other files beside it translate."""

from __future__ import annotations

from paraloom.documents.files.encodings import decoded
from paraloom.documents.shapes.post import UNKNOWN, BadRow, Post
from paraloom.text.normalise import repair


def read_plain(raw: bytes, encoding: str | None) -> list[Post]:
    r"""The text as it is written, line breaks and all; only what encodings broke is mended.

    >>> read_plain("Once upon\r\na time …\r\n".encode("cp1252"), None)[0].text
    'Once upon\na time …'
    """
    text = repair(decoded(raw, encoding)).strip()
    if not text:
        raise BadRow("no text")
    return [Post(text=text, platform=UNKNOWN, kind="translation", is_repaired=True)]
