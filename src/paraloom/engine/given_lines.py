"""A text file of the user's in, its lines and records out one by one, with the line each begins on.

Nothing here stops at a bad line: bytes that are no UTF-8 are read as Windows-1252 and counted, a line beyond all
measure or with a quote that nothing closes comes out with the trouble it is in. A blank line is no row, whatever the
format: it is skipped and counted.
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
from paraloom.text.counted import counted

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
    blank: int = 0
    """Lines with nothing on them."""
    first_blank: int = 0

    def add_blank(self, line: int) -> None:
        self.blank += 1
        self.first_blank = self.first_blank or line


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSource:
    """A text file, and how its bytes become lines."""

    path: Path
    called: str
    """What its owner knows it by: its path, or standard input."""
    compression: str | None
    encoding: str
    start: int
    """Length of the byte-order mark."""
    line_end: bytes
    seen: Seen = field(default_factory=Seen)

    @classmethod
    def open(cls, path: Path, called: str | None = None) -> TextSource:
        """A file as its first bytes describe it."""
        from paraloom.engine.foreign_formats import line_end_of

        compression = compression_of(path)
        encoding, start = encoding_of(path, compression)
        head = head_of(path, compression, _HEAD, encoding, start)
        return cls(
            path=path,
            called=called or str(path),
            compression=compression,
            encoding=encoding,
            start=start,
            line_end=line_end_of(head),
        )

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
        self.check_whole(stream)
        if pending:
            yield number, offset, pending, passed <= LONGEST

    def check_whole(self, stream: Stream) -> None:
        """An error where what was read ended before its compression says so."""
        if stream.broken:
            raise InputError(f"{self.called} is compressed and ends too early, or is damaged. Get the file again.")

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

    def notes(self) -> Iterator[str]:
        """What was met on the way so far that is no trouble of a row."""
        name, seen = Path(self.called).name, self.seen
        if self.encoding != "utf-8":
            yield f"{name} was read as {self.encoding.upper()}; what is written is UTF-8."
        if seen.recoded:
            yield (
                f"{name}: {counted(seen.recoded, 'line is', 'lines are')} not UTF-8 "
                f"({_first(seen.recoded, seen.first_recoded)}) and read as Windows-1252. "
                "If that is wrong, save the file as UTF-8 and run again."
            )
        if seen.blank:
            yield (
                f"{name}: {counted(seen.blank, 'blank line is', 'blank lines are')} skipped "
                f"({_first(seen.blank, seen.first_blank)})."
            )


def _first(count: int, line: int) -> str:
    return f"line {line}" if count == 1 else f"the first is line {line}"


def tsv_rows(source: TextSource) -> Iterator[GivenRow]:
    """Lines cut at tabs."""
    for number, _, raw, whole in source.lines():
        text = source.decoded(raw, number).removesuffix("\r")
        if _is_blank(text):
            source.seen.add_blank(number)
        else:
            yield GivenRow(number, text.split("\t"), {}, raw, None if whole else "too long")


def _is_blank(text: str) -> bool:
    """Whether there is nothing on a line; a tab parts two cells, be they empty."""
    return not text.strip(" \r\n")


def csv_rows(source: TextSource) -> Iterator[GivenRow]:
    """Records of one or more lines (RFC 4180); a stray quote or line end spoils its own line alone."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    number_of: dict[int, int] = {}
    for offset, raw, format, context in joined_lines(_as_records(source, number_of), b","):
        for passed in [place for place in number_of if place < offset]:
            del number_of[passed]
        number = number_of[offset]
        text = source.decoded(raw, number).removesuffix("\r")
        if format == BROKEN:
            yield GivenRow(number, [text], {}, raw, (context or b"broken").decode())
        elif _is_blank(text):
            source.seen.add_blank(number)
        else:
            yield _record(number, text, raw)


def _record(line: int, text: str, raw: bytes) -> GivenRow:
    try:
        return GivenRow(line, next(csv.reader([text])), {}, raw)
    except csv.Error:  # a carriage return in the midst of a file whose lines end in line feeds, or the other way round
        return GivenRow(line, [text], {}, raw, "line end outside quotes")


def _as_records(source: TextSource, number_of: dict[int, int]) -> Iterator[Record]:
    begun = False
    for number, offset, raw, whole in source.lines():
        begun = begun or bool(raw.strip())
        if begun:
            number_of[offset] = number
            yield offset, raw, "csv" if whole else BROKEN, None if whole else b"too long"
        else:
            source.seen.add_blank(number)


def jsonl_rows(source: TextSource) -> Iterator[GivenRow]:
    """One object a line."""
    for number, _, raw, whole in source.lines():
        if raw.strip():
            yield _object(source, number, raw, None if whole else "too long")
        else:
            source.seen.add_blank(number)


def json_rows(source: TextSource) -> Iterator[GivenRow]:
    """The elements of a list, or objects one behind another."""
    stream = Stream(source.path, source.compression, source.encoding, source.start)
    for number, element in enumerate(elements(iter(stream), 0), start=1):
        yield _object(source, number, element.raw, element.trouble)
    source.check_whole(stream)


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
