"""Figures of identifiers in, their curves as inline SVG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paraloom.metrics.identification.figures import SystemFigures
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

if TYPE_CHECKING:
    import altair as alt

SHOWN = ("first", "second", "ink", "muted")
"""Colours of the systems in a chart, in their order; more lines could not be told apart."""

HEIGHT = 300


def precision_recall(chart_id: str, systems: Sequence[SystemFigures], description: str) -> str:
    """Precision against recall, one line a system, with the point of the best F1 and the share of paraphrases."""
    import altair as alt

    shown = systems[: len(SHOWN)]
    rows = [
        {"system": system.name, "recall": point.recall, "precision": point.precision, "order": place}
        for system in shown
        for place, point in enumerate(system.curve)
    ]
    best = [
        {"system": system.name, "recall": system.best.recall, "precision": system.best.precision} for system in shown
    ]
    x = alt.X("recall:Q", title="recall", scale=alt.Scale(domain=[0, 1]), axis=_axis(grid=False))
    y = alt.Y("precision:Q", title="precision", scale=alt.Scale(domain=[0, 1]), axis=_axis(grid=True))
    colour = _colour(shown)
    lines = alt.Chart(inline_data(rows)).mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, order="order:Q")
    points = alt.Chart(inline_data(best)).mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y, color=colour)
    floor = (
        alt.Chart(inline_data([{"precision": systems[0].base_rate}]))
        .mark_rule(color=LIGHT["pale"], strokeDash=[3, 3], strokeWidth=1.5)
        .encode(y=y)
    )
    return drawn(chart_id, floor + lines + points, description, height=HEIGHT)


def reliability(chart_id: str, systems: Sequence[SystemFigures], description: str) -> str | None:
    """What came true against what was promised, one line a system; None where no system gave probabilities."""
    import altair as alt

    shown = [system for system in systems if system.reliability][: len(SHOWN)]
    if not shown:
        return None
    rows = [
        {"system": system.name, "promised": bin.promised, "happened": bin.happened, "pairs": bin.pairs}
        for system in shown
        for bin in system.reliability
    ]
    most = max(bin.pairs for system in shown for bin in system.reliability)
    x = alt.X("promised:Q", title="score (mean of the bin)", scale=alt.Scale(domain=[0, 1]), axis=_axis(grid=False))
    y = alt.Y("happened:Q", title="share of paraphrases", scale=alt.Scale(domain=[0, 1]), axis=_axis(grid=True))
    ideal = (
        alt.Chart(inline_data([{"promised": 0, "happened": 0}, {"promised": 1, "happened": 1}]))
        .mark_line(color=LIGHT["pale"], strokeDash=[3, 3], strokeWidth=1.5)
        .encode(x=x, y=y)
    )
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y, color=_colour(shown))
    size = alt.Size("pairs:Q", scale=alt.Scale(domain=[0, most], range=[12, 220]), legend=None)
    points = base.mark_point(filled=True, opacity=1).encode(size=size)
    return drawn(chart_id, ideal + base.mark_line(strokeWidth=2) + points, description, height=HEIGHT)


def _axis(*, grid: bool) -> alt.Axis:
    import altair as alt

    return alt.Axis(tickCount=6, grid=grid, format=".1f")


def _colour(systems: Sequence[SystemFigures]) -> alt.Color:
    import altair as alt

    names = [system.name for system in systems]
    legend = alt.Undefined if len(names) > 1 else None
    return alt.Color("system:N", title=None, scale=colour_scale(names, SHOWN[: len(names)]), legend=legend)
