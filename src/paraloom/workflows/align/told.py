"""A run of aligned documents in, what the person at the terminal is told of it out: what there is, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.reports.alignment_counts import CorpusCounts, DocumentCounts, PairCounts
    from paraloom.reports.columns import Count

MOST_REASONS = 4
TOO_MANY = 0.5
"""Share of documents that cannot be read from which on something is wrong with how the files are read."""
CUT_THROUGH = 0.1
"""Share of pairs that are lost between splits from which on the user may want other ones."""
FEW = 20
"""Of fewer documents of a kind, hardly anything can be learnt about which n-grams are common."""

NEXT = {
    "groups": ("match", "say which are worth reading"),
    "segments": ("extract", "mark what both documents say"),
    "pairs": ("grade", "say how far they mean the same"),
}
"""By the last table that was made, which task people can be given, and what they do in it."""


def told_of(run: Path, until: str, notes: Sequence[str] = ()) -> tuple[str, ...]:
    """Lines about the tables up to this one, then advice, then what comes next.

    `notes` are what was seen before the files were read.
    """
    from paraloom.reports.alignment_counts import count_corpus, count_documents, count_pairs, count_segments
    from paraloom.workflows.align.align import TABLES

    made = TABLES[: TABLES.index(until) + 1]
    if "groups" not in made:
        return ()
    documents, pairs = count_documents(run), count_pairs(run)
    read = _sum(documents.kinds)
    kinds = ", ".join(counted(kind.count, kind.name, f"{kind.name}s") for kind in documents.kinds)
    lines = [_line(counted(read, "document", "documents") + (f" ({kinds})" if kinds else ""), documents.dropped)]
    lines.append(_line(counted(pairs.kept, "pair of documents", "pairs of documents"), pairs.dropped))
    if "segments" in made:
        segments = count_segments(run)
        lines.append(
            _line(counted(segments.kept, "segment that both may say", "segments that both may say"), segments.dropped)
        )
    corpus = count_corpus(run) if "corpus" in made else None
    if corpus is not None:
        splits = ", ".join(f"{split.count:,} {split.name}" for split in corpus.splits)
        released = counted(_sum(corpus.splits), "pair in the corpus", "pairs in the corpus")
        lines.append(_line(released + (f" ({splits})" if splits else ""), corpus.dropped))
    lines += (*notes, *advice(documents, pairs, corpus))
    if until in NEXT and pairs.kept:
        lines.append(
            "The same command without --until goes on from here, up to a corpus that an identifier has judged."
        )
        task, what = NEXT[until]
        lines.append(
            f"To have people {what}: `paraloom annotate create NAME --task {task}`, then "
            f"`paraloom annotate import {run} --campaign NAME`."
        )
    return tuple(lines)


def advice(documents: DocumentCounts, pairs: PairCounts, corpus: CorpusCounts | None = None) -> Iterator[str]:
    """What to do about documents that were not read or not compared, and about a run that kept nothing."""
    from paraloom.corpus.assemble import ACROSS_SPLITS
    from paraloom.groups.aligned_groups import OTHER_PART
    from paraloom.groups.by_alignment import TOO_ALIKE, TOO_DIFFERENT
    from paraloom.reports.alignment_counts import works_named

    read, unread = _sum(documents.kinds), _sum(documents.dropped)
    if unread and unread >= TOO_MANY * (read + unread):
        yield (
            f"{unread:,} of {counted(read + unread, 'document', 'documents')} could not be read, most of them for: "
            f"{_reason(documents.dropped[0])}. --map, --kind and --encoding help with unusual files."
        )
    if documents.without_date:
        yield (
            f"{counted(documents.without_date, 'article has', 'articles have')} no date: nothing is compared with what "
            "may be of any day. Name the column with --map created_at=COLUMN, or compare all with all: --window-days 0."
        )
    if documents.without_work:
        yield (
            f"{counted(documents.without_work, 'document is a version', 'documents are versions')} of nothing known. "
            "Put the versions of a work into a folder of their own, or name works with --works TABLE."
        )
    if documents.only_versions:
        has = "has" if _sum(documents.only_versions) == 1 else "have"
        yield f"{works_named(documents.only_versions)} {has} one version only, and nothing to compare with."
    if documents.beyond_cap:
        yield (
            f"{counted(documents.beyond_cap, 'version was', 'versions were')} not looked at: their works have more "
            "than --versions-per-work."
        )
    compared = read - documents.without_date - documents.without_work - _sum(documents.only_versions)
    few = [kind for kind in documents.kinds if 1 < kind.count < FEW]
    if few and compared > 1:
        kinds = ", ".join(f"{kind.count} of kind {kind.name}" for kind in few)
        yield (
            f"There are few documents ({kinds}) to learn from what is common: likeness may be 0.05 off. --grid shows "
            "where pairs lie."
        )
    reasons = {drop.name for drop in pairs.dropped}
    if compared > 1 and not pairs.kept:
        if reasons <= {TOO_ALIKE, TOO_DIFFERENT}:
            yield "No two documents lie in the band of likeness. --grid shows where pairs lie."
        if OTHER_PART in reasons:
            yield "The films have no part that is for this round. --part-minutes makes shorter ones."
    if corpus is not None:
        across = next((drop.count for drop in corpus.dropped if drop.name == ACROSS_SPLITS), 0)
        every = _sum(corpus.splits) + across
        if across > CUT_THROUGH * every:
            yield (
                f"{across:,} of {every:,} pairs are of documents in different splits, and thus in none. "
                "Documents of a longer time lose fewer; --train-share 1 --dev-share 0 loses none."
            )


def _line(kept: str, dropped: Sequence[Count]) -> str:
    """
    >>> from paraloom.reports.columns import counted as counts
    >>> _line("3 documents", counts({"no text": 1200}))
    '3 documents; left out: 1,200 no text'
    """
    reasons = [f"{drop.count:,} {_reason(drop)}" for drop in dropped[:MOST_REASONS]]
    if rest := _sum(dropped[MOST_REASONS:]):
        reasons.append(f"{rest:,} for other reasons")
    return kept + (f"; left out: {', '.join(reasons)}" if reasons else "")


def _reason(drop: Count) -> str:
    from paraloom.reports.pages import reason

    return reason(drop.name.removeprefix("bad_row: "))


def _sum(counts: Sequence[Count]) -> int:
    return sum(count.count for count in counts)
