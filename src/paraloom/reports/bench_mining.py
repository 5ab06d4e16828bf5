"""Figures of embedders on sets of pairs in, the report of a benchmark of mining out: a page, JSON, text, Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.engine.store import write_text
from paraloom.metrics.retrieval.figures import AREA, AVERAGE_RANK, FORGIVING, KS, RECIPROCAL, EmbedderFigures
from paraloom.reports.pages import NOTHING, number, render, write_page
from paraloom.reports.plain import markdown_table, plain_table
from paraloom.reports.retrieval import shown_bounds, shown_name, shown_value

SHOWN = (*(f"top-{k}" for k in KS), AVERAGE_RANK, RECIPROCAL, FORGIVING, AREA)
"""Figures of a set's table."""
WITH_INTERVAL = ("top-1", AVERAGE_RANK, FORGIVING, AREA)
"""Those beside which their interval stands; the JSON object has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderCost:
    """What an embedder takes."""

    dims: int
    """Numbers of a vector; 0 where it has one for every n-gram."""
    megabytes: float | None
    """On disk; None where it learns from the texts."""
    texts_per_second: float
    """In one process."""
    device: str
    processor: str
    cores: int

    @property
    def where(self) -> str:
        """The machine that the speed was measured on."""
        cores = f"{self.cores} core{'' if self.cores == 1 else 's'}"
        return f"{self.processor}, {cores}" if self.device == "cpu" else self.device


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningRow:
    """One embedder on one set."""

    embedder: str
    set: str
    figures: EmbedderFigures
    cost: EmbedderCost


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningSet:
    """One set of pairs, and among how many candidates they are looked for."""

    name: str
    language: str
    pairs: int
    paraphrases: int
    texts: int
    candidates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningBench:
    """Every embedder on every set that was found."""

    rows: tuple[MiningRow, ...]
    sets: tuple[MiningSet, ...]
    strangers: int
    """Texts that are of no set."""
    not_run: Mapping[str, str]
    """Embedders that are not here, and what to do."""
    notes: tuple[str, ...] = ()

    @property
    def embedders(self) -> list[str]:
        """Those that were run, in their order."""
        return list(dict.fromkeys(row.embedder for row in self.rows))

    def row(self, embedder: str, name: str) -> MiningRow:
        """One embedder on one set."""
        return next(row for row in self.rows if (row.embedder, row.set) == (embedder, name))

    def of_set(self, name: str) -> list[MiningRow]:
        """Every embedder on one set."""
        return [row for row in self.rows if row.set == name]

    def as_json(self) -> dict[str, Any]:
        """`systems` by set and embedder, each with `metrics`, `signature` and `cost`; what was not run and why."""
        return {
            "systems": {
                f"{row.set}/{row.embedder}": row.figures.as_json() | {"cost": asdict(row.cost)} for row in self.rows
            },
            "not_run": dict(self.not_run),
            "sets": {one.name: asdict(one) for one in self.sets},
            "distractors": self.strangers,
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        parts = [*self.notes, caption(self), plain_table(summary_head(self), summary_rows(self))]
        for one in self.sets:
            parts.append(f"{title(one)}\n" + plain_table(set_head(), set_rows(self, one.name)))
            parts.append(plain_table(label_head(), label_rows(self, one.name)))
        parts += [f"{name} is not here: {why}" for name, why in self.not_run.items()]
        return "\n\n".join(parts)

    def as_markdown(self) -> str:
        """The same tables for a page of text."""
        parts = [*self.notes, caption(self), markdown_table(summary_head(self), summary_rows(self))]
        for one in self.sets:
            parts.append(f"{title(one)}\n\n" + markdown_table(set_head(), set_rows(self, one.name)))
            parts.append("By label:\n\n" + markdown_table(label_head(), label_rows(self, one.name)))
        parts += [f"`{name}` is not here: {why}" for name, why in self.not_run.items()]
        return "\n\n".join(parts) + "\n"


def caption(bench: MiningBench) -> str:
    """What the tables show."""
    machines = " and ".join(sorted({row.cost.where for row in bench.rows}))
    return (
        "Found first: of the paraphrases of each set, the share whose right text is the most similar candidate to the "
        f"left one, other known right answers aside (`{FORGIVING}`). Candidates are the texts of all sets and "
        f"{number(bench.strangers)} strangers. Speed in one process ({machines})."
    )


def title(one: MiningSet) -> str:
    """A set's name and size."""
    return (
        f"{one.name} ({one.language}): {number(one.paraphrases)} paraphrases of {number(one.pairs)} pairs, each looked "
        f"for among {number(one.candidates)} candidates"
    )


