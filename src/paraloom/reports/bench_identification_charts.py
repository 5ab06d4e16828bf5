"""Rows of a benchmark in, its charts as inline SVG out: how good against how fast, and how trainings went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.bench_identification_names import SIDES, Frame, max_f1, named_rows, speed
from paraloom.reports.bench_identification_rows import YARDSTICK, BenchRow
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

if TYPE_CHECKING:
    from paraloom.reports.bench_identification import IdentificationBench

HEIGHT = 340
LINES = ("first", "second", "ink", "muted", "pale")
"""Colours of learning curves; more lines could not be told apart."""

KINDS = {
    "above LR": "first",
    "LR, or no different": "ink",
    "historical": "pale",
    "as shipped": "second",
    "not compared": "muted",
}
"""How a system stands to the n-gram regression on the same pairs, and the colour of its mark."""

FORMS = {"circle": "●", "triangle-up": "▲", "diamond": "◆", "triangle-down": "▼", "cross": "✚"}
"""Forms of marks, one a way of measuring, and the same for a line of text. Further ways share the last; squares are
the legend's."""


def charts_of(bench: IdentificationBench) -> list[dict[str, Any]]:
    """One entry a corpus with several systems: its title, its charts of quality and speed, and learning curves.

    Speeds of two machines say nothing of two systems, so there is one chart for each machine that ran several.
    """
    from markupsafe import Markup

    headings = {
        row.corpus: table.heading for table in bench.tables for row in table.rows if not row.is_trained_elsewhere
    }
    by_corpus: dict[str, list[BenchRow]] = {}
    for row in bench.rows():
        if row.figures and row.cost is not None and not row.is_trained_elsewhere:
            by_corpus.setdefault(row.corpus, []).append(row)
    found = []
    for corpus, rows in by_corpus.items():
        if len(rows) < 2:
            continue
        learned = learning(f"learning-{corpus}", rows)
        forms = forms_of(rows)
        reach = min(map(max_f1, rows)), max(map(max_f1, rows))
        # Altair's drawing went through an XML writer, which escapes every text in it.
        found.append(
            {
                "corpus": headings.get(corpus, corpus),
                "speeds": [
                    {
                        "where": where,
                        "measured_on": forms_told(timed, forms),
                        "drawing": Markup(quality_and_speed(f"speed-{corpus}-{place}", timed, reach, forms)),
                    }
                    for place, (where, timed) in enumerate(by_machine(rows))
                    if len(timed) > 1
                ],
                "learning": None if learned is None else Markup(learned),
            }
        )
    return found


def by_machine(rows: Sequence[BenchRow]) -> list[tuple[str, list[BenchRow]]]:
    """The rows that were timed on the same device of the same machine; the machine with most rows first."""
    found: dict[str, list[BenchRow]] = {}
    for row in rows:
        if row.cost is not None:
            found.setdefault(row.cost.where, []).append(row)
    return sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))


def forms_of(rows: Sequence[BenchRow]) -> dict[str, str]:
    """The form of mark for each way of measuring, by what it is called; the most frequent way has the first."""
    forms = list(FORMS)
    ways = [way for way, _ in Counter(row.measured_on for row in rows).most_common()]
    return {way: forms[min(place, len(forms) - 1)] for place, way in enumerate(ways)}


def forms_told(rows: Sequence[BenchRow], forms: Mapping[str, str]) -> str:
    """What each form of mark among the rows was measured on; no form where it is one alone."""
    here = {row.measured_on for row in rows}
    told = {way: FORMS[form] for way, form in forms.items() if way in here}
    return ", ".join(told) if len(told) == 1 else ", ".join(f"{mark} {way}" for way, mark in told.items())


