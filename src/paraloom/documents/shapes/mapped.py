"""Records of any other shape, read by a map such as `text=body,created_at=date,author=user.name`."""

from __future__ import annotations

from collections.abc import Mapping

from paraloom.documents.shapes import own
from paraloom.documents.shapes.post import Post, Record
from paraloom.errors import InputError


def parse(specification: str) -> dict[str, str]:
    """Our columns and the paths they are found at; a path goes into objects and lists by dots.

    >>> parse("text=body, author=user.name")
    {'text': 'body', 'author': 'user.name'}
    """
    mapping: dict[str, str] = {}
    for part in specification.split(","):
        if not part.strip():
            continue
        column, equals, path = (piece.strip() for piece in part.partition("="))
        column = "urls" if column == "url" else column
        if not equals or not path or column not in own.NAMES:
            known = ", ".join(sorted(own.NAMES))
            raise InputError(f"--map has {part.strip()!r}; write COLUMN=PATH, where COLUMN is one of {known}.")
        mapping[column] = path
    return mapping


def recognises(record: Record, mapping: Mapping[str, str]) -> bool:
    """Whether the text, or without a map for it anything else, is where the map says."""
    return _at(record, mapping.get("text", "text")) is not None


def read(record: Record, mapping: Mapping[str, str]) -> Post:
    """As our own columns: those of the map from their paths, the others under their own names."""
    ours = dict(record)
    for column, path in mapping.items():
        for name in own.NAMES[column]:
            ours.pop(name, None)
        ours[column] = _at(record, path)
    return own.read(ours, {})


def _at(record: Record, path: str) -> object:
    """The value at a dotted path; a key that itself has dots goes first."""
    if path in record:
        return record[path]
    value: object = record
    for step in path.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and len(step) < 9 and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
