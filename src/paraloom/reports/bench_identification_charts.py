"""Rows of a benchmark in, its charts as inline SVG out: how good against how fast, and how trainings went."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Any

from paraloom.reports.bench_identification_rows import BenchRow
from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data

if TYPE_CHECKING:
    from paraloom.reports.bench_identification import IdentificationBench

HEIGHT = 320
LINES = ("first", "second", "ink", "muted", "pale")
"""Colours of learning curves; more lines could not be told apart."""

LETTER, LINE = 0.02, 0.07
"""How wide a letter and how high a line is, as shares of a chart."""

NARROW = 0.05
"""Figures that lie closer together are marked with three decimals."""

KINDS = {"LR or better": "first", "historical": "pale", "as shipped": "second"}


def charts_of(bench: IdentificationBench) -> list[dict[str, Any]]:
    """One entry a corpus with several systems: its title, the chart of quality and speed, and learning curves."""
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
        # Altair's drawing went through an XML writer, which escapes every text in it.
        found.append(
            {
                "corpus": headings.get(corpus, corpus),
                "speed": Markup(quality_and_speed(f"speed-{corpus}", rows)),
                "learning": None if learned is None else Markup(learned),
            }
        )
    return found


def quality_and_speed(chart_id: str, rows: Sequence[BenchRow]) -> str:
    """Max F1 against pairs a second, on a logarithmic scale; systems that none beats in both are named."""
    import altair as alt

    named = {row.name for row in readable_names(rows)}
    points: list[dict[str, Any]] = [
        {
            "system": row.title,
            "f1": row.figures["max-f1"].value,
            "speed": _speed(row),
            "kind": _kind(row),
            "label": row.title if row.name in named else "",
        }
        for row in rows
    ]
    slowest, fastest, lowest, highest = _ends(rows)
    middle = (slowest * fastest) ** 0.5
    room = max(0.02, (highest - lowest) * 0.1)
    x = alt.X(
        "speed:Q",
        title="pairs scored a second",
        scale=alt.Scale(type="log", domain=[slowest / 1.6, fastest * 1.6]),
        axis=alt.Axis(tickCount=5, grid=False, format="~s"),
    )
    y = alt.Y(
        "f1:Q",
        title="max F1",
        scale=alt.Scale(domain=[max(0.0, lowest - room), min(1.0, highest + room)]),
        axis=alt.Axis(tickCount=6, format=".2f" if highest - lowest > NARROW else ".3f"),
    )
    kinds = [kind for kind in KINDS if any(point["kind"] == kind for point in points)]
    colour = alt.Color(
        "kind:N", title=None, scale=colour_scale(kinds, [KINDS[kind] for kind in kinds]), legend=alt.Legend()
    )
    base = alt.Chart(inline_data(points)).encode(x=x, y=y)
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(color=colour)
    slow, fast = base.transform_filter(alt.datum.speed <= middle), base.transform_filter(alt.datum.speed > middle)
    left = slow.mark_text(align="left", dx=8, dy=-4, fontSize=11, color=LIGHT["ink"], baseline="middle")
    right = fast.mark_text(align="right", dx=-8, dy=-4, fontSize=11, color=LIGHT["ink"], baseline="middle")
    told = "; ".join(f"{row.title}: {row.figures['max-f1'].value:.3f} at {_speed(row):,.0f} pairs/s" for row in rows)
    return drawn(
        chart_id,
        dots + left.encode(text="label:N") + right.encode(text="label:N"),
        f"Max F1 against pairs scored a second. {told}.",
        height=HEIGHT,
    )


def undominated(rows: Sequence[BenchRow]) -> list[BenchRow]:
    """The systems that no other one beats, or equals, in both quality and speed.

    >>> from paraloom.reports.bench_identification_rows import BenchCost, BenchFigure
    >>> def row(name: str, f1: float, speed: float) -> BenchRow:
    ...     cost = BenchCost(parameters=1, pairs_per_second=speed, fit_seconds=0, fit_pairs=1, device="cpu",
    ...                      processor="", cores=1)
    ...     figure = BenchFigure(value=f1, seeds=(f1,), signature="")
    ...     return BenchRow(name=name, title=name, group="ours", system=name, corpus="", figures={"max-f1": figure},
    ...                     cost=cost)
    >>> [one.name for one in undominated([row("slow", 0.9, 1), row("poor", 0.5, 2), row("fast", 0.6, 9)])]
    ['slow', 'fast']
    """

    def beats(other: BenchRow, row: BenchRow) -> bool:
        theirs = other.figures["max-f1"].value, _speed(other)
        ours = row.figures["max-f1"].value, _speed(row)
        return theirs != ours and theirs[0] >= ours[0] and theirs[1] >= ours[1]

    return [row for row in rows if not any(beats(other, row) for other in rows)]


def readable_names(rows: Sequence[BenchRow]) -> list[BenchRow]:
    """Rows whose name can stand beside its dot: shipped ones first, then the best; none over another's name or dot."""
    wanted = [row for row in rows if row.group == "shipped"]
    wanted += sorted(
        (row for row in undominated(rows) if row not in wanted), key=lambda row: -row.figures["max-f1"].value
    )
    slowest, fastest, lowest, highest = _ends(rows)
    across, up = max(log(fastest / slowest), 1e-9), max(highest - lowest, 1e-9)
    taken: list[tuple[float, float, float]] = []
    kept = []
    for row in wanted:
        x, y = log(_speed(row) / slowest) / across, (row.figures["max-f1"].value - lowest) / up
        width = LETTER * len(row.title)
        left, right = (x, x + width) if x <= 0.5 else (x - width, x)
        if all(right < start or left > end or abs(y - height) > LINE for start, end, height in taken):
            taken.append((left, right, y))
            kept.append(row)
    return kept


def _ends(rows: Sequence[BenchRow]) -> tuple[float, float, float, float]:
    """The slowest and the fastest speed, the lowest and the highest F1."""
    speeds, figures = [_speed(row) for row in rows], [row.figures["max-f1"].value for row in rows]
    return min(speeds), max(speeds), min(figures), max(figures)


def learning(chart_id: str, rows: Sequence[BenchRow]) -> str | None:
    """F1 on held-out pairs over the epochs of the learning rate that was chosen; None where nothing was trained so."""
    import altair as alt

    trained = [row for row in rows if len(_chosen(row)) > 1]
    trained = sorted(trained, key=lambda row: -row.figures["max-f1"].value)[: len(LINES)]
    if not trained:
        return None
    points = [
        {"system": row.title, "epoch": point["epoch"], "f1": point["f1"]} for row in trained for point in _chosen(row)
    ]
    names = [row.title for row in trained]
    x = alt.X("epoch:Q", title="epochs", axis=alt.Axis(tickCount=6, grid=False))
    y = alt.Y("f1:Q", title="max F1, held out", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6, format=".2f"))
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
    return "historical" if row.is_historical else "LR or better"


def _speed(row: BenchRow) -> float:
    assert row.cost is not None
    return row.cost.pairs_per_second