def quality_and_speed(
    chart_id: str, rows: Sequence[BenchRow], reach: tuple[float, float], forms: Mapping[str, str]
) -> str:
    """Max F1 against pairs a second, on a logarithmic scale; a mark's form says what F1 was measured on.

    `reach` are the lowest and the highest F1 to make room for: charts of one corpus have the same.
    """
    import altair as alt

    frame = Frame.around(rows, reach)
    sides = named_rows(rows, frame)
    points: list[dict[str, Any]] = [
        {
            "system": row.title,
            "f1": max_f1(row),
            "speed": speed(row),
            "kind": _kind(row),
            "form": forms[row.measured_on],
            "side": sides.get(row.name, ""),
            "told": _told(row),
        }
        for row in rows
    ]
    x = alt.X(
        "speed:Q",
        title="pairs scored a second",
        scale=alt.Scale(type="log", domain=list(frame.speeds), nice=False),
        axis=alt.Axis(tickCount=5, grid=False, format="~s"),
    )
    y = alt.Y(
        "f1:Q",
        title="max F1",
        scale=alt.Scale(domain=list(frame.f1), nice=False),
        axis=alt.Axis(tickCount=6),
    )
    kinds = [kind for kind in KINDS if any(point["kind"] == kind for point in points)]
    colours = colour_scale(kinds, [KINDS[kind] for kind in kinds])
    colour = alt.Color("kind:N", title=None, scale=colours, legend=alt.Legend(columns=4))
    form = alt.Shape("form:N", scale=alt.Scale(domain=list(FORMS), range=list(FORMS)), legend=None)
    base = alt.Chart(inline_data(points)).encode(x=x, y=y)
    marks = base.mark_point(filled=True, size=70, opacity=1)
    layers = [marks.encode(color=colour, shape=form, description="told:N")]
    for side, (align, right, down) in SIDES.items():
        names = base.transform_filter(alt.datum.side == side)
        beside = names.mark_text(align=align, dx=right, dy=down, fontSize=11, color=LIGHT["ink"], baseline="middle")
        layers.append(beside.encode(text="system:N"))
    told = "; ".join(map(_told, rows))
    return drawn(
        chart_id,
        alt.LayerChart(layer=layers),
        f"Max F1 against pairs scored a second. {told}.",
        height=HEIGHT,
        with_names=True,
    )


def _told(row: BenchRow) -> str:
    return f"{row.title}: {max_f1(row):.3f} at {speed(row):,.0f} pairs/s, {row.measured_on}"


def learning(chart_id: str, rows: Sequence[BenchRow]) -> str | None:
    """F1 on held-out pairs over the epochs of the learning rate that was chosen; None where nothing was trained so."""
    import altair as alt

    trained = [row for row in rows if len(_chosen(row)) > 1]
    trained = sorted(trained, key=lambda row: -max_f1(row))[: len(LINES)]
    if not trained:
        return None
    points = [
        {"system": row.title, "epoch": point["epoch"], "f1": point["f1"]} for row in trained for point in _chosen(row)
    ]
    names = [row.title for row in trained]
    x = alt.X("epoch:Q", title="epochs", axis=alt.Axis(tickCount=6, grid=False))
    y = alt.Y("f1:Q", title="max F1, held out", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
    legend = alt.Legend(columns=2, labelLimit=200)
    colour = alt.Color("system:N", title=None, scale=colour_scale(names, LINES[: len(names)]), legend=legend)
    base = alt.Chart(inline_data(points)).encode(x=x, y=y, color=colour)
    told = "; ".join(f"{row.title} reaches {max(point['f1'] for point in _chosen(row)):.3f}" for row in trained)
    return drawn(
        chart_id,
        base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=40, opacity=1),
        f"F1 on held-out pairs while training. {told}.",
        height=HEIGHT,
    )


def _chosen(row: BenchRow) -> list[Any]:
    return [point for point in row.curve if point["learning_rate"] == row.learning_rate]


def _kind(row: BenchRow) -> str:
    if row.group == "shipped":
        return "as shipped"
    if row.against is None:
        return "LR, or no different" if row.system == YARDSTICK else "not compared"
    return "historical" if row.is_historical else "LR, or no different" if row.is_no_different else "above LR"
