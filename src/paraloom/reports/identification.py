"""Figures of identifiers in, their report out: a page, a JSON object, or lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.identification.figures import Figure, SystemComparison, SystemFigures
from paraloom.metrics.identification.slices import Slice
from paraloom.metrics.significance import Interval
from paraloom.reports.pages import NOTHING, number, percent, render, write_page
from paraloom.reports.plain import plain_table

ORDER = (
    "precision",
    "recall",
    "f1",
    "accuracy",
    "mcc",
    "max-f1",
    "average-precision",
    "roc-auc",
    "ece",
    "brier",
)
"""Metrics in the order they are shown."""

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentificationEvaluation:
    """Systems on the same labelled pairs, and how they differ."""

    files: tuple[str, ...]
    systems: tuple[SystemFigures, ...]
    comparisons: tuple[SystemComparison, ...]
    notes: tuple[str, ...] = ()
    """What was seen while reading the pairs."""

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics` and `signature`; under `systems`, by name, where there are several."""
        if len(self.systems) == 1:
            return self.systems[0].as_json() | {
                "system": self.systems[0].name,
                "notes": list(self.notes),
                "paraloom": paraloom_version(),
            }
        return {
            "systems": {system.name: system.as_json() for system in self.systems},
            "comparisons": [comparison.as_json() for comparison in self.comparisons],
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        first = self.systems[0]
        parts = [f"{in_groups(first)}, {percent(first.base_rate)} of them paraphrases; {_rule(first)}."]
        parts += list(self.notes)
        parts.append(
            plain_table(
                ["", *(system.name for system in self.systems)],
                [
                    [name, *(_with_interval(system.figures.get(name)) for system in self.systems)]
                    for name in _measured(self.systems)
                ],
            )
        )
        parts += ["\n".join(verdicts(system)) for system in self.systems]
        if self.comparisons:
            parts.append(comparisons_as_text(self.comparisons))
        for system in self.systems:
            for name, slices in system.slices.items():
                title = f"by {name}" if len(self.systems) == 1 else f"{system.name} by {name}"
                parts.append(
                    plain_table(
                        [title, "pairs", "paraphrases", "F1", "95%", "F1 of all", "MCC", "95%", ""],
                        [_slice_cells(part) for part in slices],
                        words=(0, 8),
                    )
                )
        return "\n\n".join(parts)


def comparisons_as_text(comparisons: Sequence[SystemComparison]) -> str:
    """How systems differ, one line a metric of two of them."""
    return plain_table(
        ["difference", "metric", "", "95%", "p bootstrap", "p randomisation"],
        [
            [
                f"{one.ours} − {one.other}",
                one.bootstrap.name,
                f"{one.bootstrap.difference:+.3f}",
                NOTHING if one.bootstrap.low is None else f"{one.bootstrap.low:+.3f} to {one.bootstrap.high:+.3f}",
                p_shown(one.bootstrap.p_value),
                NOTHING if one.randomisation_p_value is None else p_shown(one.randomisation_p_value),
            ]
            for one in comparisons
        ],
        words=(0, 1),
    )


def in_groups(system: SystemFigures) -> str:
    """How many pairs there are, and in how many groups where these are drawn."""
    pairs = f"{number(system.pairs)} pairs"
    return pairs if system.groups in (None, system.pairs) else f"{pairs} in {number(system.groups)} groups"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One metric of every system, as it is shown."""

    name: str
    better: str
    cells: tuple[tuple[str, str], ...]
    """Value and interval, in the systems' order."""


def write_identification_report(evaluation: IdentificationEvaluation, folder: Path) -> Path:
    """Write report.html and identification.json into a folder; gives the page's path."""
    return write_page(folder, render_identification(evaluation), "identification.json", evaluation.as_json())


def render_identification(evaluation: IdentificationEvaluation) -> str:
    """The page of an evaluation."""
    systems = evaluation.systems
    rows = []
    for name in _measured(systems):
        figures = [system.figures.get(name) for system in systems]
        better = next(figure.better for figure in figures if figure is not None)
        rows.append(FigureRow(name=name, better=better, cells=tuple((_value(one), _bounds(one)) for one in figures)))
    return render(
        "identification.html",
        {
            "evaluation": evaluation,
            "first": systems[0],
            "headline": headline(evaluation),
            "in_groups": in_groups,
            "rule": _rule(systems[0]),
            "rows": rows,
            "verdicts": {system.name: verdicts(system) for system in systems},
            "charts": _charts(systems),
            "p_shown": p_shown,
            "threshold_shown": threshold_shown,
            "bounds": interval_shown,
            "significant": SIGNIFICANT,
            "version": paraloom_version(),
        },
    )


def headline(evaluation: IdentificationEvaluation) -> str:
    """What came of it, in one line."""
    best = max(evaluation.systems, key=lambda system: system.figures["f1"].value)
    told = f"F1 {best.figures['f1'].value:.3f}, at best {best.best.f1:.3f}"
    if len(evaluation.systems) == 1:
        return told
    return f"{best.name}: {told}"


def verdicts(system: SystemFigures) -> list[str]:
    """What the figures mean, in sentences."""
    f1, threshold = system.figures["f1"], f"{system.threshold:g}"
    told = []
    floor = f"calling every pair a paraphrase (F1 {system.floor:.3f})"
    if system.above_floor is None or system.above_floor.low <= 0 <= system.above_floor.high:
        told.append(f"{system.name}: at {threshold}, F1 {f1.value:.3f} cannot be told from {floor}.")
    else:
        side = "above" if f1.value > system.floor else "below"
        told.append(f"{system.name}: at {threshold}, F1 {f1.value:.3f} is {side} {floor}.")
    told += _advice(system)
    lost = system.best.f1 - f1.value
    if lost >= 0.01:
        told.append(
            f"Another threshold, {threshold_shown(system.best.threshold)}, gives F1 {system.best.f1:.3f} on these "
            f"pairs: {lost:.3f} more. It was chosen on them, so expect less on others."
        )
    if system.reliability:
        mean = sum(bin.pairs * bin.promised for bin in system.reliability) / system.pairs
        told.append(
            f"Scores promise {percent(mean)} paraphrases; {percent(system.base_rate)} are. "
            f"They are off by {system.figures['ece'].value:.3f} on average."
        )
    told += [f"{name} is not measured: {why}." for name, why in system.not_measured.items()]
    return told


def _advice(system: SystemFigures) -> list[str]:
    """What to do about scores that were made for something else."""
    ranked = system.figures["roc-auc"]
    if ranked.interval is not None and ranked.interval.high < 0.5:
        return [
            f"Paraphrases score lower than other pairs (ROC AUC {ranked.value:.3f}): are the scores distances, or the "
            "labels the other way round? Turn the scores around."
        ]
    if system.not_measured and system.best.f1 - system.figures["f1"].value >= 0.01:
        return [f"The scores do not lie between 0 and 1, so {system.threshold:g} says little: choose a --threshold."]
    return []


def threshold_shown(threshold: float) -> str:
    """A threshold with all the digits that it takes to decide as it did.

    >>> threshold_shown(0.25), threshold_shown(0.51234561)
    ('0.250', '0.51234561')
    """
    short = f"{threshold:.3f}"
    return short if abs(threshold) < 1e6 and float(short) == threshold else repr(threshold)


def p_shown(p_value: float) -> str:
    """A p-value, no smaller than resampling can tell.

    >>> p_shown(0.04321), p_shown(0.000999)
    ('0.043', '0.001')
    """
    return f"{p_value:.3f}"


def interval_shown(interval: Interval | None) -> str:
    """An interval's two ends."""
    return NOTHING if interval is None else f"{interval.low:.3f}–{interval.high:.3f}"


def _measured(systems: Sequence[SystemFigures]) -> list[str]:
    return [name for name in ORDER if any(name in system.figures for system in systems)]


def _rule(system: SystemFigures) -> str:
    return f"a pair counts as a paraphrase where its score is above {system.threshold:g}"


def _value(figure: Figure | None) -> str:
    return NOTHING if figure is None else f"{figure.value:.3f}"


def _bounds(figure: Figure | None) -> str:
    return "" if figure is None else interval_shown(figure.interval)


def _with_interval(figure: Figure | None) -> str:
    return NOTHING if figure is None else f"{figure.value:.3f} ({interval_shown(figure.interval)})"


def _slice_cells(part: Slice) -> list[str]:
    def shown(value: float | None) -> str:
        return NOTHING if value is None else f"{value:.3f}"

    return [
        part.name,
        number(part.pairs),
        percent(part.base_rate),
        shown(part.f1),
        interval_shown(part.f1_interval),
        shown(part.f1_of_calling_all),
        shown(part.mcc),
        interval_shown(part.mcc_interval),
        part.note or "",
    ]


def _charts(systems: Sequence[SystemFigures]) -> dict[str, Any]:
    from markupsafe import Markup

    from paraloom.reports import identification_charts as charts

    best = "; ".join(
        f"{system.name} has its best F1, {system.best.f1:.3f}, at precision {system.best.precision:.3f} and "
        f"recall {system.best.recall:.3f}"
        for system in systems[: len(charts.SHOWN)]
    )
    bins = "; ".join(
        f"{system.name}: "
        + ", ".join(f"{bin.promised:.2f} promised, {bin.happened:.2f} true" for bin in system.reliability)
        for system in systems[: len(charts.SHOWN)]
        if system.reliability
    )
    drawn = {
        "curve": charts.precision_recall("curve-chart", systems, f"Precision against recall. {best}."),
        "reliability": charts.reliability("reliability-chart", systems, f"Reliability by bins of the score. {bins}."),
    }
    # Altair's drawing went through an XML writer, which escapes every text in it.
    return {name: None if svg is None else Markup(svg) for name, svg in drawn.items()}
