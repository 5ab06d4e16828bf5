"""Rows of a table in, each as a line of TSV, CSV or JSON out.

Cells of TSV and CSV are made column by column in Arrow: one at a time in Python they take several times as long. Only
what is rare is done there, such as numbers that Arrow writes in another way.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.written_blocks import dumped

NOT_IN_TSV = re.compile(r"\r\n|[\t\n\r]")
"""What a cell of TSV cannot hold: it is written as a space."""
ROWS_AT_ONCE = 4096
BELOW_LETTERS = 0x0E
"""Tabs and line ends are among the bytes below."""
PLAIN_NUMBERS = 1e-4, 1e9
"""Numbers from the one up to the other are written without an exponent, by whomever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFormat:
    """How rows are written, one behind the other."""

    head: Callable[[Sequence[str]], bytes]
    """What a file with columns of these names begins with."""
    lines: Callable[[pa.RecordBatch], pa.Array]
    """Rows as texts."""
    parting: int = 0
    """With so many characters a line is parted from the one before it: the first one goes without."""
    foot: Callable[[bool], bytes] = lambda has_rows: b""
    """What the file ends with."""


def lines_of(table: pa.Table, format: str) -> Iterator[pa.Array]:
    """The lines of the rows, so many at a time."""
    for batch in table.to_batches(max_chunksize=ROWS_AT_ONCE):
        batch.validate(full=True)  # bytes that are no text have no place in a file of text
        yield LINE_FORMATS[format].lines(batch)


def write_lines(lines: Iterable[pa.Array], names: Sequence[str], format: str, file: BinaryIO) -> None:
    """Write a file of lines that are as `lines_of` gives them."""
    how = LINE_FORMATS[format]
    file.write(how.head(names))
    has_rows = False
    for some in lines:
        file.write(_together(some)[0 if has_rows else how.parting :])
        has_rows = has_rows or len(some) > 0
    file.write(how.foot(has_rows))


def _together(texts: pa.Array) -> memoryview:
    """The bytes of all texts, as they lie behind each other."""
    if not len(texts):
        return memoryview(b"")
    ends, data = texts.buffers()[1:]
    numbers = np.frombuffer(ends, np.int64 if pa.types.is_large_string(texts.type) else np.int32)
    first, last = numbers[[texts.offset, texts.offset + len(texts)]].tolist()
    return memoryview(data or b"")[first:last]


def _tsv_lines(rows: pa.RecordBatch) -> pa.Array:
    cells = [_texts(column) for column in rows.columns]
    spaced = [
        pc.replace_substring_regex(texts, NOT_IN_TSV.pattern, " ") if _has_line_ends(texts) else texts
        for texts in cells
    ]
    return _joined(spaced, "\t")


def _csv_lines(rows: pa.RecordBatch) -> pa.Array:
    cells = [_texts(column) if _is_number(column.type) else _quoted(_texts(column)) for column in rows.columns]
    lines = _joined(cells, ",")
    return pc.if_else(pc.equal(lines, "\n"), '""\n', lines) if len(cells) == 1 else lines  # a blank line is no row


def _json_lines(rows: pa.RecordBatch, before: bytes, after: bytes) -> pa.Array:
    return pa.array([before + dumped(row) + after for row in rows.to_pylist()], pa.string())


def _joined(cells: Sequence[pa.Array], by: str) -> pa.Array:
    ended = pc.binary_join_element_wise(cells[-1], "\n", "")
    return pc.binary_join_element_wise(*cells[:-1], ended, by)


def _quoted(texts: pa.Array) -> pa.Array:
    """Texts as cells of CSV: in quotes where they have a comma, a quote or a line end."""
    quoted = pc.binary_join_element_wise('"', pc.replace_substring(texts, '"', '""'), '"', "")
    cells = pc.if_else(pc.match_substring_regex(texts, '[,"]'), quoted, texts)
    if not _has_line_ends(texts):
        return cells
    return _put(cells, pc.match_substring_regex(texts, r"[\r\n]"), texts, lambda text: _csv_row([text])[:-1])


def _texts(column: pa.Array) -> pa.Array:
    """Values as texts: yes and no as 1 and 0, as in other files of pairs; nothing where there is no value."""
    if pa.types.is_boolean(column.type):
        texts = pc.if_else(column, "1", "0")
    elif pa.types.is_floating(column.type):
        texts = _numbers(column)
    elif pa.types.is_integer(column.type) or pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        texts = column.cast(pa.string())
    else:
        texts = pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())
    return pc.fill_null(texts, "")


def _numbers(column: pa.Array) -> pa.Array:
    """Floating-point numbers as Python writes them: whole ones with a zero behind the point."""
    numbers = column.cast(pa.float64())
    texts = numbers.cast(pa.string())
    texts = pc.if_else(pc.equal(numbers, pc.trunc(numbers)), pc.binary_join_element_wise(texts, ".0", ""), texts)
    size, (least, most) = pc.abs(numbers), PLAIN_NUMBERS
    is_plain = pc.or_(pc.equal(size, 0.0), pc.and_(pc.greater_equal(size, least), pc.less(size, most)))
    return _put(texts, pc.fill_null(pc.invert(is_plain), False), numbers, str)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _put(cells: pa.Array, where: pa.BooleanArray, values: pa.Array, written: Callable[[Any], str]) -> pa.Array:
    """The same cells, but for some, which are written in Python by their values."""
    if not where.true_count:
        return cells
    odd = [written(value) for value in values.filter(where).to_pylist()]
    return pc.replace_with_mask(cells, where, pa.array(odd, pa.string()))


def _has_line_ends(texts: pa.Array) -> bool:
    """Whether there may be a tab or a line end in any of the texts."""
    return bool((np.frombuffer(_together(texts), np.uint8) < BELOW_LETTERS).any())


def _csv_row(cells: Sequence[str]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


LINE_FORMATS = {
    "tsv": LineFormat(head=lambda names: ("\t".join(names) + "\n").encode(), lines=_tsv_lines),
    "csv": LineFormat(head=lambda names: _csv_row(names).encode(), lines=_csv_lines),
    "jsonl": LineFormat(head=lambda names: b"", lines=partial(_json_lines, before=b"", after=b"\n")),
    "json": LineFormat(
        head=lambda names: b"[",
        lines=partial(_json_lines, before=b",\n", after=b""),
        parting=1,
        foot=lambda has_rows: b"\n]\n" if has_rows else b"]\n",
    ),
}
