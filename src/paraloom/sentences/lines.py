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
from paraloom.tables import Sentence, make_id, schema
from paraloom.text.normalise import bare, folded, repair

EMPTY = "empty"
NO_LETTERS = "no_letters"
TOO_SHORT = "too_short"
TOO_LONG = "too_long"
UNDECODABLE = "undecodable"

_LETTER = re.compile(r"[^\W\d_]")
_COLUMNS = tuple(schema(Sentence).names)
_OF_SENTENCE = {"sentence_id", "document_id", "text", "start", "end", "made_by"}
"""An object with these is a row of another run's sentences."""

Row = tuple[str, str, str, int, int, str, int, str | None]
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
            yield self._left_out(file, offset, raw, TOO_LONG if reason == "too long" else f"broken: {reason}")
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
            if row.keys() >= _OF_SENTENCE:
                yield self._row_of_run(row)
                return
            found = self.texts.of_object(row)
        else:
            found = self.texts.of_table(text, format, context)
        if isinstance(found, str):
            yield self._left_out(file, offset, raw, found)
            return
        length = 1 if format == "parquet" else len(raw)  # offsets of Parquet are numbers of rows
        for each in found:
            yield self._row(each, file, offset, length, format)

    def _row(self, text: str, file: str, offset: int, length: int, made_by: str, copies: int = 1) -> Row:
        text = " ".join(repair(text).split())
        key = text.lower() if self.is_quick and text.isascii() else self.key(text)  # what `folded` gives of such a text
        reason = self._reason(text)
        if reason == TOO_LONG:
            text = text[: self.options.max_characters]
        return make_id("text", key), file, text, offset, offset + length, made_by, copies, reason

    def _row_of_run(self, row: dict[str, Any]) -> Row:
        """A sentence of another run keeps its document; one that was left out there is left out here."""
        place = str(row["document_id"]), int(row["start"]), int(row["end"])
        copies, made_by = int(row.get("copies") or 1), str(row["made_by"])
        if row.get("dropped_for"):
            return str(row["sentence_id"]), place[0], str(row["text"]), *place[1:], made_by, copies, row["dropped_for"]
        return self._row(str(row["text"]), place[0], place[1], place[2] - place[1], made_by, copies)

    def _left_out(self, file: str, offset: int, raw: bytes, reason: str) -> Row:
        text = raw[: 4 * self.options.max_characters].decode("utf-8", "replace")[: self.options.max_characters]
        return make_id("record", file, offset, reason), file, text, offset, offset + len(raw), "record", 1, reason

    def _reason(self, text: str) -> str | None:
        if not text:
            return EMPTY
        if len(text) > self.options.max_characters:
            return TOO_LONG
        if not _LETTER.search(text):
            return NO_LETTERS
        return TOO_SHORT if len(text) < self.options.min_characters else None


def _together(one: Row, other: Row) -> Row:
    """Two rows of one text, in the order that `merge_copies` has; their texts differ in case or white space at most."""
    first, second = sorted((one, other), key=lambda row: (row[7] is not None, row[1], row[3], row[4], row[5]))
    return (*first[:6], first[6] + second[6], first[7])


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
    order = ("sentence_id", "is_dropped", "document_id", "start", "end", "made_by", "text", "dropped_for")
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
