"""Figures of embedders in, the charts of Kanerva et al. (2023, figures 8 to 11) as inline SVG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paraloom.metrics.retrieval.figures import AVERAGE_RANK
from paraloom.metrics.retrieval.labels import ORDER
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

if TYPE_CHECKING:
    import altair as alt

    from paraloom.reports.retrieval import SetFigures

SETS = ("first", "second", "first-pale", "second-pale", "muted", "ink")
"""Colours of sets of pairs, in their order."""
PARTS = dict(
    zip(
        ORDER,
        ("pale", "second-pale", "first-pale", "first-mid", "first", "second-pale", "first"),
        strict=True,
    )
)
"""Colours of labels: the surer a paraphrase, the darker."""
WITHIN = ("first", "first-mid", "first-pale", "second-pale", "second", "muted", "ink")
"""Colours of the first 1, 10, 100 … candidates."""
BEYOND = "pale"
DARK = ("first", "first-mid", "second", "muted", "ink")
"""Colours that white words can be read on."""
LEAST_SHOWN = 0.05
"""A share below this has no room for its number."""

BAR = 16
"""Height of one bar with the room about it."""


def top_one(chart_id: str, sets: Sequence[SetFigures]) -> str:
    """How many paraphrases each embedder finds first, one colour a set (figure 8); a chart for each six sets."""
    starts = range(0, len(sets), len(SETS))
    return "".join(
        _top_one(f"{chart_id}-{start}" if start else chart_id, sets[start : start + len(SETS)]) for start in starts
    )


def _top_one(chart_id: str, shown: Sequence[SetFigures]) -> str:
    smallest = f"top-{shown[0].embedders[0].ks[0]}"
    rows = [
        {"embedder": its.name, "set": one.name, "share": its.figures[smallest].value}
        for one in shown
        for its in one.embedders
        if smallest in its.figures
    ]
    names = [one.name for one in shown]
    told = "; ".join(f"{row['embedder']} on {row['set']}: {row['share']:.3f}" for row in rows)
    chart = _bars(
        rows, x="share", title=f"{smallest} accuracy", within="set", names=names, colours=SETS[: len(names)], places=3
    )
    return drawn(chart_id, chart, f"{smallest} accuracy. {told}.", height=_height(rows))


def average_ranks(chart_id: str, figures: SetFigures) -> str:
    """The average rank of the answer in per cent of the candidates, by label (figures 9 and 10)."""
    rows = [
        {"embedder": its.name, "label": part.label, "rank": part.figures[AVERAGE_RANK].value}
        for its in figures.embedders
        for part in its.parts
    ]
    names = [part.label for part in figures.embedders[0].parts]
    told = "; ".join(f"{row['embedder']}, {row['label']}: {row['rank']:.2f}%" for row in rows)
    chart = _bars(
        rows,
        x="rank",
        title="average rank, %",
        within="label",
        names=names,
        colours=[PARTS[name] for name in names],
        places=2,
    )
    return drawn(chart_id, chart, f"Average rank in per cent by label. {told}.", height=_height(rows))


def within_k(chart_id: str, figures: SetFigures) -> str:
    """How many answers are among the first so many, by label, each share on top of the smaller one (figure 11)."""
    import altair as alt

    ks = figures.embedders[0].ks
    names = [f"top {k}" for k in ks] + [f"beyond {ks[-1]}"]
    colours = dict(zip(names, [*WITHIN[: len(ks)], *["muted"] * (len(ks) - len(WITHIN)), BEYOND], strict=True))
    rows = []
    for its in figures.embedders:
        for part in reversed(its.parts):
            reached = 0.0
            for name, upto in zip(names, [*(part.figures[f"top-{k}"].value for k in ks), 1.0], strict=True):
                rows.append(
                    {
                        "bar": f"{its.name}  {part.label}",
                        "within": name,
                        "from": reached,
                        "to": upto,
                        "middle": (reached + upto) / 2,
                        "shown": f"{100 * (upto - reached):.0f}" if upto - reached >= LEAST_SHOWN else "",
                        "is_dark": colours[name] in DARK,
                    }
                )
                reached = upto
    base = alt.Chart(inline_data(rows)).encode(
        y=alt.Y("bar:N", sort=list(dict.fromkeys(str(row["bar"]) for row in rows)), title=None)
    )
    scale = colour_scale(names, list(colours.values()))
    bars = base.mark_bar(height=BAR - 2).encode(
        x=alt.X("from:Q", title="share of pairs", scale=alt.Scale(domain=[0, 1])),
        x2="to:Q",
        color=alt.Color("within:N", title=None, scale=scale, legend=alt.Legend(columns=3)),
    )
    words = [
        base.transform_filter(alt.datum.is_dark == is_dark)
        .mark_text(fontSize=10, color=colour)
        .encode(x="middle:Q", text="shown:N")
        for is_dark, colour in ((True, "#ffffff"), (False, LIGHT["ink"]))
    ]
    told = "; ".join(
        f"{its.name}, {part.label}: " + ", ".join(f"{part.figures[f'top-{k}'].value:.3f} in the first {k}" for k in ks)
        for its in figures.embedders
        for part in its.parts
    )
    height = 130 + BAR * len(rows) // len(names)
    chart = alt.LayerChart(layer=[bars, *words])
    return drawn(chart_id, chart, f"Answers among the first candidates, by label. {told}.", height=height)


def _bars(
    rows: Sequence[dict[str, object]],
    *,
    x: str,
    title: str,
    within: str,
    names: Sequence[str],
    colours: Sequence[str],
    places: int,
) -> alt.LayerChart:
    """Bars by embedder and one other thing, each with its number behind it."""
    import altair as alt

    order = list(dict.fromkeys(str(row["embedder"]) for row in rows))
    highest = 1.15 * max((float(str(row[x])) for row in rows), default=1.0) or 1.0
    shown = [row | {"shown": f"{float(str(row[x])):.{places}f}"} for row in rows]
    base = alt.Chart(inline_data(shown)).encode(
        y=alt.Y("embedder:N", sort=order, title=None),
        yOffset=alt.YOffset(f"{within}:N", sort=list(names)),
        x=alt.X(f"{x}:Q", title=title, scale=alt.Scale(domain=[0, highest])),
    )
    legend = alt.Undefined if len(names) > 1 else None
    colour = alt.Color(f"{within}:N", title=None, scale=colour_scale(names, colours), legend=legend)
    words = base.mark_text(align="left", dx=3, fontSize=10, color=LIGHT["ink"]).encode(text="shown:N")
    return alt.LayerChart(layer=[base.mark_bar().encode(color=colour), words])


def _height(rows: Sequence[object]) -> int:
    return 90 + BAR * len(rows)
