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
    return [name.strip() for row in csv.reader([text], delimiter=DELIMITERS[format]) for name in row]


def joined_lines(lines: Iterator[Record], delimiter: bytes) -> Iterator[Record]:
    """Lines joined where a quoted field goes over several of them (RFC 4180).

    A quote that is never closed, or closed so that the record has another number of columns than the first one,
    was a stray one: its line alone is broken, and the lines behind it are read anew.
    """
    waiting: list[Record] = []
    columns = 0
    while True:
        line = waiting.pop() if waiting else next(lines, None)
        if line is None:
            return
        offset, raw, format, context = line
        if format == BROKEN or b'"' not in raw or (counted := _count_columns(raw, delimiter)) is not None:
            columns = columns or (counted if b'"' in raw else raw.count(delimiter) + 1) or 1
            yield line
            continue
        joined, taken, length = [raw], [line], len(raw)
        complete = False
        while length <= LONGEST_QUOTED and not complete:
            more = waiting.pop() if waiting else next(lines, None)
            if more is None:
                break
            taken.append(more)
            if more[2] == BROKEN:
                break
            # Blank lines inside a quoted text were left out by the reader of lines: their number tells how many.
            joined.append(b"\n" * max(0, more[0] - offset - length - 1) + more[1])
            length = more[0] - offset + len(more[1])
            if b'"' in more[1]:
                counted = _count_columns(b"\n".join(joined), delimiter)
                complete = counted is not None and (not columns or counted == columns)
                if counted is not None and not complete:
                    break
        if complete:
            columns = columns or (counted or 1)
            yield offset, b"\n".join(joined), format, context
        else:
            yield offset, raw[:KEPT_OF_BROKEN], BROKEN, b"unclosed quote"
            waiting.extend(reversed(taken[1:]))


def _count_columns(record: bytes, delimiter: bytes) -> int | None:
    """How many columns a CSV record has, or None where its last quoted field is not closed."""
    position, columns, end = 0, 1, len(record)
    while position < end:
        if record[position : position + 1] == b'"':
            position = _closing_quote(record, position + 1)
            if position < 0:
                return None
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
        if record[found + 1 : found + 2] != b'"':
            return found + 1
        position = found + 2
