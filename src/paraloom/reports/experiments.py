"""The results of an experiment in, its tables, curves and page out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.significance import Comparison
from paraloom.reports.pages import NOTHING, render, signed, write_page
from paraloom.reports.plain import plain_table

PLACES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One figure of one row, over the seeds."""

    values: tuple[float, ...]
    published: float | None = None
    """What a paper reports in this place."""
    gain: Comparison | None = None
    """Where it is a difference: how sure it is."""

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def deviation(self) -> float | None:
        """Over the seeds, where there are several."""
        return pstdev(self.values) if len(self.values) > 1 else None

    @property
    def told(self) -> str:
        """The mean, its deviation, and the published figure.

        >>> Cell(values=(0.8, 0.9), published=0.832).told, Cell(values=(0.8,)).told
        ('0.850 ±0.050 (0.832)', '0.800')
        """
        if self.gain is not None:
            return f"{signed(self.gain.difference, PLACES)} {bounds(self.gain)}"
        spread = "" if self.deviation is None else f" ±{self.deviation:.{PLACES}f}"
        beside = "" if self.published is None else f" ({self.published:.{PLACES}f})"
        return f"{self.mean:.{PLACES}f}{spread}{beside}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One way of learning."""

    label: str
    about: str
    """What it learned from."""
    cells: tuple[Cell | None, ...]
    """One a column of the table; None where there is nothing to measure."""
    is_marked: bool = False
    """Whether it is the one to look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """Rows of one system."""

    system: str
    title: str
    about: str
    first: str
    """What a row is."""
    second: str
    """What is told about it."""
    columns: tuple[str, ...]
    rows: tuple[ResultRow, ...]

    def as_text(self) -> str:
        """The table for a person to read; published figures stand in brackets."""
        rows = [
            [row.label, row.about, *(NOTHING if cell is None else cell.told for cell in row.cells)] for row in self.rows
        ]
        return f"{self.system}: {self.title}\n" + plain_table(
            [self.first, self.second, *self.columns], rows, words=(0, 1)
        )

    def as_json(self) -> dict[str, Any]:
        """The table as plain values."""
        return {
            "system": self.system,
            "title": self.title,
            "rows": [
                {
                    "label": row.label,
                    "about": row.about,
                    "metrics": {
                        column: None if cell is None else _as_json(cell)
                        for column, cell in zip(self.columns, row.cells, strict=True)
                    },
                }
                for row in self.rows
            ],
        }


def _as_json(cell: Cell) -> dict[str, Any]:
    if cell.gain is not None:
        sure = {"low": cell.gain.low, "high": cell.gain.high, "p_bootstrap": cell.gain.p_value}
        return {"difference": cell.gain.difference, **sure}
    return {"mean": cell.mean, "deviation": cell.deviation, "seeds": list(cell.values), "published": cell.published}


def bounds(gain: Comparison) -> str:
    """Where a gain lies in the middle 95% of draws of the groups of pairs."""
    if gain.low is None or gain.high is None:
        return ""
    return f"[{signed(gain.low, PLACES)} to {signed(gain.high, PLACES)}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Lines over one axis: how a figure changes with a setting."""

    title: str
    about: str
    x_title: str
    y_title: str
    lines: Mapping[str, Sequence[tuple[float, tuple[float, ...]]]]
    """By name: where, and the figures of all seeds there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What an experiment found."""

    name: str
    title: str
    headline: str
    """The finding in one sentence."""
    about: str
    tables: tuple[ResultTable, ...]
    curves: tuple[Curve, ...]
    notes: tuple[str, ...]
    signatures: Mapping[str, str]
    """By system: all that decides its figures."""

    @property
    def has_published(self) -> bool:
        """Whether any published figure stands in brackets."""
        cells = (cell for table in self.tables for row in table.rows for cell in row.cells)
        return any(cell is not None and cell.published is not None for cell in cells)

    def as_json(self) -> dict[str, Any]:
        """Means under `metrics`, with their signature; and all tables."""
        metrics, signature = {}, {}
        for table in self.tables:
            for row in table.rows:
                for column, cell in zip(table.columns, row.cells, strict=True):
                    if cell is not None:
                        name = f"{table.system}/{table.title}/{row.label}/{column}"
                        metrics[name] = cell.mean
                        signature[name] = f"{column}|{self.signatures[table.system]}"
        return {
            "experiment": self.name,
            "headline": self.headline,
            "metrics": metrics,
            "signature": signature,
            "tables": [table.as_json() for table in self.tables],
            "curves": [
                {"title": curve.title, "lines": {name: list(line) for name, line in curve.lines.items()}}
                for curve in self.curves
            ],
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        return "\n\n".join([self.headline, *(table.as_text() for table in self.tables), *self.notes])


def write_experiment_report(experiment: Experiment, folder: Path) -> Path:
    """Write report.html and NAME.json into a folder; gives the page's path."""
    return write_page(folder, render_experiment(experiment), f"{experiment.name}.json", experiment.as_json())


def render_experiment(experiment: Experiment) -> str:
    """The page of an experiment."""
    from markupsafe import Markup

    from paraloom.reports.experiment_charts import curve_chart

    charts = [(curve, Markup(curve_chart(f"curve-{place}", curve))) for place, curve in enumerate(experiment.curves)]
    return render("experiment.html", {"experiment": experiment, "charts": charts, "version": paraloom_version()})
