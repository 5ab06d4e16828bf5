"""A row of a file of graded pairs in, what it tells beside the texts out: labels, numbers, places in documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from paraloom.corpus.graded.judged import Place
from paraloom.corpus.label_counts import told_label
from paraloom.engine.given_columns import SIDES
from paraloom.metrics.identification.graded import is_label

_BETWEEN = re.compile(r"[\s,;|]+")


@dataclass(frozen=True, slots=True)
class PairRow:
    """The values of a row beside its texts."""

    values: Mapping[str, Any]

    def text(self, name: str) -> str | None:
        return told_label(self.values.get(name))

    def number(self, name: str) -> int | None:
        value = self.text(name)
        return int(value) if value is not None and value.isdecimal() else None

    def truth(self, name: str) -> bool:
        return (self.text(name) or "").lower() in ("1", "true")

    def labels(self, name: str) -> list[str]:
        """One label, or one a person."""
        given = self.values.get(name)
        values = given if isinstance(given, list) else [given]
        told = [label for value in values if (label := told_label(value)) is not None]
        return [part for label in told for part in _parted(label)]

    def place(self, side: str) -> Place | None:
        """Where a side stands in its document: `left_document_id` …, or a `context` of the Turku corpus or of ours."""
        context = self.values.get("context")
        if isinstance(context, str) and context.startswith("{"):
            try:
                context = orjson.loads(context)
            except orjson.JSONDecodeError:
                context = None
        found = context if isinstance(context, Mapping) else self.values
        number = SIDES.index(side) + 1
        ours = (f"{side}_document_id", f"{side}_start", f"{side}_end")
        turkus = (f"doc{number}", f"beg{number}", f"end{number}")
        for name, *ends in (ours, turkus):
            if (document := told_label(found.get(name))) is not None:
                start, end = (_whole(found.get(end)) for end in ends)
                return Place(document_id=document, start=start, end=end)
        return None


def _parted(label: str) -> list[str]:
    """Labels that stand behind each other one by one; what holds anything else as it is.

    >>> _parted("4> 4s,x"), _parted("4>"), _parted("not sure")
    (['4>', '4s', 'x'], ['4>'], ['not sure'])
    """
    parts = _BETWEEN.split(label)
    return parts if all(map(is_label, parts)) else [label]


def _whole(value: Any) -> int | None:
    told = told_label(value)
    return int(told) if told is not None and told.isdecimal() else None
