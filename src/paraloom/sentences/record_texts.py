"""A raw record of a foreign file in, the texts in it out: a line, a cell of a table, both sides of a pair."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from paraloom.engine.foreign import BARE_TSV
from paraloom.engine.foreign_csv import DELIMITERS
from paraloom.errors import InputError

SINGLE = ("text", "sentence")
PAIRED = (
    ("left", "right"),
    ("sentence1", "sentence2"),
    ("text_a", "text_b"),
    ("question1", "question2"),
    ("source", "target"),
    ("txt1", "txt2"),
)
"""What sentences are called in files that are handed around."""
OURS = ("text", "left", "right")

NO_TEXT = "bad_row: no text"
BAD_JSON = "bad_row: not JSON"
BAD_CSV = "bad_row: not CSV"

Texts = Sequence[str] | str
"""The texts of a record; a string is the reason why there are none."""


def asked_columns(given: Sequence[str]) -> dict[str, str]:
    """`--columns` by our names.

    >>> asked_columns(["text=headline"])
    {'text': 'headline'}
    """
    asked: dict[str, str] = {}
    for each in given:
        ours, equals, theirs = each.partition("=")
        if ours not in OURS or not equals or not theirs:
            raise InputError(
                f"--columns {each}: say it as text=COLUMN, or as left=COLUMN right=COLUMN, by name or number from 1."
            )
        asked[ours] = theirs
    return asked


def columns_among(names: Sequence[str], asked: Mapping[str, str]) -> list[str]:
    """Those of a file's columns that hold sentences; none where it is not known which.

    >>> columns_among(["id", "sentence"], {}), columns_among(["left", "right", "label"], {}), columns_among(["a"], {})
    (['sentence'], ['left', 'right'], [])
    >>> columns_among(["id", "headline"], {"text": "2"})
    ['headline']
    """
    if asked:
        return [found for theirs in asked.values() if (found := _column(names, theirs)) is not None]
    for name in SINGLE:
        if name in names:
            return [name]
    return next(([left, right] for left, right in PAIRED if left in names and right in names), [])


def _column(names: Sequence[str], theirs: str) -> str | None:
    if theirs in names:
        return theirs
    if theirs.isdecimal() and 1 <= int(theirs) <= len(names):
        return names[int(theirs) - 1]
    return None


class RecordTexts:
    """Takes the texts out of records; columns are looked for once for every header that is met."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        self.asked = dict(asked)
        self._places: dict[bytes, list[int]] = {}
        numbers = [theirs for theirs in self.asked.values() if theirs.isdecimal()]
        self._bare_places = [int(number) - 1 for number in numbers] if numbers else [0, 1]
        self._readers: dict[str, Callable[[str, bytes | None], Texts]] = {
            "tsv": self._tsv,
            "csv": partial(self._csv, DELIMITERS["csv"]),
            "ssv": partial(self._csv, DELIMITERS["ssv"]),
            BARE_TSV: self._bare_tsv,
        }

    def of_table(self, text: str, format: str, header: bytes | None) -> Texts:
        """The texts of a record of TSV or CSV; the header is a JSON list of names."""
        return self._readers[format](text, header)

    def of_object(self, row: Mapping[str, Any]) -> Texts:
        """The texts of a JSON object."""
        found = [row.get(name) for name in columns_among(list(row), self.asked)]
        texts = [value for value in found if isinstance(value, str)]
        return texts or NO_TEXT

    def _tsv(self, text: str, header: bytes | None) -> Texts:
        return self._cells(text.rstrip("\r").split("\t"), self._of_header(header))

    def _bare_tsv(self, text: str, header: bytes | None) -> Texts:
        return self._cells(text.rstrip("\r").split("\t"), self._bare_places)

    def _csv(self, delimiter: str, text: str, header: bytes | None) -> Texts:
        try:
            (cells,) = csv.reader([text], delimiter=delimiter)
        except (csv.Error, ValueError):
            return BAD_CSV
        return self._cells(cells, self._of_header(header))

    def _of_header(self, header: bytes | None) -> list[int]:
        key = header or b"[]"
        if key not in self._places:
            names = orjson.loads(key)
            self._places[key] = [names.index(name) for name in columns_among(names, self.asked)]
        return self._places[key]

    @staticmethod
    def _cells(cells: Sequence[str], places: Sequence[int]) -> Texts:
        return [cells[place] for place in places if place < len(cells)] or NO_TEXT
