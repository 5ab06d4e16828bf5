"""Tiles and intervals in, inline SVG out: figure 7 of Kanerva et al. (2023), and negatives by similarity."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.metrics.regions.estimates import Share
from paraloom.metrics.regions.intervals import interval_name
from paraloom.metrics.regions.tiles import TileMap
from paraloom.reports.drawing import LIGHT, drawn, inline_data
from paraloom.reports.pages import number, percent

HEIGHT = 330
DARK_FROM = 0.55
"""Tiles with a higher share are so dark that the words on them are white."""


def heat_map(chart_id: str, tiles: TileMap) -> str:
    """One tile a field: the share of negatives as colour and figure, with the number of judged pairs."""
    import altair as alt

    names = [interval_name(place, tiles.steps) for place in range(tiles.steps)]
    rows = [
        {
            "similarity": names[tile.similarity],
            "confidence": names[tile.confidence],
            "share": tile.share.value,
            "told": percent(tile.share.value),
            "pairs": f"of {number(tile.pairs)}",
            "is_dark": tile.share.value > DARK_FROM,
        }
        for tile in tiles
        if tile.share.value is not None
    ]
    x = alt.X(
        "confidence:N", sort=names, scale=alt.Scale(domain=names), title="confidence that it is no paraphrase",
        axis=alt.Axis(labelAngle=0, grid=False),
    )  # fmt: skip
    y = alt.Y("similarity:N", sort=names[::-1], scale=alt.Scale(domain=names[::-1]), title="lexical similarity")
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y)
    colour = alt.Color(
        "share:Q",
        scale=alt.Scale(domain=[0, 1], range=[LIGHT["line"], LIGHT["first"]]),
        legend=None,
    )
    words = alt.condition("datum.is_dark", alt.value("#ffffff"), alt.value("#26323b"))  # on tiles, in either theme
    shares = base.mark_text(dy=-7, fontSize=13).encode(text="told:N", color=words)
    pairs = base.mark_text(dy=9, fontSize=11).encode(text="pairs:N", color=words)
    told = "; ".join(f"{row['similarity']} and {row['confidence']}: {row['told']} {row['pairs']}" for row in rows)
    description = f"Share of negatives by lexical similarity and confidence. {told}."
    return drawn(chart_id, base.mark_rect().encode(color=colour) + shares + pairs, description, height=HEIGHT)


def interval_chart(chart_id: str, intervals: Sequence[Share]) -> str:
    """The share of negatives in each interval of lexical similarity, with its bounds."""
    import altair as alt

    rows = [
        {"x": (place + 0.5) / len(intervals), "share": share.value, "low": share.low, "high": share.high}
        for place, share in enumerate(intervals)
        if share.value is not None
    ]
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X("x:Q", title="lexical similarity", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(grid=False))
    )
    axis = alt.Axis(tickCount=6, format=".0%")
    scale = alt.Scale(domain=[0, 1])
    points = base.mark_point(filled=True, size=45, color=LIGHT["first"], opacity=1).encode(
        y=alt.Y("share:Q", title="negatives", axis=axis, scale=scale)
    )
    bounds = base.mark_rule(color=LIGHT["first"], strokeWidth=1.5).encode(
        y=alt.Y("low:Q", axis=axis, scale=scale), y2="high:Q"
    )
    description = "Share of negatives by lexical similarity, with 95% bounds. " + ", ".join(
        f"{interval_name(place, len(intervals))}: {percent(share.value)}" for place, share in enumerate(intervals)
    )
    return drawn(chart_id, bounds + points, description)
