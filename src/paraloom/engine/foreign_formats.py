"""A file's name and first bytes in, what it is written in out."""

from __future__ import annotations

import re
from pathlib import Path

from paraloom.engine.foreign_json import end_of_value, wrapped_list

ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".txt": "text",
}
"""Endings of files of records."""
WHOLE = {
    ".srt": "srt",
    ".vtt": "vtt",
    ".xml": "xml",
    ".rss": "xml",
    ".atom": "xml",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
"""Endings of files that are one record each; what is in them is for `documents` to find out."""
_FORMATS = ENDINGS | WHOLE
_COMPRESSIONS = {".gz", ".zst", ".zstd", ".bz2", ".xz"}
SET_HEADER = re.compile(rb"^\([^\n]{1,200}?,\s*NO\.\s*\d+,\s*Set size:\s*\d+,", re.MULTILINE)
"""How the line begins that stands above a set of a raw day."""
_NAME = re.compile(rb'"?[\w .\-]{1,60}"?')


def ending_of(path: Path) -> str:
    """The ending that tells the format, with that of compression taken off; empty if none does."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes and suffixes[-1] in _FORMATS else ""


def line_end_of(head: bytes) -> bytes:
    """What ends a line in a file that begins so: a carriage return only where there is no line feed at all."""
    return b"\n" if b"\n" in head or b"\r" not in head[:-1] else b"\r"  # a last one may have its line feed behind it


def first_line(head: bytes, line_end: bytes) -> bytes | None:
    """The first line of a file that is not blank; None where it is not whole in these bytes.

    >>> first_line(b"\\n id\\ttext\\r\\n1\\tA", b"\\n"), first_line(b"id", b"\\n")
    (b' id\\ttext', None)
    """
    return next((line.rstrip(b"\r") for line in head.split(line_end)[:-1] if line.strip()), None)


def format_of(ending: str, head: bytes) -> str:
    """The format a file's ending claims, corrected by its first bytes where endings are not telling.

    >>> format_of(".json", b'[{"text": "a"}]'), format_of(".json", b'{"text": "a"}'), format_of("", b"text,id")
    ('json', 'jsonl', 'csv')
    """
    if head.startswith(b"PAR1"):
        return "parquet"
    if ending in WHOLE:
        return WHOLE[ending]
    claimed = ENDINGS.get(ending)
    if claimed == "csv":
        first = head.split(b"\n", 1)[0]
        return "ssv" if b";" in first and b"," not in first and b"\t" not in first else "csv"
    if claimed in ("tsv", "parquet"):
        return claimed
    if b"Set size:" in head and SET_HEADER.search(head):
        return "raw-day"
    text = head.lstrip()
    if claimed == "text" and not _is_an_object_a_line(text):
        return "text"
    if not claimed and text[:1] not in (b"{", b"["):
        return _table_or_text(text)
    if text[:1] == b"{" and wrapped_list(text, 0) is not None:
        return "json"
    if claimed == "jsonl":
        return "jsonl"
    if text[:1] == b"[":
        return "json"
    return "jsonl" if _is_an_object_a_line(text) else "json"


def _is_an_object_a_line(text: bytes) -> bool:
    """Whether most of the first lines are objects by themselves: written over several lines they would not be."""
    lines = [stripped for line in text.split(b"\n", 50)[:50] if (stripped := line.strip())]
    return 2 * sum(line.startswith(b"{") and end_of_value(line, 0) == len(line) for line in lines) > len(lines)


def _table_or_text(text: bytes) -> str:
    first, _, rest = text.partition(b"\n")
    second = rest.partition(b"\n")[0]
    for format, delimiter in (("tsv", b"\t"), ("csv", b","), ("ssv", b";")):
        names = first.rstrip(b"\r").split(delimiter)
        if len(names) > 1 and all(_NAME.fullmatch(name) for name in names) and (not rest or delimiter in second):
            return format
    return "text"
