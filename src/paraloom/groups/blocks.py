"""Documents in, blocks of documents that are compared with each other out, so that not all are compared with all.

Versions of one work are a block. Articles are blocked by the day they were published: time is cut into windows, and an
article meets those of its own window and of the one before. So any two that lie at most a window apart meet, once. A
window that holds very many articles is cut into several blocks, by lot, each of which meets the others: so memory never
holds more than two blocks of a bounded size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING

from paraloom.engine.buckets import MOST_BUCKETS, bucket_of
from paraloom.groups.alignment_options import BANDS, AlignmentOptions
from paraloom.groups.block_documents import SHOWN, BlockDocument
from paraloom.tables import make_id

if TYPE_CHECKING:
    import pyarrow as pa

_DAY = 86_400_000_000
"""Microseconds."""

MOST_DOCUMENTS = 8_192
MOST_LETTERS = 32 << 20
"""So many articles, and letters of them, are a block, about: what is made of them fits into a quarter of a gigabyte."""

WEIGHED = ("document_id", "kind", "work", "created_at", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What a document adds to its work or its window."""

    block: str
    window: int | None
    """Of an article: how many windows lie before its own."""
    document_id: str
    letters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(BlockDocument):
    """A document in its block."""

    block: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How documents are laid into blocks, and which blocks meet."""

    cuts: Mapping[int, int] = field(default_factory=dict)
    """Into how many blocks a window is cut."""
    last: Mapping[str, str] = field(default_factory=dict)
    """Of works with more versions than are looked at: the largest id of those that are."""
    meets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By block of articles, the other blocks that it is compared with."""
    documents: Mapping[str, int] = field(default_factory=dict)
    """How many documents are in a block, about."""


def weigh_documents(documents: pa.Table, *, options: AlignmentOptions) -> pa.Table:
    """A row for every document that is compared with others; one with neither a work nor a date is not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from paraloom.engine.rows import row_schema

    homes = _homes(documents, options)
    places = pa.array(list(homes), pa.int64())
    letters = pc.utf8_length(documents.column("text")).take(places)
    return pa.table(
        {
            "block": [make_id("window", home) if isinstance(home, int) else home for home in homes.values()],
            "window": pa.array([home if isinstance(home, int) else None for home in homes.values()], pa.int64()),
            "document_id": documents.column("document_id").take(places),
            "letters": letters.cast(pa.int64()),
        },
        schema=row_schema(Weighed),
    )


def plan_blocks(weighed: Callable[[], Iterable[pa.Table]], options: AlignmentOptions) -> Plan:
    """See how many documents each work and each window has; `weighed` gives the rows of `Weighed`, twice if asked."""
    versions, articles, letters = Counter[str](), Counter[int](), Counter[int]()
    for part in weighed():
        for block, window, length in zip(*(part.column(name).to_pylist() for name in _COUNTED), strict=True):
            if window is None:
                versions[block] += 1
            else:
                articles[window] += 1
                letters[window] += length
    many = {block for block, count in versions.items() if count > options.versions_per_work}
    found: dict[str, list[str]] = {block: [] for block in many}
    for part in weighed() if many else ():
        for block, document_id in zip(
            *(part.column(name).to_pylist() for name in ("block", "document_id")), strict=True
        ):
            if block in found:
                found[block].append(document_id)
        found = {block: nsmallest(options.versions_per_work, ids) for block, ids in found.items()}
    cuts = {
        window: min(max(-(-count // MOST_DOCUMENTS), -(-letters[window] // MOST_LETTERS), 1), MOST_BUCKETS)
        for window, count in sorted(articles.items())
    }
    sizes = {block: min(count, options.versions_per_work) for block, count in versions.items()}
    sizes |= {block: articles[window] // cuts[window] for window in cuts for block in _pieces(window, cuts)}
    return Plan(
        cuts=cuts,
        last={block: max(ids) for block, ids in found.items()},
        meets={
            block: (*_pieces(window - 1, cuts), *_pieces(window, cuts)[:place])
            for window in cuts
            for place, block in enumerate(_pieces(window, cuts))
        },
        documents=dict(sorted(sizes.items())),
    )


_COUNTED = ("block", "window", "letters")


def place_documents(
    documents: pa.Table, *, options: AlignmentOptions, cuts: Mapping[int, int], last: Mapping[str, str]
) -> pa.Table:
    """Every document that is compared with others, in its block; without versions beyond those looked at.

    `cuts` and `last` are those of the plan.
    """
    import pyarrow as pa

    places: list[int] = []
    blocks: list[str] = []
    ids = documents.column("document_id").to_pylist()
    for place, home in _homes(documents, options).items():
        if isinstance(home, int):
            block = _piece(home, bucket_of(ids[place], cuts[home]))
        elif home in last and ids[place] > last[home]:
            continue
        else:
            block = home
        places.append(place)
        blocks.append(block)
    taken = documents.select(list(SHOWN)).take(pa.array(places, pa.int64()))
    return taken.append_column("block", pa.array(blocks, pa.string()))


def work_id(kind: str, work: str) -> str:
    """The block of the versions of a work."""
    return make_id("work", kind, work)


def _homes(documents: pa.Table, options: AlignmentOptions) -> dict[int, int | str]:
    """By its place, the window of a document, or its work."""
    import pyarrow as pa

    times = documents.column("created_at").cast(pa.int64()).to_pylist()
    kinds, works = (documents.column(name).to_pylist() for name in ("kind", "work"))
    return {
        place: home
        for place, (kind, work, time) in enumerate(zip(kinds, works, times, strict=True))
        for home in _home(kind, work, time, options)
    }


def _home(kind: str, work: str | None, time: int | None, options: AlignmentOptions) -> Iterator[int | str]:
    if kind == "article":
        if not options.window_days:
            yield 0
        elif time is not None:
            yield int(time // (options.window_days * _DAY))
    elif kind in BANDS and work is not None:
        yield work_id(kind, work)


def _pieces(window: int, cuts: Mapping[int, int]) -> tuple[str, ...]:
    return tuple(_piece(window, place) for place in range(cuts.get(window, 0)))


def _piece(window: int, place: int) -> str:
    return make_id("window", window, place)
