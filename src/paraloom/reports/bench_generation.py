"""Figures of generators on sets of sources in, the report of a benchmark of generation out: a page and its files."""

from __future__ import annotations

from pathlib import Path

from paraloom.engine.signatures import paraloom_version
from paraloom.engine.store import write_text
from paraloom.reports.bench_generation_summary import (
    COLUMNS,
    CROSS,
    BenchCell,
    GenerationBench,
    against_first,
    bounds,
    cross_names,
    headline,
    shown,
)
from paraloom.reports.pages import NOTHING, render, write_page

GROUPS = {"generator": "contenders", "file": "contenders", "people": "people", "parrot": "parrots"}


def write_generation_bench(bench: GenerationBench, folder: Path) -> Path:
    """Write report.html, bench.json and bench.md into a folder; gives the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "bench.md", bench.as_markdown())
    return write_page(folder, render_generation_bench(bench), "bench.json", bench.as_json())


def render_generation_bench(bench: GenerationBench) -> str:
    """The page of a benchmark."""
    from markupsafe import Markup

    from paraloom.reports.bench_generation_charts import new_words_and_meaning

    charts = {
        one.name: new_words_and_meaning(f"balance-{place}", one, bench.of_set(one.name))
        for place, one in enumerate(bench.sets)
    }
    return render(
        "bench_generation.html",
        {
            "bench": bench,
            "headline": headline(bench),
            # Altair's drawing went through an XML writer, which escapes every text in it.
            "charts": {name: None if svg is None else Markup(svg) for name, svg in charts.items()},
            "columns": COLUMNS,
            "cross": {metric: COLUMNS[metric] for metric in CROSS},
            "cross_names": cross_names(bench),
            "grouped": grouped,
            "shown": shown,
            "bounds": bounds,
            "against_first": against_first,
            "printed": printed,
            "machines": sorted({cell.where for cell in bench.cells if cell.where}),
            "version": paraloom_version(),
        },
    )


def grouped(bench: GenerationBench, name: str) -> list[tuple[str, list[BenchCell]]]:
    """The rows of a set's table under their headings."""
    found: dict[str, list[BenchCell]] = {}
    for cell in bench.of_set(name):
        found.setdefault(GROUPS[cell.kind], []).append(cell)
    return list(found.items())


def printed(value: float | None) -> str:
    """A figure as a paper prints it.

    >>> printed(41.1), printed(None)
    ('41.10', '–')
    """
    return NOTHING if value is None else f"{value:.2f}"
