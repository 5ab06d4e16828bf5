"""Raw records of foreign files in, the table `alignments` out: two texts as tokens, and which of these are linked.

A row that cannot be used is a row too, with the reason.
"""

from __future__ import annotations

import re
from typing import Any

import orjson
import pyarrow as pa

from paraloom.engine.foreign_records import BROKEN
from paraloom.engine.rows import from_rows
from paraloom.errors import InputError
from paraloom.models.aligners import read_links, written
from paraloom.tables import Alignment, make_id, schema

BAD_ROW = "bad_row: "
"""What the reason of a row begins with that cannot be used."""
MOST_TOKENS = 1000
"""Of a side; more is no sentence."""
_KEPT_OF_BAD = 200
_WRITTEN = re.compile(r"[0-9]{1,4}-[0-9]{1,4}(?: [0-9]{1,4}-[0-9]{1,4})*")


class AlignmentReader:
    """Records → rows of `Alignment`, one each."""

    def __call__(self, records: pa.Table) -> pa.Table:
        columns = [records.column(name).to_pylist() for name in ("file", "offset", "raw", "format", "context")]
        return from_rows([self._row(*record) for record in zip(*columns, strict=True)], schema(Alignment))

    def _row(self, file: str, offset: int, raw: bytes, format: str, context: bytes | None) -> Alignment:
        if format == BROKEN:
            return _bad(file, offset, raw, (context or b"").decode("utf-8", "replace"))
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return _bad(file, offset, raw, "broken JSON")
        if not isinstance(value, dict):
            return _bad(file, offset, raw, "no JSON object")
        if reason := value.get("dropped_for"):
            return _bad(file, offset, raw, f"left out before for {reason}")
        try:
            return alignment_of(value)
        except InputError as error:
            return _bad(file, offset, raw, str(error))


def alignment_of(value: dict[str, Any]) -> Alignment:
    """The row of one JSON object; an `InputError` in a few words where it is none.

    >>> row = alignment_of({"left": "it rains", "right": "rain is falling", "alignment": "1-2 1-0"})
    >>> row.left, row.links, row.dropped_for
    ('it rains', '1-0 1-2', None)
    """
    left, right = (_tokens(value.get(side), side) for side in ("left", "right"))
    links = _links(value.get("alignment"), len(left), len(right))
    pair_id, group_id = (_id(value.get(name), name) for name in ("pair_id", "group_id"))
    texts = " ".join(left), " ".join(right)
    its_id = make_id("alignment", pair_id, group_id, *texts)
    return Alignment(
        group_id=group_id if group_id is not None else its_id,
        alignment_id=its_id,
        pair_id=pair_id if pair_id is not None else its_id,
        left=texts[0],
        right=texts[1],
        links=links,
        dropped_for=None,
    )


def _tokens(side: object, name: str) -> list[str]:
    if isinstance(side, list) and all(isinstance(token, str) for token in side):
        if any(len(token.split()) != 1 for token in side):
            raise InputError(f"a token of {name} is empty or has white space in it")
        tokens = [token.strip() for token in side]
    elif isinstance(side, str):
        tokens = side.split()
    else:
        raise InputError(f"no {name}")
    if not tokens:
        raise InputError(f"no tokens in {name}")
    if len(tokens) > MOST_TOKENS:
        raise InputError("too long")
    return tokens


def _links(given: object, left: int, right: int) -> str:
    """Links as they were written, each once and in order."""
    if not isinstance(given, str):
        raise InputError("no alignment")
    if given.strip() and not _WRITTEN.fullmatch(" ".join(given.split())):
        raise InputError("no links in alignment")
    links = read_links(given)
    if any(i >= left or j >= right for i, j in links):
        raise InputError("a link leads to no token")
    return written(links)


def _id(given: object, name: str) -> str | None:
    if given is None or (isinstance(given, str) and given):
        return given
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    raise InputError(f"{name} is neither a text nor a number")


def _bad(file: str, offset: int, raw: bytes, why: str) -> Alignment:
    its_id = make_id("record", file, offset, why)
    shown = raw[: 4 * _KEPT_OF_BAD].decode("utf-8", "replace")[:_KEPT_OF_BAD]
    return Alignment(
        group_id=its_id,
        alignment_id=its_id,
        pair_id=its_id,
        left=shown,
        right="",
        links="",
        dropped_for=f"{BAD_ROW}{why}",
    )


def merge_alignments(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One pair that was given several times, aligned in one way or another: the first of them as they are written."""
    first = min(rows, key=lambda row: row["links"])
    return {**first, "copies": sum(row["copies"] for row in rows)}
