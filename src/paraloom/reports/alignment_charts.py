"""Histograms of a run of aligned documents in, their charts as inline SVG out."""

from __future__ import annotations

from paraloom.reports.drawing import LIGHT, drawn, inline_data
from paraloom.reports.histograms import BINS, Histogram

FEW = 5
"""Up to so many there is a tick for every number."""


def histogram_chart(chart_id: str, histogram: Histogram, of: str, counted: str) -> str | None:
    """Bars of equal bins between 0 and 1; None where nothing was counted."""
    import altair as alt

    if not histogram.values:
        return None
    rows = [
        {"from": place / BINS, "to": (place + 1) / BINS, "count": count} for place, count in enumerate(histogram.counts)
    ]
    most = max(histogram.counts)
    few = list(range(most + 1)) if most <= FEW else alt.Undefined  # else there are ticks between the numbers
    axis = alt.Axis(values=few, tickCount=5, format=",d")
    chart = (
        alt.Chart(inline_data(rows))
        .mark_bar(color=LIGHT["first"])
        .encode(
            x=alt.X("from:Q", title=of, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(grid=False, tickCount=6)),
            x2=alt.X2("to:Q"),
            y=alt.Y("count:Q", title=counted, axis=axis),
            y2=alt.Y2Datum(0),
        )
    )
    described = f"{counted} by {of}: {histogram.values} in all, {histogram.mean:.2f} on average."
    return drawn(chart_id, chart, described)
