"""A run of aligned documents in, its report.html and summary.json out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.store import write_text
from paraloom.metrics.corpus_figures import ExtractionFigures
from paraloom.reports.alignment_charts import histogram_chart
from paraloom.reports.alignment_summary import AlignmentSummary, summarise_alignment
from paraloom.reports.histograms import Histogram
from paraloom.reports.pages import number, render
from paraloom.reports.papers_turku import EXTRACTION

if TYPE_CHECKING:
    from markupsafe import Markup


def write_alignment_report(run: Path, extraction: Sequence[ExtractionFigures]) -> tuple[Path, Path]:
    """Write report.html and summary.json into a run folder; gives their paths."""
    summary = summarise_alignment(run, extraction)
    report, numbers = run / "report.html", run / "summary.json"
    write_text(numbers, json.dumps(asdict(summary), indent=2, ensure_ascii=False) + "\n")
    write_text(report, render_alignment(summary))
    return report, numbers


def render_alignment(summary: AlignmentSummary) -> str:
    """The page of a summary."""
    return render(
        "alignment.html",
        {
            "summary": summary,
            "headline": headline(summary),
            "in_the_paper": {one.kind: one for one in EXTRACTION},
            "likeness_chart": _chart("likeness", summary.pairs.likeness, "likeness", "pairs of documents"),
            "score_chart": _chart("scores", summary.segments.score, "score", "segments"),
        },
    )


def headline(summary: AlignmentSummary) -> str:
    """What came of it, in one line."""
    documents = sum(kind.count for kind in summary.documents.kinds)
    if not summary.pairs.kept:
        return f"No pair among {number(documents)} documents"
    return f"{number(summary.segments.kept)} segments in {number(summary.pairs.kept)} pairs of documents"


def _chart(chart_id: str, histogram: Histogram, of: str, counted: str) -> Markup | None:
    from markupsafe import Markup

    drawn = histogram_chart(chart_id, histogram, of, counted)
    return None if drawn is None else Markup(drawn)
