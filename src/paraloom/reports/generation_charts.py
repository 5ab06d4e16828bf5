"""Numbers of generators and parrots in, charts as inline SVG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

if TYPE_CHECKING:
    from paraloom.reports.generation_summary import FrontierPoint, GenerationSummary

SYSTEMS = ("first", "second", "ink", "muted")
"""Colours of the systems in a chart, in their order; more could not be told apart."""

HEIGHT = 300
REFERENCES_TITLE = "BLEU: likeness to the references"


def frontier(chart_id: str, summary: GenerationSummary, description: str) -> str | None:
    """Likeness to the references over likeness to the source: parrots as lines, systems as points.

    A system above the lines agrees with the references better than any parrot that is as close to the sources.
    """
    import altair as alt

    shown = [system for system in summary.systems if "bleu" in system.row.scores and "self-bleu" in system.row.scores][
        : len(SYSTEMS)
    ]
    if not shown:
        return None
    points: list[dict[str, Any]] = [
        {
            "system": system.row.name,
            "self": system.row.scores["self-bleu"].value,
            "bleu": system.row.scores["bleu"].value,
            "low": system.row.scores["bleu"].low,
            "high": system.row.scores["bleu"].high,
        }
        for system in shown
    ]
    x = alt.X(
        "self:Q",
        title="self-BLEU: likeness to the source",
        scale=alt.Scale(domain=[0, 100]),
        axis=alt.Axis(tickCount=5, grid=False),
    )
    y = alt.Y("bleu:Q", title=REFERENCES_TITLE, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
    colour = alt.Color(
        "system:N", title=None, scale=colour_scale([point["system"] for point in points], SYSTEMS[: len(points)])
    )
    lines = (
        alt.Chart(inline_data(_parrot_rows(summary.frontier)))
        .mark_line(color=LIGHT["pale"], strokeWidth=1.25)
        .encode(x=x, y=y, detail="curve:N", order="ratio:Q")
    )
    full = [row for row in _parrot_rows(summary.frontier) if row["ratio"] == 0][:1]
    parrot = alt.Chart(inline_data([{**row, "text": "full parrot"} for row in full])).encode(x=x, y=y)
    systems = alt.Chart(inline_data(points)).encode(x=x, color=colour)
    chart = lines + parrot.mark_point(filled=True, size=55, opacity=1, color=LIGHT["muted"])
    chart += parrot.mark_text(align="right", dx=-8, dy=-4, color=LIGHT["muted"], fontSize=11).encode(text="text:N")
    people = [
        {"self": score.value, "text": "people"} for name, score in summary.human.scores.items() if name == "self-bleu"
    ]
    mark = alt.Chart(inline_data(people)).encode(x=x)
    chart += mark.mark_rule(color=LIGHT["muted"], strokeDash=[3, 3], strokeWidth=1.25)
    chart += mark.mark_text(align="left", baseline="top", dx=4, y=0, color=LIGHT["muted"], fontSize=11).encode(
        text="text:N"
    )
    if all(point["low"] is not None for point in points):
        chart += systems.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=REFERENCES_TITLE), y2="high:Q")
    chart += systems.mark_point(filled=True, size=95, opacity=1).encode(y=y)
    return drawn(chart_id, chart, description, height=HEIGHT)


def edit_ratios(chart_id: str, summary: GenerationSummary, description: str) -> str | None:
    """How much of each output must be edited to get its source: systems and people's references."""
    import altair as alt

    named = [(system.row.name, system.edit_ratios) for system in summary.systems][: len(SYSTEMS)]
    curves = [*named, ("people", summary.human_edit_ratios)]
    rows: list[dict[str, Any]] = []
    for name, counts in curves:
        whole = sum(counts)
        if not whole:
            return None
        shares = [count / whole for count in counts]
        rows += [
            {"outputs": name, "edit": place / len(counts), "share": share}
            for place, share in enumerate([*shares, shares[-1]])
        ]
    names = [name for name, _ in curves]
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X(
            "edit:Q",
            title="share of words that must be edited to get the source",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="%", tickCount=5, grid=False),
        ),
        y=alt.Y("share:Q", title="share of outputs", axis=alt.Axis(format="%", tickCount=5), stack=None),
        color=alt.Color("outputs:N", title=None, scale=colour_scale(names, (*SYSTEMS[: len(named)], "pale"))),
    )
    area = base.mark_area(interpolate="step-after", opacity=0.14)
    line = base.mark_line(interpolate="step-after", strokeWidth=2)
    return drawn(chart_id, area + line, description, height=HEIGHT)


def _parrot_rows(points: Sequence[FrontierPoint]) -> list[dict[str, Any]]:
    return [
        {"curve": f"{point.kind} {point.position}", "ratio": point.ratio, "self": point.self_bleu, "bleu": point.bleu}
        for point in points
    ]
