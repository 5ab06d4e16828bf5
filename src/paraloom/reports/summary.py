"""A finished run in, every number of its report out, as one typed value.

Tables are read part by part, so memory holds one part, some counts, and eight bytes for every id that is counted
over all parts. Nothing in a summary says when, where or how fast it was made: the same run gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from paraloom.engine.store import read_made_by, read_parts
from paraloom.reports import papers
from paraloom.reports.columns import Count, counted, share
from paraloom.reports.examples import DroppedExample, DroppedPicker, PairExample
from paraloom.reports.filter_effect import FilterEffect, filter_effect
from paraloom.reports.funnel import Drops, Funnel, ReasonCounter, count_groups
from paraloom.reports.histograms import TwoHistograms
from paraloom.reports.pairs import Balance, Clusters, Splits, count_pairs
from paraloom.reports.provenance import StepMade, input_files, steps_of, threshold_of
from paraloom.reports.sources import DocumentCounts, Links, count_documents
from paraloom.tables import TOPICS

SUMMARISED = ("documents", "groups", "sentences", "pairs", "labels", "corpus")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What the corpus was made from."""

    files: tuple[str, ...]
    first_day: str | None
    last_day: str | None
    group_kinds: tuple[Count, ...]
    """Kept groups by what holds them together."""
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicShare:
    """How much of the corpus is about one topic."""

    topic: str
    groups: int
    share_of_groups: float
    pairs: int
    share_of_pairs: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributions:
    """How numbers about pairs are spread."""

    pinc: TwoHistograms
    jaccard: TwoHistograms
    similarity: TwoHistograms
    scores: TwoHistograms
    threshold: float | None
    """Pairs that score above it were labelled as paraphrases; None where the labels do not come from a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportExamples:
    """Rows to look at."""

    paraphrases: tuple[PairExample, ...]
    near_misses: tuple[PairExample, ...]
    dropped_sentences: tuple[DroppedExample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InPapers:
    """What the papers state of their own corpora."""

    sources: tuple[papers.PaperSource, ...] = papers.SOURCES
    before_filter: papers.PaperFilter = papers.BEFORE_FILTER
    after_filter: papers.PaperFilter = papers.AFTER_FILTER
    largest_topics: tuple[papers.PaperShare, ...] = papers.LARGEST_TOPICS
    paraphrase_shares: tuple[papers.PaperShare, ...] = papers.PARAPHRASE_SHARES


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary:
    """All numbers of a build's report."""

    corpus: Corpus
    funnel: Funnel
    drops: tuple[Drops, ...]
    links: Links
    filter_effect: FilterEffect
    distributions: Distributions
    balance: Balance
    """Labels of all pairs."""
    released: Balance
    """Labels of the released rows."""
    labelled_by: tuple[Count, ...]
    """Pairs by the signature of what labelled them."""
    topics: tuple[TopicShare, ...]
    languages: tuple[Count, ...]
    splits: Splits
    clusters: Clusters
    multi_reference_sets: int | None
    """None where the run has no such file."""
    examples: ReportExamples
    steps: tuple[StepMade, ...]
    in_papers: InPapers


def summarise(run: Path) -> BuildSummary:
    """All numbers of the report of a finished run; `NotMade` where one of its tables is missing."""
    for table in SUMMARISED:
        read_made_by(run, table)  # what is missing is said before anything is counted
    groups = count_groups(run)
    documents = count_documents(run, groups)
    sentences, dropped = ReasonCounter("sentences"), DroppedPicker()
    for part in read_parts(run, "sentences", ("text", "dropped_for")):
        sentences.add(part.column("dropped_for"))
        dropped.add(part)
    pairs = count_pairs(run)
    steps = steps_of(run)
    drops = (documents.drops, groups.drops, sentences.result(), pairs.pair_drops, pairs.corpus_drops)
    return BuildSummary(
        corpus=Corpus(
            files=input_files(steps),
            first_day=documents.first_day,
            last_day=documents.last_day,
            group_kinds=counted(groups.kinds),
            signature=next((step.signature for step in steps if step.table == "corpus"), ""),
        ),
        funnel=_funnel(documents, drops, groups.grouped_documents, pairs.balance, pairs.released),
        drops=drops,
        links=documents.links,
        filter_effect=filter_effect(run),
        distributions=Distributions(
            pinc=pairs.pinc,
            jaccard=pairs.jaccard,
            similarity=pairs.similarity,
            scores=pairs.scores,
            threshold=threshold_of(steps),
        ),
        balance=pairs.balance,
        released=pairs.released,
        labelled_by=pairs.labelled_by,
        topics=topic_shares(groups.topics, pairs.topics),
        languages=documents.languages,
        splits=pairs.splits,
        clusters=pairs.clusters,
        multi_reference_sets=_count_lines(run / "multi_reference.jsonl"),
        examples=ReportExamples(
            paraphrases=pairs.examples.paraphrases,
            near_misses=pairs.examples.near_misses,
            dropped_sentences=dropped.result(),
        ),
        steps=steps,
        in_papers=InPapers(),
    )


def _funnel(
    documents: DocumentCounts, drops: tuple[Drops, ...], grouped: int, labelled: Balance, released: Balance
) -> Funnel:
    rows = {drop.table: drop.rows for drop in drops}
    kept = {drop.table: drop.rows - drop.dropped for drop in drops}
    return Funnel(
        rows_read=rows["documents"],
        rows_dropped=documents.drops.dropped,
        rows_repeated=kept["documents"] - documents.kept,
        documents=documents.documents,
        documents_kept=documents.kept,
        documents_grouped=grouped,
        groups=rows["groups"],
        groups_kept=kept["groups"],
        sentences=rows["sentences"],
        sentences_kept=kept["sentences"],
        pairs=rows["pairs"],
        pairs_kept=kept["pairs"],
        paraphrases=labelled.paraphrases,
        corpus=rows["corpus"],
        corpus_kept=kept["corpus"],
        corpus_paraphrases=released.paraphrases,
    )


def topic_shares(groups: Counter[str], pairs: Counter[str]) -> tuple[TopicShare, ...]:
    """The eight topics, then the user's own, each with its share of the kept groups and of the released pairs."""
    own = sorted({*groups, *pairs} - set(TOPICS), key=lambda topic: (-groups[topic], topic))
    return tuple(
        TopicShare(
            topic=topic,
            groups=groups[topic],
            share_of_groups=share(groups[topic], groups.total()),
            pairs=pairs[topic],
            share_of_pairs=share(pairs[topic], pairs.total()),
        )
        for topic in (*TOPICS, *own)
    )


def _count_lines(file: Path) -> int | None:
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return sum(1 for line in opened if line.strip())
