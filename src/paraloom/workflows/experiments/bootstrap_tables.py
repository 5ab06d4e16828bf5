"""Results of the bootstrapping experiment in, its tables out, beside Tables 4 and 5 of Kanerva et al. (2023)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from paraloom.metrics.measured import mean_of
from paraloom.metrics.significance import compare, group_numbers
from paraloom.reports.experiments import Cell, ResultRow, ResultTable
from paraloom.reports.pages import number
from paraloom.reports.regions import PUBLISHED as PRECISIONS
from paraloom.workflows.bench.published import KANERVA_TABLES
from paraloom.workflows.bench.tables import LABELLED
from paraloom.workflows.experiments.bootstrap_sets import WAYS, Sets
from paraloom.workflows.experiments.parts import Parts
from paraloom.workflows.experiments.trials import GAINS_NOTE, Result

TABLE_OF = {"train": 4, "train+neg": 5}
"""The published table with the figures of a way."""
TOLD = {
    "train": "the corpus alone",
    "train+neg": "with safe negatives",
    "train+neg+pos": "with safe negatives and positives",
    "neg+pos": "safe negatives and positives alone",
}
NEGATIVE = "2"
PLACES = {"P": 0, "R": 1, "F": 2}
LABELS = ("3", "4<", "4>", "4", "i", "s")

BySeed = Mapping[int, Mapping[str, Result]]


def classifier_tables(sets: Sets, system: str, results: BySeed) -> Iterator[ResultTable]:
    """How every way does on both test sets."""
    for which, part in (("own", sets.corpus), ("found", sets.found)):
        yield _label_table(system, results, which, part)
        yield _gains_table(system, results, which, part)


def selected_table(system: str, results: BySeed) -> ResultTable:
    """What was taken, and how much of it is right."""
    rows = []
    for kind in ("negatives", "positives"):
        selected = [ways["train"]["selected"] for ways in results.values()]
        precisions = tuple(one["precision"][kind] for one in selected if kind in one["precision"])
        taken = round(fmean(len(one[kind]) for one in selected))
        shares = tuple(len(one[kind]) / one["sought"] for one in selected)
        right = Cell(values=precisions, published=PRECISIONS[kind]) if precisions else None
        cells = (right, Cell(values=shares))
        rows.append(ResultRow(label=kind, about=f"{number(taken)} pairs, {_bounds(selected[0], kind)}", cells=cells))
    return ResultTable(
        system=system,
        title="what the first classifier's safe regions took",
        about="Bounds are those of the first seed. What is right is told by the labels that were hidden.",
        first="taken for",
        second="",
        columns=("are right", "of all candidates"),
        rows=tuple(rows),
    )


def _bounds(selected: Result, kind: str) -> str:
    bounds = selected["bounds"][kind]
    if kind == "negatives":
        return f"similarity < {bounds['max_similarity']:g} or confidence > {bounds['min_confidence']:g}"
    return f"similarity > {bounds['positive_similarity']:g} and confidence ≥ {bounds['positive_confidence']:g}"


def _label_table(system: str, results: BySeed, which: str, part: Parts) -> ResultTable:
    there = {label for ways in results.values() for one in ways.values() for label in one[which]["labels"]}
    labels = [label for label in LABELS if label in there]
    is_graded = labels != ["4"]
    columns = [(f"neg {name}", NEGATIVE, name) for name in PLACES]
    columns += [(f"{label if is_graded else 'pos'} F", label, "F") for label in labels]
    published = _published(part.name) if is_graded else {}
    rows = []
    for way in WAYS:
        found = [ways[way][which] for ways in results.values() if way in ways]
        if not found:
            continue
        beside = published.get(way, {})
        cells = [Cell(values=tuple(_figure(one, label, name) for one in found), published=beside.get((label, name)))
                 for _, label, name in columns]  # fmt: skip
        cells.append(Cell(values=tuple(one["weighted"][2] for one in found), published=beside.get(("weighted", "F"))))
        cells.append(Cell(values=tuple(one["accuracy"] for one in found), published=beside.get(("accuracy", ""))))
        learned = round(fmean(ways[way]["learned"] for ways in results.values() if way in ways))
        about = f"{TOLD[way]}, {number(learned)} pairs"
        rows.append(ResultRow(label=way, about=about, cells=tuple(cells)))
    return ResultTable(
        system=system,
        title=f"on {part.title}",
        about=f"{part.told} {number(len(part.test))} pairs; neg is label 2, and 1 where it is there.",
        first="learned from",
        second="",
        columns=(*(name for name, _, _ in columns), "w. avg F", "acc"),
        rows=tuple(rows),
    )


def _figure(result: Result, label: str, name: str) -> float:
    return float(result["labels"].get(label, (0.0, 0.0, 0.0))[PLACES[name]])


def _published(corpus: str) -> dict[str, dict[tuple[str, str], float]]:
    """By way: the figures of each label that the paper prints."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for way, table in TABLE_OF.items():
        for one in KANERVA_TABLES:
            if one.number == table and LABELLED[one.test_set] == corpus:
                figures = {
                    (label, name): three[place] for label, three in one.labels.items() for name, place in PLACES.items()
                }
                found[way] = figures | {("weighted", "F"): one.weighted[2], ("accuracy", ""): one.accuracy}
    return found


def _gains_table(system: str, results: BySeed, which: str, part: Parts) -> ResultTable:
    rows = []
    first = [ways["train"][which] for ways in results.values()]
    for way in WAYS[1:]:
        found = [ways[way][which] for ways in results.values() if way in ways]
        if len(found) == len(first):
            rows.append(ResultRow(label=way, about=TOLD[way], cells=(_gain(found, first, part),)))
    return ResultTable(
        system=system,
        title=f"gains in accuracy over the corpus alone, on {part.title}",
        about=GAINS_NOTE,
        first="learned from",
        second="",
        columns=("accuracy",),
        rows=tuple(rows),
    )


def _gain(ours: Sequence[Result], others: Sequence[Result], part: Parts) -> Cell:
    means = [np.mean([[float(mark) for mark in one["right"]] for one in some], axis=0) for some in (ours, others)]
    measured = [mean_of("accuracy", np.asarray(mean), "accuracy", "higher") for mean in means]
    compared = compare(*measured, groups=group_numbers(part.test.groups))
    return Cell(values=(compared.difference,), gain=compared)


def headline(results: Mapping[str, BySeed], title: str) -> str:
    """What safe negatives change for the first system, on candidates."""
    system, its = next(iter(results.items()))
    alone = fmean(_figure(ways["train"]["found"], NEGATIVE, "F") for ways in its.values())
    told = f"{system}: F1 of negatives among candidates of {title} is {alone:.3f} after the corpus alone"
    more = [_figure(ways["train+neg"]["found"], NEGATIVE, "F") for ways in its.values() if "train+neg" in ways]
    if not more:
        return f"{told}; no bounds reach the wanted precision, so that no negatives were added."
    return f"{told} and {fmean(more):.3f} with safe negatives."
