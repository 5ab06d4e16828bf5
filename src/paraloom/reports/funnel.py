"""Tables in, how many rows there were, how many stayed, and why the others did not, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.store import read_parts
from paraloom.reports.columns import (
    OTHER,
    Count,
    add_values,
    add_weights,
    counted,
    distinct,
    first_of_each,
    kept,
    short_ids,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

MOST_REASONS = 40
"""Whole reasons shown of one table; the rest is `other`."""
MOST_REASONS_MET = 10_000
"""Whole reasons told apart while counting: some reasons quote what was read."""
BY_URL = "url"
"""The kind of groups whose posts share a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Funnel:
    """From the rows that were read to the pairs that are released."""

    rows_read: int
    """Input rows: `documents_kept`, `rows_dropped` and `rows_repeated` together."""
    rows_dropped: int
    """Input rows of documents that were left out, broken rows among them."""
    rows_repeated: int
    """Input rows that were a kept document once more."""
    documents: int
    """Different documents, those left out among them."""
    documents_kept: int
    documents_grouped: int
    """Documents in at least one kept group."""
    groups: int
    groups_kept: int
    sentences: int
    sentences_kept: int
    pairs: int
    pairs_kept: int
    paraphrases: int
    """Pairs labelled as paraphrases."""
    corpus: int
    corpus_kept: int
    corpus_paraphrases: int
    """Released rows that are paraphrases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DropReason:
    """One kind of reason, and the whole reasons of that kind."""

    reason: str
    count: int
    share: float
    """Of all rows of the table (of all groups, for groups; of all rows read, for documents)."""
    details: tuple[Count, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drops:
    """Why rows of one table were left out; groups count once, and documents once for every row read that they were."""

    table: str
    rows: int
    dropped: int
    reasons: tuple[DropReason, ...]


class ReasonCounter:
    """The reasons of one table, counted part by part."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.rows = 0
        self.counts: Counter[str] = Counter()

    def add(self, dropped_for: pa.ChunkedArray, copies: pa.ChunkedArray | None = None) -> None:
        """Count the rows and reasons of one part; where a row stands for several, as so many."""
        import pyarrow.compute as pc

        met: Counter[str] = Counter()
        if copies is None:
            add_values(met, dropped_for)
            self.rows += len(dropped_for)
        else:
            add_weights(met, dropped_for, copies)
            self.rows += pc.sum(copies).as_py() or 0
        for reason, count in sorted(met.items()):
            known = reason in self.counts or len(self.counts) < MOST_REASONS_MET
            self.counts[reason if known else f"{head(reason)}: {OTHER}"] += count

    def result(self) -> Drops:
        """What was counted, the most common reasons first."""
        return Drops(
            table=self.table, rows=self.rows, dropped=self.counts.total(), reasons=drop_reasons(self.counts, self.rows)
        )


def head(reason: str) -> str:
    """The kind of a reason: what stands before its colon.

    >>> head("bad_row: no text"), head("too_short")
    ('bad_row', 'too_short')
    """
    return reason.split(":", 1)[0].strip()


def drop_reasons(counts: Mapping[str, int], rows: int) -> tuple[DropReason, ...]:
    """Reasons by kind; of the whole reasons the most common are named."""
    named = {reason for reason, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_REASONS]}
    kinds: dict[str, Counter[str]] = {}
    for reason, count in counts.items():
        whole = reason.partition(":")[2].strip() if reason in named else OTHER
        kinds.setdefault(head(reason), Counter())[whole] += count
    totals = counted({kind: details.total() for kind, details in kinds.items()}, whole=rows)
    return tuple(
        DropReason(
            reason=total.name,
            count=total.count,
            share=total.share,
            details=counted({name: count for name, count in kinds[total.name].items() if name}, whole=rows),
        )
        for total in totals
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCounts:
    """What one pass over the groups table gives."""

    drops: Drops
    grouped_documents: int
    topics: Counter[str]
    """Kept groups by topic."""
    kinds: Counter[str]
    """Kept groups by what holds them together."""
    of_links: npt.NDArray[np.uint64]
    """Short ids of the documents in kept groups by URL, sorted."""
    origins: npt.NDArray[np.uint64]
    """Those of them that are the origin of such a group."""


def count_groups(run: Path) -> GroupCounts:
    """Groups (not their members) counted by reason, topic and kind."""
    import pyarrow.compute as pc

    reasons = ReasonCounter("groups")
    topics: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    of_links, of_others, origins = [], [], []
    for part in read_parts(run, "groups", ("group_id", "document_id", "kind", "is_origin", "topic", "dropped_for")):
        groups = part.filter(first_of_each(part.column("group_id")))
        reasons.add(groups.column("dropped_for"))
        add_values(topics, kept(groups).column("topic"))
        add_values(kinds, kept(groups).column("kind"))
        members = kept(part)
        by_url = pc.equal(members.column("kind"), BY_URL)
        linked = members.filter(by_url)
        of_links.append(short_ids(linked.column("document_id")))
        of_others.append(short_ids(members.filter(pc.invert(by_url)).column("document_id")))
        origins.append(short_ids(linked.filter(linked.column("is_origin")).column("document_id")))
    documents = distinct(of_links)
    return GroupCounts(
        drops=reasons.result(),
        grouped_documents=distinct([documents, *of_others]).size,
        topics=topics,
        kinds=kinds,
        of_links=documents,
        origins=distinct(origins),
    )
