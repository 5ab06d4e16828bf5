"""Figures of embedders that look for known answers in, their report out: a page, a JSON object, or lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.identification.figures import Figure, SystemComparison
from paraloom.metrics.retrieval.figures import AREA, AVERAGE_RANK, FORGIVING, RECIPROCAL, EmbedderFigures
from paraloom.reports.identification import SIGNIFICANT, comparisons_as_text
from paraloom.reports.pages import NOTHING, number, render, write_page
from paraloom.reports.plain import plain_table


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFigures:
    """Every embedder on one set of pairs."""

    name: str
    pairs: int
    """Queries: pairs, or twice as many where each side is asked."""
    texts: int
    """Distinct texts of both sides."""
    same: int
    """Pairs of one text, which are not looked for."""
    embedders: tuple[EmbedderFigures, ...]
    comparisons: tuple[SystemComparison, ...]

    @property
    def candidates(self) -> int:
        """How many are ranked for each query."""
        return self.embedders[0].candidates

    @property
    def distractors(self) -> int:
        """Candidates that are no texts of the pairs; the query is no candidate."""
        return self.candidates - (self.texts - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalEvaluation:
    """Embedders on sets of pairs, each set with the same strangers."""

    sets: tuple[SetFigures, ...]
    distractors: int
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics` and `signature`; under `systems` where there are several, by set and embedder."""
        about = {
            "sets": {
                one.name: {
                    "pairs": one.pairs,
                    "texts": one.texts,
                    "same_text": one.same,
                    "distractors": one.distractors,
                    "candidates": one.candidates,
                }
                for one in self.sets
            },
            "distractors": self.distractors,
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }
        first = self.sets[0]
        if len(self.sets) == 1 and len(first.embedders) == 1:
            return first.embedders[0].as_json() | {"system": first.embedders[0].name} | about
        several = len(self.sets) > 1
        return {
            "systems": {
                f"{one.name}/{its.name}" if several else its.name: its.as_json()
                for one in self.sets
                for its in one.embedders
            },
            "comparisons": [
                comparison.as_json() | ({"set": one.name} if several else {})
                for one in self.sets
                for comparison in one.comparisons
            ],
            **about,
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        parts = [*self.notes]
        for one in self.sets:
            parts.append(
                f"{one.name}: {number(one.embedders[0].paraphrases)} paraphrases of {number(one.pairs)} pairs, each "
                f"looked for among {number(one.candidates)} candidates."
            )
            names = figure_names(one.embedders)
            parts.append(
                plain_table(
                    ["paraphrases", *(its.name for its in one.embedders)],
                    [
                        [shown_name(name), *(_with_interval(name, its.figures.get(name)) for its in one.embedders)]
                        for name in names
                    ],
                )
            )
            parts += [_parts_as_text(its) for its in one.embedders]
            parts += [f"{name} is not measured: {why}." for name, why in one.embedders[0].not_measured.items()]
            if one.comparisons:
                parts.append(comparisons_as_text(one.comparisons))
        return "\n\n".join(parts)


def figure_names(embedders: Sequence[EmbedderFigures]) -> list[str]:
    """The figures of a set in the order they are shown: accuracies, ranks, then the others."""
    ks = [f"top-{k}" for k in embedders[0].ks]
    there = {name for one in embedders for name in one.figures}
    return [name for name in (*ks, AVERAGE_RANK, RECIPROCAL, FORGIVING, AREA) if name in there]


def shown_name(name: str) -> str:
    """A figure as a table calls it.

    >>> shown_name("average-rank"), shown_name("top-1")
    ('average-rank, %', 'top-1')
    """
    return f"{name}, %" if name == AVERAGE_RANK else name


def shown_value(name: str, figure: Figure | None) -> str:
    """A figure's value: ranks are in per cent of the candidates, the others shares."""
    return NOTHING if figure is None else f"{figure.value:.{_places(name)}f}"


def shown_bounds(name: str, figure: Figure | None) -> str:
    """An interval's two ends."""
    if figure is None or figure.interval is None:
        return NOTHING
    places = _places(name)
    return f"{figure.interval.low:.{places}f}–{figure.interval.high:.{places}f}"


def _places(name: str) -> int:
    return 2 if name == AVERAGE_RANK else 3


def _with_interval(name: str, figure: Figure | None) -> str:
    return f"{shown_value(name, figure)} ({shown_bounds(name, figure)})"


def _parts_as_text(embedder: EmbedderFigures) -> str:
    names = [f"top-{k}" for k in embedder.ks]
    return plain_table(
        [embedder.name, "pairs", *names, f"beyond {embedder.ks[-1]}", shown_name(AVERAGE_RANK), "95%", RECIPROCAL],
        [
            [
                part.label,
                number(part.pairs),
                *(shown_value(name, part.figures[name]) for name in names),
                f"{1 - part.figures[names[-1]].value:.3f}",
                shown_value(AVERAGE_RANK, part.figures[AVERAGE_RANK]),
                shown_bounds(AVERAGE_RANK, part.figures[AVERAGE_RANK]),
                shown_value(RECIPROCAL, part.figures[RECIPROCAL]),
            ]
            for part in embedder.parts
        ],
    )


def write_retrieval_report(evaluation: RetrievalEvaluation, folder: Path) -> Path:
    """Write report.html and retrieval.json into a folder; gives the page's path."""
    return write_page(folder, render_retrieval(evaluation), "retrieval.json", evaluation.as_json())


def headline(evaluation: RetrievalEvaluation) -> str:
    """What came of it, in one line."""
    first = evaluation.sets[0]
    smallest = f"top-{first.embedders[0].ks[0]}"
    best = max(first.embedders, key=lambda one: one.figures[smallest].value if one.figures else 0.0)
    if smallest not in best.figures:
        return f"{first.name}: no paraphrase to look for"
    told = f"{best.name} finds {100 * best.figures[smallest].value:.1f}% of answers"
    place = "first" if best.ks[0] == 1 else f"among the first {best.ks[0]}"
    return f"{told} {place}, of {number(first.candidates)} candidates"


def render_retrieval(evaluation: RetrievalEvaluation) -> str:
    """The page of an evaluation."""
    from markupsafe import Markup

    from paraloom.reports import retrieval_charts as charts

    # Altair's drawing went through an XML writer, which escapes every text in it.
    drawn = {
        one.name: {
            "ranks": Markup(charts.average_ranks(f"ranks-{place}", one)),
            "within": Markup(charts.within_k(f"within-{place}", one)),
        }
        for place, one in enumerate(evaluation.sets)
    }
    return render(
        "retrieval.html",
        {
            "evaluation": evaluation,
            "headline": headline(evaluation),
            "charts": drawn,
            "first_chart": Markup(charts.top_one("top-one", evaluation.sets)),
            "figure_names": figure_names,
            "shown_name": shown_name,
            "shown_value": shown_value,
            "shown_bounds": shown_bounds,
            "average_rank": AVERAGE_RANK,
            "significant": SIGNIFICANT,
            "version": paraloom_version(),
        },
    )
