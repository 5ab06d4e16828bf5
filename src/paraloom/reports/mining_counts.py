"""The tables of a mined run in, counts of them out, part by part: sentences, pairs, labels, clusters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from paraloom.engine.store import made_by_file, read_parts
from paraloom.reports.columns import OTHER, Count, add_values, add_weights, counted, kept, share
from paraloom.reports.histograms import Histogram, HistogramCounter

MOST_BROKEN = 100
"""Broken places of the input that are named."""
MOST_SIZES = 12
BROKEN = "broken: "
"""What the reason begins with for which a record could not be read at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenPlace:
    """Where a file could not be read, or not on from there."""

    file: str
    reason: str
    offset: int
    """Byte, or row of a Parquet file, of the last that was met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceCounts:
    """What was read, and what became of it."""

    read: int
    """Texts that were met, each as often as it was."""
    kept: int
    """Different texts that were mined."""
    copies: int
    """Texts that were met before, in other case or white space at most."""
    dropped: tuple[Count, ...]
    """Texts left out, each as often as it was met, by reason."""
    broken: tuple[BrokenPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Pairs whose texts were compared."""

    kept: int
    mutual: int
    """Kept pairs of which each sentence is among the nearest of the other."""
    dropped: tuple[Count, ...]
    similarity: Histogram
    lexical: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """What the identifier said."""

    judged: int
    paraphrases: int
    score: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterCounts:
    """Sentences joined by pairs that are held true."""

    clusters: int
    sentences: int
    largest: int
    sizes: tuple[Count, ...]
    """How many clusters have so many sentences."""


def count_sentences(run: Path) -> SentenceCounts:
    """Count the table of sentences."""
    import pyarrow.compute as pc

    read, kept_rows, kept_texts = 0, 0, 0
    dropped = Counter[str]()
    broken: list[BrokenPlace] = []
    for part in read_parts(run, "sentences", ("document_id", "start", "copies", "dropped_for")):
        read += pc.sum(part.column("copies")).as_py() or 0
        rows = kept(part)
        kept_rows += len(rows)
        kept_texts += pc.sum(rows.column("copies")).as_py() or 0
        add_weights(dropped, part.column("dropped_for"), part.column("copies"))
        if len(broken) < MOST_BROKEN:
            is_broken = pc.fill_null(pc.starts_with(part.column("dropped_for"), BROKEN), False)
            broken += [
                BrokenPlace(
                    file=row["document_id"], reason=row["dropped_for"].removeprefix(BROKEN), offset=row["start"]
                )
                for row in part.filter(is_broken).to_pylist()
            ]
    ordered = sorted(broken, key=lambda place: (place.file, place.offset, place.reason))
    return SentenceCounts(
        read=read,
        kept=kept_rows,
        copies=kept_texts - kept_rows,
        dropped=counted(dropped),
        broken=tuple(ordered[:MOST_BROKEN]),
    )


def count_pairs(run: Path) -> PairCounts:
    """Count the table of pairs."""
    import pyarrow.compute as pc

    kept_rows = mutual = 0
    dropped = Counter[str]()
    similarity, lexical = HistogramCounter(), HistogramCounter()
    for part in read_parts(run, "pairs", ("similarity", "lexical", "is_mutual", "dropped_for")):
        rows = kept(part)
        kept_rows += len(rows)
        mutual += pc.sum(rows.column("is_mutual")).as_py() or 0
        add_values(dropped, part.column("dropped_for"))
        similarity.add(rows.column("similarity").to_numpy())
        lexical.add(rows.column("lexical").to_numpy())
    return PairCounts(
        kept=kept_rows,
        mutual=mutual,
        dropped=counted(dropped),
        similarity=similarity.result(),
        lexical=lexical.result(),
    )


def count_labels(run: Path) -> LabelCounts | None:
    """Count the table of labels; None where no identifier was asked."""
    import pyarrow.compute as pc

    if not made_by_file(run, "labels").is_file():
        return None
    judged = paraphrases = 0
    score = HistogramCounter()
    for part in read_parts(run, "labels", ("is_paraphrase", "score")):
        judged += len(part)
        paraphrases += pc.sum(part.column("is_paraphrase")).as_py() or 0
        score.add(part.column("score").to_numpy())
    return LabelCounts(judged=judged, paraphrases=paraphrases, score=score.result())


def count_clusters(run: Path) -> ClusterCounts:
    """Count the table of clusters: one of so many sentences has as many rows."""
    import pyarrow.compute as pc

    rows_of = Counter[int]()
    for part in read_parts(run, "clusters", ("size",)):
        for met in pc.value_counts(part.column("size")).to_pylist():
            rows_of[met["values"]] += met["counts"]
    clusters_of = {size: rows // size for size, rows in sorted(rows_of.items())}
    shown = sorted(clusters_of.items(), key=lambda each: (-each[1], each[0]))[:MOST_SIZES]
    others = sum(clusters_of.values()) - sum(count for _, count in shown)
    named = {str(size): count for size, count in shown} | ({OTHER: others} if others else {})
    whole = sum(clusters_of.values())
    return ClusterCounts(
        clusters=whole,
        sentences=sum(rows_of.values()),
        largest=max(rows_of, default=0),
        sizes=tuple(Count(name=name, count=count, share=share(count, whole)) for name, count in named.items()),
    )
