"""Figures of agreement in, their charts as inline SVG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paraloom.metrics.agreement.coefficient import Coefficient
from paraloom.metrics.agreement.people import AnnotatorFigures
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

NAMED = 24
"""So many annotators have a line with their name each; more are dots in a row."""

LOW, KEPT = "below the cut", "others"


def kappa_by_annotator(chart_id: str, people: Sequence[AnnotatorFigures], min_kappa: float) -> str | None:
    """Kappa of every annotator against the others' majority, the lowest first, with intervals and the cut."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        {
            "place": place,
            "name": person.name,
            "kappa": person.kappa,
            "low": person.kappa if person.interval is None else person.interval.low,
            "high": person.kappa if person.interval is None else person.interval.high,
            "kind": LOW if person.is_low else KEPT,
        }
        for place, person in enumerate((one for one in people if one.kappa is not None), start=1)
    ]
    if not rows:
        return None
    lowest = min(min(row["low"] for row in rows), min_kappa, 0.0)
    scale = alt.Scale(domain=[lowest, 1], nice=False)
    axis = alt.Axis(format=".1f", tickCount=6)
    named = len(rows) <= NAMED
    if named:
        order = [row["name"] for row in rows]
        along = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=130))
        value, low, high = alt.X("kappa:Q", title="kappa", scale=scale, axis=axis), alt.X("low:Q"), alt.X2("high:Q")
        spread: dict[str, Any] = {"x": low, "x2": high, "y": along}
        points: dict[str, Any] = {"x": value, "y": along}
        cut: dict[str, Any] = {"x": alt.X("kappa:Q", scale=scale)}
    else:
        ranks = alt.X(
            "place:Q",
            title="annotators, the lowest first",
            scale=alt.Scale(domain=[0, len(rows) + 1], nice=False),
            axis=alt.Axis(grid=False, tickMinStep=1, tickCount=6),
        )
        value_up = alt.Y("kappa:Q", title="kappa", scale=scale, axis=axis)
        spread = {"x": ranks, "y": alt.Y("low:Q"), "y2": alt.Y2("high:Q")}
        points = {"x": ranks, "y": value_up}
        cut = {"y": alt.Y("kappa:Q", scale=scale)}
    colour = alt.Color("kind:N", title=None, scale=colour_scale((KEPT, LOW), ("first", "second")))
    base = alt.Chart(inline_data(rows))
    line = alt.Chart(inline_data([{"kappa": min_kappa}])).mark_rule(
        color=LIGHT["ink"], strokeWidth=1.5, strokeDash=[4, 3]
    )
    chart = base.mark_rule(color=LIGHT["pale"], strokeWidth=1.5).encode(**spread)
    chart = chart + base.mark_point(filled=True, opacity=1, size=46).encode(color=colour, **points) + line.encode(**cut)
    low_count = sum(row["kind"] == LOW for row in rows)
    description = (
        f"Kappa of {len(rows)} annotators against the majority of the others; {low_count} below {min_kappa:g}."
    )
    return drawn(chart_id, chart, description, height=70 + 20 * len(rows) if named else 300)


def coefficients(chart_id: str, shown: Sequence[Coefficient]) -> str | None:
    """Every coefficient as a dot with its interval."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        {
            "name": one.name,
            "value": one.value,
            "low": one.value if one.interval is None else one.interval.low,
            "high": one.value if one.interval is None else one.interval.high,
        }
        for one in shown
        if one.value is not None
    ]
    if not rows:
        return None
    lowest = min(0.0, *(row["low"] for row in rows))
    names = [row["name"] for row in rows]
    along = alt.Y("name:N", sort=names, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=240))
    scale = alt.Scale(domain=[lowest, 1], nice=False)
    value = alt.X("value:Q", title=None, scale=scale, axis=alt.Axis(format=".1f", tickCount=6))
    base = alt.Chart(inline_data(rows))
    spread = base.mark_rule(color=LIGHT["first"], strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q", y=along
    )
    points = base.mark_point(filled=True, opacity=1, size=60, color=LIGHT["first"]).encode(x=value, y=along)
    told = "; ".join(f"{row['name']} {row['value']:.3f}" for row in rows)
    return drawn(chart_id, spread + points, f"Coefficients with their intervals: {told}.", height=60 + 26 * len(rows))


def confusion(chart_id: str, answers: Sequence[str], cells: Sequence[Sequence[int]] | None) -> str | None:
    """Where one person gave the answer of the row, how often another gave that of the column."""
    import altair as alt

    if cells is None or not any(map(any, cells)):
        return None
    rows = [
        {"one": one, "other": other, "share": count / sum(row), "text": f"{count / sum(row):.0%}"}
        for one, row in zip(answers, cells, strict=True)
        if sum(row)
        for other, count in zip(answers, row, strict=True)
    ]
    x = alt.X(
        "other:N", sort=list(answers), title="another said", axis=alt.Axis(labelAngle=0, ticks=False, domain=False)
    )
    y = alt.Y("one:N", sort=list(answers), title="where one said", axis=alt.Axis(ticks=False, domain=False))
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y)
    opacity = alt.FillOpacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 0.75]), legend=None)
    squares = base.mark_rect(fill=LIGHT["first"], stroke=LIGHT["line"]).encode(fillOpacity=opacity)
    texts = base.mark_text(color=LIGHT["ink"], fontSize=12).encode(text="text:N")
    told = "; ".join(f"{row['one']} and {row['other']} {row['text']}" for row in rows)
    return drawn(
        chart_id, squares + texts, f"Answers of two people to one item: {told}.", height=90 + 42 * len(answers)
    )
