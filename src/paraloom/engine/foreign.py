"""Foreign files in, their raw records out: bytes with file and offset, never decoded, never an error for a bad row.

`plan` cuts files into chunks that can be read apart (and pickled), `records` yields a chunk's records as Arrow batches.
What a record needs from elsewhere in the file (a CSV header, the header line of a raw day's set, the `includes` of a
Twitter v2 page) travels beside it as `context`. A record that cannot be right has the format `broken` and the reason as
its context; its bytes are cut short. Which files there are is for `foreign_files` to say.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import orjson
import pyarrow as pa

from paraloom.engine.foreign_bytes import Stream, compression_of, encoding_of, head_of
from paraloom.engine.foreign_csv import DELIMITERS, column_names, joined_lines
from paraloom.engine.foreign_formats import SET_HEADER, WHOLE, ending_of, first_line, format_of, line_end_of
from paraloom.engine.foreign_json import LONGEST, elements
from paraloom.engine.foreign_records import BROKEN, KEPT_OF_BROKEN, Record
from paraloom.errors import InputError
from paraloom.text.file_names import told_name

SCHEMA = pa.schema(
    [
        pa.field("file", pa.string(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("raw", pa.binary(), nullable=False),
        pa.field("format", pa.string(), nullable=False),
        pa.field("context", pa.binary()),
    ]
)
"""One row per record. `offset` counts decompressed bytes, or rows in a Parquet file."""

ROWS_PER_BATCH = 8192
STDIN = "stdin"
"""The name of what is read from standard input."""
BYTES_PER_BATCH = 16 << 20
LONGEST_OF_MANY = {"xml": 256 << 20}
"""Bytes of a file that may hold many documents: a dump of feeds."""
PLAIN = "plain"
"""The format of a file of plain text that is one record."""
ONE_RECORD = frozenset((*WHOLE.values(), PLAIN))
BARE_TSV = "bare-tsv"
"""The format of a TSV file that has no header: every line is a record."""
UNREADABLE = "unreadable file"
"""The format of a file that is to be told of as broken, and no more."""
_HEAD = 1 << 20
_CUTTABLE = {"jsonl", "text", "tsv"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of one file that can be read by itself: bytes `start` to `stop`, or row groups of a Parquet file."""

    path: str
    name: str
    """Base name of the file, as it can be told; `stdin` for standard input. Records tell it with the folders before
    it."""
    format: str
    compression: str | None = None
    encoding: str = "utf-8"
    start: int = 0
    stop: int | None = None
    """None: to the end. A chunk owns the lines that begin in it."""
    continues: bool = False
    """It begins somewhere inside a file: the line it begins in is the chunk's before it."""
    line_end: bytes = b"\n"
    """A carriage return in files from old Macs."""
    size: int = 0
    """About how many bytes of the file it reads, for progress bars."""
    blanks: bool = False
    """Blank lines are records too, for who counts them."""
    folders: tuple[str, ...] = ()
    """The folders it lies in, as they can be told, below the one that was named; of a file that is one record there is
    one at least."""
    header: bytes | None = None
    """The line with the column names of a TSV file that is cut: each chunk of it has them."""
    trouble: str = ""
    """Of a file that cannot be read, why."""


def plan(
    paths: Sequence[str | Path],
    bytes_per_chunk: int = 16 << 20,
    *,
    whole: bool = False,
    named: Sequence[str | Path] = (),
    format: str | None = None,
) -> list[Chunk]:
    """Chunks that together hold every record of the files once, in the files' order.

    With `whole`, a file of plain text is one record; otherwise each of its lines is. `named` is what
    `foreign_files.expand` was given: files that may be whole documents are told apart by the folders they lie in below
    a folder that was named. `format` (text, tsv, csv, jsonl) is what files are taken for, whatever they are called.
    """
    return [
        dataclasses.replace(chunk, folders=folders_of(Path(path), named, is_one_record=chunk.format in ONE_RECORD))
        if whole
        else chunk
        for path in paths
        for chunk in _chunks_of(Path(path), bytes_per_chunk, whole, format)
    ]


