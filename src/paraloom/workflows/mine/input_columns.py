"""A file in, the chunks of it out as its sentences are to be read, or an error where it is not known where they are.

A table is known by its ending, by a column whose name is known or asked for, or by what --format says: the first lines
of plain text may have commas, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from paraloom.engine import foreign
from paraloom.engine.foreign_bytes import Stream, head_of
from paraloom.engine.foreign_csv import DELIMITERS, column_names
from paraloom.engine.foreign_formats import ending_of, first_line
from paraloom.engine.foreign_records import BROKEN
from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.sentences.record_texts import asked_columns, bare_places, columns_among, missing_columns
from paraloom.text.counted import counted
from paraloom.text.file_names import told_name

HEAD = 1 << 16
FIRST_RECORDS = 100
"""Records of a JSON file whose columns are looked at."""
NOT_SENTENCES = (*foreign.ONE_RECORD, "raw-day")
"""Formats of files that are whole documents: `build` and `align` read those."""
PACKED_ENDINGS = (".gz", ".zst", ".bz2", ".xz")
LONGEST_TROUBLE = 200


@dataclass(slots=True)
class ChunkPlanner:
    """Cuts files into chunks, and notes what of it a person should know."""

    lines: LineOptions
    bare: list[tuple[str, list[str]]] = field(default_factory=list)
    """TSV files without a header that is known, and what their first line has."""
    headed: list[str] = field(default_factory=list)
    """CSV files whose first line is taken for a header although no name in it is known."""
    as_text: list[str] = field(default_factory=list)
    """Files with tabs that are read as text."""
    empty: list[str] = field(default_factory=list)
    """Files of no bytes."""
    texts: int = 0
    tables: int = 0
    asked: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.asked = asked_columns(self.lines.columns)

    def chunks_of(self, path: Path) -> list[foreign.Chunk]:
        """What of a file can be read apart from each other."""
        format = None if self.lines.format == "auto" else self.lines.format
        try:
            chunks = foreign.plan([path], format=format)
        except InputError as error:
            if ending_of(path) not in (".parquet", ".pq"):
                raise
            return [_unreadable(path, _trouble(error, path))]
        if not chunks:
            return self._empty(path)
        if _breaks_at_once(chunks[0]):
            return [_unreadable(path, "truncated file")]
        if format is None and not ending_of(path):
            chunks = self._told_by_columns(path, chunks)
        found = chunks[0].format
        if found in NOT_SENTENCES:
            raise InputError(
                f"{path} is a document of its own ({found}), not a file of sentences. Give text with a sentence a "
                "line, a table, or the --out of `paraloom build` or `paraloom align`; --format text reads its lines."
            )
        if found == "text":
            self.texts += 1
            return [dataclasses.replace(chunk, blanks=True) for chunk in chunks]
        self.tables += 1
        if found in DELIMITERS:
            return self._with_columns(chunks)
        if names := _names_in(chunks[0]):  # else nothing of it can be read: its rows will say so
            self._check_asked(chunks[0], names, by_number=found == "parquet")
            self._check_known(chunks[0], names)
        return chunks

    def told(self) -> list[str]:
        """What a person should know of how files are read."""
        told = []
        if self.bare:
            file, first = self.bare[0]
            columns = " and ".join(str(place + 1) for place in bare_places(self.asked)[0])
            told.append(
                f"{_several(file, len(self.bare), 'TSV file')} without a header that is known (it begins with "
                f"{_shown(first)}): every line is read, column {columns}. If the first line is a header, say which "
                "column of it holds sentences: --columns text=COLUMN."
            )
        if self.headed:
            several = _several(self.headed[0], len(self.headed), "CSV file")
            told.append(f"{several} whose first line is taken for a header, and for no sentence.")
        if self.as_text:
            several = _several(self.as_text[0], len(self.as_text), "file")
            told.append(f"{several} with tabs, read as text. If it is a table: --format tsv.")
        if self.empty:
            told.append(f"{_several(self.empty[0], len(self.empty), 'file')} with nothing in it.")
        return told

    def check_tables(self) -> None:
        """An error where columns are asked for and there is text alone, which has none."""
        if self.asked and self.texts and not self.tables:
            raise InputError(
                f"--columns {' '.join(self.lines.columns)}: none of the files is a table. Leave it out, or say what "
                "they are: --format tsv, csv or jsonl."
            )

    def _empty(self, path: Path) -> list[foreign.Chunk]:
        """A file of no bytes: a packed one cannot be, for packing nothing gives some."""
        if path.suffix.lower() in PACKED_ENDINGS:
            return [_unreadable(path, "empty file")]
        self.empty.append(told_name(path.name))
        return []

    def _told_by_columns(self, path: Path, chunks: list[foreign.Chunk]) -> list[foreign.Chunk]:
        """A file whose ending does not say what it is: a table where columns of it are known, or asked for."""
        first = chunks[0]
        if first.format in ("json", "jsonl"):  # a sentence may begin with a bracket
            return chunks if _names_in(first) else foreign.plan([path], format="text")
        if first.format not in ("text", *DELIMITERS):
            return chunks
        cells = _first_cells(first, "tsv" if first.format == "text" else first.format)
        by_number = bool(self.asked) and _are_numbers(self.asked.values()) and len(cells) > 1
        if first.format == "text":
            return foreign.plan([path], format="tsv") if by_number else chunks
        is_asked_for = bool(self.asked) and not missing_columns(cells, self.asked)
        if columns_among(cells, {}) or is_asked_for or by_number:
            return chunks
        if first.format == "tsv":
            self.as_text.append(first.name)
        return foreign.plan([path], format="text")

    def _with_columns(self, chunks: list[foreign.Chunk]) -> list[foreign.Chunk]:
        """The chunks of a TSV or CSV file, with or without a header."""
        chunk = chunks[0]
        names = _first_cells(chunk, chunk.format)
        self._check_asked(chunk, names)
        has_header = bool(columns_among(names, {})) if _are_numbers(self.asked.values()) else True
        if chunk.format == "tsv" and not has_header:
            self.bare.append((chunk.name, names))
            return [dataclasses.replace(each, format=foreign.BARE_TSV) for each in chunks]
        self._check_known(chunk, names)
        if not has_header:
            self.headed.append(chunk.name)
        return chunks

    def _check_asked(self, chunk: foreign.Chunk, names: Sequence[str], *, by_number: bool = True) -> None:
        missing = missing_columns(names, self.asked)
        if not by_number:  # rows of JSON may have their columns in any order
            missing += [f"{ours}={theirs}" for ours, theirs in self.asked.items() if theirs not in names]
        if missing:
            raise InputError(
                f"{chunk.path} has no column {missing[0].partition('=')[2]!r} (--columns {missing[0]}); it has "
                f"{_shown(names)}. Name one of these{', or give its number from 1' if by_number else ''}."
            )

    def _check_known(self, chunk: foreign.Chunk, names: Sequence[str]) -> None:
        if not columns_among(names, self.asked):
            raise InputError(
                f"It is not known which column of {chunk.path} holds sentences; it has {_shown(names)}. "
                "Say which: --columns text=COLUMN, or left=COLUMN right=COLUMN (a name or a number from 1)."
            )


def _unreadable(path: Path, trouble: str) -> foreign.Chunk:
    return foreign.Chunk(path=str(path), name=told_name(path.name), format=foreign.UNREADABLE, trouble=trouble)


def _breaks_at_once(chunk: foreign.Chunk) -> bool:
    """Whether a packed file ends too early to have one whole line: nothing of it tells what its columns are."""
    stream = Stream(chunk.path, chunk.compression, chunk.encoding, chunk.start)
    head = b""
    for block in stream:
        head += block
        if chunk.line_end in head or len(head) >= HEAD:
            return False
    return stream.broken


def _are_numbers(columns: Iterable[str]) -> bool:
    return all(theirs.isdecimal() for theirs in columns)


def _names_in(chunk: foreign.Chunk) -> list[str]:
    """The columns of a Parquet file, or those that the first rows of a JSON file have."""
    if chunk.format == "parquet":
        from paraloom.engine.foreign_parquet import opened

        with opened(chunk) as file:
            return [str(name) for name in file.schema_arrow.names]
    names: dict[str, None] = {}
    for _, raw, format, _ in foreign.first_records(chunk, FIRST_RECORDS):
        if format == BROKEN:
            continue
        try:
            row = orjson.loads(raw)
        except orjson.JSONDecodeError:
            continue
        names.update(dict.fromkeys(row if isinstance(row, dict) else ()))
    return list(names)


def _first_cells(chunk: foreign.Chunk, format: str) -> list[str]:
    head = head_of(Path(chunk.path), chunk.compression, HEAD, chunk.encoding, chunk.start)
    return column_names(first_line(head + chunk.line_end, chunk.line_end) or b"", format)


def _trouble(error: InputError, path: Path) -> str:
    """Why a file cannot be read, without where it lies: rows tell it, and are the same on every machine."""
    cause = error.__cause__
    why = (cause.strerror if isinstance(cause, OSError) else None) or str(cause or error)
    return " ".join(told_name(why.replace(str(path), path.name)).split())[:LONGEST_TROUBLE]


def _several(first: str, count: int, kind: str) -> str:
    return f"{first} is a {kind}" if count == 1 else f"{first} is one of {counted(count, kind, f'{kind}s')}"


def _shown(names: Sequence[str]) -> str:
    return orjson.dumps([name[:60] for name in names[:20]]).decode()