def summary_head(bench: MiningBench) -> list[str]:
    """The head of the table with all sets."""
    return ["embedder", "dims", "MB", "sentences/s", *(one.name for one in bench.sets)]


def summary_rows(bench: MiningBench) -> list[list[str]]:
    """One line an embedder: what it takes, and how many answers it finds first in every set."""
    lines = []
    for embedder in bench.embedders:
        found = [bench.row(embedder, one.name) for one in bench.sets]
        cost = found[0].cost
        lines.append(
            [
                embedder,
                number(cost.dims) if cost.dims else NOTHING,
                NOTHING if cost.megabytes is None else f"{cost.megabytes:,.1f}",
                f"{cost.texts_per_second:,.0f}",
                *(shown_value(FORGIVING, row.figures.figures.get(FORGIVING)) for row in found),
            ]
        )
    return lines


def set_head() -> list[str]:
    """The head of a set's table."""
    return ["embedder", *(part for name in SHOWN for part in (shown_name(name), *_beside(name, "95%")))]


def set_rows(bench: MiningBench, name: str) -> list[list[str]]:
    """One line an embedder: every figure with its interval."""
    return [
        [
            row.embedder,
            *(
                part
                for figure in SHOWN
                for part in (
                    shown_value(figure, row.figures.figures.get(figure)),
                    *_beside(figure, shown_bounds(figure, row.figures.figures.get(figure))),
                )
            ),
        ]
        for row in bench.of_set(name)
    ]


def _beside(figure: str, interval: str) -> tuple[str, ...]:
    return (interval,) if figure in WITH_INTERVAL else ()


def label_head() -> list[str]:
    """The head of a set's table by label."""
    names = [f"top-{k}" for k in KS]
    return ["embedder", "label", "pairs", *names, f"beyond {KS[-1]}", shown_name(AVERAGE_RANK), "95%"]


def label_rows(bench: MiningBench, name: str) -> list[list[str]]:
    """One line an embedder and label: where answers stand (figures 9 to 11 of Kanerva et al., 2023)."""
    return [
        [
            row.embedder,
            part.label,
            number(part.pairs),
            *(shown_value(f"top-{k}", part.figures[f"top-{k}"]) for k in KS),
            f"{1 - part.figures[f'top-{KS[-1]}'].value:.3f}",
            shown_value(AVERAGE_RANK, part.figures[AVERAGE_RANK]),
            shown_bounds(AVERAGE_RANK, part.figures[AVERAGE_RANK]),
        ]
        for row in bench.of_set(name)
        for part in row.figures.parts
    ]


def headline(bench: MiningBench) -> str:
    """What came of it, in one line."""
    embedders, sets = len(bench.embedders), len(bench.sets)
    most = max(one.candidates for one in bench.sets)
    return (
        f"{embedders} embedder{'' if embedders == 1 else 's'} on {sets} set{'' if sets == 1 else 's'} of pairs, "
        f"hidden among up to {number(most)} candidates"
    )


def write_mining_bench(bench: MiningBench, folder: Path) -> Path:
    """Write report.html, bench.json and bench.md into a folder; gives the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "bench.md", bench.as_markdown())
    return write_page(folder, render_mining_bench(bench), "bench.json", bench.as_json())


def render_mining_bench(bench: MiningBench) -> str:
    """The page of a benchmark."""
    from markupsafe import Markup

    from paraloom.reports.bench_mining_charts import quality_and_speed

    return render(
        "bench_mining.html",
        {
            "bench": bench,
            "headline": headline(bench),
            "caption": caption(bench),
            "title": title,
            # Altair's drawing went through an XML writer, which escapes every text in it.
            "charts": {
                language: Markup(quality_and_speed(f"quality-{place}", bench, language))
                for place, language in enumerate(sorted({one.language for one in bench.sets}))
            },
            "summary_head": summary_head(bench),
            "summary_rows": summary_rows(bench),
            "set_head": set_head(),
            "set_rows": set_rows,
            "label_head": label_head(),
            "label_rows": label_rows,
            "version": paraloom_version(),
        },
    )
