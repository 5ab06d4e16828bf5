"""A pair file of the user's in, pairs with targets out: what an identifier can learn from, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from paraloom.corpus.given_pairs import LABELS, label_column
from paraloom.corpus.known.nli import as_entailments, entailed_pairs, found_entailments
from paraloom.corpus.known.pairs import KnownPairs
from paraloom.corpus.pair_files import usual_columns
from paraloom.corpus.rewrites import REWRITES, rewrites_of
from paraloom.engine.given import Rows, check_file, read_rows, told
from paraloom.errors import InputError
from paraloom.metrics.identification.graded import read_grade
from paraloom.models.identifiers.mutual_implication import ENTAILMENT, Entailments
from paraloom.tables import SPLITS
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.chosen_rows import as_text

WORDS = {"true": 1.0, "false": 0.0}
ENTAILED = {
    "entailment": 1.0,
    "neutral": 0.0,
    "contradiction": 0.0,
    "not_entailment": 0.0,
    "not entailment": 0.0,
}
"""Labels of the usual corpora of entailment."""

GROUPS = ("group", "goeswith", "rewrite_of", "pair_id")
"""Columns that may say what a pair must not be parted from: a document, the pair it is a rewrite of, itself turned."""

SPLIT_WORDS = {name: name for name in SPLITS} | {
    "training": "train",
    "development": "dev",
    "validation": "dev",
    "valid": "dev",
    "val": "dev",
    "testing": "test",
}
"""What a column `split` calls them, in any case."""

MOST_LEFT_OUT = 0.1
"""A file of which more rows cannot be learned from is not what it was taken for."""

Label = TypeVar("Label")


def read_training_file(
    path: Path, definition: str, columns: Mapping[str, str], *, rewrites: bool = True, unlabelled: bool = False
) -> tuple[KnownPairs, tuple[str, ...]]:
    """The pairs of a file with `left`, `right` and `label`; `topic` and `group` are taken where they are there.

    A label is 1 or 0, true or false, or a number between them where votes or a teacher were unsure; under the graded
    definition it is a grade such as `4>s`, and a rewritten form of a pair (`rewrites` of the Turku corpus) is a pair
    of its own, in the group of that pair. Where no column is called `label`, the first of the other usual names is
    taken, such as `is_paraphrase` of mined and identified pairs. A pair without a label was not judged and is left out.
    A file without a column of labels is an error, or with `unlabelled` one of paraphrases. Notes tell of all this.
    """
    found = _read(path, definition, columns, rewrites=rewrites, unlabelled=unlabelled)
    return found.pairs, found.notes


def read_training_splits(
    path: Path, definition: str, columns: Mapping[str, str], *, rewrites: bool = True, unlabelled: bool = False
) -> tuple[KnownPairs, KnownPairs | None, tuple[str, ...]]:
    """The pairs of a file to learn from, and those to hold out where it says so; notes tell of it.

    A column `split` says `train`, `dev` or `test` (`SPLIT_WORDS`): what is for testing is not learned from. The dev
    split is held out if it has paraphrases and others (with `unlabelled`: paraphrases). Rows of other splits, or of
    none, are learned from. Where there are only rows for testing and development, whoever cut the file knows what they
    want: all of it is learned from.
    """
    found = _read(path, definition, columns, rewrites=rewrites, unlabelled=unlabelled)
    words = ["" if said is None else str(said).strip() for said in found.splits]
    splits = [SPLIT_WORDS.get(word.lower(), word) for word in words]
    rows = {name: [row for row, said in enumerate(splits) if said == name] for name in SPLITS}
    others = sorted({*splits} - {*SPLITS, ""})
    if not rows["dev"] and not rows["test"]:
        return found.pairs, None, (*found.notes, *_about_other_splits(path, others))
    if len(rows["dev"]) + len(rows["test"]) == len(splits):
        note = f"{path.name}: all of it is learned from, though it says that none is for training (column split)."
        return found.pairs, None, (*found.notes, note)
    dev = found.pairs.chosen(rows["dev"])
    is_held_out = 0 < int((dev.targets > 0.5).sum()) < len(dev) + unlabelled
    apart = {*rows["test"], *(rows["dev"] if is_held_out else ())}
    training = found.pairs.chosen([row for row in range(len(found.pairs)) if row not in apart])
    done = [f"{counted(len(rows['test']), 'pair', 'pairs')} of its test split left out"] if rows["test"] else []
    if is_held_out:
        done.append(f"{counted(len(dev), 'pair', 'pairs')} of its dev split held out")
    notes = (f"{path.name}: {', '.join(done)}.",) if done else ()
    return training, dev if is_held_out else None, (*found.notes, *notes, *_about_other_splits(path, others))


def _about_other_splits(path: Path, others: Sequence[str]) -> list[str]:
    if not others:
        return []
    some = ", ".join(others[:5]) + (" …" if len(others) > 5 else "")
    return [f"{path.name}: its column split also says {some}, which is learned from; test is not, dev is held out."]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """All pairs of a file that can be learned from, and of each the split that the file says it is in."""

    pairs: KnownPairs
    splits: Sequence[Any]
    notes: tuple[str, ...]


def _read(path: Path, definition: str, columns: Mapping[str, str], *, rewrites: bool, unlabelled: bool) -> _Read:
    grades = None
    # A file that was labelled by grades may say yes and no beside them: each definition takes its own.
    last = "is_paraphrase" if definition == "graded" else "grade"
    rows, called = _rows(path, columns, [*(name for name in LABELS if name != last), last], unlabelled=unlabelled)
    if definition == "graded" and called is not None:
        kept, grades = _labelled(rows, called, _grade)
        targets = [float(read_grade(grade).is_paraphrase) for grade in grades]
    else:
        kept, targets = _labelled(rows, called, _target)
    topics = kept.column("topic")
    pairs = KnownPairs(
        left=kept.left,
        right=kept.right,
        targets=np.array(targets, np.float64),
        groups=kept.groups,
        topics=None if topics is None else [str(topic or "") for topic in topics],
        grades=grades,
    )
    if called is None:
        about = [f"{path.name} has no column of labels: all its pairs count as paraphrases."]
    else:
        about = [f"{path.name}: its column {called} is taken for the label."] if called != "label" else []
    read = _Read(pairs=pairs, splits=kept.column("split") or [None] * len(pairs), notes=(*kept.notes, *about))
    given = None if grades is None else kept.column(REWRITES)
    if definition != "graded" or not rewrites or given is None:
        return read
    return _with_rewrites(path, kept, read, given)


def _with_rewrites(path: Path, rows: _Kept, read: _Read, given: Sequence[Any]) -> _Read:
    """The pairs, then all that was made of them; a pair without a group makes one with its rewrites."""
    pairs = read.pairs
    found = [(number, one) for number, value in enumerate(given) for one in rewrites_of(value)]
    if not found:
        return read
    own = {number: pairs.groups[number] or f"line {rows.read.lines[rows.numbers[number]]}" for number, _ in found}
    together = KnownPairs(
        left=[*pairs.left, *(one.left for _, one in found)],
        right=[*pairs.right, *(one.right for _, one in found)],
        targets=np.concatenate([pairs.targets, np.ones(len(found))]),
        groups=[
            *(own.get(number, group) for number, group in enumerate(pairs.groups)),
            *(own[number] for number, _ in found),
        ],
        topics=None if pairs.topics is None else [*pairs.topics, *(pairs.topics[number] for number, _ in found)],
        grades=[*(pairs.grades or ()), *(one.label for _, one in found)],
    )
    made = counted(len(found), "rewrite is a pair of its own", "rewrites are pairs of their own")
    note = f"{path.name}: {made}, with the label 4 (--without-rewrites leaves them out)."
    splits = [*read.splits, *(read.splits[number] for number, _ in found)]
    return _Read(pairs=together, splits=splits, notes=(*read.notes, note))


def read_entailments(path: Path, columns: Mapping[str, str]) -> tuple[Entailments, tuple[str, ...]]:
    """Premises, hypotheses and whether each is entailed; notes tell of rows that were left out.

    Of a file with `left`, `right` and `label`, or of a folder with corpora of entailment in their published forms.
    """
    if path.is_dir():
        return _published_entailments(path)
    rows, called = _rows(path, columns, ("label",))
    kept, targets = _labelled(rows, called, _entailed)
    return Entailments(left=kept.left, right=kept.right, targets=targets, definition=ENTAILMENT), kept.notes


def _published_entailments(folder: Path) -> tuple[Entailments, tuple[str, ...]]:
    corpora, missing = found_entailments(folder)
    if not corpora:
        raise InputError(f"{folder} holds no corpus of entailment. {missing[0]}")
    return as_entailments(entailed_pairs(corpora)), (
        *(f"{corpus.title}: {note}" for corpus in corpora for note in corpus.notes),
        *missing,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """The rows of a file that can be learned from."""

    read: Rows
    numbers: Sequence[int]
    """Which of the rows that were read they are."""
    notes: tuple[str, ...]

    @property
    def left(self) -> list[str]:
        return [self.read.columns["left"][row] for row in self.numbers]

    @property
    def right(self) -> list[str]:
        return [self.read.columns["right"][row] for row in self.numbers]

    @property
    def groups(self) -> list[str]:
        """What must not be parted: the first of `GROUPS` that a row has; nothing where it has none."""
        columns = [column for name in GROUPS if (column := self.column(name)) is not None]
        return [
            next((str(value) for value in values if value not in (None, "")), "")
            for values in (zip(*columns, strict=True) if columns else [()] * len(self.numbers))
        ]

    def column(self, name: str) -> list[Any] | None:
        """Another column's values, if there is one of that name."""
        return [self.read.columns[name][row] for row in self.numbers] if name in self.read.columns else None


