"""A learning curve in, a chart of it as SVG out: F1 on held-out pairs, one line a learning rate."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.models.training.task import CurvePoint
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

COLOURS = ("first", "second", "ink", "muted", "pale")
"""Of the learning rates, in their order; a sixth begins anew."""


def training_curve(chart_id: str, curve: Sequence[CurvePoint]) -> str:
    """F1 on the held-out pairs against epochs, with the look that was kept."""
    import altair as alt

    best = max(curve, key=lambda point: point.f1)
    rows = [
        {"learning rate": f"{point.learning_rate:g}", "epoch": point.epoch, "F1": point.f1, "kept": point is best}
        for point in curve
    ]
    rates = list(dict.fromkeys(str(row["learning rate"]) for row in rows))
    # Looks differ by little; the axis shows where they do.
    domain = [max(0.0, min(point.f1 for point in curve) - 0.02), min(1.0, best.f1 + 0.02)]
    x = alt.X("epoch:Q", title="epochs", axis=alt.Axis(grid=False, tickMinStep=1, format="d"))
    y = alt.Y("F1:Q", title="F1 on held-out pairs", scale=alt.Scale(domain=domain))
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(rates))]
    colour = alt.Color("learning rate:N", title=None, scale=colour_scale(rates, colours))
    lines = (
        alt.Chart(inline_data(rows))
        .mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=25))
        .encode(x=x, y=y, color=colour)
    )
    kept = (
        alt.Chart(inline_data([row for row in rows if row["kept"]]))
        .mark_point(size=160, strokeWidth=2, color=LIGHT["ink"])
        .encode(x=x, y=y)
    )
    description = (
        f"F1 on held-out pairs over {max(point.epoch for point in curve):g} epochs at learning rates "
        f"{', '.join(rates)}; the best, {best.f1:.3f}, at {best.learning_rate:g} after {best.epoch:g} epochs, was kept."
    )
    return drawn(chart_id, lines + kept, description)
