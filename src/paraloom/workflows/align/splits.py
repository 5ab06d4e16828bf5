"""A run of aligned documents in, the split of every pair of documents out: no document is in two splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.corpus.options import CorpusOptions
from paraloom.workflows.whole_run import (
    GivenSplit,
    cut_dates,
    given_splits,
    kept_groups,
    pairs_of_groups,
    store_splits,
)

if TYPE_CHECKING:
    from paraloom.corpus.document_splits import Dated


def assign_document_splits(run: Path, options: CorpusOptions) -> Path:
    """Put every pair of documents that has pairs of sentences into the split of both, once; give the path of the file.

    What got a split in an earlier run keeps it, and so do the other pairs of its documents.
    """
    from paraloom.corpus.document_splits import Span, draw_cuts_of_spans, split_of_pair, wholes

    kinds, _ = kept_groups(run)
    pairs, released = pairs_of_groups(run, kinds, options)
    documents_of = _documents_of_groups(run, kinds)
    of = wholes(_dated(run, documents_of), (both for _, both in sorted(documents_of.items())))
    spans = Counter[Span]()
    for group in released:
        dates = [date for document in documents_of[group] if (date := of[document].began) is not None]
        if len(dates) == 2:  # a pair's dates count once a pair of sentences, so that shares are shares of those
            spans[min(dates), max(dates)] += pairs[group]
    cuts = cut_dates(run, lambda: draw_cuts_of_spans(spans, options), options)
    before = given_splits(run)
    settled = {  # by document: pairs that came later may join what was in two splits already
        document: given.split
        for group, given in sorted(before.items())
        if not given.is_across
        for document in documents_of.get(group, ())
    }
    of_whole = {of[document].name: split for document, split in sorted(settled.items())}
    given = dict(before)
    for group in sorted(pairs):
        if group not in before:
            left, right = (
                settled.get(document) or of_whole.setdefault(whole.name, cuts.split_of(whole.name, whole.began))
                for document, whole in ((document, of[document]) for document in documents_of[group])
            )
            given[group] = GivenSplit(*split_of_pair(left, right))
    return store_splits(run, given)


def _documents_of_groups(run: Path, kept: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The two documents of every kept pair."""
    from paraloom.engine.store import read_parts

    found: dict[str, list[str]] = {}
    for part in read_parts(run, "groups", ("group_id", "document_id")):
        for group, document in zip(*(column.to_pylist() for column in part.columns), strict=True):
            if group in kept:
                found.setdefault(group, []).append(document)
    return {group: (left, right) for group, (left, right) in found.items()}


def _dated(run: Path, documents_of: Mapping[str, tuple[str, str]]) -> dict[str, Dated]:
    """What decides about the documents of these pairs."""
    from paraloom.corpus.document_splits import Dated
    from paraloom.engine.rows import to_python
    from paraloom.engine.store import read_parts

    wanted = {document for both in documents_of.values() for document in both}
    found: dict[str, Dated] = {}
    for part in read_parts(run, "documents", ("document_id", "work", "series", "created_at")):
        names = (part.column(name).to_pylist() for name in ("document_id", "work", "series"))
        for document, work, series, time in zip(*names, to_python(part.column("created_at")), strict=True):
            if document in wanted:
                found[document] = Dated(work=work, series=series, created_at=time)
    return found
