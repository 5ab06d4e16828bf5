"""A raw record's bytes in, the object it is out: JSON, a CSV or TSV row under its header, or a line of text."""

from __future__ import annotations

import csv
import json
from functools import lru_cache
from typing import Any

import orjson

from paraloom.documents.shapes import raw_day
from paraloom.documents.shapes.post import BadRow, Record

_JSON = frozenset(("jsonl", "json", "raw-day", "parquet"))
_DELIMITERS = {"csv": ",", "ssv": ";"}


def read_record(raw: bytes, format: str, context: bytes | None) -> tuple[Record, bool]:
    """The record, and whether its strings may hold what UTF-8 cannot; `BadRow` says why it is none.

    >>> read_record(b'{"text": "a", "score": NaN}', "jsonl", None)
    ({'text': 'a', 'score': None}, True)
    """
    if format in _JSON:
        return _object(raw)
    if format == "broken":
        raise BadRow((context or b"unreadable").decode("utf-8", "replace"))
    try:
        text = raw.decode().removeprefix("\ufeff").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise BadRow("not UTF-8") from error
    if format == "text":
        return {"text": text}, False
    return _row(text, format, _column_names(context or b"[]")), False


@lru_cache(maxsize=64)
def context_of(format: str, context: bytes) -> Record:
    """What the file says about a record elsewhere, beside its column names: read once, not once a row."""
    if format == "raw-day":
        return raw_day.context_of(context)
    return _parsed_object(context) if format == "json" else {}


def _parsed_object(raw: bytes) -> Record:
    value = orjson.loads(raw)
    return value if isinstance(value, dict) else {}


@lru_cache(maxsize=64)
def _column_names(context: bytes) -> tuple[str, ...]:
    return tuple(str(name) for name in orjson.loads(context))


def _object(raw: bytes) -> tuple[Record, bool]:
    is_doubtful = False
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        value, is_doubtful = _loosely_parsed(raw), True
    if type(value) is dict:
        return value, is_doubtful
    if type(value) is str:
        return {"text": value}, is_doubtful
    raise BadRow("not an object")


def _loosely_parsed(raw: bytes) -> Any:
    """What the fast and strict parser refuses: NaN, lone surrogates, control characters; or a bad row after all."""
    try:
        text = raw.decode().lstrip("\ufeff\x1e")
    except UnicodeDecodeError as error:
        raise BadRow("not UTF-8") from error
    try:
        return json.loads(text, strict=False, parse_constant=_nothing)
    except RecursionError as error:
        raise BadRow("nested too deep") from error
    except ValueError as error:
        raise BadRow("not JSON") from error


def _nothing(constant: str) -> None:
    """NaN and the infinities are no values."""


def _row(text: str, format: str, names: tuple[str, ...]) -> Record:
    if format == "tsv":
        cells = text.split("\t")
    else:
        try:
            cells = next(csv.reader([text], delimiter=_DELIMITERS[format]), [])
        except csv.Error as error:
            raise BadRow("too long" if "limit" in str(error) else "not CSV") from error
    if len(cells) != len(names):
        raise BadRow("more columns than the header" if len(cells) > len(names) else "fewer columns than the header")
    return {name: cell or None for name, cell in zip(names, cells, strict=True)}
