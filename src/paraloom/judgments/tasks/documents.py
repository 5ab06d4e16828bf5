"""JSON in, documents and places in them out: what the kinds that show whole documents share.

Offsets count Unicode code points, as Python does; a browser counts UTF-16 units and has to convert.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.tasks.reading import only, whole_number


def inside(raw: Any, fields: Collection[str], path: str) -> dict[str, Any]:
    """The fields of an object that lies within another, by their whole path, so that a message names the very place.

    >>> inside({"start": 3}, ("start", "end"), "pairs[0]")
    {'pairs[0].start': 3}
    """
    return {f"{path}.{field}": value for field, value in only(raw, fields, f"`{path}`").items()}


def span(raw: Mapping[str, Any], start: str, end: str, text: str) -> tuple[int, int]:
    """Where a piece of the text begins and ends; something must be in it.

    >>> span({"start": 0, "end": 5}, "start", "end", "storm hits")
    (0, 5)
    """
    begins = whole_number(raw, start, 0, len(text))
    ends = whole_number(raw, end, 0, len(text))
    if not begins < ends:
        raise InputError(f"`{end}` must lie behind `{start}`, but they are {ends} and {begins}.")
    if not text[begins:ends].strip():
        raise InputError(f"`{start}` and `{end}` enclose nothing but white space.")
    return begins, ends