def _rows(
    path: Path, columns: Mapping[str, str], usual: Sequence[str], *, unlabelled: bool = False
) -> tuple[Rows, str | None]:
    """All rows that can be read, and what their labels are called; None where there are none and need not be any."""
    check_file(path)
    sides = {} if "left" in columns or "right" in columns else usual_columns(path)
    wanted = ("left", "right", "label")
    rows = read_rows(path, wanted, {**sides, **columns}, required=wanted[:2], leaving_out=True)
    called = "label" if "label" in columns else label_column(rows.columns, usual)
    if called is not None:
        rows.refuse_repeated([called])
    elif not unlabelled:
        rows.texts("label")  # the error that it is not there, with what is
    return rows, called


def _labelled(rows: Rows, called: str | None, read: Callable[[Any], Label]) -> tuple[_Kept, list[Label]]:
    """Rows with two texts and a label that can be read; the others are left out, unless they are many.

    However many have no label: they were not judged. Where there is no column of labels, all are said to be 1.
    """
    path, left_out = rows.path, dict(rows.left_out)
    values: Sequence[Any] = [1] * len(rows) if called is None else rows.columns[called]
    kept, labels, unjudged = [], [], 0
    for number, line in enumerate(rows.lines):
        if as_text(values[number]) is None:
            unjudged += 1
            continue
        try:
            for side in ("left", "right"):
                if not isinstance(text := rows.columns[side][number], str):
                    raise InputError(f"{side} is {told(text)}, not text")
            labels.append(read(values[number]))
            kept.append(number)
        except InputError as error:
            left_out[line] = str(error)
    there = len(kept) + len(left_out)
    if not there:
        if unjudged:
            told_rows = counted(unjudged, "row", "rows")
            raise InputError(f"{path} has {told_rows}, and none has a label. Give pairs that were judged.")
        raise InputError(f"{path} has a header but no row. Give a file with at least one pair.")
    notes = rows.notes
    if unjudged:
        of_all = f"of {there + unjudged:,} without a label"
        told_rows = counted(unjudged, f"row {of_all} was", f"rows {of_all} were")
        notes = (*notes, f"{path.name}: {told_rows} left out.")
    if not left_out:
        return _Kept(read=rows, numbers=kept, notes=notes), labels
    first = min(left_out)
    if len(left_out) > MOST_LEFT_OUT * there:
        more = f" ({len(left_out):,} of {there:,} rows cannot be learned from.)" if len(left_out) > 1 else ""
        raise InputError(f"{path}, line {first}: {left_out[first]}{more}")
    which = f"line {first}" if len(left_out) == 1 else f"the first is line {first}"
    note = (
        f"{path.name}: {counted(len(left_out), 'row', 'rows')} of {there:,} left out, {which}: "
        f"{left_out[first].partition('. ')[0]}."
    )
    return _Kept(read=rows, numbers=kept, notes=(*notes, note)), labels


def _target(value: Any) -> float:
    written = str(value).strip().lower()
    try:
        target = WORDS[written] if written in WORDS else float(written)
    except ValueError:
        target = float("nan")
    if not 0 <= target <= 1:
        raise InputError(
            f"the label is {told(value)}, but must be 1 or 0 (or true or false), or a number between them. Grades such "
            "as 4>s are for --definition graded."
        )
    return target


def _grade(value: Any) -> str:
    return read_grade(str(value)).label


def _entailed(value: Any) -> float:
    label = ENTAILED.get(str(value).strip().lower())
    if label is None:
        raise InputError(f"the label is {told(value)}, but must be one of {', '.join(ENTAILED)}.")
    return label
