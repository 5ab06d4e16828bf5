"""A raw record of a foreign file in, its texts and its id out: a line, a cell of a table, both sides of a pair."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from paraloom.engine.foreign import BARE_TSV
from paraloom.engine.foreign_csv import DELIMITERS
from paraloom.engine.foreign_json import LONGEST
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
ID = "id"
OURS = ("text", "left", "right", ID)

NO_TEXT = "bad_row: no text"
BAD_JSON = "bad_row: not JSON"
BAD_CSV = "bad_row: not CSV"

Texts = Sequence[str] | str
"""The texts of a record; a string is the reason why there are none."""
Taken = tuple[Texts, str | None]
"""The texts of a record, and what its file calls it."""


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
                f"--columns {each}: say it as text=COLUMN, or as left=COLUMN right=COLUMN, by name or number from 1; "
                "id=COLUMN is kept beside the text."
            )
        if ours in asked:
            raise InputError(f"--columns {each}: {ours} is {asked[ours]!r} already. Say each once.")
        asked[ours] = theirs
    return asked


def columns_among(names: Sequence[str], asked: Mapping[str, str]) -> list[str]:
    """Those of a file's columns that hold sentences; none where it is not known which.

    >>> columns_among(["id", "sentence"], {}), columns_among(["left", "right", "label"], {}), columns_among(["a"], {})
    (['sentence'], ['left', 'right'], [])
    >>> columns_among(["id", "headline"], {"text": "2"})
    ['headline']
    """
    if texts := [theirs for ours, theirs in asked.items() if ours != ID]:
        return [found for theirs in texts if (found := _column(names, theirs)) is not None]
    for name in SINGLE:
        if name in names:
            return [name]
    return next(([left, right] for left, right in PAIRED if left in names and right in names), [])


def missing_columns(names: Sequence[str], asked: Mapping[str, str]) -> list[str]:
    """What is asked for that a file does not have.

    >>> missing_columns(["id", "headline"], {"text": "headlin", "id": "1"})
    ['text=headlin']
    """
    return [f"{ours}={theirs}" for ours, theirs in asked.items() if _column(names, theirs) is None]


def bare_places(asked: Mapping[str, str]) -> tuple[list[int], int | None]:
    """Where texts and the id are in a table without a header, from 0: the first two columns, but for what is asked.

    >>> bare_places({}), bare_places({"id": "1"}), bare_places({"text": "3"})
    (([0, 1], None), ([1], 0), ([2], None))
    """
    numbers = {ours: int(theirs) - 1 for ours, theirs in asked.items() if theirs.isdecimal()}
    its_id = numbers.pop(ID, None)
    return list(numbers.values()) or [place for place in (0, 1) if place != its_id], its_id


def _column(names: Sequence[str], theirs: str) -> str | None:
    if theirs in names:
        return theirs
    if theirs.isdecimal() and 1 <= int(theirs) <= len(names):
        return names[int(theirs) - 1]
    return None


class RecordTexts:
    """Takes texts and ids out of records; columns are looked for once for every header that is met."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST))  # a long field is a text that is too long
        self.asked = dict(asked)
        self._id = self.asked.get(ID)
        self._places: dict[bytes, tuple[list[int], int | None]] = {}
        self._bare_places = bare_places(self.asked)
        self._readers: dict[str, Callable[[str, bytes | None], Taken]] = {
            "tsv": self._tsv,
            "csv": partial(self._csv, DELIMITERS["csv"]),
            "ssv": partial(self._csv, DELIMITERS["ssv"]),
            BARE_TSV: self._bare_tsv,
        }

    def of_table(self, text: str, format: str, header: bytes | None) -> Taken:
        """What a record of TSV or CSV has; the header is a JSON list of names."""
        return self._readers[format](text, header)

    def of_object(self, row: Mapping[str, Any]) -> Taken:
        """What a JSON object has."""
        names = list(row)
        found = [row.get(name) for name in columns_among(names, self.asked)]
        texts = [value for value in found if isinstance(value, str)]
        its_id = None if self._id is None else row.get(_column(names, self._id) or "")
        return texts or NO_TEXT, str(its_id) if isinstance(its_id, str | int | float) else None

    def _tsv(self, text: str, header: bytes | None) -> Taken:
        return _cells(text.rstrip("\r").split("\t"), *self._of_header(header))

    def _bare_tsv(self, text: str, header: bytes | None) -> Taken:
        return _cells(text.rstrip("\r").split("\t"), *self._bare_places)

    def _csv(self, delimiter: str, text: str, header: bytes | None) -> Taken:
        try:
            (cells,) = csv.reader([text], delimiter=delimiter)
        except (csv.Error, ValueError):
            return BAD_CSV, None
        return _cells(cells, *self._of_header(header))

    def _of_header(self, header: bytes | None) -> tuple[list[int], int | None]:
        key = header or b"[]"
        if key not in self._places:
            names = orjson.loads(key)
            places = [names.index(name) for name in columns_among(names, self.asked)]
            its_id = None if self._id is None else _column(names, self._id)
            self._places[key] = places, None if its_id is None else names.index(its_id)
        return self._places[key]


def _cells(cells: Sequence[str], places: Sequence[int], its_id: int | None) -> Taken:
    texts = [cells[place] for place in places if place < len(cells)]
    return texts or NO_TEXT, (cells[its_id] or None) if its_id is not None and its_id < len(cells) else None
