"""A run of aligned documents in, its report.html and summary.json out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.metrics.corpus_figures import ExtractionFigures
from paraloom.reports.alignment_charts import histogram_chart
from paraloom.reports.alignment_counts import DocumentCounts, works_named
from paraloom.reports.alignment_summary import AlignmentSummary, summarise_alignment
from paraloom.reports.histograms import Histogram
from paraloom.reports.pages import render, write_page
from paraloom.reports.papers_turku import EXTRACTION
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from markupsafe import Markup


def write_alignment_report(run: Path, extraction: Sequence[ExtractionFigures]) -> tuple[Path, Path]:
    """Write report.html and summary.json into a run folder; gives their paths."""
    summary = summarise_alignment(run, extraction)
    report = write_page(run, render_alignment(summary), "summary.json", asdict(summary))
    return report, run / "summary.json"


def render_alignment(summary: AlignmentSummary) -> str:
    """The page of a summary."""
    return render(
        "alignment.html",
        {
            "summary": summary,
            "headline": headline(summary),
            "not_compared": list(_not_compared(summary.documents)),
            "in_the_paper": {one.kind: one for one in EXTRACTION},
            "likeness_chart": _chart("likeness", summary.pairs.likeness, "likeness", "pairs of documents"),
            "score_chart": _chart("scores", summary.segments.score, "score", "segments"),
        },
    )


def headline(summary: AlignmentSummary) -> str:
    """What came of it, in one line."""
    if not summary.pairs.kept:
        return f"No pair among {counted(sum(kind.count for kind in summary.documents.kinds), 'document', 'documents')}"
    pairs = counted(summary.pairs.kept, "pair of documents", "pairs of documents")
    return f"{counted(summary.segments.kept, 'segment', 'segments')} in {pairs}"


def _not_compared(documents: DocumentCounts) -> Iterator[str]:
    """Documents that no other was compared with, and why."""
    if documents.without_date:
        yield counted(documents.without_date, "article without a date", "articles without a date")
    if documents.without_work:
        yield counted(documents.without_work, "version of nothing known", "versions of nothing known")
    if documents.only_versions:
        yield f"{works_named(documents.only_versions)} of one version"
    if documents.beyond_cap:
        yield counted(
            documents.beyond_cap, "version beyond the cap of its work", "versions beyond the cap of their works"
        )


def _chart(chart_id: str, histogram: Histogram, of: str, counted: str) -> Markup | None:
    from markupsafe import Markup

    drawn = histogram_chart(chart_id, histogram, of, counted)
    return None if drawn is None else Markup(drawn)