def folders_of(path: Path, named: Sequence[str | Path] = (), *, is_one_record: bool = True) -> tuple[str, ...]:
    """The folders a file lies in, below the folder that was named, the widest of several; none for standard input.

    Of a file in that very folder, or named itself, it is the one folder it lies in where the file is one record, for
    that may be what it is a version of; else none.

    >>> folders_of(Path("films/harbour/a.srt")), folders_of(Path("stdin"), ["-"])
    (('harbour',), ())
    """
    if "-" in map(str, named) and path.name == STDIN:
        return ()
    roots = [root for root in map(Path, named) if path.is_relative_to(root) and root.is_dir()]
    widest = min(roots, key=lambda root: len(root.parts), default=path.parent)
    folders = path.relative_to(widest).parts[:-1] or ((widest.absolute().name,) if is_one_record else ())
    return tuple(map(told_name, folders))


def _chunks_of(path: Path, bytes_per_chunk: int, whole_text: bool, asked: str | None) -> list[Chunk]:
    try:
        size = path.stat().st_size
        is_one_record = ending_of(path) in WHOLE or (whole_text and ending_of(path) in ("", ".txt"))
        if not size and not is_one_record:
            return []
        compression = compression_of(path)
        encoding, mark = encoding_of(path, compression)
        head = head_of(path, compression, _HEAD, encoding, mark)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path} cannot be read: {reason}. Check that it is a readable file.") from error
    line_end = line_end_of(head)
    ending = f".{asked}" if asked else ending_of(path)
    format = "text" if asked == "text" else format_of(ending, head.replace(line_end, b"\n"))
    if whole_text and format == "text":
        format = PLAIN
    whole = Chunk(
        path=str(path),
        name=told_name(path.name),
        format=format,
        compression=compression,
        encoding=encoding,
        start=mark,
        size=size,
        line_end=line_end,
    )
    if format == "parquet":
        from paraloom.engine import foreign_parquet

        return foreign_parquet.chunks_of(whole, bytes_per_chunk)
    if format not in _CUTTABLE or compression or encoding != "utf-8" or size <= bytes_per_chunk:
        return [whole]
    if format == "tsv":
        if (header := first_line(head, line_end)) is None:
            return [whole]
        whole = dataclasses.replace(whole, header=header)
    bounds = [*range(mark, size, bytes_per_chunk), size]
    return [
        dataclasses.replace(whole, start=start, stop=stop, continues=start > mark, size=stop - start)
        for start, stop in pairwise(bounds)
    ]


def records(chunk: Chunk) -> Iterator[pa.Table]:
    """The chunk's records as tables of `SCHEMA`, each of at most 8,192 rows and about 16 MB."""
    file = "/".join((*chunk.folders, chunk.name))
    batch: list[Record] = []
    held = 0
    for record in _each(chunk):
        batch.append(record)
        held += len(record[1])
        if len(batch) >= ROWS_PER_BATCH or held >= BYTES_PER_BATCH:
            yield _table(file, batch)
            batch, held = [], 0
    if batch:
        yield _table(file, batch)


def first_records(chunk: Chunk, count: int) -> list[Record]:
    """The first records of a chunk, to see what they are like: offset, bytes, format, context."""
    return list(islice(_each(chunk), count))


def _each(chunk: Chunk) -> Iterator[Record]:
    if chunk.format == "parquet":
        from paraloom.engine import foreign_parquet

        return foreign_parquet.rows(chunk)
    return _READERS[chunk.format](chunk)


