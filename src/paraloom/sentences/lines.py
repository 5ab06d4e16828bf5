"""Raw records of foreign files in, sentences out: every distinct text once, with how often it was met.

A sentence's id is a hash of its normalised text, so neither the order of files nor where they were cut shows. What is
no sentence (an empty line, one without letters, one that is too long or no text at all) is a row too, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.foreign_records import BROKEN
from paraloom.sentences.line_options import LineOptions
from paraloom.sentences.record_texts import BAD_JSON, RecordTexts, asked_columns
from paraloom.tables import ID_BYTES, Sentence, make_id, schema
from paraloom.text.normalise import bare, folded, repair

EMPTY = "empty"
NO_LETTERS = "no_letters"
TOO_SHORT = "too_short"
TOO_LONG = "too_long"
UNDECODABLE = "undecodable"
BROKEN_FILE = "broken: "
"""What the reason begins with where it is not the row but its file that could not be read; what is wrong follows."""

_LETTER = re.compile(r"[^\W\d_]")
_COLUMNS = tuple(schema(Sentence).names)
_TEXTS_OF_SENTENCE = ("document_id", "text", "made_by")
_ID = re.compile(rf"[0-9a-f]{{{2 * ID_BYTES}}}")
_MOST_COPIES = 1 << 40
"""No run has met a text so often; sums of what is below stay whole numbers of 64 bits."""

Row = tuple[str, str, str, int, int, str, int, str | None, str | None]
"""A sentence's values in the order of its columns."""


class LineReader:
    """Records → rows of `Sentence`; equal texts of a batch are one row already."""

    def __init__(self, options: LineOptions) -> None:
        self.options = options
        self.texts = RecordTexts(asked_columns(options.columns))
        self.key = bare if options.ignore_punctuation else folded
        self.is_quick = not options.ignore_punctuation

    def __call__(self, records: pa.Table) -> pa.Table:
        columns = [records.column(name).to_pylist() for name in ("file", "offset", "raw", "format", "context")]
        rows: dict[str, Row] = {}
        for file, offset, raw, format, context in zip(*columns, strict=True):
            for row in self._rows(file, offset, raw, format, context):
                before = rows.get(row[0])
                rows[row[0]] = row if before is None else _together(before, row)
        columns = list(zip(*rows.values(), strict=True)) or [[] for _ in _COLUMNS]
        of_sentence = schema(Sentence)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, of_sentence, strict=True)]
        return pa.Table.from_arrays(arrays, schema=of_sentence)

    def _rows(self, file: str, offset: int, raw: bytes, format: str, context: bytes | None) -> Iterator[Row]:
        if format == BROKEN:
            reason = (context or b"").decode("utf-8", "replace")
            yield self._left_out(file, offset, raw, TOO_LONG if reason == "too long" else f"{BROKEN_FILE}{reason}")
            return
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            yield self._left_out(file, offset, raw, UNDECODABLE)
            return
        if format == "text":
            yield self._row(text, file, offset, len(raw), format)
            return
        if format in ("json", "jsonl", "parquet"):
            try:
                row = orjson.loads(raw)
            except orjson.JSONDecodeError:
                row = None
            if not isinstance(row, dict):
                yield self._left_out(file, offset, raw, BAD_JSON)
                return
            if _is_of_run(row):
                if not str(row.get("dropped_for") or "").startswith(BROKEN_FILE):  # that run has told of its files
                    yield self._row_of_run(row)
                return
            found, native_id = self.texts.of_object(row)
        else:
            found, native_id = self.texts.of_table(text, format, context)
        if isinstance(found, str):
            yield self._left_out(file, offset, raw, found, native_id)
            return
        length = 1 if format == "parquet" else len(raw)  # offsets of Parquet are numbers of rows
        for each in found:
            yield self._row(each, file, offset, length, format, native_id=native_id)

    def _row(
        self,
        text: str,
        file: str,
        offset: int,
        length: int,
        made_by: str,
        copies: int = 1,
        native_id: str | None = None,
    ) -> Row:
        text = " ".join(repair(text).split())
        key = text.lower() if self.is_quick and text.isascii() else self.key(text)  # what `folded` gives of such a text
        reason = self._reason(text)
        if reason == TOO_LONG:
            text = text[: self.options.max_characters]
        return make_id("text", key), file, text, offset, offset + length, made_by, copies, native_id, reason

    def _row_of_run(self, row: dict[str, Any]) -> Row:
        """A sentence of another run keeps its document; one that was left out there is left out here."""
        document_id, text, made_by = (row[name] for name in _TEXTS_OF_SENTENCE)
        start, end, copies, native_id = row["start"], row["end"], row.get("copies", 1), row.get("native_id")
        if reason := row.get("dropped_for"):
            return row["sentence_id"], document_id, text, start, end, made_by, copies, native_id, reason
        return self._row(text, document_id, start, end - start, made_by, copies, native_id)

    def _left_out(self, file: str, offset: int, raw: bytes, reason: str, native_id: str | None = None) -> Row:
        text = raw[: 4 * self.options.max_characters].decode("utf-8", "replace")[: self.options.max_characters]
        its_id, end = make_id("record", file, offset, reason), offset + len(raw)
        return its_id, file, text, offset, end, "record", 1, native_id, reason

    def _reason(self, text: str) -> str | None:
        if not text:
            return EMPTY
        if len(text) > self.options.max_characters:
            return TOO_LONG
        if not _LETTER.search(text):
            return NO_LETTERS
        return TOO_SHORT if len(text) < self.options.min_characters else None


