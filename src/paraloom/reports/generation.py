"""What was measured of generators in, their report out: a page that begins with the verdict, and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.reports import generation_charts as charts
from paraloom.reports.differences import Piece, differences
from paraloom.reports.generation_parts import SideBySide, TypesFound
from paraloom.reports.generation_summary import Example, GenerationSummary, Row, shown_value
from paraloom.reports.pages import NOTHING, percent, render, write_page
from paraloom.text.facts import KINDS

PEOPLE = "people"
"""What references that stand for people are called on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExample:
    """An output with the words marked that its source does not have, and a reference with those the output lacks."""

    example: Example
    source: list[Piece]
    output: list[Piece]
    reference: list[Piece]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSideBySide:
    """A source, and what everybody made of it with the words marked that it does not have."""

    source: str
    outputs: list[tuple[str, list[Piece], str]]
    """Who, the pieces of the text (none where nothing was written), and what sort of output it is."""


def write_generation_report(summary: GenerationSummary, folder: Path) -> Path:
    """Write report.html and generation.json into a folder; gives the page's path."""
    return write_page(folder, render_generation(summary), "generation.json", summary.as_json())


def render_generation(summary: GenerationSummary) -> str:
    """The page of an evaluation of generators."""
    facts = [*((system.row.name, system.facts) for system in summary.systems), (PEOPLE, summary.human_facts)]
    return render(
        "generation.html",
        {
            "summary": summary,
            "headline": headline(summary),
            "others": (summary.human, summary.stranger, *summary.parrots),
            "examples": {
                system.row.name: [_shown(example) for example in system.examples] for system in summary.systems
            },
            "typed": _typed(summary),
            "facts": facts,
            "fact_kinds": [
                kind
                for kind in KINDS
                if any(kind in found.missing_by_kind or kind in found.invented_by_kind for _, found in facts)
            ],
            "breach_pieces": lambda example: differences(example.source, example.output),
            "side_by_side": [_by_system(one) for one in summary.side_by_side],
            "charts": _charts(summary),
            "value": _value,
            "bounds": _bounds,
            "shown": shown_value,
            "version": paraloom_version(),
        },
    )


def _typed(summary: GenerationSummary) -> list[tuple[str, TypesFound]]:
    """The types of every system's outputs, and of people's; none where they were not asked for."""
    named = [*((system.row.name, system.types) for system in summary.systems), (PEOPLE, summary.human_types)]
    return [(name, found) for name, found in named if found is not None]


def _by_system(one: SideBySide) -> ShownSideBySide:
    pieces = [(name, differences(one.source, text)[1], kind) for name, text, kind in one.outputs]
    return ShownSideBySide(
        source=one.source, outputs=[*pieces, (PEOPLE, differences(one.source, one.reference)[1], "")]
    )


def headline(summary: GenerationSummary) -> str:
    """The worst verdict, in one line."""
    if len(summary.systems) == 1:
        (system,) = summary.systems
        return f"{system.row.name} {system.verdict.headline}"
    counts = {
        level: sum(system.verdict.level == level for system in summary.systems)
        for level in ("alarm", "caution", "clear")
    }
    told = ", ".join(f"{count} {level}" for level, count in counts.items() if count)
    return f"{len(summary.systems)} systems: {told}"


def _shown(example: Example) -> ShownExample:
    source, output = differences(example.source, example.output)
    _, reference = differences(example.output, example.reference)
    return ShownExample(example=example, source=source, output=output, reference=reference)


def _value(row: Row, metric: str) -> str:
    return shown_value(row.scores[metric].value) if metric in row.scores else NOTHING


def _bounds(row: Row, metric: str) -> str:
    score = row.scores.get(metric)
    if score is None or score.low is None or score.high is None:
        return ""
    return f"{shown_value(score.low)}\u2013{shown_value(score.high)}"


def _charts(summary: GenerationSummary) -> dict[str, Any]:
    from markupsafe import Markup

    points = "; ".join(
        f"{system.row.name} has BLEU {_value(system.row, 'bleu')} at self-BLEU {_value(system.row, 'self-bleu')}, its "
        f"matched parrots {_value(system.matched, 'bleu')}"
        for system in summary.systems
    )
    near = "; ".join(f"{system.row.name} {percent(system.likeness.near_copies)}" for system in summary.systems)
    drawn = {
        "frontier": charts.frontier(
            "frontier-chart", summary, f"BLEU over self-BLEU of systems and parrots. {points}."
        ),
        "edits": charts.edit_ratios(
            "edits-chart",
            summary,
            f"Outputs by the share of words to edit. Near copies: {near}; "
            f"people {percent(summary.human_likeness.near_copies)}.",
        ),
    }
    # Altair's drawing went through an XML writer, which escapes every text in it.
    return {name: None if svg is None else Markup(svg) for name, svg in drawn.items()}
