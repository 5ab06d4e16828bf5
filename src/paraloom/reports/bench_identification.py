"""Tables of a benchmark of identification in, its report out: a page, a JSON object, or lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.reports.bench_identification_cells import (
    bounds,
    fold_deviation,
    fold_mean,
    folds_shown,
    gap,
    noise_gap,
    parameters_shown,
    seconds_shown,
    shown,
    speed_shown,
)
from paraloom.reports.bench_identification_rows import NEAR, BenchRow, BenchTable, LabelTable, NoiseTable
from paraloom.reports.pages import NOTHING, number, render, write_page
from paraloom.reports.plain import plain_table

NAMES = {
    "max-f1": "max F1",
    "max-f1-precision": "precision",
    "max-f1-recall": "recall",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "accuracy": "accuracy",
    "mcc": "MCC",
    "average-precision": "average precision",
}
"""Metrics as a table's head calls them."""

GROUPS = {
    "paper": "Rows of the paper",
    "ours": "Other systems, trained here",
    "shipped": "As shipped with Paraloom, not trained here",
}

HISTORICAL, NO_DIFFERENT = "†", "≈"

WHY_FAR = f"Why gaps are larger than {100 * NEAR:.0f} points"

NAMED = 6
"""So many rows of one reason are named in a line of text; the page and the JSON object name all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentificationBench:
    """Every system on every corpus that was found, in the papers' tables."""

    tables: tuple[BenchTable, ...]
    labels: tuple[LabelTable, ...]
    noise: NoiseTable
    skipped: tuple[str, ...]
    """A line for each corpus whose files were not found."""
    notes: tuple[str, ...]
    resamples: int

    def rows(self) -> Iterator[BenchRow]:
        """Every row once, though some stand in several tables."""
        seen = set()
        for table in self.tables:
            for row in table.rows:
                if (row.corpus, row.name) not in seen:
                    seen.add((row.corpus, row.name))
                    yield row

    def as_json(self) -> dict[str, Any]:
        """`systems` by corpus and name, each with `metrics` and `signature`; what was not run; the papers' tables."""
        return {
            "systems": {f"{row.corpus}/{row.name}": _row_as_json(row) for row in self.rows() if row.figures},
            "not_run": {f"{row.corpus}/{row.name}": row.not_run for row in self.rows() if not row.figures},
            "tables": {table.name: _table_as_json(table) for table in self.tables},
            "labels": [asdict(table) for table in self.labels],
            "noise": asdict(self.noise),
            "skipped": list(self.skipped),
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        parts = [*self.skipped, *self.notes]
        for table in self.tables:
            parts.append("\n".join(_table_as_text(table)))
        parts += ["\n".join(_labels_as_text(table)) for table in self.labels]
        parts.append("\n".join(_noise_as_text(self.noise)))
        return "\n\n".join(parts)


def write_bench_report(bench: IdentificationBench, folder: Path) -> Path:
    """Write report.html and bench.json into a folder; gives the page's path."""
    return write_page(folder, render_bench(bench), "bench.json", bench.as_json())


def render_bench(bench: IdentificationBench) -> str:
    """The page of a benchmark."""
    from paraloom.reports.bench_identification_charts import charts_of

    rows = list(bench.rows())
    return render(
        "bench_identification.html",
        {
            "bench": bench,
            "headline": headline(bench),
            "ran": sum(bool(row.figures) for row in rows),
            "not_ran": sum(not row.figures for row in rows),
            "corpora": len({row.corpus for row in rows if row.figures}),
            "charts": charts_of(bench),
            "groups": GROUPS,
            "names": NAMES,
            "shown": shown,
            "bounds": bounds,
            "gap": gap,
            "noise_gap": noise_gap,
            "why_far": WHY_FAR,
            "fold_mean": fold_mean,
            "fold_deviation": fold_deviation,
            "not_run_together": not_run_together,
            "standing": standing,
            "parameters_shown": parameters_shown,
            "speed_shown": speed_shown,
            "seconds_shown": seconds_shown,
            "machines": machines(rows),
            "version": paraloom_version(),
        },
    )


def headline(bench: IdentificationBench) -> str:
    """What came of it, in one line."""
    rows = [row for row in bench.rows() if row.figures]
    if not rows:
        return "No system was run"
    corpora = len({row.corpus for row in rows})
    systems = len({row.name for row in rows})
    return f"{systems} system{_s(systems)} on {corpora} corp{'us' if corpora == 1 else 'ora'}"


def standing(table: BenchTable) -> list[tuple[str, list[BenchRow]]]:
    """The rows that stand in a table, group by group: all of the paper, and of the others those with figures."""
    return [
        (group, rows)
        for group in GROUPS
        if (rows := [row for row in table.rows if row.group == group and (row.figures or group == "paper")])
    ]


def not_run_together(table: BenchTable) -> list[tuple[str, str, list[str]]]:
    """Rows without figures that the paper has not either: by what is said of them and why, their titles."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in table.rows:
        if not row.figures and row.group != "paper":
            found.setdefault((row.state, row.not_run), []).append(row.title)
    return [(state, why, titles) for (state, why), titles in found.items()]


def machines(rows: Sequence[BenchRow]) -> list[str]:
    """Where speeds were measured."""
    return sorted({row.cost.where for row in rows if row.cost is not None})


def _table_as_text(table: BenchTable) -> Iterator[str]:
    yield f"{table.title}. {table.caption}"
    with_rate = any(row.at_test_rate is not None for row in table.rows)
    head = ["", *(NAMES[metric] for metric in table.metrics), "95%"]
    head += [f"published {NAMES[metric]}" for metric in table.metrics] if table.paper else []
    head += ["gap"] if table.paper else []
    head += ["folds"] + (["at test's share"] if with_rate else [])
    head += ["parameters", "pairs/s", "timed on", "fit", "measured on"]
    lines = []
    for _, rows in standing(table):
        for row in rows:
            lines.append([*_cells(row, table), *_cost_cells(row, with_rate)])
    if lines:
        yield plain_table(head, lines, words=(0, len(head) - 3, len(head) - 1))
    if any(row.is_historical for row in table.rows):
        yield f"{HISTORICAL} historical: below the n-gram regression (LR) on the same pairs, by more than chance"
    if any(row.is_no_different for row in table.rows):
        yield f"{NO_DIFFERENT} no different from LR: the 95% interval of the difference holds 0"
    for row in table.rows:
        if row.why:
            yield f"{row.title}: {gap(row, table)}: {row.why}"
    for state, why, titles in not_run_together(table):
        more = f" and {len(titles) - NAMED} more" if len(titles) > NAMED else ""
        yield f"{state}: {', '.join(titles[:NAMED])}{more}: {why}"
    yield from table.notes


def _cells(row: BenchRow, table: BenchTable) -> list[str]:
    mark = HISTORICAL if row.is_historical else NO_DIFFERENT if row.is_no_different else ""
    title = f"{row.title} {mark}".strip()
    published = [shown(row.published.get(metric), table) for metric in table.metrics]
    beside = [*published, gap(row, table)] if table.paper else []
    if not row.figures:
        return [title, *[row.state] * len(table.metrics), "", *beside]
    ours = [shown(row.figures[metric].value, table) for metric in table.metrics]
    return [title, *ours, bounds(row.figures[table.main], table), *beside]


def _cost_cells(row: BenchRow, with_rate: bool) -> list[str]:
    if row.cost is None:
        return [NOTHING, *([NOTHING] if with_rate else []), NOTHING, NOTHING, "", NOTHING, row.not_run]
    at_rate = NOTHING if row.at_test_rate is None else f"{row.at_test_rate:.3f}"
    return [
        folds_shown(row),
        *([at_rate] if with_rate else []),
        parameters_shown(row.cost.parameters),
        speed_shown(row.cost.pairs_per_second),
        row.cost.timed_on,
        seconds_shown(row.cost.fit_seconds),
        row.measured_on,
    ]


def _labels_as_text(table: LabelTable) -> Iterator[str]:
    yield f"{table.title} ({table.system}; {table.measured_on or f'not run: {table.not_run}'})"
    head = ["label", "P", "R", "F", "support", "published P", "R", "F", "support"]
    yield plain_table(
        head,
        [
            [
                row.label,
                *_three(row.ours),
                NOTHING if row.support is None else number(row.support),
                *_three(row.published),
                NOTHING if row.published_support is None else number(row.published_support),
            ]
            for row in table.rows
        ],
    )


def _three(figures: tuple[float, ...]) -> list[str]:
    """Three figures in per cent; the accuracy stands in the last place."""
    return [NOTHING] * (3 - len(figures)) + [f"{100 * figure:.1f}" for figure in figures]


def _noise_as_text(table: NoiseTable) -> Iterator[str]:
    yield f"Dou et al. (2022), Table 3: noisy labels for the strict definition ({table.told})"
    yield plain_table(
        ["method", "ours learned from", "P", "R", "F1", "Acc", "published: data", "P", "R", "F1", "Acc", "gap, F1"],
        [
            [
                row.method,
                row.learned_from or NOTHING,
                *_four(row.ours, "not run"),
                row.data or NOTHING,
                *_four(row.published, NOTHING),
                noise_gap(row),
            ]
            for row in table.rows
        ],
        words=(0, 1, 6),
    )
    if table.why:
        yield f"{WHY_FAR}: {table.why}"
    if table.signature:
        yield table.signature


def _four(figures: tuple[float, ...], nothing: str) -> list[str]:
    return [f"{100 * figure:.2f}" for figure in figures] if figures else [nothing] * 4


def _row_as_json(row: BenchRow) -> dict[str, Any]:
    return {
        "metrics": {name: figure.value for name, figure in row.figures.items()},
        "signature": {name: figure.signature for name, figure in row.figures.items()},
        "intervals": {
            name: None if figure.low is None else [figure.low, figure.high] for name, figure in row.figures.items()
        },
        "seeds": {name: list(figure.seeds) for name, figure in row.figures.items()},
        "system": row.system,
        "corpus": row.corpus,
        "identifier": row.identifier,
        "settings": dict(row.settings),
        "measured_on": row.measured_on,
        "pairs": row.pairs,
        "base_rate": row.base_rate,
        "max_f1_by_fold": list(row.by_fold),
        "max_f1_at_test_rate": row.at_test_rate,
        "test_rate": row.test_rate,
        "against_ngram_regression": None if row.against is None else asdict(row.against),
        "historical": row.is_historical,
        "learning_rate": row.learning_rate,
        "cost": None if row.cost is None else asdict(row.cost),
        "curve": [dict(point) for point in row.curve],
    }


def _table_as_json(table: BenchTable) -> dict[str, Any]:
    return {
        "paper": table.paper,
        "number": table.number,
        "caption": table.caption,
        "metrics": list(table.metrics),
        "rows": [
            {
                "system": f"{row.corpus}/{row.name}",
                "title": row.title,
                "group": row.group,
                "published": dict(row.published),
                "published_parameters": row.published_parameters,
                "published_learning_rate": row.published_learning_rate,
                "ours": {name: row.figures[name].value for name in table.metrics if name in row.figures},
                "difference": row.difference(table.main),
                "why": row.why,
                "not_run": row.not_run,
            }
            for row in table.rows
        ],
        "notes": list(table.notes),
    }


def _s(count: int) -> str:
    return "" if count == 1 else "s"
