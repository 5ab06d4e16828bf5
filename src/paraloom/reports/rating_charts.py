"""Ratings in, their distributions as inline SVG out."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.metrics.ratings.rated_outputs import AspectSummary
from paraloom.reports.drawing import drawn, inline_data

SCALE = ("#c1692b", "#e2e5e4", "#18697b")
"""Colours of the lowest, the middle and the highest rating; none of the page's own, so that a dark page leaves them."""

ON_DARK, ON_LIGHT = "#ffffff", "#1f2a31"


def distribution(chart_id: str, summaries: Sequence[AspectSummary], description: str) -> str:
    """One bar a system, cut into the shares of each point of the scale (figures 6 and 7 of Dou et al., 2022)."""
    import altair as alt

    names = [point.name for point in summaries[0].points]
    shades = _shades(len(names))
    rows = []
    for summary in summaries:
        begun = 0.0
        for place, point in enumerate(summary.points):
            rows.append(
                {
                    "system": summary.system or "all",
                    "point": point.name,
                    "order": place,
                    "from": begun,
                    "to": begun + point.share,
                    "middle": begun + point.share / 2,
                    "text": f"{point.share:.0%}" if point.share >= 0.07 else "",
                    "ink": ON_LIGHT if _brightness(shades[place]) > 140 else ON_DARK,
                }
            )
            begun += point.share
    systems = [summary.system or "all" for summary in summaries]
    y = alt.Y("system:N", sort=systems, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=130))
    axis = alt.Axis(format="%", tickCount=5, grid=False)
    bars = (
        alt.Chart(inline_data(rows))
        .mark_bar(height={"band": 0.7})
        .encode(
            x=alt.X("from:Q", title="share of ratings", scale=alt.Scale(domain=[0, 1]), axis=axis),
            x2="to:Q",
            y=y,
            color=alt.Color("point:N", sort=names, title=None, scale=alt.Scale(domain=names, range=shades)),
        )
    )
    texts = (
        alt.Chart(inline_data([row for row in rows if row["text"]]))
        .mark_text(fontSize=11)
        .encode(x="middle:Q", y=y, text="text:N", color=alt.Color("ink:N", scale=None))
    )
    return drawn(chart_id, bars + texts, description, height=85 + 32 * len(systems))


def _shades(count: int) -> list[str]:
    """From the colour of the lowest over that of the middle to that of the highest."""
    stops = [_parts(colour) for colour in SCALE]
    shades = []
    for place in range(count):
        along = 2 * place / max(1, count - 1)
        low = min(int(along), 1)
        mixed = [
            round(one + (other - one) * (along - low)) for one, other in zip(stops[low], stops[low + 1], strict=True)
        ]
        shades.append("#" + "".join(f"{part:02x}" for part in mixed))
    return shades


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _brightness(colour: str) -> float:
    """From 0 to 255, as eyes weigh red, green and blue."""
    red, green, blue = _parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue
