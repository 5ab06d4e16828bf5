"""Foreign files in, their raw records out: bytes with file and offset, never decoded, never an error for a bad row.

`expand` turns what the user named into files, `plan` cuts them into chunks that can be read apart (and pickled),
`records` yields a chunk's records as Arrow batches. What a record needs from elsewhere in the file (a CSV header,
the header line of a raw day's set, the `includes` of a Twitter v2 page) travels beside it as `context`.
A record that cannot be right has the format `broken` and the reason as its context; its bytes are cut short.
"""

from __future__ import annotations

import atexit
import dataclasses
import glob
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import orjson
import pyarrow as pa

from paraloom.engine.foreign_bytes import Stream, compression_of, encoding_of, head_of
from paraloom.engine.foreign_csv import DELIMITERS, column_names, joined_lines
from paraloom.engine.foreign_json import LONGEST, elements, end_of_value, wrapped_list
from paraloom.engine.foreign_records import BROKEN, KEPT_OF_BROKEN, Record
from paraloom.errors import InputError

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
_ENDINGS = {
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
LONGEST_OF_MANY = {"xml": 256 << 20}
"""Bytes of a file that may hold many documents: a dump of feeds."""
PLAIN = "plain"
"""The format of a file of plain text that is one record."""
ONE_RECORD = frozenset((*WHOLE.values(), PLAIN))
BARE_TSV = "bare-tsv"
"""The format of a TSV file that has no header: every line is a record."""
UNREADABLE = "unreadable file"
"""The format of a file that is to be told of as broken, and no more."""
_FORMATS = _ENDINGS | WHOLE
_COMPRESSIONS = {".gz", ".zst", ".zstd"}
_HEAD = 1 << 20
_CUTTABLE = {"jsonl", "text"}
_SET_HEADER = re.compile(rb"^\([^\n]{1,200}?,\s*NO\.\s*\d+,\s*Set size:\s*\d+,", re.MULTILINE)
_NAME = re.compile(rb'"?[\w .\-]{1,60}"?')


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of one file that can be read by itself: bytes `start` to `stop`, or row groups of a Parquet file."""

    path: str
    name: str
    """Base name of the file; `stdin` for standard input. Records tell it with the folders before it."""
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
    """The folders it lies in, below the one that was named; of a file that is one record there is one at least."""


def expand(patterns: Sequence[str | Path], *, whole: bool = False) -> list[Path]:
    """The files these paths, globs and folders name, sorted, each once; `-` is standard input, copied to a file.

    Of a folder, files of records are taken, and those that are one record each where `whole` asks for them.
    """
    endings = tuple(_FORMATS if whole else _ENDINGS)
    found: dict[Path, Path] = {}
    for pattern in patterns:
        for path in _named_by(str(pattern), endings):
            found.setdefault(path.resolve(), path)
    return sorted(found.values(), key=str)


def _named_by(pattern: str, endings: Sequence[str]) -> list[Path]:
    if pattern == "-":
        return [_spooled_stdin()]
    path = Path(pattern)
    if path.is_dir():
        shown = (each for each in path.rglob("*") if not each.name.startswith("."))
        files = [each for each in shown if _ending(each) in endings and each.is_file()]
        if not files:
            known = ", ".join(endings)
            raise InputError(f"The folder {pattern} holds no file ending in {known}. Name the files in it.")
        return files
    if path.exists():
        return [path]
    if glob.has_magic(pattern):
        files = [Path(each) for each in glob.glob(pattern, recursive=True) if Path(each).is_file()]
        if not files:
            raise InputError(f"No file matches {pattern}. Check the folder, and quote the pattern in the shell.")
        return files
    raise InputError(f"There is no file {pattern} (looked in {Path.cwd()}). Check the path.")


def _spooled_stdin() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="paraloom-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    spool = folder / STDIN
    with spool.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return spool


def plan(
    paths: Sequence[str | Path],
    bytes_per_chunk: int = 16 << 20,
    *,
    whole: bool = False,
    named: Sequence[str | Path] = (),
) -> list[Chunk]:
    """Chunks that together hold every record of the files once, in the files' order.

    With `whole`, a file of plain text is one record; otherwise each of its lines is. `named` is what `expand` was
    given: files that may be whole documents are told apart by the folders they lie in below a folder that was named.
    """
    return [
        dataclasses.replace(chunk, folders=folders_of(Path(path), named, is_one_record=chunk.format in ONE_RECORD))
        if whole
        else chunk
        for path in paths
        for chunk in _chunks_of(Path(path), bytes_per_chunk, whole)
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
    return path.relative_to(widest).parts[:-1] or ((widest.absolute().name,) if is_one_record else ())


def _chunks_of(path: Path, bytes_per_chunk: int, whole_text: bool) -> list[Chunk]:
    try:
        size = path.stat().st_size
        is_one_record = _ending(path) in WHOLE or (whole_text and _ending(path) in ("", ".txt"))
        if not size and not is_one_record:
            return []
        compression = compression_of(path)
        encoding, mark = encoding_of(path, compression)
        head = head_of(path, compression, _HEAD, encoding, mark)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path} cannot be read: {reason}. Check that it is a readable file.") from error
    line_end = line_end_of(head)
    format = format_of(_ending(path), head.replace(line_end, b"\n"))
    if whole_text and format == "text":
        format = PLAIN
    whole = Chunk(
        path=str(path),
        name=path.name,
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
    bounds = [*range(mark, size, bytes_per_chunk), size]
    return [
        dataclasses.replace(whole, start=start, stop=stop, continues=start > mark, size=stop - start)
        for start, stop in pairwise(bounds)
    ]


def _ending(path: Path) -> str:
    """The ending that tells the format, with that of compression taken off; empty if none does."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes and suffixes[-1] in _FORMATS else ""


def line_end_of(head: bytes) -> bytes:
    """What ends a line in a file that begins so: a carriage return only where there is no line feed at all."""
    return b"\n" if b"\n" in head or b"\r" not in head[:-1] else b"\r"  # a last one may have its line feed behind it


def format_of(ending: str, head: bytes) -> str:
    """The format a file's ending claims, corrected by its first bytes where endings are not telling.

    >>> format_of(".json", b'[{"text": "a"}]'), format_of(".json", b'{"text": "a"}'), format_of("", b"text,id")
    ('json', 'jsonl', 'csv')
    """
    if head.startswith(b"PAR1"):
        return "parquet"
    if ending in WHOLE:
        return WHOLE[ending]
    claimed = _ENDINGS.get(ending)
    if claimed == "csv":
        first = head.split(b"\n", 1)[0]
        return "ssv" if b";" in first and b"," not in first and b"\t" not in first else "csv"
    if claimed in ("tsv", "parquet"):
        return claimed
    if b"Set size:" in head and _SET_HEADER.search(head):
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


def records(chunk: Chunk) -> Iterator[pa.Table]:
    """The chunk's records as tables of `SCHEMA`, each of at most 8,192 rows and about 16 MB."""
    if chunk.format == "parquet":
        from paraloom.engine import foreign_parquet

        each = foreign_parquet.rows(chunk)
    else:
        each = _READERS[chunk.format](chunk)
    file = "/".join((*chunk.folders, chunk.name))
    batch: list[Record] = []
    held = 0
    for record in each:
        batch.append(record)
        held += len(record[1])
        if len(batch) >= ROWS_PER_BATCH or held >= BYTES_PER_BATCH:
            yield _table(file, batch)
            batch, held = [], 0
    if batch:
        yield _table(file, batch)


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
    names: bytes | None = None
    header = b""
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
        elif _SET_HEADER.match(raw):
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
    yield 0, b"", BROKEN, UNREADABLE.encode()


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
