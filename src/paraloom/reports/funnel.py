"""Tables in, how many rows there were, how many stayed, and why the others did not, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.store import read_parts
from paraloom.reports.columns import OTHER, Count, add_values, count_distinct, counted, first_of_each, kept, short_ids

if TYPE_CHECKING:
    import pyarrow as pa

MOST_REASONS = 40
"""Whole reasons shown of one table; the rest is `other`."""
MOST_REASONS_MET = 10_000
"""Whole reasons told apart while counting: some reasons quote what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Funnel:
    """From the rows that were read to the pairs that are released."""

    rows_read: int
    """Input rows, copies and broken ones among them."""
    documents: int
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
    """Of all rows of the table (of all groups, for groups)."""
    details: tuple[Count, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drops:
    """Why rows of one table were left out."""

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

    def add(self, dropped_for: pa.ChunkedArray) -> None:
        """Count the rows and reasons of one part."""
        met: Counter[str] = Counter()
        add_values(met, dropped_for)
        self.rows += len(dropped_for)
        for reason, count in sorted(met.items()):
            known = reason in self.counts or len(self.counts) < MOST_REASONS_MET
            self.counts[reason if known else f"{head(reason)}: {OTHER}"] += count

    @property
    def kept(self) -> int:
        """Rows that were not left out."""
        return self.rows - self.counts.total()

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


def count_groups(run: Path) -> GroupCounts:
    """Groups (not their members) counted by reason, topic and kind."""
    reasons = ReasonCounter("groups")
    topics: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    documents = []
    for part in read_parts(run, "groups", ("group_id", "document_id", "kind", "topic", "dropped_for")):
        groups = part.filter(first_of_each(part.column("group_id")))
        reasons.add(groups.column("dropped_for"))
        add_values(topics, kept(groups).column("topic"))
        add_values(kinds, kept(groups).column("kind"))
        documents.append(short_ids(kept(part).column("document_id")))
    return GroupCounts(drops=reasons.result(), grouped_documents=count_distinct(documents), topics=topics, kinds=kinds)
