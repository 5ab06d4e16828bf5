"""Curves of an experiment in, inline SVG out."""

from __future__ import annotations

from statistics import fmean

from paraloom.reports.drawing import colour_scale, drawn, inline_data
from paraloom.reports.experiments import Curve

SHOWN = ("first", "second", "ink", "muted")
"""Colours of the lines, in their order; more could not be told apart."""

HEIGHT = 260


def curve_chart(chart_id: str, curve: Curve) -> str:
    """One line a name through the means, with the range of the seeds where there are several."""
    import altair as alt

    names = list(curve.lines)[: len(SHOWN)]
    rows = [
        {"line": name, "x": x, "mean": fmean(values), "low": min(values), "high": max(values)}
        for name in names
        for x, values in curve.lines[name]
    ]
    x = alt.X("x:Q", title=curve.x_title, scale=alt.Scale(zero=False), axis=alt.Axis(grid=False))
    axis = alt.Axis(tickCount=6)
    colour = alt.Color(
        "line:N",
        title=None,
        scale=colour_scale(names, SHOWN[: len(names)]),
        legend=alt.Legend(columns=2, labelLimit=200) if len(names) > 1 else None,
    )
    base = alt.Chart(inline_data(rows)).encode(x=x, color=colour)
    mean = alt.Y("mean:Q", title=curve.y_title, scale=alt.Scale(zero=False), axis=axis)
    lines = base.mark_line(strokeWidth=2, point={"size": 40}).encode(y=mean)
    ranges = base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(y=alt.Y("low:Q", axis=axis), y2="high:Q")
    return drawn(chart_id, ranges + lines, f"{curve.title}. {curve.about}", height=HEIGHT)
