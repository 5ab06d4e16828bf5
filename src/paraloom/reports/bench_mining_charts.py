"""A benchmark of mining in, its chart as inline SVG out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraloom.metrics.retrieval.figures import FORGIVING
from paraloom.reports.drawing import LIGHT, drawn, inline_data

if TYPE_CHECKING:
    from paraloom.reports.bench_mining import MiningBench

HEIGHT = 320


def quality_and_speed(chart_id: str, bench: MiningBench, language: str) -> str:
    """The mean share of answers found first over a language's sets against sentences a second, a point an embedder."""
    import altair as alt

    rows = []
    for embedder in bench.embedders:
        found = [bench.row(embedder, one.name) for one in bench.sets if one.language == language]
        firsts = [row.figures.figures[FORGIVING].value for row in found if FORGIVING in row.figures.figures]
        if firsts:
            rows.append(
                {
                    "embedder": embedder,
                    "speed": found[0].cost.texts_per_second,
                    "quality": sum(firsts) / len(firsts),
                }
            )
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X(
            "speed:Q", title="sentences a second", scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=4, grid=False)
        ),
        y=alt.Y("quality:Q", title="found first, mean of the sets", scale=alt.Scale(zero=False, padding=12)),
    )
    points = base.mark_point(filled=True, size=60, opacity=1, color=LIGHT["first"])
    words = base.mark_text(align="left", dx=7, fontSize=11, color=LIGHT["ink"]).encode(text="embedder:N")
    told = "; ".join(f"{row['embedder']}: {row['quality']:.3f} at {row['speed']:,.0f} a second" for row in rows)
    chart = alt.LayerChart(layer=[points, words])
    return drawn(chart_id, chart, f"Answers found first in {language} sets, against speed. {told}.", height=HEIGHT)
