"""A run of aligned documents in, how many documents, pairs of them and segments it has out, table by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.store import read_made_by, read_parts
from paraloom.reports.columns import Count, add_values, counted
from paraloom.reports.histograms import Histogram, HistogramCounter
from paraloom.tables import SPLITS
from paraloom.text.counted import counted as in_words

if TYPE_CHECKING:
    import numpy as np

WORKS = {
    "subtitle": ("film", "films"),
    "translation": ("text", "texts"),
    "essay": ("exercise", "exercises"),
    "thread": ("thread", "threads"),
}
"""By the kind of documents, what those are called that they are versions of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCounts:
    """What was read, and what of it is compared with nothing."""

    kinds: tuple[Count, ...]
    """Kept documents by kind."""
    dropped: tuple[Count, ...]
    """Files and records that are no document, by their reason; those with the same bytes count each."""
    without_date: int
    """Articles that are in no window, since nobody knows when they were published."""
    without_work: int
    """Versions of nothing known."""
    only_versions: tuple[Count, ...]
    """Documents that are the only version of their work, by kind."""
    beyond_cap: int
    """Versions of works that have more than are looked at."""
    cues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Pairs of documents, or of parts of them."""

    kept: int
    works: int
    """Different films, texts or threads among them; articles do not count."""
    dropped: tuple[Count, ...]
    likeness: Histogram
    """Of the kept ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentCounts:
    """What was suggested."""

    kept: int
    shapes: tuple[Count, ...]
    suggested_by: tuple[Count, ...]
    dropped: tuple[Count, ...]
    score: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCounts:
    """Pairs of what both documents say, as they are released."""

    splits: tuple[Count, ...]
    """Released pairs by what they are for: train, dev, test."""
    dropped: tuple[Count, ...]


def works_named(counts: Iterable[Count]) -> str:
    """What documents of these kinds are versions of, counted.

    >>> works_named(counted({"thread": 2, "subtitle": 1}))
    '2 threads, 1 film'
    """
    return ", ".join(in_words(one.count, *WORKS[one.name]) for one in counts)


def count_documents(run: Path) -> DocumentCounts:
    """The documents of a run."""
    compared = read_made_by(run, "groups")["options"]
    kinds, dropped = Counter[str](), Counter[str]()
    versions = Counter[tuple[str, str]]()
    without_date = without_work = 0
    for part in read_parts(run, "documents", ("kind", "work", "created_at", "copies", "dropped_for")):
        for row in part.to_pylist():
            if row["dropped_for"] is not None:
                dropped[row["dropped_for"]] += row["copies"]  # two empty files are one row
                continue
            kinds[row["kind"]] += 1
            if row["kind"] == "article":
                without_date += row["created_at"] is None and compared["window_days"] > 0
            elif row["work"] is None:
                without_work += 1
            else:
                versions[row["kind"], row["work"]] += 1
    return DocumentCounts(
        kinds=counted(kinds),
        dropped=counted(dropped, most=20),
        without_date=without_date,
        without_work=without_work,
        only_versions=counted(Counter(kind for (kind, _), count in versions.items() if count == 1)),
        beyond_cap=sum(max(0, count - compared["versions_per_work"]) for count in versions.values()),
        cues=sum(len(part) for part in read_parts(run, "cues", ("document_id",))),
    )


def count_pairs(run: Path) -> PairCounts:
    """The pairs of documents of a run."""
    dropped = Counter[str]()
    likeness = HistogramCounter()
    kept = 0
    documents: set[str] = set()
    for part in read_parts(run, "groups", ("document_id", "is_origin", "similarity", "dropped_for")):
        rows = [row for row in part.to_pylist() if row["is_origin"]]  # a pair has two rows
        dropped.update(row["dropped_for"] for row in rows if row["dropped_for"] is not None)
        good = [row for row in rows if row["dropped_for"] is None]
        kept += len(good)
        documents |= {row["document_id"] for row in good}
        likeness.add(_numbers(row["similarity"] for row in good))
    works = {
        (row["kind"], row["work"])
        for part in read_parts(run, "documents", ("document_id", "kind", "work"))
        for row in part.to_pylist()
        if row["document_id"] in documents and row["kind"] != "article"
    }
    return PairCounts(kept=kept, works=len(works), dropped=counted(dropped), likeness=likeness.result())


def count_segments(run: Path) -> SegmentCounts:
    """What was suggested in the documents of a run."""
    shapes, by, dropped = Counter[str](), Counter[str](), Counter[str]()
    score = HistogramCounter()
    kept = 0
    for part in read_parts(run, "segments", ("shape", "suggested_by", "score", "dropped_for")):
        add_values(dropped, part.column("dropped_for"))
        good = part.filter(part.column("dropped_for").is_null())
        kept += len(good)
        add_values(shapes, good.column("shape"))
        add_values(by, good.column("suggested_by"))
        score.add(_numbers(good.column("score").to_pylist()))
    return SegmentCounts(
        kept=kept,
        shapes=counted(shapes),
        suggested_by=counted(by),
        dropped=counted(dropped),
        score=score.result(),
    )


def count_corpus(run: Path) -> CorpusCounts:
    """What of a run is released, and for what."""
    splits, dropped = Counter[str](), Counter[str]()
    for part in read_parts(run, "corpus", ("split", "dropped_for")):
        add_values(dropped, part.column("dropped_for"))
        add_values(splits, part.filter(part.column("dropped_for").is_null()).column("split"))
    released = sorted(counted(splits), key=lambda split: SPLITS.index(split.name))
    return CorpusCounts(splits=tuple(released), dropped=counted(dropped))


def _numbers(values: Iterable[float | None]) -> np.ndarray:
    import numpy as np

    return np.array([value for value in values if value is not None], float)
