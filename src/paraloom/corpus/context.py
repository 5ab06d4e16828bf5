"""Segments and the corpus in, its pairs with the place of both sides in their documents out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paraloom.tables import pair_id_of, sentence_id_of

if TYPE_CHECKING:
    import pyarrow as pa

SIDES = ("left", "right")
PLACE = ("document_id", "start", "end")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlaces:
    """Where the two sides of a pair stand; which of them is the left one, the segment said."""

    pair_id: str
    left_document_id: str
    left_start: int
    left_end: int
    right_document_id: str
    right_start: int
    right_end: int


def places_of_pairs(segments: pa.Table) -> pa.Table:
    """Where the sides of the pair stand that a segment became.

    Wanted: the columns `…_document_id`, `…_start` and `…_end` of both sides.
    """
    import pyarrow as pa

    from paraloom.engine.rows import row_schema

    schema = row_schema(PairPlaces)
    names = schema.names[1:]
    rows = zip(*(segments.column(name).to_pylist() for name in names), strict=True)
    ids = [pair_id_of(sentence_id_of(*row[:3]), sentence_id_of(*row[3:])) for row in rows]
    return pa.Table.from_arrays([pa.array(ids, pa.string()), *(segments.column(name) for name in names)], schema=schema)


def in_context(rows: Iterable[dict[str, Any]], places: pa.Table) -> Iterator[dict[str, Any]]:
    """Rows of the corpus, each with the place of both sides: `text[start:end]` of the table documents.

    Wanted of the places: those of all these pairs.
    """
    found: dict[str, dict[str, tuple[str, int, int]]] = {}
    for row in places.to_pylist():
        sides = [tuple(row[f"{side}_{name}"] for name in PLACE) for side in SIDES]
        found[row["pair_id"]] = {sentence_id_of(*place): place for place in sides}
    for row in rows:
        both = ((side, found[row["pair_id"]][row[f"{side}_id"]]) for side in SIDES)
        context = {f"{side}_{name}": value for side, place in both for name, value in zip(PLACE, place, strict=True)}
        yield {**row, "context": context}
