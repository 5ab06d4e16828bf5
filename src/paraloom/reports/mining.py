"""A mined run in, its report.html and summary.json out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.reports.alignment_charts import histogram_chart
from paraloom.reports.columns import Count, share
from paraloom.reports.histograms import Histogram
from paraloom.reports.mining_counted import counted_tables
from paraloom.reports.mining_counts import ClusterCounts, LabelCounts, PairCounts, SentenceCounts
from paraloom.reports.mining_examples import KINDS, MinedExample, shown
from paraloom.reports.pages import render, write_page
from paraloom.reports.provenance import StepMade, input_files, steps_of
from paraloom.text.counted import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownTexts:
    """Sentences that the embedder knows nothing of: they have no neighbours."""

    count: int = 0
    examples: tuple[str, ...] = ()
    """A few of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTold:
    """A mined run among what was given, and what of it is used again."""

    run: str
    vectors: int
    """Sentences whose vectors are taken from there."""
    no_vectors: str = ""
    """Why none are; empty where they could be."""
    no_lists: str = ""
    """Why the lists of its index are not used; empty where they are."""
    no_neighbours: str = ""
    """Why the search did not start from its neighbours; empty where it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTold:
    """How neighbours were looked for."""

    embedder: str
    dims: int
    neighbours: int
    kind: str
    """`exact` or `ivf`."""
    reason: str
    lists: int = 0
    probes: int = 0
    """Lists that a sentence was compared with the sentences of."""
    asked_probes: int = 0
    """As many were asked for, whatever the recall; 0: as many as the recall needs."""
    codes: str = "int8"
    recall: Mapping[str, float] | None = None
    """The estimated share of true neighbours that were found by one side or the other, of those that are alike enough
    to become pairs, with its 95 % interval; null where the search is exact."""
    wanted_recall: float = 1.0
    """The recall that was asked for."""
    min_similarity: float = 0.0
    """From where on neighbours count for the recall: where they become pairs, or below where few are so alike."""
    earlier: tuple[EarlierTold, ...] = ()
    """The mined runs among what was given."""
    unknown: UnknownTexts = UnknownTexts()


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningSummary:
    """Everything the report shows."""

    files: tuple[str, ...]
    sentences: SentenceCounts
    search: SearchTold
    candidates: Mapping[str, int]
    """What became of the pairs of neighbours that were found."""
    pairs: PairCounts
    labels: LabelCounts | None
    """Null where no identifier was asked."""
    taken: Mapping[str, int]
    """Scores that earlier runs had, by the name of the run they were taken from."""
    clusters: ClusterCounts
    seconds: Mapping[str, float]
    """How long each step took."""
    examples: tuple[MinedExample, ...]
    steps: tuple[StepMade, ...]


def summarise_mining(
    run: Path,
    names: tuple[str, ...],
    search: SearchTold,
    candidates: Mapping[str, int],
    seconds: Mapping[str, float],
    *,
    taken: Mapping[str, int],
) -> MiningSummary:
    """What lies in the tables of a run, counted part by part; `names` are its tables and folders in their order.

    Labels that are not among them are not looked at.
    """
    steps = steps_of(run, names)
    tables = counted_tables(run, steps)
    return MiningSummary(
        files=input_files(steps, "sentences"),
        sentences=tables.sentences,
        search=search,
        candidates=dict(candidates),
        pairs=tables.pairs,
        labels=tables.labels,
        taken=dict(taken),
        clusters=tables.clusters,
        seconds=dict(seconds),
        examples=tables.examples,
        steps=steps,
    )


def write_mining_report(run: Path, summary: MiningSummary) -> tuple[Path, Path]:
    """Write report.html and summary.json into a run folder; gives their paths."""
    report = write_page(run, render_mining(summary), "summary.json", asdict(summary))
    return report, run / "summary.json"


def render_mining(summary: MiningSummary) -> str:
    """The page of a summary."""
    labels = summary.labels
    return render(
        "mining.html",
        {
            "summary": summary,
            "headline": headline(summary),
            "candidates": _shares(summary.candidates),
            "seconds": _seconds(summary.seconds),
            "examples": {
                kind: [shown(one) for one in summary.examples if one.kind == kind]
                for kind in KINDS
                if any(one.kind == kind for one in summary.examples)
            },
            "about_examples": KINDS,
            "similarity_chart": _chart("similarity", summary.pairs.similarity, "similarity", "pairs"),
            "lexical_chart": _chart("lexical", summary.pairs.lexical, "lexical similarity", "pairs"),
            "score_chart": _chart("scores", labels.score, "score", "pairs") if labels else None,
        },
    )


def headline(summary: MiningSummary) -> str:
    """What came of it, in one line."""
    among = counted(summary.sentences.kept, "sentence", "sentences")
    if summary.labels is not None:
        return f"{counted(summary.labels.paraphrases, 'paraphrase', 'paraphrases')} among {among}"
    return f"{counted(summary.pairs.kept, 'pair', 'pairs')} among {among}"


def _shares(candidates: Mapping[str, int]) -> list[Count]:
    whole = max(candidates.values(), default=0)
    return [Count(name=name, count=count, share=share(count, whole)) for name, count in candidates.items()]


def _seconds(seconds: Mapping[str, float]) -> list[tuple[str, float, float]]:
    whole = sum(seconds.values())
    return [(name, took, share(took, whole)) for name, took in seconds.items()]


def _chart(chart_id: str, histogram: Histogram, of: str, what: str) -> Any:
    from markupsafe import Markup

    drawn = histogram_chart(chart_id, histogram, of, what)
    return None if drawn is None else Markup(drawn)
