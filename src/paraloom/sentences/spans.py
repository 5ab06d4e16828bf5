"""Segments in, the stretches of text that they are made of out, each once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraloom.engine.rows import Members
from paraloom.tables import Sentence, sentence_id_of

if TYPE_CHECKING:
    import pyarrow as pa

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One side of a segment."""

    document_id: str
    group_id: str
    start: int
    end: int
    made_by: str
    dropped_for: str | None


def spans_of_segments(segments: pa.Table) -> pa.Table:
    """Both sides of every segment.

    Wanted: the columns `…_document_id`, `…_start` and `…_end` of both sides, group_id, suggested_by, dropped_for.
    """
    import pyarrow as pa

    from paraloom.engine.rows import row_schema

    schema = row_schema(Span)
    sides = [
        pa.Table.from_arrays(
            [
                segments.column(f"{side}_document_id"),
                segments.column("group_id"),
                *(segments.column(f"{side}_{name}") for name in ("start", "end")),
                segments.column("suggested_by"),
                segments.column("dropped_for"),
            ],
            names=schema.names,
        ).cast(schema)
        for side in SIDES
    ]
    return pa.concat_tables(sides)


def sentences_of_spans(document_id: str, spans: Members, documents: Members) -> Iterator[Sentence]:
    """The stretches of one document, in order; one is left out only if all segments that it is a side of are.

    Wanted of the spans: start, end, made_by, dropped_for; of the document: text. A stretch's text has single blanks;
    `start` and `end` are its exact place.
    """
    if not len(spans) or not len(documents):
        return
    text = documents.only("text")
    found: dict[tuple[int, int], list[tuple[str, str | None]]] = {}
    columns = (spans[name] for name in ("start", "end", "made_by", "dropped_for"))
    for start, end, made_by, dropped_for in zip(*columns, strict=True):
        found.setdefault((start, end), []).append((made_by, dropped_for))
    for (start, end), made in sorted(found.items()):
        reasons = [reason for _, reason in made]
        yield Sentence(
            sentence_id=sentence_id_of(document_id, start, end),
            document_id=document_id,
            text=" ".join(text[start:end].split()),
            start=start,
            end=end,
            made_by=min(maker for maker, _ in made),
            dropped_for=None if None in reasons else min(reason for reason in reasons if reason is not None),
        )
