"""Judged pairs in, each once with what its label says out; a pair of which labels say both is an error.

Labels lie beside the texts, or by `pair_id` in a file of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.corpus.given_pairs import LABELS
from paraloom.corpus.label_counts import LabelCounter, LabelReader, told_label
from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.text.counted import counted
from paraloom.workflows.mine.candidates import Block, Candidates

IN_PAIRS = ("label", "grade", "is_paraphrase")
"""What the label is called in a file of pairs; the first that is there is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledCandidates:
    """Pairs of which a label says whether they are paraphrases."""

    block: Block
    is_paraphrase: Sequence[bool]
    label_column: str
    """Where the label lay in the file of pairs; empty where it was in another file."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """Pairs, each once, and all that was said of each."""

    block: Block
    labels: Sequence[Sequence[str]]
    repeated: int
    label_column: str = ""


def read_labelled(judged: Path, drawn: Path | None, columns: Mapping[str, str]) -> LabelledCandidates:
    """The pairs of a file that have a clear label, there or in another file."""
    sides = {name: column for name, column in columns.items() if name != "label" or drawn is None}
    candidates = Candidates(sources=[drawn or judged], columns=sides, each_once=False)
    blocks = list(candidates)
    if not blocks:
        raise InputError(f"There are no pairs in {drawn or judged}. Give a file with two texts a row.")
    block = _joined(blocks)
    told = _told_beside(block, judged) if drawn is None else _told_by_id(block, judged, drawn, columns.get("label"))
    answers = _answers(told, judged)
    rows = [row for row, answer in enumerate(answers) if answer is not None]
    if not rows:
        raise InputError(
            f"{judged} has no label that says whether a pair is a paraphrase: 1 and 0, yes and no, or grades such as "
            "4>. Name their column: --columns label=COLUMN."
        )
    candidates.repeated = told.repeated
    notes = candidates.notes()
    if unclear := len(answers) - len(rows):
        notes.append(
            f"{counted(unclear, 'pair without a clear label was', 'pairs without a clear label were')} left out."
        )
    return LabelledCandidates(
        block=told.block.chosen(rows),
        is_paraphrase=[bool(answers[row]) for row in rows],
        label_column=told.label_column,
        notes=tuple(notes),
    )


def _answers(told: _Told, judged: Path) -> list[bool | None]:
    """What the labels of each pair say; None where they say neither."""
    counter = LabelCounter()
    for label in (label for labels in told.labels for label in labels):
        counter.add(label)
    reader = LabelReader.of(counter)
    said = [{reader.is_paraphrase(label) for label in labels} - {None} for labels in told.labels]
    if disputed := [row for row, answers in enumerate(said) if len(answers) > 1]:
        first = disputed[0]
        raise InputError(
            f"{judged}: the labels of {counted(len(disputed), 'pair', 'pairs')} disagree, such as "
            f"{', '.join(told.labels[first])} for {told.block.pair_ids[first]}. Join what people said of one: run "
            "`paraloom label` first."
        )
    return [next(iter(answers), None) for answers in said]


def _told_beside(block: Block, judged: Path) -> _Told:
    """What is said in a column of the pairs' own file."""
    name = next((name for name in IN_PAIRS if name in block.columns), None)
    if name is None:
        raise InputError(
            f"{judged} has no column of labels. Name one: --columns label=COLUMN, or give the pairs it tells of: "
            "--drawn FILE."
        )
    if name == "is_paraphrase" and "score" in block.columns:
        raise InputError(
            f"{judged} has no labels by people: its is_paraphrase comes with a score, so an identifier said it, and "
            "would be measured by its own word. Fill in a column label, or say that people did: --columns "
            "label=is_paraphrase."
        )
    labels = [[label] if (label := told_label(value)) else [] for value in block.columns[name]]
    return _gathered(block, block.text_keys(), labels, label_column=name)


def _told_by_id(block: Block, judged: Path, drawn: Path, label: str | None) -> _Told:
    """What a file says of the ids of these pairs."""
    by_id = _labels_by_id(judged, label)
    keys = block.text_keys()
    known: dict[str, str] = {}
    for pair_id, key in zip(block.pair_ids, keys, strict=True):
        if known.setdefault(pair_id, key) != key:
            raise InputError(
                f"{drawn}: several pairs have the id {pair_id}, so it is not known which of them a label is about. "
                "Give the sample as it was drawn."
            )
    if not known.keys() & by_id.keys():
        theirs, ours = (next(iter(ids), "none") for ids in (by_id, known))
        raise InputError(
            f"No pair of {drawn} has a label in {judged}: their ids are others, such as {ours} and {theirs}. Give the "
            "sample that was judged: --drawn FILE."
        )
    return _gathered(block, keys, [by_id.get(pair_id, []) for pair_id in block.pair_ids])


def _gathered(block: Block, keys: Sequence[str], labels: Sequence[Sequence[str]], label_column: str = "") -> _Told:
    """Each pair once, with all that its rows say."""
    rows: dict[str, int] = {}
    said: dict[str, dict[str, None]] = {}
    for row, (key, labels_of_row) in enumerate(zip(keys, labels, strict=True)):
        rows.setdefault(key, row)
        said.setdefault(key, {}).update(dict.fromkeys(labels_of_row))
    return _Told(
        block=block.chosen(list(rows.values())),
        labels=[list(one) for one in said.values()],
        repeated=len(block) - len(rows),
        label_column=label_column,
    )


def _labels_by_id(path: Path, label: str | None) -> dict[str, list[str]]:
    """All labels of each id."""
    rows = read_rows(path, ("pair_id",), {"label": label} if label else {})
    names = ["label"] if label else [name for name in ("grade", *LABELS) if name in rows.columns]
    if not names:
        raise InputError(f"{path} has no column of labels. Name it: --columns label=COLUMN.")
    grades_first = [[told_label(value) for value in rows.columns[name]] for name in names]
    filled = max(grades_first, key=lambda values: sum(value is not None for value in values))
    found: dict[str, list[str]] = {}
    for pair_id, one in zip(rows.columns["pair_id"], filled, strict=True):
        labels = found.setdefault(str(pair_id), [])
        if one is not None:
            labels.append(one)
    return found


def _joined(blocks: Sequence[Block]) -> Block:
    names = [name for name in blocks[0].columns if all(name in block.columns for block in blocks)]
    columns: dict[str, list[Any]] = {name: [one for block in blocks for one in block.columns[name]] for name in names}
    return Block(
        [one for block in blocks for one in block.pair_ids],
        [one for block in blocks for one in block.left],
        [one for block in blocks for one in block.right],
        columns,
    )
