"""Looks at held-out pairs in, a chart of their perplexity as SVG out, one line a learning rate."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data
from paraloom.reports.training_charts import COLOURS, Look

HIGHEST = 10.0
"""Looks above so many times the lowest perplexity, as the first one often is, are drawn at the upper edge."""


def perplexity_curve(chart_id: str, looks: Sequence[Look]) -> str:
    """Perplexity on held-out pairs against epochs, with the lowest, the first of equals, marked."""
    import altair as alt

    best = min(looks, key=lambda look: look.figure)
    edge = best.figure * HIGHEST
    rows = [
        {
            "learning rate": f"{look.learning_rate:g}",
            "epoch": look.epoch,
            "perplexity": min(look.figure, edge),
            "kept": look is best,
        }
        for look in looks
    ]
    rates = list(dict.fromkeys(str(row["learning rate"]) for row in rows))
    x = alt.X("epoch:Q", title="epochs", axis=alt.Axis(grid=False, tickMinStep=1, format="d"))
    y = alt.Y("perplexity:Q", title="perplexity on held-out pairs", scale=alt.Scale(type="log", zero=False))
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
        f"Perplexity on held-out pairs over {max(look.epoch for look in looks):g} epochs at learning rates "
        f"{', '.join(rates)}; the lowest, {best.figure:.3f}, at {best.learning_rate:g} after {best.epoch:g} epochs, "
        "was kept."
    )
    return drawn(chart_id, lines + kept, description)
