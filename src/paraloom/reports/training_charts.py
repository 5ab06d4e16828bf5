"""A learning curve in, a chart of it as SVG out: a figure on held-out pairs, one line a learning rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paraloom.models.training.task import CurvePoint
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

COLOURS = ("first", "second", "ink", "muted", "pale")
"""Of the learning rates, in their order; a sixth begins anew."""


HIGHEST = 10.0
"""Looks above so many times the lowest perplexity, as the first one often is, are drawn at the upper edge."""


class Look(NamedTuple):
    """One look at the held-out pairs."""

    learning_rate: float
    epoch: float
    figure: float


def training_curve(chart_id: str, curve: Sequence[CurvePoint]) -> str:
    """F1 on the held-out pairs against epochs, with the look that was kept."""
    return curve_of_looks(chart_id, [Look(point.learning_rate, point.epoch, point.f1) for point in curve], "F1")


def curve_of_looks(chart_id: str, looks: Sequence[Look], figure: str) -> str:
    """A figure from 0 to 1 on the held-out pairs against epochs, with the best look, the first of equals, marked."""
    import altair as alt

    best = max(looks, key=lambda look: look.figure)
    # Looks differ by little; the axis shows where they do.
    domain = [max(0.0, min(look.figure for look in looks) - 0.02), min(1.0, best.figure + 0.02)]
    return _drawn_looks(chart_id, looks, looks.index(best), figure, alt.Scale(domain=domain))


def perplexity_curve(chart_id: str, looks: Sequence[Look]) -> str:
    """Perplexity on the held-out pairs against epochs, with the lowest, the first of equals, marked."""
    import altair as alt

    best = min(looks, key=lambda look: look.figure)
    shown = [look._replace(figure=min(look.figure, best.figure * HIGHEST)) for look in looks]
    return _drawn_looks(chart_id, shown, looks.index(best), "perplexity", alt.Scale(type="log", zero=False))


def _drawn_looks(chart_id: str, looks: Sequence[Look], kept_at: int, figure: str, scale: Any) -> str:
    """One line a learning rate, and a mark at the look that was kept."""
    import altair as alt

    best = looks[kept_at]
    rows = [
        {"learning rate": f"{look.learning_rate:g}", "epoch": look.epoch, figure: look.figure, "kept": place == kept_at}
        for place, look in enumerate(looks)
    ]
    rates = list(dict.fromkeys(str(row["learning rate"]) for row in rows))
    x = alt.X("epoch:Q", title="epochs", axis=alt.Axis(grid=False, tickMinStep=1, format="d"))
    y = alt.Y(f"{figure}:Q", title=f"{figure} on held-out pairs", scale=scale)
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
        f"{figure[0].upper()}{figure[1:]} on held-out pairs over {max(look.epoch for look in looks):g} epochs at "
        f"learning rates {', '.join(rates)}; the best, {best.figure:.3f}, at {best.learning_rate:g} after "
        f"{best.epoch:g} epochs, was kept."
    )
    return drawn(chart_id, lines + kept, description)
