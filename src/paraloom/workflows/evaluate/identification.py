"""Labelled pairs and systems in, how well each system identifies paraphrases out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.corpus.known.groups import group_pairs
from paraloom.errors import InputError
from paraloom.metrics.identification.figures import measure_systems
from paraloom.metrics.identification.slices import Slicing, by_length, by_overlap, by_value
from paraloom.metrics.significance import Groups, group_numbers
from paraloom.models.identifiers import load
from paraloom.reports.identification import IdentificationEvaluation
from paraloom.workflows.evaluate.identification_options import IdentificationOptions
from paraloom.workflows.evaluate.labelled_pairs import (
    LabelledPairs,
    check_same_pairs,
    notes_on_repetitions,
    notes_on_splits,
    read_labelled_pairs,
)
from paraloom.workflows.evaluate.named_columns import named_columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BY_TEXT, BY_PAIR = "text", "pair"
"""What pairs may be grouped by; any other name is a column."""

FEW_GROUPS = 20
"""With fewer than this, an interval is rough, and is said to be."""


def evaluate_identification(
    files: Sequence[str | Path], options: IdentificationOptions = IdentificationOptions()
) -> IdentificationEvaluation:
    """Every system on the same labelled pairs: one a file with scores, or one a model that scores one file's pairs."""
    if not files:
        raise InputError("There is no file to evaluate. Give pairs with `left`, `right`, `label` and `score`.")
    if not 1 <= options.bins <= 1000:
        raise InputError(f"--bins {options.bins} makes no sense. Give a number from 1 to 1000, such as 10.")
    if not isfinite(options.threshold):
        raise InputError(f"--threshold {options.threshold} parts nothing. Give a number such as 0.5.")
    if options.definition != IdentificationOptions().definition and not options.model:
        raise InputError("--definition says what a model counts as a paraphrase. Give --model too, or leave it out.")
    columns = named_columns(options.columns)
    pairs, systems = _by_models(files, options, columns) if options.model else _by_files(files, options, columns)
    slicings = [_slicing(name, pairs) for name in options.slice_by or _slices_of(pairs)]
    groups = _groups(options.group_by, pairs)
    figures, comparisons = measure_systems(
        systems,
        pairs.truth,
        slicings,
        groups=groups,
        threshold=options.threshold,
        bins=options.bins,
        resamples=options.resamples,
        seed=options.seed,
    )
    return IdentificationEvaluation(
        files=tuple(Path(file).name for file in files),
        systems=tuple(figures),
        comparisons=tuple(comparisons),
        notes=(
            *pairs.notes,
            *notes_on_splits(pairs),
            *notes_on_repetitions(pairs),
            *_notes_on_groups(options.group_by, groups),
        ),
    )


def _groups(name: str, pairs: LabelledPairs) -> Groups | None:
    """The number of each pair's group; None where pairs are drawn one by one."""
    if name == BY_PAIR:
        return None
    if name == BY_TEXT:
        return group_numbers(group_pairs(pairs.left, pairs.right))
    if name not in pairs.columns:
        known = ", ".join([BY_TEXT, BY_PAIR, *(one for one in pairs.columns if one not in ("left", "right"))])
        raise InputError(f"--group-by {name}: {pairs.path} has no such column. Pairs can be grouped by {known}.")
    values = [None if value is None or value == "" else str(value) for value in pairs.columns[name]]
    return group_numbers(row if value is None else value for row, value in enumerate(values))


def _notes_on_groups(name: str, groups: Groups | None) -> list[str]:
    count = FEW_GROUPS if groups is None else int(groups.max()) + 1
    if count == 1:
        return [f"All pairs are of one group (--group-by {name}): nothing can be drawn, so there are no intervals."]
    if count < FEW_GROUPS:
        return [f"The pairs come in {count} groups alone (--group-by {name}): intervals of so few are rough."]
    return []


Systems = dict[str, tuple[str, "NDArray[np.float64]"]]
"""A system's name, what made its scores, and these."""


def _by_files(
    files: Sequence[str | Path], options: IdentificationOptions, columns: Mapping[str, str]
) -> tuple[LabelledPairs, Systems]:
    """One system a file, named after it; all files must hold the same pairs."""
    read = [read_labelled_pairs(file, columns, options.where, with_scores=True) for file in files]
    for other in read[1:]:
        check_same_pairs(read[0], other)
    systems: Systems = {}
    for name, pairs in zip(_names(files), read, strict=True):
        assert pairs.scores is not None
        systems[name] = (f"scores of {pairs.path.name}", pairs.scores)
    return replace(read[0], notes=tuple(note for pairs in read for note in pairs.notes)), systems


def _by_models(
    files: Sequence[str | Path], options: IdentificationOptions, columns: Mapping[str, str]
) -> tuple[LabelledPairs, Systems]:
    """One system a model, all on the pairs of the one file."""
    if len(files) > 1:
        raise InputError(
            f"--model scores the pairs of one file, but {len(files)} were given. Give one, or drop --model."
        )
    pairs = read_labelled_pairs(files[0], columns, options.where)
    systems: Systems = {}
    for name, model in zip(_names(options.model), options.model, strict=True):
        identifier = load(model)
        systems[name] = (identifier.signature, identifier.score(pairs.left, pairs.right, options.definition))
    return pairs, systems


def _names(given: Sequence[str | Path]) -> list[str]:
    """Short names where they differ, the whole path where not."""
    short = [_stem(one) for one in given]
    names = [name if short.count(name) == 1 else str(one) for name, one in zip(short, given, strict=True)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{twice} is given twice. Give every system once.")
    return names


def _stem(given: str | Path) -> str:
    name = Path(given).name
    for ending in (".gz", ".zst"):
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix in (".tsv", ".txt", ".csv", ".jsonl", ".json", ".parquet") else name


def _slices_of(pairs: LabelledPairs) -> tuple[str, ...]:
    return ("overlap", "length", "topic") if "topic" in pairs.columns else ("overlap", "length")


def _slicing(name: str, pairs: LabelledPairs) -> Slicing:
    if name in SLICINGS:
        return SLICINGS[name](pairs.left, pairs.right)
    if name not in pairs.columns:
        known = ", ".join([*SLICINGS, *(column for column in pairs.columns if column not in ("left", "right"))])
        raise InputError(f"--slice-by {name}: {pairs.path} has no such column. Pairs can be sliced by {known}.")
    return by_value(name, pairs.columns[name])


SLICINGS = {"overlap": by_overlap, "length": by_length}
"""Slices that every pair has; any other name is a column."""