def _table(file: str, batch: list[Record]) -> pa.Table:
    offsets, raws, formats, contexts = zip(*batch, strict=True)
    columns = [
        pa.array([file] * len(batch), pa.string()),
        pa.array(offsets, pa.int64()),
        pa.array(raws, pa.binary()),
        pa.array(formats, pa.string()),
        pa.array(contexts, pa.binary()),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _lines(chunk: Chunk) -> Iterator[Record]:
    """The lines that begin in the chunk, blank ones left out, overlong ones cut and marked."""
    # From the byte before the start on: the line it belongs to is the previous chunk's, unless it ends right there.
    offset = chunk.start - chunk.continues
    stream = Stream(chunk.path, chunk.compression, chunk.encoding, offset)
    stop = sys.maxsize if chunk.stop is None else chunk.stop
    recoded = chunk.encoding != "utf-8"
    if recoded:
        offset = 0
    pending = b""
    skipping = chunk.continues  # the rest of a line that is not ours, or is too long
    for block in stream:
        lines = (pending + block).split(chunk.line_end)
        pending = lines.pop()
        for line in lines:
            if offset >= stop:
                return
            if skipping:
                skipping = False
            elif len(line) > LONGEST:
                yield offset, line[:KEPT_OF_BROKEN], BROKEN, b"too long"
            elif chunk.blanks or (line and not line.isspace()):
                yield stream.original(offset) if recoded else offset, line, chunk.format, None
            offset += len(line) + 1
        if offset >= stop or (skipping and offset + len(pending) >= stop):
            return
        if len(pending) > LONGEST:
            if not skipping:
                yield offset, pending[:KEPT_OF_BROKEN], BROKEN, b"too long"
            skipping = True
        if skipping:
            offset += len(pending)
            pending = b""
    if stream.broken:
        yield stream.original(offset), pending[:KEPT_OF_BROKEN], BROKEN, b"truncated file"
    elif not skipping and pending.strip() and offset < stop:
        yield stream.original(offset), pending, chunk.format, None


def _with_header(chunk: Chunk) -> Iterator[Record]:
    """Records of a CSV or TSV file, each with the column names as its context."""
    lines = _lines(chunk)
    each = lines if chunk.format == "tsv" else joined_lines(lines, DELIMITERS[chunk.format].encode())
    header = chunk.header or b""
    names = orjson.dumps(column_names(header, chunk.format)) if header else None
    for offset, raw, format, context in each:
        if format == BROKEN:
            yield offset, raw, format, context
        elif names is None:
            header = raw.rstrip(b"\r")
            names = orjson.dumps(column_names(header, chunk.format))
        elif raw.rstrip(b"\r") != header:  # a header again: two files were joined
            yield offset, raw, format, names


def _raw_day(chunk: Chunk) -> Iterator[Record]:
    """Rows of a raw day of the Twitter URL corpus (Lan et al., 2017), each with its set's header line as context."""
    header: bytes | None = None
    for offset, raw, format, _ in _lines(chunk):
        if format == BROKEN:
            yield offset, raw, format, _
        elif SET_HEADER.match(raw):
            header = raw.strip()
        elif header and not header.endswith(b")") and not raw.startswith(b"{"):
            header += b" " + raw.strip()  # the original tweet had a line break
        elif b"Set size:" in raw and not raw.startswith(b"{"):
            header = None  # better no set than the one before
            yield offset, raw[:KEPT_OF_BROKEN], BROKEN, b"broken set header"
        else:
            yield offset, raw, format, header


def _elements(chunk: Chunk) -> Iterator[Record]:
    """Elements of a JSON list, wrapped or not, or of objects one behind another."""
    stream = Stream(chunk.path, chunk.compression, chunk.encoding, chunk.start)
    recoded = chunk.encoding != "utf-8"
    reached, cut = chunk.start, b""
    for element in elements(iter(stream), 0 if recoded else chunk.start):
        if cut:
            yield reached, cut, BROKEN, b"broken element"
            cut = b""
        reached = stream.original(element.offset)
        if element.trouble == "broken element":
            cut = element.raw  # if nothing follows and the stream was cut, this is where
        elif element.trouble:
            yield reached, element.raw, BROKEN, element.trouble.encode()
        else:
            yield reached, element.raw, chunk.format, element.context
    if stream.broken:
        yield reached, cut, BROKEN, b"truncated file"
    elif cut:
        yield reached, cut, BROKEN, b"broken element"


def _whole(chunk: Chunk) -> Iterator[Record]:
    """The file as one record; its context are the folders it lies in, the nearest last."""
    stream = Stream(chunk.path, chunk.compression, chunk.encoding, chunk.start)
    blocks: list[bytes] = []
    held = 0
    for block in stream:
        blocks.append(block)
        held += len(block)
        if held > LONGEST_OF_MANY.get(chunk.format, LONGEST):
            yield chunk.start, blocks[0][:KEPT_OF_BROKEN], BROKEN, b"too long"
            return
    raw = b"".join(blocks)
    if stream.broken:
        yield chunk.start, raw[:KEPT_OF_BROKEN], BROKEN, b"truncated file"
    else:
        yield chunk.start, raw, chunk.format, orjson.dumps(chunk.folders)


def _unreadable(chunk: Chunk) -> Iterator[Record]:
    """One broken record for a file of which nothing can be read."""
    reason = f"{UNREADABLE} ({chunk.trouble})" if chunk.trouble else UNREADABLE
    yield 0, b"", BROKEN, reason.encode("utf-8", "replace")


_READERS = {
    **dict.fromkeys((*WHOLE.values(), PLAIN), _whole),
    "jsonl": _lines,
    "text": _lines,
    "csv": _with_header,
    "ssv": _with_header,
    "tsv": _with_header,
    "raw-day": _raw_day,
    "json": _elements,
    BARE_TSV: _lines,
    UNREADABLE: _unreadable,
}
