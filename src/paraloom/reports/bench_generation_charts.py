"""A benchmark of generation in, its charts as inline SVG out: new wording against what is kept of the meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.drawing import LIGHT, drawn, inline_data

if TYPE_CHECKING:
    from paraloom.reports.bench_generation_summary import BenchCell, BenchSetSummary

HEIGHT = 330
BESIDE = 6.0
"""Points nearer to each other than this, on both scales, have their names on different sides."""


def new_words_and_meaning(chart_id: str, one: BenchSetSummary, cells: Sequence[BenchCell]) -> str | None:
    """BERT-iBLEU over self-BLEU: contenders and people as points, parrots as lines.

    A generator above the parrots' lines has changed as much and kept more.
    """
    import altair as alt

    points = _points(cells)
    if not points:
        return None
    x = alt.X(
        "self:Q",
        title="self-BLEU: likeness to the source",
        scale=alt.Scale(domain=[0, 100]),
        axis=alt.Axis(tickCount=5, grid=False),
    )
    y = alt.Y("balance:Q", title="BERT-iBLEU", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    curves = [
        {"self": point.self_bleu, "balance": point.bert_ibleu, "kind": point.kind, "ratio": point.ratio}
        for point in one.curve
    ]
    lines = (
        alt.Chart(inline_data(curves))
        .mark_line(color=LIGHT["pale"], strokeWidth=1.5)
        .encode(x=x, y=y, detail="kind:N", order="ratio:Q")
    )
    chart: Any = lines
    colours = {"ours": LIGHT["first"], "people": LIGHT["second"], "parrot": LIGHT["muted"]}
    for group, colour in colours.items():
        base = alt.Chart(inline_data([point for point in points if point["group"] == group])).encode(x=x, y=y)
        chart += base.mark_point(filled=True, size=70 if group != "parrot" else 45, opacity=1, color=colour)
    for is_left in (True, False):
        named = [point for point in points if point["is_left"] == is_left]
        base = alt.Chart(inline_data(named)).encode(x=x, y=y, text="name:N")
        chart += base.mark_text(
            align="left" if is_left else "right", dx=8 if is_left else -8, fontSize=11, color=LIGHT["ink"]
        )
    told = "; ".join(
        f"{point['name']}: BERT-iBLEU {point['balance']:.1f} at self-BLEU {point['self']:.1f}" for point in points
    )
    return drawn(chart_id, chart, f"New wording and meaning on {one.title}. {told}.", height=HEIGHT)


def _points(cells: Sequence[BenchCell]) -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = []
    for cell in cells:
        if "self-bleu" not in cell.scores or "bert-ibleu" not in cell.scores:
            continue
        at, balance = cell.scores["self-bleu"].value, cell.scores["bert-ibleu"].value
        crowded = any(abs(at - other["self"]) < 30 and abs(balance - other["balance"]) < BESIDE for other in points)
        points.append(
            {
                "name": cell.contender.removeprefix("parrot-") if cell.kind == "parrot" else cell.contender,
                "self": at,
                "balance": balance,
                "group": cell.kind if cell.kind in ("people", "parrot") else "ours",
                "is_left": at <= 75 and not (crowded and at > 25),
            }
        )
    return points
