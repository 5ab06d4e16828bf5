"""Numbers of a build's summary in, its charts as inline SVG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.drawing import LIGHT, colour_scale, drawn, inline_data
from paraloom.reports.histograms import BINS, Histogram, SizeBin, TwoHistograms

if TYPE_CHECKING:
    import altair as alt

    from paraloom.reports.pairs import Balance
    from paraloom.reports.papers import PaperShare
    from paraloom.reports.summary import TopicShare

_PARAPHRASES, _OTHERS = "paraphrases", "not paraphrases"


def two_densities(chart_id: str, title: str, both: TwoHistograms, description: str) -> str | None:
    """Two step histograms over one another, each as shares of its own pairs; None where there is no pair."""
    import altair as alt

    rows = []
    for name, histogram in ((_PARAPHRASES, both.paraphrases), (_OTHERS, both.others)):
        rows += [{"pairs": name, **row} for row in _steps(histogram)]
    if not rows:
        return None
    colour = alt.Color("pairs:N", title=None, scale=colour_scale((_PARAPHRASES, _OTHERS), ("first", "second")))
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X("value:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=_unit_axis()),
        y=alt.Y("share:Q", title="share of pairs", axis=alt.Axis(format="%", tickCount=5), stack=None),
        color=colour,
    )
    area = base.mark_area(interpolate="step-after", opacity=0.16)
    line = base.mark_line(interpolate="step-after", strokeWidth=2)
    means = _means({_PARAPHRASES: both.paraphrases, _OTHERS: both.others})
    rule = (
        alt.Chart(inline_data(means))
        .mark_rule(strokeDash=[3, 3], strokeWidth=1.5)
        .encode(x=alt.X("value:Q"), color=colour)
    )
    return drawn(chart_id, area + line + rule, description)


def score_histogram(chart_id: str, scores: TwoHistograms, threshold: float | None, description: str) -> str | None:
    """How sure the identifier is, by label, with the score above which a pair is a paraphrase."""
    import altair as alt

    both = ((_PARAPHRASES, scores.paraphrases), (_OTHERS, scores.others))
    rows = [
        {"from": place / BINS, "to": (place + 1) / BINS, "pairs": count, "label": name}
        for name, histogram in both
        for place, count in enumerate(histogram.counts)
        if count
    ]
    if not rows:
        return None
    most = max(map(sum, zip(scores.paraphrases.counts, scores.others.counts, strict=True)))
    x = alt.X("from:Q", bin="binned", title="score", scale=alt.Scale(domain=[0, 1]), axis=_unit_axis())
    chart: alt.Chart | alt.LayerChart = (
        alt.Chart(inline_data(rows))
        .mark_bar(binSpacing=1)
        .encode(
            x=x,
            x2="to:Q",
            y=alt.Y(
                "pairs:Q",
                title="pairs",
                scale=alt.Scale(domain=[0, 1.15 * most], nice=False),  # room for the threshold's name
                axis=alt.Axis(tickCount=5, format=",d", tickMinStep=1, grid=False),
            ),
            color=alt.Color("label:N", title=None, scale=colour_scale((_PARAPHRASES, _OTHERS), ("first", "pale"))),
        )
    )
    if threshold is not None and 0 <= threshold <= 1:
        mark = alt.Chart(inline_data([{"from": threshold, "text": f"threshold {threshold:g}"}])).encode(x=x)
        before = threshold > 0.5
        chart += mark.mark_rule(color=LIGHT["ink"], strokeWidth=1.5)  # not dashed, as means are
        chart += mark.mark_text(
            align="right" if before else "left",
            baseline="top",
            dx=-5 if before else 5,
            y=0,
            color=LIGHT["ink"],
            fontSize=11,
        ).encode(text="text:N")
    return drawn(chart_id, chart, description)


def group_sizes(chart_id: str, sizes: Sequence[SizeBin], description: str) -> str | None:
    """Groups by their number of posts, before and after copies are left out."""
    import altair as alt

    if not sizes:
        return None
    rows = [
        {"size": bin.name, "groups": count, "when": when}
        for bin in sizes
        for when, count in (("before", bin.before), ("after", bin.after))
    ]
    names = [bin.name for bin in sizes]
    bars = (
        alt.Chart(inline_data(rows))
        .mark_bar(cornerRadiusEnd=1)
        .encode(
            x=alt.X(
                "size:N",
                title="posts in a group",
                sort=names,
                axis=alt.Axis(labelAngle=-40 if len(names) > 7 else 0),
            ),
            xOffset=alt.XOffset("when:N", sort=["before", "after"]),
            y=alt.Y(
                "groups:Q",
                title="groups (square-root scale)",
                scale=alt.Scale(type="sqrt"),  # the few large groups would not be seen beside the many small ones
                axis=alt.Axis(tickCount=4, format=",d", tickMinStep=1),
            ),
            color=alt.Color("when:N", title=None, scale=colour_scale(("before", "after"), ("pale", "first"))),
        )
    )
    return drawn(chart_id, bars, description)


def topic_shares(
    chart_id: str, topics: Sequence[TopicShare], stated: Sequence[PaperShare], description: str
) -> str | None:
    """Topics of groups and of released pairs, with the largest topic of two earlier corpora as marks."""
    import altair as alt

    if not any(topic.groups or topic.pairs for topic in topics):
        return None
    names = [topic.topic for topic in topics]
    of_groups, of_pairs = "of groups", "of released pairs"
    rows = [
        {"topic": topic.topic, "share": share, "what": what}
        for topic in topics
        for what, share in ((of_groups, topic.share_of_groups), (of_pairs, topic.share_of_pairs))
    ]
    marks = [
        {"topic": mark.what, "share": mark.share, "text": f"{mark.corpus} {mark.share:.0%}"}
        for mark in stated
        if mark.what in names
    ]
    most = max([row["share"] for row in rows if isinstance(row["share"], float)] + [mark.share for mark in stated])
    y = alt.Y("topic:N", sort=names, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=130))
    x = alt.X(
        "share:Q",
        title="share",
        scale=alt.Scale(domain=[0, min(1.0, most + 0.05)]),
        axis=alt.Axis(format="%", tickCount=5),
    )
    bars = (
        alt.Chart(inline_data(rows))
        .mark_bar(cornerRadiusEnd=1)
        .encode(
            x=x,
            y=y,
            yOffset=alt.YOffset("what:N", sort=[of_groups, of_pairs]),
            color=alt.Color("what:N", title=None, scale=colour_scale((of_groups, of_pairs), ("pale", "first"))),
        )
    )
    ticks = alt.Chart(inline_data(marks)).mark_tick(color=LIGHT["second"], thickness=2.5, size=20).encode(x=x, y=y)
    texts = (
        alt.Chart(inline_data(marks))
        .mark_text(align="right", dx=-6, color=LIGHT["ink"], fontSize=11)
        .encode(x=x, y=y, text="text:N")
    )
    return drawn(chart_id, bars + ticks + texts, description, height=80 + 23 * len(names))


def label_balance(
    chart_id: str, labelled: Balance, released: Balance, stated: Sequence[PaperShare], description: str
) -> str | None:
    """Shares of paraphrases here and in published corpora."""
    import altair as alt

    if not labelled.paraphrases + labelled.others:
        return None
    here, there = "this build", "published"
    rows: list[dict[str, Any]] = [
        {"corpus": "all labelled pairs", "share": labelled.share_of_paraphrases, "where": here},
        {"corpus": "released pairs", "share": released.share_of_paraphrases, "where": here},
    ]
    rows += [{"corpus": mark.corpus, "share": mark.share, "where": there} for mark in stated]
    for row in rows:
        row["text"] = f"{row['share']:.0%}"
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X(
            "share:Q",
            title="share of paraphrases",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="%", tickCount=5),
        ),
        y=alt.Y("corpus:N", sort=[row["corpus"] for row in rows], title=None, axis=alt.Axis(ticks=False, domain=False)),
    )
    bars = base.mark_bar(cornerRadiusEnd=1, height={"band": 0.66}).encode(
        color=alt.Color("where:N", title=None, scale=colour_scale((here, there), ("first", "pale")))
    )
    texts = base.mark_text(align="left", dx=5, color=LIGHT["ink"], fontSize=11).encode(text="text:N")
    return drawn(chart_id, bars + texts, description, height=80 + 30 * len(rows))


def _unit_axis() -> alt.Axis:
    import altair as alt

    return alt.Axis(tickCount=6, grid=False, format=".1f")


def _steps(histogram: Histogram) -> list[dict[str, float]]:
    """Where each step begins; the last is repeated at 1, where it ends."""
    if not histogram.values:
        return []
    shares = [count / histogram.values for count in histogram.counts]
    return [{"value": place / BINS, "share": share} for place, share in enumerate([*shares, shares[-1]])]


def _means(histograms: dict[str, Histogram]) -> list[dict[str, Any]]:
    return [{"pairs": name, "value": one.mean} for name, one in histograms.items() if one.mean is not None]
