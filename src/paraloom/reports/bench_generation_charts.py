"""A benchmark of generation in, its charts as inline SVG out: new wording against what is kept of the meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.bench_identification_names import SIDES
from paraloom.reports.drawing import LIGHT, drawn, inline_data

if TYPE_CHECKING:
    from paraloom.reports.bench_generation_summary import BenchCell, BenchSetSummary

HEIGHT = 330
WIDE, HIGH = 372, 272
"""About as many pixels has a chart within its axes."""
LETTER, LINE, MARK = 5.9, 12, 5
"""About as many pixels is a letter wide, a line high, and half a mark."""


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
    sides = name_sides(points)
    for side, (align, right, down) in SIDES.items():
        named = [point for point, its in zip(points, sides, strict=True) if its == side]
        base = alt.Chart(inline_data(named)).encode(x=x, y=y, text="name:N")
        chart += base.mark_text(align=align, dx=right, dy=down, fontSize=11, color=LIGHT["ink"])
    told = "; ".join(
        f"{point['name']}: BERT-iBLEU {point['balance']:.1f} at self-BLEU {point['self']:.1f}" for point in points
    )
    return drawn(chart_id, chart, f"New wording and meaning on {one.title}. {told}.", height=HEIGHT)


def _points(cells: Sequence[BenchCell]) -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = []
    for cell in cells:
        if "self-bleu" not in cell.scores or "bert-ibleu" not in cell.scores:
            continue
        points.append(
            {
                "name": cell.contender.removeprefix("parrot-") if cell.kind == "parrot" else cell.contender,
                "self": cell.scores["self-bleu"].value,
                "balance": cell.scores["bert-ibleu"].value,
                "group": cell.kind if cell.kind in ("people", "parrot") else "ours",
            }
        )
    return points


def name_sides(points: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """On which side of its mark each name stands; None where it would stand over another, a mark, or the frame.

    >>> near = [{"name": "ours", "self": 80, "balance": 50}, {"name": "theirs", "self": 81, "balance": 50}]
    >>> name_sides(near)
    ['left', 'right']
    """
    places = [(point["self"] / 100 * WIDE, (1 - point["balance"] / 100) * HIGH) for point in points]
    taken = [(x - MARK, x + MARK, y - MARK, y + MARK) for x, y in places]
    found: list[str | None] = []
    for place, (point, (x, y)) in enumerate(zip(points, places, strict=True)):
        others = taken[:place] + taken[place + 1 :]
        width = LETTER * len(point["name"])
        found.append(None)
        for side, (align, right, down) in SIDES.items():
            left = x + right - {"left": 0.0, "center": width / 2, "right": width}[align]
            box = (left, left + width, y + down - LINE / 2, y + down + LINE / 2)
            is_inside = left >= 0 and left + width <= WIDE and box[2] >= -LINE / 2 and box[3] <= HIGH + LINE / 2
            if is_inside and not any(
                box[0] < other[1] and other[0] < box[1] and box[2] < other[3] and other[2] < box[3] for other in others
            ):
                found[-1] = side
                taken.append(box)
                break
    return found