def _is_of_run(row: dict[str, Any]) -> bool:
    """Whether an object is a row of another run's sentences; one that is merely called so is read as any other."""
    if not all(isinstance(row.get(name), str) for name in ("sentence_id", *_TEXTS_OF_SENTENCE)):
        return False
    start, end, copies, reason = (row.get(name) for name in ("start", "end", "copies", "dropped_for"))
    return (
        _ID.fullmatch(row["sentence_id"]) is not None
        and type(start) is type(end) is int  # and no boolean, which is a whole number too
        and 0 <= start <= end < 1 << 63
        and ("copies" not in row or (type(copies) is int and 1 <= copies <= _MOST_COPIES))
        and (reason is None or (isinstance(reason, str) and bool(reason)))
        and isinstance(row.get("native_id"), str | None)
    )


def _together(one: Row, other: Row) -> Row:
    """Two rows of one text, in the order that `merge_copies` has; their texts differ in case or white space at most."""
    first, second = sorted((one, other), key=_order)
    return (*first[:6], first[6] + second[6], *first[7:])


def _order(row: Row) -> tuple[object, ...]:
    _, document_id, _, start, end, made_by, _, native_id, reason = row
    return reason is not None, document_id, start, end, made_by, native_id is None, native_id or ""


def merge_copies(rows: pa.Table) -> pa.Table:
    """Rows in the order of their id in, every id once out: its copies counted, the first place it was met at.

    The text is the one of that place. A text that one input leaves out and another keeps is kept.
    """
    ids = rows.column("sentence_id").combine_chunks()
    if len(rows) < 2:
        return rows
    same = pc.equal(ids.slice(1), ids.slice(0, len(rows) - 1)).to_numpy(zero_copy_only=False)
    if not same.any():
        return rows
    repeated = np.concatenate([same, [False]]) | np.concatenate([[False], same])
    several = rows.filter(pa.array(repeated))
    several = several.append_column("is_dropped", pc.is_valid(several.column("dropped_for")))
    order = ("sentence_id", "is_dropped", "document_id", "start", "end", "made_by", "native_id", "text", "dropped_for")
    several = several.sort_by([(name, "ascending") for name in order]).drop_columns(["is_dropped"])
    ids = several.column("sentence_id").combine_chunks()
    is_next = pc.not_equal(ids.slice(1), ids.slice(0, len(several) - 1)).to_numpy(zero_copy_only=False)
    starts = np.concatenate([[0], np.flatnonzero(is_next) + 1])
    copies = np.add.reduceat(several.column("copies").to_numpy(), starts)
    merged = several.take(pa.array(starts))
    place = merged.schema.get_field_index("copies")
    merged = merged.set_column(place, merged.schema.field("copies"), pa.array(copies))
    together = pa.concat_tables([rows.filter(pa.array(~repeated)), merged])
    return together.sort_by("sentence_id")
