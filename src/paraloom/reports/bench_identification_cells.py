"""Figures of a benchmark's rows in, as its tables write them out."""

from __future__ import annotations

from paraloom.reports.bench_identification_rows import BenchFigure, BenchRow, BenchTable, NoiseRow
from paraloom.reports.pages import NOTHING, number, signed


def shown(value: float | None, table: BenchTable) -> str:
    """A figure as the paper prints it: a share with three decimals, or per cents with two.

    >>> shown(None, None)
    '–'
    """
    if value is None:
        return NOTHING
    return f"{100 * value:.2f}" if table.is_in_per_cent else f"{value:.3f}"


def bounds(figure: BenchFigure, table: BenchTable) -> str:
    """The two ends of a figure's interval."""
    return "" if figure.low is None else f"{shown(figure.low, table)}–{shown(figure.high, table)}"


def gap(row: BenchRow, table: BenchTable) -> str:
    """Ours less what was published, by the metric that decides."""
    difference = row.difference(table.main)
    if difference is None:
        return NOTHING
    return signed(100 * difference, 2) if table.is_in_per_cent else signed(difference, 3)


def fold_mean(row: BenchRow) -> float:
    """Max F1, the mean over folds."""
    return sum(row.by_fold) / len(row.by_fold)


def fold_deviation(row: BenchRow) -> float:
    """The standard deviation of max F1 over folds."""
    mean = fold_mean(row)
    return float((sum((value - mean) ** 2 for value in row.by_fold) / max(1, len(row.by_fold) - 1)) ** 0.5)


def folds_shown(row: BenchRow) -> str:
    """Mean and standard deviation of max F1 over folds.

    >>> folds_shown(BenchRow(name="", title="", group="ours", system="", corpus="", by_fold=(0.7, 0.8)))
    '0.750 ± 0.071'
    """
    return f"{fold_mean(row):.3f} ± {fold_deviation(row):.3f}" if row.by_fold else NOTHING


def parameters_shown(parameters: int) -> str:
    """How many numbers a system has learned.

    >>> parameters_shown(19), parameters_shown(40_000_000), parameters_shown(22_713_217)
    ('19', '40M', '22.7M')
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if parameters >= size:
            return f"{parameters / size:.3g}{letter}"
    return str(parameters)


def speed_shown(pairs: float) -> str:
    """Pairs a second with as many digits as mean something.

    >>> speed_shown(12345.6), speed_shown(56.7), speed_shown(0.43)
    ('12,000', '57', '0.43')
    """
    if pairs >= 100:
        digits = len(f"{pairs:.0f}") - 2
        return number(round(pairs / 10**digits) * 10**digits)
    return f"{pairs:.2g}"


def seconds_shown(seconds: float) -> str:
    """How long a training took.

    >>> seconds_shown(0.0), seconds_shown(3.21), seconds_shown(754)
    ('–', '3.2 s', '13 min')
    """
    if not seconds:
        return NOTHING
    return f"{seconds:.2g} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def noise_gap(row: NoiseRow) -> str:
    """Our F1 less the published one, in points.

    >>> noise_gap(NoiseRow(method="", data="", published=(0.8, 0.8, 0.8, 0.8), ours=(0.7, 0.7, 0.75, 0.7)))
    '−5.00'
    """
    return NOTHING if row.gap is None else signed(100 * row.gap, 2)
