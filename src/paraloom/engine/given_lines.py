"""A text file of the user's in, its lines and records out one by one, with the line each begins on.

Nothing here stops at a bad line: bytes that are no UTF-8 are read as Windows-1252 and counted, a line beyond all
measure or with a quote that nothing closes comes out with the trouble it is in.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paraloom.engine.foreign_bytes import Stream, compression_of, encoding_of, head_of
from paraloom.engine.foreign_csv import joined_lines
from paraloom.engine.foreign_json import LONGEST, elements
from paraloom.engine.foreign_records import BROKEN, KEPT_OF_BROKEN, Record
from paraloom.errors import InputError

_HEAD = 1 << 16


class GivenRow(NamedTuple):
    """One row of a text file: its cells, or its object, or what is wrong with it."""

    line: int
    """Where it begins; in a JSON list, the number of the element."""
    cells: list[str]
    """Of TSV and CSV."""
    values: dict[str, Any]
    """Of JSON."""
    raw: bytes
    """As it was given, in UTF-8; the beginning of it where it is too long."""
    trouble: str | None = None


@dataclass(slots=True)
class Seen:
    """What was met on the way that the file's owner should know."""

    recoded: int = 0
    """Lines that were not UTF-8."""
    first_recoded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSource:
    """A text file, and how its bytes become lines."""

    path: Path
    compression: str | None
    encoding: str
    start: int
    """Length of the byte-order mark."""
    line_end: bytes
    seen: Seen = field(default_factory=Seen)

    @classmethod
    def open(cls, path: Path) -> TextSource:
        """A file as its first bytes describe it."""
        from paraloom.engine.foreign import line_end_of

        compression = compression_of(path)
        encoding, start = encoding_of(path, compression)
        head = head_of(path, compression, _HEAD, encoding, start)
        return cls(path=path, compression=compression, encoding=encoding, start=start, line_end=line_end_of(head))

    def lines(self) -> Iterator[tuple[int, int, bytes, bool]]:
        """Each line with its number from 1, its offset, and whether it is whole: of an overlong one the beginning."""
        stream = Stream(self.path, self.compression, self.encoding, self.start)
        number, offset, pending, passed = 1, 0, b"", 0
        for block in stream:
            *whole, rest = block.split(self.line_end)
            for part in whole:
                line = pending + part if passed + len(part) <= LONGEST else (pending + part)[:KEPT_OF_BROKEN]
                yield number, offset, line, passed + len(part) <= LONGEST
                number, offset, pending, passed = number + 1, offset + passed + len(part) + 1, b"", 0
            passed += len(rest)
            pending = pending + rest if passed <= LONGEST else (pending + rest)[:KEPT_OF_BROKEN]
        if stream.broken:
            raise InputError(f"{self.path} is compressed and ends too early, or is damaged. Get the file again.")
        if pending:
            yield number, offset, pending, passed <= LONGEST

    def decoded(self, raw: bytes, line: int) -> str:
        """A line's text; what is not UTF-8 is taken for Windows-1252, the commonest other way to write a text."""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            pass
        try:
            return raw.decode("utf-8", "surrogatepass")  # half a surrogate pair, from UTF-16
        except UnicodeDecodeError:
            self.seen.recoded += 1
            self.seen.first_recoded = self.seen.first_recoded or line
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:
            return raw.decode("latin-1")


def tsv_rows(source: TextSource) -> Iterator[GivenRow]:
    """Lines cut at tabs. Empty lines at the end are none; between others each is a row with one empty cell."""
    empty: list[int] = []
    for number, _, raw, whole in source.lines():
        text = source.decoded(raw, number).removesuffix("\r")
        if not text:
            empty.append(number)
            continue
        for line in empty:
            yield GivenRow(line, [""], {}, b"")
        empty = []
        yield GivenRow(number, text.split("\t"), {}, raw, None if whole else "too long")


def csv_rows(source: TextSource) -> Iterator[GivenRow]:
    """Records of one or more lines (RFC 4180); a stray quote spoils its own line alone."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    number_of: dict[int, int] = {}
    for offset, raw, format, context in joined_lines(_as_records(source, number_of), b","):
        for passed in [place for place in number_of if place < offset]:
            del number_of[passed]
        number = number_of[offset]
        text = source.decoded(raw, number).removesuffix("\r")
        if format == BROKEN:
            yield GivenRow(number, [text], {}, raw, (context or b"broken").decode())
        elif text:
            yield GivenRow(number, next(csv.reader([text])), {}, raw)


def _as_records(source: TextSource, number_of: dict[int, int]) -> Iterator[Record]:
    begun = False
    for number, offset, raw, whole in source.lines():
        begun = begun or bool(raw.strip())
        if begun:
            number_of[offset] = number
            yield offset, raw, "csv" if whole else BROKEN, None if whole else b"too long"


def jsonl_rows(source: TextSource) -> Iterator[GivenRow]:
    """One object a line; empty lines are none."""
    for number, _, raw, whole in source.lines():
        if raw.strip():
            yield _object(source, number, raw, None if whole else "too long")


def json_rows(source: TextSource) -> Iterator[GivenRow]:
    """The elements of a list, or objects one behind another."""
    stream = Stream(source.path, source.compression, source.encoding, source.start)
    for number, element in enumerate(elements(iter(stream), 0), start=1):
        yield _object(source, number, element.raw, element.trouble)
    if stream.broken:
        raise InputError(f"{source.path} is compressed and ends too early, or is damaged. Get the file again.")


def _object(source: TextSource, line: int, raw: bytes, trouble: str | None) -> GivenRow:
    text = source.decoded(raw, line)
    if trouble:
        return GivenRow(line, [], {}, raw, trouble)
    value = parsed_json(text)
    if isinstance(value, dict):
        return GivenRow(line, [], value, text.strip().encode("utf-8", "surrogatepass"))
    return GivenRow(line, [], {}, raw, "not JSON" if value is None else "not an object with named values")


def parsed_json(text: str) -> Any:
    """The value of a JSON text; None where it is none. Halves of surrogate pairs, NaN and long numbers are read too."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


READERS = {"tsv": tsv_rows, "csv": csv_rows, "jsonl": jsonl_rows, "json": json_rows}
"""By format, what reads the rows of a text file."""
