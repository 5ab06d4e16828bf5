"""What was measured of parrots in, their report out: a page, and the same numbers as JSON."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.reports import parrot_charts as charts
from paraloom.reports.pages import percent, render, write_page
from paraloom.reports.parrot_summary import ParrotSummary

FIGURES = {
    ("cut", "head"): "Figures 3 and 4",
    ("cut", "tail"): "Appendix B",
    ("cut", "random"): "Figures 10 and 11",
    ("replace", "head"): "Figures 12 and 13",
    ("replace", "tail"): "Figures 14 and 15",
    ("replace", "random"): "Figures 16 and 17",
}
"""Where Mao and Lee (2019) draw these curves; of cutting the tail, figure 9 is Twitter's."""

_DONE = {"cut": "Cut", "replace": "Replaced"}
_PLACE = {"head": "from the head", "tail": "from the tail", "random": "at random"}


def write_parrot_report(summary: ParrotSummary, folder: Path) -> Path:
    """Write report.html and parrot.json into a folder; gives the page's path."""
    return write_page(folder, render_parrots(summary), "parrot.json", summary.as_json())


def render_parrots(summary: ParrotSummary) -> str:
    """The page of an evaluation of parrots."""
    return render(
        "parrots.html",
        {
            "summary": summary,
            "headline": headline(summary),
            "published": {score.metric: score for score in summary.published.scores} if summary.published else {},
            "published_samples": {one.metric: one for one in summary.published.samples} if summary.published else {},
            "reasons": summary.reasons_to_differ(),
            "measured_told": _measured_told(summary),
            "grids": _grids(summary),
            "charts": _charts(summary),
            "figures": FIGURES,
            "done": _DONE,
            "place": _PLACE,
            "version": paraloom_version(),
        },
    )


def headline(summary: ParrotSummary) -> str:
    """What copying scores, in one line."""
    told = ", ".join(
        f"{metric.value:.1f} {metric.name.upper() if metric.name in ('bleu', 'ter', 'meteor') else metric.name}"
        for metric in summary.metrics
        if metric.name != "self-bleu"
    )
    return f"A parrot scores {told}"


def _measured_told(summary: ParrotSummary) -> str:
    """On how many sources the curves were measured: once where it is the same for all."""
    sizes = summary.curve_sources
    whole = summary.measured_on.sources
    by_size: dict[int, list[str]] = {}
    for name, size in sizes.items():
        by_size.setdefault(size, []).append(name)
    told = [
        f"{', '.join(names)} on " + (f"all {size:,} sources" if size == whole else f"{size:,} sources drawn at random")
        for size, names in by_size.items()
    ]
    return f"Measured: {'; '.join(told)}." if told else ""


def _grids(summary: ParrotSummary) -> list[dict[str, Any]]:
    """Six panels for the metrics that run to 100, and six for those that run to 1, where there are any."""
    from markupsafe import Markup

    largest: dict[str, float] = {}
    for point in summary.curves:
        largest[point.metric] = max(largest.get(point.metric, 0.0), abs(point.value))
    order = [metric.name for metric in summary.metrics if metric.name in largest]
    best = {score.metric: score.best for score in (summary.published.scores if summary.published else ()) if score.best}
    grids = []
    for number, is_wide in enumerate((True, False)):
        names = [name for name in order if (largest[name] > 1.5) == is_wide]
        for start in range(0, len(names), len(charts.LINES)):
            shown = names[start : start + len(charts.LINES)]
            panels = {}
            for kind, position in product(_DONE, _PLACE):
                points = [
                    point
                    for point in summary.curves
                    if (point.kind, point.position) == (kind, position) and point.metric in shown
                ]
                described = charts.curve_described(f"{_DONE[kind]} {_PLACE[position]}", points, best)
                svg = charts.curve(f"{kind}-{position}-{number}-{start}", points, shown, summary.published, described)
                panels[kind, position] = None if svg is None else Markup(svg)
            grids.append({"metrics": shown, "panels": panels})
    return grids


def _charts(summary: ParrotSummary) -> dict[str, Any]:
    from markupsafe import Markup

    names = [metric.name for metric in summary.metrics if metric.name != "self-bleu"]
    bins = summary.by_reference_count
    shares = "; ".join(f"{bin.name}: {percent(bin.sources / summary.measured_on.sources)}" for bin in bins)
    by_count = "; ".join(
        f"{bin.name} references: " + ", ".join(f"{name} {bin.values[name]:.1f}" for name in names if name in bin.values)
        for bin in bins
    )
    found = summary.separation
    drawn = {
        "by_count": charts.scores_by_count(
            "by-count", bins, names, f"Scores of the full parrot by number of references. {by_count}."
        ),
        "counts": charts.reference_counts("counts", bins, f"Share of sources by number of references. {shares}."),
        "separation": None
        if found is None
        else charts.references_and_strangers(
            "separation-chart",
            found,
            f"Sentence BLEU with the input: references have a mean of {found.reference_mean:.2f}, random other "
            f"sentences of {found.stranger_mean:.2f}.",
        ),
    }
    # Altair's drawing went through an XML writer, which escapes every text in it.
    return {name: None if svg is None else Markup(svg) for name, svg in drawn.items()}
