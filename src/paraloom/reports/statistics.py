"""Figures of corpora in, their report out: a page, a JSON object, or lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.corpus_figures import BINS, CorpusFigures
from paraloom.reports import papers_turku as papers
from paraloom.reports.pages import NOTHING, decimal, number, percent, render, write_page
from paraloom.reports.plain import plain_table
from paraloom.reports.statistics_rows import (
    PATTERN_NAMES,
    FigureRow,
    bin_rows,
    mapping_rows,
    overview,
    pattern_rows,
    statement_rows,
    trivial_share,
    why_not,
)
from paraloom.text.counted import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsEvaluation:
    """Corpora side by side."""

    corpora: tuple[CorpusFigures, ...]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics` and `signature`; under `corpora`, by name, where there are several."""
        told = {"notes": list(self.notes), "paraloom": paraloom_version()}
        if len(self.corpora) == 1:
            of_corpus = _as_json(self.corpora[0])
            return of_corpus | told | {"notes": [*of_corpus["notes"], *self.notes]}
        return {"corpora": {corpus.name: _as_json(corpus) for corpus in self.corpora}} | told

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        corpora = self.corpora
        parts = [*(_opening(corpus) for corpus in corpora), *self.notes]
        parts += [note for corpus in corpora for note in corpus.notes]
        for corpus in corpora:
            if corpus.labels.labelled:
                parts.append(_labels_table(corpus))
        parts.append(_table("", overview(corpora), corpora))
        parts.append(_table("statements", statement_rows(corpora), corpora))
        parts.append(_table("pairs", mapping_rows(corpora), corpora))
        parts.append(_table("pattern", pattern_rows(corpora), corpora))
        parts += why_not(corpora)
        return "\n\n".join(parts)


def metrics_of(corpus: CorpusFigures) -> dict[str, float | int | None]:
    """The figures of a corpus by name; shares from 0 to 1. A pattern that was not looked for is null."""
    labels = corpus.labels
    found: dict[str, float | int | None] = {
        "pairs": corpus.pairs,
        "measured-pairs": corpus.measured,
        "rewrites": labels.rewrites,
        "paraphrase-share": _share(labels.paraphrases, labels.labelled),
        "similarity-mean": corpus.similarity.measured.mean,
        "tokens-mean": corpus.lengths.mean,
        "tokens-median": corpus.lengths.median,
    }
    found |= {f"statements-{part.name}": part.share for part in corpus.mapping.statements}
    found |= {f"mapping-{part.name}": part.share for part in corpus.mapping.pairs}
    shares = {part.name: part.share for part in corpus.patterns.patterns}
    found |= {f"pattern-{name.replace('_', '-')}": shares.get(name) for name in (*PATTERN_NAMES, "others")}
    return found | {"trivial-share": corpus.patterns.trivial.share}


def _as_json(corpus: CorpusFigures) -> dict[str, Any]:
    figures = asdict(corpus)
    figures["similarity"]["bins"] = [round(place / BINS, 2) for place in range(BINS + 1)]
    signature = figures.pop("signature")
    return {"metrics": metrics_of(corpus), "signature": signature} | figures | {"notes": list(corpus.notes)}


def write_statistics_report(evaluation: StatisticsEvaluation, folder: Path) -> Path:
    """Write report.html and statistics.json into a folder; gives the page's path."""
    return write_page(folder, render_statistics(evaluation), "statistics.json", evaluation.as_json())


def render_statistics(evaluation: StatisticsEvaluation) -> str:
    """The page of an evaluation."""
    corpora = evaluation.corpora
    return render(
        "statistics.html",
        {
            "evaluation": evaluation,
            "corpora": corpora,
            "headline": headline(corpora),
            "openings": [_opening(corpus) for corpus in corpora],
            "overview": overview(corpora),
            "statements": statement_rows(corpora),
            "mappings": mapping_rows(corpora),
            "patterns": pattern_rows(corpora),
            "why_not": why_not(corpora),
            "pattern_names": PATTERN_NAMES,
            "bins": bin_rows(corpora),
            "charts": _charts(corpora),
            "papers": papers,
            "version": paraloom_version(),
        },
    )


def headline(corpora: Sequence[CorpusFigures]) -> str:
    """What came of it, in one line."""
    if len(corpora) > 1:
        return f"{len(corpora)} corpora side by side"
    (corpus,) = corpora
    return f"{corpus.name}: {counted(corpus.pairs, 'pair', 'pairs')}, {trivial_share(corpus)} trivial"


def _opening(corpus: CorpusFigures) -> str:
    """What there is, in one sentence."""
    labels = corpus.labels
    yes = "" if labels.paraphrases is None else f", {percent(_share(labels.paraphrases, labels.labelled))} paraphrases"
    rewrites = f", {counted(labels.rewrites, 'rewrite', 'rewrites')}" if labels.rewrites else ""
    language = f", language {corpus.language}" if corpus.language else ""
    of_all = "all of them" if corpus.measured_on == "all pairs" else f"{number(corpus.measured)} paraphrases"
    measured = f"; measured on {of_all}"
    return f"{corpus.name}: {counted(corpus.pairs, 'pair', 'pairs')}{yes}{rewrites}{language}{measured}."


def _labels_table(corpus: CorpusFigures) -> str:
    shares = {one.name: one.mean for one in corpus.similarity.by_label}
    rows = [
        [part.name, number(part.count), percent(part.share), decimal(shares.get(part.name), 3)]
        for part in corpus.labels.merged
    ]
    return plain_table([f"labels of {corpus.name}", "pairs", "share", "mean similarity"], rows)


def _table(title: str, rows: Sequence[FigureRow], corpora: Sequence[CorpusFigures]) -> str:
    header = [title, *(corpus.name for corpus in corpora), "Turku corpus, in the paper"]
    return plain_table(header, [[row.name, *row.cells, row.paper or NOTHING] for row in rows])


def _share(part: int | None, whole: int) -> float | None:
    return round(part / whole, 6) if part is not None and whole else None


def _charts(corpora: Sequence[CorpusFigures]) -> dict[str, Any]:
    from markupsafe import Markup

    from paraloom.reports import statistics_charts as charts

    def marked(chart: str | None) -> Markup | None:
        return None if chart is None else Markup(chart)

    names = ", ".join(corpus.name for corpus in corpora)
    means = "; ".join(f"{one.name} {decimal(one.similarity.measured.mean, 2)}" for one in corpora)
    tokens = "; ".join(f"{one.name} {decimal(one.lengths.mean, 1)}" for one in corpora)
    trivial = "; ".join(f"{one.name} {trivial_share(one)}" for one in corpora)
    by_label = [
        {
            what: marked(
                charts.labels_by_similarity(
                    f"labels-{what}-{place}", corpus.similarity, what, f"Labels of {corpus.name} by lexical similarity."
                )
            )
            for what in ("share", "pairs")
        }
        for place, corpus in enumerate(corpora)
    ]
    return {
        "by_label": by_label,
        "similarity": marked(
            charts.similarity_of_corpora("similarity", corpora, f"Lexical similarity of pairs; means: {means}.")
        ),
        "lengths": marked(charts.lengths_of_corpora("lengths", corpora, f"Tokens of statements; means: {tokens}.")),
        "patterns": marked(
            charts.patterns_of_corpora("patterns", corpora, PATTERN_NAMES, f"Patterns of {names}; in all: {trivial}.")
        ),
    }
