"""Documents in, blocks of documents that are compared with each other out, so that not all are compared with all.

Versions of one work are a block. Articles are blocked by the day they were published: time is cut into windows, and an
article is at home in its own window and a guest in the next. So any two that lie at most a window apart meet, once, in
the window of the later one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from paraloom.groups.alignment_options import BANDS, AlignmentOptions
from paraloom.tables import make_id

if TYPE_CHECKING:
    import pyarrow as pa

_DAY = 86_400_000_000
"""Microseconds."""

SHOWN = ("document_id", "kind", "work", "series", "source", "language", "created_at", "author", "title", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A document in a block."""

    block: str
    document_id: str
    is_guest: bool
    """It is compared with those at home in the block, not with other guests."""
    kind: str
    work: str | None
    series: str | None
    source: str
    language: str | None
    created_at: datetime | None
    author: str | None
    title: str | None
    text: str


def place_documents(documents: pa.Table, *, options: AlignmentOptions) -> pa.Table:
    """The blocks that documents are in; one with neither a work nor a date is in none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    times = documents.column("created_at").cast(pa.int64()).to_pylist()
    kinds, works = (documents.column(name).to_pylist() for name in ("kind", "work"))
    places: list[int] = []
    blocks: list[str] = []
    guests: list[bool] = []
    for place, (kind, work, time) in enumerate(zip(kinds, works, times, strict=True)):
        for block, is_guest in _blocks(kind, work, time, options):
            places.append(place)
            blocks.append(block)
            guests.append(is_guest)
    taken = documents.select(list(SHOWN)).take(pa.array(places, pa.int64()))
    placed = taken.append_column("block", pa.array(blocks, pa.string())).append_column(
        "is_guest", pa.array(guests, pa.bool_())
    )
    return placed.filter(pc.is_valid(placed.column("text")))


def _blocks(kind: str, work: str | None, time: int | None, options: AlignmentOptions) -> Iterator[tuple[str, bool]]:
    if kind not in BANDS:
        return
    if kind != "article":
        if work is not None:
            yield make_id("work", kind, work), False
        return
    if not options.window_days:
        yield make_id("all"), False
    elif time is not None:
        window = int(time // (options.window_days * _DAY))
        yield make_id("window", window), False
        yield make_id("window", window + 1), True


def is_placed(row: dict[str, Any], options: AlignmentOptions) -> bool:
    """Whether a document is in any block."""
    time = None if row["created_at"] is None else 0
    return any(True for _ in _blocks(row["kind"], row["work"], time, options))
