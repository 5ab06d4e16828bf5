"""Figures of corpora in, their charts as inline SVG out: figures 2 to 5 of Kanerva et al. (2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from paraloom.metrics.corpus_figures import BINS, CorpusFigures, SimilarityFigures
from paraloom.reports.drawing import colour_scale, drawn, inline_data

if TYPE_CHECKING:
    import altair as alt

SHOWN = ("first", "second", "ink", "muted")
"""Colours of the corpora in a chart, in their order; more lines could not be told apart."""

SUBSUMED = "4< or 4>"
"""Both directions together, for the charts: which of two texts stands left is of no account."""

LABEL_COLOURS = {
    "1": "second",
    "2": "second-pale",
    "3": "first-pale",
    SUBSUMED: "first-mid",
    "4": "first",
    "no": "second",
    "yes": "first",
}
"""Labels that are drawn: negative ones warm, positive ones cool, the surest the darkest."""

HEIGHT = 270
LONGEST = 40
"""Longer statements are left out of the chart of lengths."""


def labels_by_similarity(
    chart_id: str, figures: SimilarityFigures, what: Literal["share", "pairs"], description: str
) -> str | None:
    """Labels in every bin of similarity, as shares of the bin or as pairs; None where labels are of no known scheme."""
    import altair as alt

    counts = _drawn_counts(figures)
    if not counts:
        return None
    rows = [
        {
            "label": label,
            "order": order,
            "from": place / BINS,
            "to": (place + 1) / BINS,
            "share": count / total if (total := sum(of[place] for of in counts.values())) else 0.0,
            "pairs": count,
        }
        for order, (label, of) in enumerate(counts.items())
        for place, count in enumerate(of)
    ]
    y = (
        alt.Y("share:Q", stack="zero", title="share of pairs", axis=alt.Axis(format="%", tickCount=5), scale=_whole())
        if what == "share"
        else alt.Y("pairs:Q", stack="zero", title="pairs", axis=alt.Axis(tickCount=5, tickMinStep=1))
    )
    chart = (
        alt.Chart(inline_data(rows))
        .mark_bar(binSpacing=1)
        .encode(
            x=_similarity("from:Q", bin="binned"),
            x2="to:Q",
            y=y,
            order="order:Q",
            color=alt.Color(
                "label:N",
                title=None,
                sort=list(counts),
                scale=colour_scale(list(counts), [LABEL_COLOURS[label] for label in counts]),
            ),
        )
    )
    return drawn(chart_id, chart, description, height=HEIGHT)


def _drawn_counts(figures: SimilarityFigures) -> dict[str, list[int]]:
    """Counts of the labels that have a colour, in its order."""
    counts: dict[str, list[int]] = {}
    for one in figures.by_label:
        label = SUBSUMED if one.name in ("4<", "4>") else one.name
        if label in LABEL_COLOURS:
            before = counts.get(label, [0] * BINS)
            counts[label] = [a + b for a, b in zip(before, one.counts, strict=True)]
    return {label: counts[label] for label in LABEL_COLOURS if label in counts}


def similarity_of_corpora(chart_id: str, corpora: Sequence[CorpusFigures], description: str) -> str | None:
    """The share of pairs in every bin of similarity, one line a corpus."""
    import altair as alt

    rows = [
        {"corpus": corpus.name, "similarity": (place + 0.5) / BINS, "share": count / histogram.pairs}
        for corpus in corpora[: len(SHOWN)]
        if (histogram := corpus.similarity.measured).pairs
        for place, count in enumerate(histogram.counts)
    ]
    if not rows:
        return None
    chart = (
        alt.Chart(inline_data(rows))
        .mark_line(strokeWidth=2, interpolate="monotone")
        .encode(x=_similarity("similarity:Q"), y=_shares(), color=_of_corpora(corpora, as_lines=True))
    )
    return drawn(chart_id, chart, description, height=HEIGHT)


def lengths_of_corpora(chart_id: str, corpora: Sequence[CorpusFigures], description: str) -> str | None:
    """The share of statements of every length, one line a corpus."""
    import altair as alt

    rows = [
        {"corpus": corpus.name, "tokens": length, "share": count / corpus.lengths.statements}
        for corpus in corpora[: len(SHOWN)]
        if corpus.lengths.statements
        for length, count in enumerate(corpus.lengths.counts[: LONGEST + 1])
        if length
    ]
    if not rows:
        return None
    tokens = alt.X("tokens:Q", title="tokens", scale=alt.Scale(domain=[0, LONGEST]), axis=alt.Axis(grid=False))
    chart = (
        alt.Chart(inline_data(rows))
        .mark_line(strokeWidth=2, interpolate="monotone")
        .encode(x=tokens, y=_shares(), color=_of_corpora(corpora, as_lines=True))
    )
    return drawn(chart_id, chart, description, height=HEIGHT)


def patterns_of_corpora(
    chart_id: str, corpora: Sequence[CorpusFigures], names: dict[str, str], description: str
) -> str | None:
    """The share of pairs that each pattern explains, one bar a corpus; what was not looked for has no bar."""
    import altair as alt

    shown = corpora[: len(SHOWN)]
    rows: list[dict[str, Any]] = [
        {"corpus": corpus.name, "pattern": names[part.name], "share": part.share}
        for corpus in shown
        if corpus.measured
        for part in corpus.patterns.patterns
        if part.name in names
    ]
    if not rows:
        return None
    order = [name for name in names.values() if any(row["pattern"] == name for row in rows)]
    corpus_names = [corpus.name for corpus in shown]
    chart = (
        alt.Chart(inline_data(rows))
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title="share of pairs", axis=alt.Axis(format=".0%", tickCount=5)),
            y=alt.Y("pattern:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=170)),
            yOffset=alt.YOffset("corpus:N", sort=corpus_names),
            color=_of_corpora(corpora),
        )
    )
    return drawn(chart_id, chart, description, height=70 + len(order) * (18 + 12 * len(corpus_names)))


def _similarity(field: str, **settings: Any) -> alt.X:
    import altair as alt

    axis = alt.Axis(grid=False, tickCount=6, format=".1f")
    return alt.X(field, title="lexical similarity", scale=alt.Scale(domain=[0, 1]), axis=axis, **settings)


def _shares() -> alt.Y:
    import altair as alt

    return alt.Y("share:Q", title="share", axis=alt.Axis(format="%", tickCount=5))


def _whole() -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=[0, 1])


def _of_corpora(corpora: Sequence[CorpusFigures], *, as_lines: bool = False) -> alt.Color:
    import altair as alt

    names = [corpus.name for corpus in corpora[: len(SHOWN)]]
    symbol: dict[str, Any] = {"symbolType": "stroke", "symbolStrokeWidth": 3} if as_lines else {}
    legend = alt.Legend(labelLimit=110, **symbol) if len(names) > 1 else None
    return alt.Color("corpus:N", title=None, sort=names, scale=colour_scale(names, SHOWN[: len(names)]), legend=legend)
