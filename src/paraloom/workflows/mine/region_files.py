"""Judged candidates in, their numbers and labels out: similarity, confidences, weights, and what they are for.

Labels are graded or yes and no. They may lie in a file of their own, by `pair_id`, as `paraloom label` writes it: then
the drawn sample is given beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.given_pairs import LABELS
from paraloom.corpus.label_counts import LabelCounter, LabelReader, told_label
from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.metrics.likeness.character_cosine import character_cosines
from paraloom.pairs.regions import Scored
from paraloom.pairs.stratified import DEV, TEST
from paraloom.tables import make_id
from paraloom.text.counted import counted
from paraloom.workflows.mine.candidates import Block, Candidates, numbers
from paraloom.workflows.mine.scoring import Scorer


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCandidates:
    """Candidates that people judged, each with all its numbers."""

    scored: Scored
    is_paraphrase: NDArray[np.bool_]
    weights: NDArray[np.float64]
    """How many candidates each stands for; 1 each where nothing tells it."""
    is_dev: NDArray[np.bool_]
    """Those to choose by; the others are to check."""
    is_weighted: bool
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.is_paraphrase)


def read_judged(
    judged: Path, drawn: Path | None, scorer: Scorer, *, columns: Mapping[str, str], dev_share: float
) -> JudgedCandidates:
    """The judged pairs of a file, or of a drawn sample with labels in another file."""
    labels_by_id = None if drawn is None else _labels_by_id(judged, columns)
    sides = {name: column for name, column in columns.items() if name != "label" or drawn is None}
    candidates = Candidates(sources=[drawn or judged], columns=sides)
    blocks = [_labelled(block, labels_by_id, judged) for block in candidates]
    labels = [label for _, found in blocks for label in found]
    counter = LabelCounter()
    for label in labels:
        counter.add(label)
    reader = LabelReader.of(counter)
    answers = [reader.is_paraphrase(label) for label in labels]
    rows = [row for row, answer in enumerate(answers) if answer is not None]
    if not rows:
        raise InputError(
            f"{judged} has no label that says whether a pair is a paraphrase: 1 and 0, yes and no, or grades such as "
            "4>. Name their column: --columns label=COLUMN."
        )
    whole = _joined([block for block, _ in blocks]).chosen(rows)
    unclear = len(answers) - len(rows)
    weights, is_weighted = _weights(whole)
    about = (
        [] if is_weighted else ["No column of weights tells how many candidates a pair stands for: all count alike."]
    )
    if unclear:
        about.append(
            f"{counted(unclear, 'pair without a clear label was', 'pairs without a clear label were')} left out."
        )
    return JudgedCandidates(
        scored=scorer.scored(whole, character_cosines(whole.left, whole.right)),
        is_paraphrase=np.array([bool(answers[row]) for row in rows]),
        weights=weights,
        is_dev=_is_dev(whole, dev_share),
        is_weighted=is_weighted,
        notes=(*candidates.notes(), *about),
    )


def _labels_by_id(path: Path, columns: Mapping[str, str]) -> dict[str, str | None]:
    rows = read_rows(path, ("pair_id",), {})
    names = [columns["label"]] if "label" in columns else [name for name in ("grade", *LABELS) if name in rows.columns]
    if not names or names[0] not in rows.columns:
        raise InputError(f"{path} has no column of labels. Name it: --columns label=COLUMN.")
    grades_first = [[told_label(value) for value in rows.columns[name]] for name in names]
    filled = max(grades_first, key=lambda values: sum(value is not None for value in values))
    return dict(zip(rows.texts("pair_id"), filled, strict=True))


def _labelled(block: Block, by_id: Mapping[str, str | None] | None, judged: Path) -> tuple[Block, list[str | None]]:
    if by_id is not None:
        return block, [by_id.get(pair_id) for pair_id in block.pair_ids]
    name = next((name for name in ("label", "grade", "is_paraphrase") if name in block.columns), None)
    if name is None:
        raise InputError(
            f"{judged} has no column of labels. Name one: --columns label=COLUMN, or give the pairs it tells of: "
            "--drawn FILE."
        )
    return block, [told_label(value) for value in block.columns[name]]


def _joined(blocks: Sequence[Block]) -> Block:
    names = [name for name in blocks[0].columns if all(name in block.columns for block in blocks)]
    columns: dict[str, list[Any]] = {name: [one for block in blocks for one in block.columns[name]] for name in names}
    return Block(
        [one for block in blocks for one in block.pair_ids],
        [one for block in blocks for one in block.left],
        [one for block in blocks for one in block.right],
        columns,
    )


def _weights(block: Block) -> tuple[NDArray[np.float64], bool]:
    """As many candidates as each stands for, of those that were judged: what people skipped is shared by the others."""
    if "weight" not in block.columns:
        return np.ones(len(block)), False
    weights = numbers(block.columns["weight"], "weight")
    if np.isnan(weights).any() or (weights < 0).any():
        raise InputError(
            "The column weight must hold a number from 0 on in every row. Give the sample as it was drawn."
        )
    if {"interval", "population"} <= set(block.columns):
        populations = numbers(block.columns["population"], "population")
        for interval in set(block.columns["interval"]):
            rows = np.array([one == interval for one in block.columns["interval"]])
            weights[rows] = populations[rows] / rows.sum()
    return weights, True


def _is_dev(block: Block, share: float) -> NDArray[np.bool_]:
    splits = [str(one) for one in block.columns.get("split", ())]
    if splits and set(splits) <= {DEV, TEST}:
        return np.array([split == DEV for split in splits])
    # By the texts, so that a pair is on the same side whatever file it comes from.
    places = [
        int(make_id("split", *sorted(pair))[:8], 16) / 2**32 for pair in zip(block.left, block.right, strict=True)
    ]
    return np.array(places) < share
