"""Files of tests in, what must not be learned from out: their texts, and what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paraloom.corpus.pair_files import usual_columns
from paraloom.corpus.text_key import text_key
from paraloom.engine.given import check_file, read_lines, read_rows
from paraloom.errors import InputError

ABOUT = ("trend", "topic", "url")
"""Columns that say what a pair is about: what a test is about, too, is not learned from."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a row of a training file says of its pair beside the two texts."""

    about: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What tests hold: keys of their texts, and of what they are about.

    >>> seen = Seen().and_texts(["A storm hit."])
    >>> seen.has(("a storm hit", "it blew")), seen.has(("rain", "it blew"))
    (True, False)
    """

    texts: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()

    def and_texts(self, texts: Iterable[str]) -> Seen:
        """These, too."""
        return replace(self, texts=self.texts | {text_key(text) for text in texts})

    def has(self, pair: Pair, about: Sequence[str] = ()) -> bool:
        """Whether a pair has a text of a test, or is about the same."""
        if self.about and any(text_key(one) in self.about for one in about):
            return True
        return any(text_key(text) in self.texts for text in pair)


def read_seen(files: Sequence[Path]) -> Seen:
    """Every text of these files, in whatever column it stands, also where a cell holds a list of them."""
    texts: set[str] = set()
    about: set[str] = set()
    for path in files:
        check_file(path)
        if path.suffix == ".txt":
            texts |= {text_key(line) for line in read_lines(path) if line.strip()}
            continue
        rows = read_rows(path, ("left", "right"), usual_columns(path), required=(), leaving_out=True)
        for name, column in rows.columns.items():
            keys = {text_key(text) for value in column for text in _texts(value) if text.strip()}
            if name in ABOUT and rows.has_header:
                about |= keys
            else:
                texts |= keys
    return Seen(texts=frozenset(texts), about=frozenset(about))


def read_beside(files: Sequence[Path], columns: Mapping[str, str], weights_column: str = "") -> dict[Pair, Beside]:
    """For a pair of texts what its row says it is about, and how much it counts; of equal pairs the first."""
    found: dict[Pair, Beside] = {}
    for path in files:
        sides = {} if "left" in columns or "right" in columns else usual_columns(path)
        rows = read_rows(path, ("left", "right"), {**sides, **columns}, leaving_out=True)
        weights = rows.numbers(weights_column) if weights_column else [1.0] * len(rows)
        if any(weight < 0 for weight in weights):
            raise InputError(f"{path}: the column {weights_column} has a weight below 0. Give 0 or more.")
        about = [rows.columns[name] for name in ABOUT if rows.has_header and name in rows.columns]
        for number, pair in enumerate(zip(rows.columns["left"], rows.columns["right"], strict=True)):
            said = tuple(one for column in about for one in _texts(column[number]))
            found.setdefault(pair, Beside(about=said, weight=weights[number]))
    return found


def _texts(value: Any) -> Iterator[str]:
    """The texts of a cell: one, or those of a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
