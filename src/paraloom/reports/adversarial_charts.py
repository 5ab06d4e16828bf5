"""Distributions of attempts in, figure 2 of Nighojkar and Licato (2021) as inline SVG out."""

from __future__ import annotations

from paraloom.reports.adversarial_counts import BINS, KINDS, SimilarityBins
from paraloom.reports.drawing import colour_scale, drawn, inline_data

COLOURS = ("second", "first", "pale")
"""Of the kinds, in their order."""


def similarity_chart(chart_id: str, name: str, bins: SimilarityBins) -> str:
    """One bar a bin, the kinds of attempts on top of each other."""
    import altair as alt

    width = (bins.high - bins.low) / BINS or 1 / BINS
    rows = [
        {"from": bins.low + place * width, "to": bins.low + (place + 1) * width, "kind": kind, "count": count}
        for kind in KINDS
        for place, count in enumerate(bins.counts[kind])
        if count
    ]
    chart = (
        alt.Chart(inline_data(rows))
        .mark_bar(binSpacing=0)
        .encode(
            x=alt.X("from:Q", bin="binned", title="similarity", axis=alt.Axis(grid=False, tickCount=8)),
            x2="to:Q",
            y=alt.Y("count:Q", stack="zero", title="attempts", axis=alt.Axis(tickCount=5)),
            color=alt.Color("kind:N", title=None, scale=colour_scale(KINDS, COLOURS)),
        )
    )
    return drawn(chart_id, chart, f"Similarity of attempts to their sources, {name}. {told(bins)}")


def told(bins: SimilarityBins) -> str:
    """The means in words."""
    means = [f"{kind} {mean:.2f}" for kind, mean in bins.means.items() if mean is not None]
    return f"Means: {', '.join(means)}."
