"""Lines of a CSV file in, its records out: lines joined where a quoted field goes over several of them (RFC 4180)."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from paraloom.engine.foreign_records import BROKEN, KEPT_OF_BROKEN, Record

DELIMITERS = {"csv": ",", "tsv": "\t", "ssv": ";"}
"""Formats with a header record. `ssv` is a CSV file whose header has semicolons; TSV has no quoting."""

LONGEST_QUOTED = 1 << 20
"""A quoted record may not be longer: a stray quote must not swallow the rest of the file."""


def column_names(header: bytes, format: str) -> list[str]:
    """The names in a header record, without white space around them."""
    text = header.decode("utf-8", "replace")
    if format == "tsv":
        return [name.strip() for name in text.split("\t")]
    try:
        return [name.strip() for row in csv.reader([text], delimiter=DELIMITERS[format]) for name in row]
    except csv.Error:  # no header then: its rows will be of an unknown shape, which says what is wrong
        return text.split(DELIMITERS[format])


def joined_lines(lines: Iterator[Record], delimiter: bytes) -> Iterator[Record]:
    """Records of one or more lines.

    A quote that is never closed, or is closed so that the record is not well formed or has another number of columns
    than the first one, was a stray one: its line alone is broken, and the lines behind it are read anew.
    """
    waiting: list[Record] = []
    columns = 0
    while True:
        line = waiting.pop() if waiting else next(lines, None)
        if line is None:
            return
        offset, raw, format, context = line
        if format == BROKEN:
            yield line
            continue
        found = _columns(raw, delimiter) if b'"' in raw else raw.count(delimiter) + 1
        if found is not None:
            columns = columns or found
            yield line
            continue
        taken: list[Record] = []
        joined = _joined(line, taken, waiting, lines, delimiter, columns)
        if joined is not None:
            columns = columns or _columns(joined, delimiter) or 1
            yield offset, joined, format, context
        else:
            yield offset, raw[:KEPT_OF_BROKEN], BROKEN, b"unclosed quote"
            waiting.extend(reversed(taken))


def _joined(
    first: Record, taken: list[Record], waiting: list[Record], lines: Iterator[Record], delimiter: bytes, columns: int
) -> bytes | None:
    """The record that begins with this line, or None if its quote is a stray one; `taken` gets the lines behind it."""
    offset, record = first[0], first[1]
    while len(record) <= LONGEST_QUOTED:
        more = waiting.pop() if waiting else next(lines, None)
        if more is None:
            return None
        taken.append(more)
        if more[2] == BROKEN:
            return None
        # Blank lines in a quoted text were left out by the reader of lines: the offsets tell how many bytes they had.
        record += b"\n" * max(1, more[0] - offset - len(record)) + more[1]
        if b'"' in more[1]:
            found = _columns(record, delimiter, strictly=True)
            if found is not None:
                return record if found and (not columns or found == columns) else None
    return None


def _columns(record: bytes, delimiter: bytes, *, strictly: bool = False) -> int | None:
    """How many columns a record has; None where its last quoted field is not closed.

    Strictly, a closing quote has a delimiter or the end behind it, or the number is 0.
    """
    position, columns, end = 0, 1, len(record)
    while position < end:
        if record.startswith(b'"', position):
            position = _closing_quote(record, position + 1)
            if position < 0:
                return None
            if strictly and record[position : position + 1] not in (delimiter, b"", b"\r"):
                return 0
        found = record.find(delimiter, position)
        if found < 0:
            break
        columns += 1
        position = found + 1
    return columns


def _closing_quote(record: bytes, position: int) -> int:
    """Behind the quote that closes a field opened before `position`; -1 if there is none."""
    while True:
        found = record.find(b'"', position)
        if found < 0:
            return -1
        if not record.startswith(b'"', found + 1):
            return found + 1
        position = found + 2
