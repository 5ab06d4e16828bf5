"""A finished run in, its report.html and summary.json out: one page without any outside file, and the same numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.reports import build_charts as charts
from paraloom.reports.columns import share
from paraloom.reports.differences import Piece, differences
from paraloom.reports.examples import PairExample
from paraloom.reports.histograms import TwoHistograms
from paraloom.reports.pages import number, percent, render, write_page
from paraloom.reports.summary import BuildSummary, summarise
from paraloom.text.counted import counted

SECTIONS = (
    ("funnel", "Funnel"),
    ("wording", "Wording"),
    ("labels", "Labels and topics"),
    ("corpus", "Corpus"),
    ("examples", "Examples"),
    ("left-out", "Left out"),
    ("copies", "Copies"),
    ("links", "Links"),
    ("steps", "Steps"),
)

LESS = "\u2212"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A number at the head of the page."""

    name: str
    value: str
    is_result: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelStep:
    """One bar of the funnel, measured against the first of its block."""

    name: str
    count: int
    share: float
    is_loss: bool
    """What the next bars are without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelBlock:
    """Bars that count the same thing."""

    title: str
    steps: tuple[FunnelStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPair:
    """A pair with the words marked that only one side has."""

    example: PairExample
    left: list[Piece]
    right: list[Piece]


def write_report(run: Path) -> tuple[Path, Path]:
    """Write report.html and summary.json into a run folder; gives their paths."""
    summary = summarise(run)
    report = write_page(run, render_report(summary), "summary.json", asdict(summary))
    return report, run / "summary.json"


def render_report(summary: BuildSummary) -> str:
    """The page of a summary."""
    return render(
        "build.html",
        {
            "summary": summary,
            "headline": headline(summary),
            "files": _files(summary.corpus.files),
            "group_kinds": ", ".join(f"{number(kind.count)} by {kind.name}" for kind in summary.corpus.group_kinds),
            "cards": _cards(summary),
            "sections": SECTIONS,
            "funnel_blocks": _funnel_blocks(summary),
            "charts": _charts(summary),
            "scores_caption": f"How sure the labels are. {_threshold_told(summary)}".strip(),
            "balance_caption": _balance_caption(summary),
            "topics_caption": _topics_caption(summary),
            "paraphrases": _shown(summary.examples.paraphrases),
            "near_misses": _shown(summary.examples.near_misses),
        },
    )


def headline(summary: BuildSummary) -> str:
    """What came of it, in one line."""
    posts = counted(summary.links.every.posts, "post", "posts")
    if summary.funnel.corpus_kept:
        return f"{counted(summary.funnel.corpus_paraphrases, 'paraphrase', 'paraphrases')} from {posts}"
    return f"No corpus yet from {posts}"


def _files(names: tuple[str, ...]) -> str:
    if len(names) <= 3:
        return " and ".join(names)
    return f"{len(names)} files, {names[0]} to {names[-1]}"


def _cards(summary: BuildSummary) -> tuple[Card, ...]:
    funnel = summary.funnel
    pinc = summary.distributions.pinc.paraphrases.mean
    return (
        Card(name="rows read", value=number(funnel.rows_read)),
        Card(name="groups kept", value=number(funnel.groups_kept)),
        Card(name="sentences kept", value=number(funnel.sentences_kept)),
        Card(name="pairs proposed", value=number(funnel.pairs)),
        Card(
            name=f"pairs released, {percent(summary.released.share_of_paraphrases)} of them paraphrases",
            value=number(funnel.corpus_kept),
            is_result=True,
        ),
        Card(name="mean PINC of paraphrases", value="\u2013" if pinc is None else f"{pinc:.2f}"),
    )


def _funnel_blocks(summary: BuildSummary) -> tuple[FunnelBlock, ...]:
    funnel = summary.funnel
    return (
        _block(
            "Rows and posts",
            ("rows read", funnel.rows_read),
            (f"{LESS} left out", funnel.rows_dropped),
            (f"{LESS} repeated copies", funnel.rows_repeated),
            ("= posts kept", funnel.documents_kept),
            ("in a kept group", funnel.documents_grouped),
        ),
        _block("Groups", ("found", funnel.groups), ("kept", funnel.groups_kept)),
        _block("Sentences", ("in kept groups", funnel.sentences), ("kept", funnel.sentences_kept)),
        _block(
            "Pairs",
            ("proposed", funnel.pairs),
            ("paraphrases", funnel.paraphrases),
            ("released, both labels", funnel.corpus_kept),
            ("released paraphrases", funnel.corpus_paraphrases),
        ),
    )


def _block(title: str, *steps: tuple[str, int]) -> FunnelBlock:
    whole = steps[0][1]
    return FunnelBlock(
        title=title,
        steps=tuple(
            FunnelStep(name=name, count=count, share=share(count, whole), is_loss=name.startswith(LESS))
            for name, count in steps
        ),
    )


def _charts(summary: BuildSummary) -> dict[str, Any]:
    from markupsafe import Markup

    spread, papers = summary.distributions, summary.in_papers
    drawn = {
        "pinc": charts.two_densities("pinc", "PINC", spread.pinc, _described("PINC", spread.pinc)),
        "jaccard": charts.two_densities("jaccard", "Jaccard", spread.jaccard, _described("Jaccard", spread.jaccard)),
        "similarity": charts.two_densities(
            "similarity", "similarity", spread.similarity, _described("Similarity", spread.similarity)
        ),
        "scores": charts.score_histogram(
            "scores",
            spread.scores,
            spread.threshold,
            f"{_described('Score', spread.scores)} {_threshold_told(summary)}",
        ),
        "sizes": charts.group_sizes(
            "sizes",
            summary.filter_effect.sizes,
            "Bars of groups by size before and after: "
            + "; ".join(f"{bin.name} posts {bin.before} and {bin.after}" for bin in summary.filter_effect.sizes),
        ),
        "topics": charts.topic_shares("topics", summary.topics, papers.largest_topics, _topics_described(summary)),
        "balance": charts.label_balance(
            "balance", summary.balance, summary.released, papers.paraphrase_shares, _balance_caption(summary)
        ),
    }
    # Altair's drawing went through an XML writer, which escapes every text in it.
    return {name: None if svg is None else Markup(svg) for name, svg in drawn.items()}


def _described(name: str, both: TwoHistograms) -> str:
    means = [
        f"{what} have a mean of {histogram.mean:.2f}"
        for what, histogram in (("paraphrases", both.paraphrases), ("other pairs", both.others))
        if histogram.mean is not None
    ]
    return f"{name} of pairs, two step histograms: {' and '.join(means)}."


def _threshold_told(summary: BuildSummary) -> str:
    threshold = summary.distributions.threshold
    return "" if threshold is None else f"A pair that scores above {threshold:g} counts as a paraphrase."


def _topics_described(summary: BuildSummary) -> str:
    shares = (
        f"{topic.topic} {percent(topic.share_of_groups)} of groups, {percent(topic.share_of_pairs)} of released pairs"
        for topic in summary.topics
    )
    return f"Bars of topics: {'; '.join(shares)}."


def _balance_caption(summary: BuildSummary) -> str:
    labelled, released = summary.balance, summary.released
    unlabelled = f" {number(labelled.unlabelled)} have no label." if labelled.unlabelled else ""
    return (
        f"{number(labelled.paraphrases)} of {number(labelled.paraphrases + labelled.others)} labelled pairs are "
        f"paraphrases ({percent(labelled.share_of_paraphrases)}), and {number(released.paraphrases)} of "
        f"{number(released.paraphrases + released.others)} released ones.{unlabelled} "
        "Published shares from Dou et al., 2022, Table 1."
    )


def _topics_caption(summary: BuildSummary) -> str:
    stated = " and ".join(f"{mark.share:.0%} {mark.what} in {mark.corpus}" for mark in summary.in_papers.largest_topics)
    return f"The marks are the largest topic of two earlier corpora: {stated} (Dou et al., 2022, \u00a72.4)."


def _shown(examples: Iterable[PairExample]) -> list[ShownPair]:
    shown = []
    for example in examples:
        left, right = differences(example.left, example.right)
        shown.append(ShownPair(example=example, left=left, right=right))
    return shown
