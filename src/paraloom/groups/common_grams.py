"""Documents in, what is common among documents of each kind out: learnt from a sample of them."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nsmallest
from typing import TYPE_CHECKING

from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf

if TYPE_CHECKING:
    import pyarrow as pa

LEARNT_FROM = 20_000
LEARNT_LETTERS = 100_000_000
"""Documents of a kind that are looked at, and letters of them, at most. Ids are hashes: those with the smallest ids are
a sample by lot."""


def common_grams(placed: Iterable[pa.Table], options: AlignmentOptions) -> dict[str, CharacterTfidf]:
    """A model of likeness for every kind that is there; `placed` has the columns of `Placed`."""
    kept: dict[str, dict[str, str]] = {}
    beyond: dict[str, str] = {}
    for part in placed:
        for kind, document_id, text in zip(
            *(part.column(name).to_pylist() for name in ("kind", "document_id", "text")), strict=True
        ):
            if kind not in beyond or document_id < beyond[kind]:
                kept.setdefault(kind, {})[document_id] = text
        for kind, found in kept.items():
            kept[kind], first_out = _smallest(found)
            if first_out is not None:
                beyond[kind] = first_out
    return {
        kind: CharacterTfidf.of(
            (found[document_id] for document_id in sorted(found)),
            shortest=options.shortest_gram,
            longest=options.longest_gram,
        )
        for kind, found in sorted(kept.items())
    }


def _smallest(found: dict[str, str]) -> tuple[dict[str, str], str | None]:
    """Those with the smallest ids, at least one, however long; and the first that is too long to be among them.

    What is behind that one is left out for good, however short: so it does not matter when a document is met.
    """
    kept: dict[str, str] = {}
    letters = 0
    for document_id in nsmallest(LEARNT_FROM, found):
        letters += len(found[document_id])
        if kept and letters > LEARNT_LETTERS:
            return kept, document_id
        kept[document_id] = found[document_id]
    return kept, None
