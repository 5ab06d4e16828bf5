"""Scores of parrots in, their curves as inline SVG out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

if TYPE_CHECKING:
    import altair as alt

    from paraloom.reports.papers import PublishedParrot
    from paraloom.reports.parrot_summary import CountBin, CurvePoint, Separation

LINES = ("first", "second", "ink", "pale")
"""Colours of the metrics in a chart, in their order; more lines could not be told apart."""

CURVE_HEIGHT = 250
PANEL_WIDTH, PANEL_HEIGHT = 320, 230
"""Of one of three panels side by side: drawn as wide as it is shown, so that the words stay legible."""


def curve(
    chart_id: str,
    points: Sequence[CurvePoint],
    metrics: Sequence[str],
    published: PublishedParrot | None,
    description: str,
) -> str | None:
    """Metrics over the share of words changed; dashed lines are the best published generators of 2019."""
    import altair as alt

    shown = list(metrics)[: len(LINES)]
    rows = [
        {"metric": point.metric, "ratio": point.ratio, "value": point.value}
        for point in points
        if point.metric in shown
    ]
    if not rows:
        return None
    best = [
        {"metric": score.metric, "value": score.best, "text": f"best {score.metric}"}
        for score in (published.scores if published else ())
        if score.best is not None and score.metric in shown
    ]
    x = alt.X(
        "ratio:Q",
        title="share of words changed",
        scale=alt.Scale(domain=[0, max(point.ratio for point in points)], nice=False),
        axis=alt.Axis(format="%", tickCount=5, grid=False),
    )
    y = alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=5), scale=alt.Scale(zero=True))
    stroke = alt.Legend(symbolType="stroke", symbolStrokeWidth=3)  # a line's legend shows no square
    colour = alt.Color("metric:N", title=None, scale=colour_scale(shown, LINES[: len(shown)]), legend=stroke)
    lines = alt.Chart(inline_data(rows)).mark_line(strokeWidth=2).encode(x=x, y=y, color=colour)
    chart: alt.Chart | alt.LayerChart = lines
    if best:
        chart = (
            alt.Chart(inline_data(best)).mark_rule(strokeDash=[4, 4], strokeWidth=1.25).encode(y=y, color=colour)
            + lines
        )
    return drawn(chart_id, chart, description, height=PANEL_HEIGHT, width=PANEL_WIDTH)


def scores_by_count(chart_id: str, bins: Sequence[CountBin], metrics: Sequence[str], description: str) -> str | None:
    """Metrics of the full parrot over the number of references (figures 1 and 2 of Mao and Lee, 2019)."""
    import altair as alt

    shown = [name for name in metrics if bins and name in bins[0].values][: len(LINES)]
    rows = [
        {"metric": name, "references": bin.name, "value": bin.values[name], "sources": bin.sources}
        for bin in bins
        for name in shown
    ]
    if not rows or len(bins) < 2:
        return None
    x = _count_axis(bins)
    y = alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=5), scale=alt.Scale(zero=True))
    colour = alt.Color("metric:N", title=None, scale=colour_scale(shown, LINES[: len(shown)]))
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y, color=colour)
    points = base.mark_point(filled=True, opacity=1).encode(
        # Few sources make an uncertain point, and a small one.
        size=alt.Size("sources:Q", scale=alt.Scale(type="log", range=[8, 90]), legend=None)
    )
    return drawn(chart_id, base.mark_line(strokeWidth=1.5) + points, description, height=CURVE_HEIGHT)


def reference_counts(chart_id: str, bins: Sequence[CountBin], description: str) -> str | None:
    """Shares of the sources by their number of references (appendix A of Mao and Lee, 2019)."""
    import altair as alt

    whole = sum(bin.sources for bin in bins)
    if len(bins) < 2:
        return None
    rows = [
        {"references": bin.name, "share": bin.sources / whole, "text": f"{bin.sources / whole:.0%}"} for bin in bins
    ]
    base = alt.Chart(inline_data(rows)).encode(
        x=_count_axis(bins),
        y=alt.Y("share:Q", title="share of sources", axis=alt.Axis(format="%", tickCount=5)),
    )
    bars = base.mark_bar(color=LIGHT["first"], cornerRadiusEnd=1)
    texts = base.mark_text(dy=-6, fontSize=10, color=LIGHT["muted"]).encode(text="text:N")
    return drawn(chart_id, bars + texts if len(bins) <= 12 else bars, description, height=CURVE_HEIGHT)


def references_and_strangers(chart_id: str, found: Separation, description: str) -> str:
    """Sentence BLEU with the input, of its references and of random other sentences, each as shares."""
    import altair as alt

    names = ("references", "other sentences")
    rows: list[dict[str, Any]] = []
    for name, counts in zip(names, (found.reference_counts, found.stranger_counts), strict=True):
        whole = sum(counts) or 1
        shares = [count / whole for count in counts]
        rows += [
            {"sentences": name, "bleu": place / len(counts), "share": share}
            for place, share in enumerate([*shares, shares[-1]])
        ]
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X(
            "bleu:Q",
            title="sentence BLEU with the input",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(tickCount=6, grid=False, format=".1f"),
        ),
        y=alt.Y("share:Q", title="share of sentences", axis=alt.Axis(format="%", tickCount=5), stack=None),
        color=alt.Color("sentences:N", title=None, scale=colour_scale(names, ("first", "second"))),
    )
    area = base.mark_area(interpolate="step-after", opacity=0.16)
    line = base.mark_line(interpolate="step-after", strokeWidth=2)
    return drawn(chart_id, area + line, description)


def curve_described(title: str, points: Sequence[CurvePoint], published: Mapping[str, float]) -> str:
    """The ends of each line of a chart, for those who cannot see it."""
    told = []
    for metric in dict.fromkeys(point.metric for point in points):
        line = [point for point in points if point.metric == metric]
        first, last = min(line, key=lambda point: point.ratio), max(line, key=lambda point: point.ratio)
        best = f", best published {published[metric]:g}" if metric in published else ""
        told.append(f"{metric} from {first.value:.1f} to {last.value:.1f} at {last.ratio:.0%}{best}")
    return f"{title}: {'; '.join(told)}."


def _count_axis(bins: Sequence[CountBin]) -> alt.X:
    import altair as alt

    names = [bin.name for bin in bins]
    return alt.X(
        "references:N",
        title="references of a source",
        sort=names,
        axis=alt.Axis(labelAngle=-40 if len(names) > 9 else 0),
    )
