"""Figures of aligners on word alignments of people in, the report of a benchmark out: a page, JSON, text, Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.engine.store import write_text
from paraloom.metrics.word_links import LinkFigures
from paraloom.reports.pages import NOTHING, number, render, write_page
from paraloom.reports.plain import markdown_table, plain_table

HEAD = (
    "aligner",
    "P",
    "R",
    "F1",
    "95%",
    "macro P",
    "macro R",
    "macro F1",
    "95%",
    "exact",
    "AER ↓",
    "pairs/s",
    "learned in",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentRow:
    """One aligner on one set."""

    aligner: str
    set: str
    figures: LinkFigures
    intervals: Mapping[str, tuple[float, float]]
    """The middle 95% of draws of the pairs, by the figure's name."""
    pairs_per_second: float
    seconds_to_learn: float | None
    """None where nothing had to be learned."""
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentSet:
    """One set of pairs that people have aligned."""

    name: str
    title: str
    pairs: int
    links: int
    """Sure ones."""
    is_learned_from: bool
    """Whether the shipped learned aligner has learned from these very alignments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentBench:
    """Every aligner on every set that was found."""

    rows: tuple[AlignmentRow, ...]
    sets: tuple[AlignmentSet, ...]
    learned_from: int
    """Pairs, without alignments, that aligners learned from which have to; 0 where none did."""
    not_run: Mapping[str, str]
    """Aligners that are not here, and what to do."""
    machine: str
    held_out: Mapping[str, Mapping[str, float]]
    """By set, what the learned aligner reached on the half that was held out, as its recipe measured it."""

    def of_set(self, name: str) -> list[AlignmentRow]:
        """Every aligner on one set."""
        return [row for row in self.rows if row.set == name]

    def as_json(self) -> dict[str, Any]:
        """`systems` by set and aligner, each with `metrics` and `signature`; what was not run and why."""
        return {
            "systems": {
                f"{row.set}/{row.aligner}": {
                    "metrics": {**row.figures.as_json(), "pairs-per-second": round(row.pairs_per_second, 1)},
                    "intervals": {name.replace("_", "-"): list(bounds) for name, bounds in row.intervals.items()},
                    "signature": row.signature,
                    "seconds_to_learn": row.seconds_to_learn,
                    "learned_from_this_set": self._has_learned(row),
                }
                for row in self.rows
            },
            "not_run": dict(self.not_run),
            "sets": {one.name: asdict(one) for one in self.sets},
            "pairs_learned_from": self.learned_from,
            "machine": self.machine,
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        parts = [self.caption]
        for one in self.sets:
            parts.append(f"{title(one)}\n{plain_table(HEAD, self.table(one))}")
            parts += self.warnings(one)
        return "\n\n".join([*parts, *self._missing()])

    def as_markdown(self) -> str:
        """The same tables for a page of text."""
        parts = [self.caption]
        for one in self.sets:
            parts.append(f"{title(one)}\n\n{markdown_table(HEAD, self.table(one))}")
            parts += self.warnings(one)
        return "\n\n".join([*parts, *self._missing()]) + "\n"

    @property
    def caption(self) -> str:
        """What the tables show."""
        learned = (
            f" Aligners that learn from texts saw {number(self.learned_from)} pairs, without alignments, those that "
            "are measured among them."
            if self.learned_from
            else ""
        )
        return (
            "Links against the sure links of people: precision, recall and F1 of all links together and as the mean "
            "over pairs (macro), with the middle 95% of draws of the pairs; exact: pairs with all and only their links."
            f"{learned} Speed in one process, in texts it had not met ({self.machine})."
        )

    def table(self, one: AlignmentSet) -> list[list[str]]:
        """A line an aligner, best first."""
        ordered = sorted(self.of_set(one.name), key=lambda row: -row.figures.f1)
        return [self._line(row) for row in ordered]

    def warnings(self, one: AlignmentSet) -> list[str]:
        """What must be known to read a set's table."""
        if not one.is_learned_from or not any(self._has_learned(row) for row in self.of_set(one.name)):
            return []
        told = self.held_out.get(one.name.split("/")[0])
        reached = (
            f" On the half of it that was held out it had F1 {told['micro_f1']:.3f}, macro {told['macro_f1']:.3f} "
            "(recipes/aligner.py), before it learned from both."
            if told
            else ""
        )
        return [
            f"* The shipped learned aligner has learned from these alignments: no figure of it here counts.{reached}"
        ]

    def _has_learned(self, row: AlignmentRow) -> bool:
        its_set = next(one for one in self.sets if one.name == row.set)
        return its_set.is_learned_from and row.aligner.split(":")[0] == "learned"

    def _line(self, row: AlignmentRow) -> list[str]:
        figures = row.figures
        shares = [
            *(figures.precision, figures.recall, figures.f1, "f1"),
            *(figures.macro_precision, figures.macro_recall, figures.macro_f1, "macro_f1"),
            *(figures.exact_match, figures.error_rate),
        ]
        return [
            row.aligner + ("*" if self._has_learned(row) else ""),
            *(_bounds(row.intervals[one]) if isinstance(one, str) else f"{one:.3f}" for one in shares),
            f"{row.pairs_per_second:,.0f}",
            NOTHING if row.seconds_to_learn is None else f"{row.seconds_to_learn:,.1f} s",
        ]

    def _missing(self) -> list[str]:
        return [f"{name} was not run: {why}" for name, why in self.not_run.items()]


def _bounds(bounds: Sequence[float]) -> str:
    return "–".join(f"{bound:.3f}".removeprefix("0") for bound in bounds)


def title(one: AlignmentSet) -> str:
    """A set's name and size."""
    return f"{one.title}: {number(one.pairs)} pairs with {number(one.links)} sure links"


def write_alignment_bench(bench: AlignmentBench, folder: Path) -> Path:
    """`report.html`, `bench.json` and `bench.md`; the page's path comes back."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "bench.md", bench.as_markdown())
    shown = {"bench": bench, "title": title, "head": HEAD, "version": paraloom_version()}
    page = render("bench_alignment.html", shown)
    return write_page(folder, page, "bench.json", bench.as_json())
