"""Judgments, files of labels and the labels of runs in, by pair all that was said of it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.corpus.assemble import grade_of_sides
from paraloom.corpus.graded.judged import JudgedPair, MadeLabel
from paraloom.engine.given import read_rows, told
from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import InputError
from paraloom.labels.label_votes import GRADED, label_votes
from paraloom.labels.votes_of_answer import GRADED_TASKS
from paraloom.labels.votes_of_judgments import votes_of_judgments
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.identification.graded import is_label, turned, written
from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions
from paraloom.workflows.label.judgment_files import files_of, read_judgments

LABEL_COLUMNS = ("pair_id", "definition", "is_paraphrase", "grade", "votes_for", "votes", "labelled_by", "left_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class SidedLabel:
    """A label, and the sentence that was on the left when it was given."""

    label: MadeLabel
    left_id: str | None

    def of(self, pair: JudgedPair) -> MadeLabel:
        """The label of the pair's sides in their order."""
        grade = grade_of_sides(self.label.grade, self.left_id, pair.right_id)
        return MadeLabel(
            grade=grade,
            is_paraphrase=self.label.is_paraphrase,
            votes_for=self.label.votes_for,
            votes=self.label.votes,
            labelled_by=self.label.labelled_by,
        )


@dataclass(slots=True, kw_only=True)
class GivenLabels:
    """All labels, by the pairs they are given to."""

    said: dict[str, dict[str, str]] = field(default_factory=dict)
    """By pair and person."""
    decided: dict[str, str] = field(default_factory=dict)
    left_ids: dict[str, str] = field(default_factory=dict)
    """Of these two, the sentence that was on the left."""
    joined: dict[str, SidedLabel] = field(default_factory=dict)
    """Of files of labels."""
    presumed: dict[str, SidedLabel] = field(default_factory=dict)
    """Of the runs themselves: those of rewrites, and those of an identifier."""
    item_of: dict[str, str] = field(default_factory=dict)
    """By judgment, the pair that was judged."""
    dropped_for: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    @property
    def are_of_people(self) -> bool:
        """Whether anybody was asked about anything."""
        made = (*self.joined.values(), *self.presumed.values())
        return bool(self.said or self.decided or any(one.label.is_of_people for one in made))

    def original_of(self, pair_id: str, proposed_by: str) -> str:
        """The pair that a rewrite was made of: that of the judgment or decision which its label or itself names."""
        presumed = self.presumed.get(pair_id)
        names = (presumed.label.labelled_by if presumed else "", proposed_by)
        found = (self.item_of.get(name.partition(":")[2]) for name in names)
        return next((item for item in found if item is not None), proposed_by)

    def __contains__(self, pair_id: str) -> bool:
        return any(pair_id in one for one in (self.said, self.decided, self.joined, self.presumed))

    def __len__(self) -> int:
        return len({*self.said, *self.decided, *self.joined, *self.presumed})

    def names_beside(self, pairs: Mapping[str, JudgedPair]) -> int:
        """How many labels are those of pairs that are not here."""
        return sum(name not in pairs for name in {*self.said, *self.decided, *self.joined, *self.presumed})

    def without_sides(self, pairs: Iterable[JudgedPair]) -> int:
        """How many pairs have a label with a direction that says which sentence was on the left, and do not say it."""
        return sum(pair.right_id is None and self._has_direction(pair.pair_id) for pair in pairs)

    def _has_direction(self, name: str) -> bool:
        sided = [one for one in (self.joined.get(name), self.presumed.get(name)) if one is not None]
        labels = [one.label.grade for one in sided if one.left_id is not None]
        if name in self.left_ids:
            labels += [*self.said.get(name, {}).values(), self.decided.get(name)]
        return any(label is not None and turned(label) != label for label in labels)

    def without_machines(self) -> None:
        """Forget what an identifier says: it is no match for people."""
        self.presumed = {name: one for name, one in self.presumed.items() if one.label.is_of_people}

    def attach(self, pair: JudgedPair) -> None:
        """Tell a pair what was said of it."""
        name = pair.pair_id

        def as_here(label: str) -> str:
            return grade_of_sides(label, self.left_ids.get(name), pair.right_id) or label

        for person, label in sorted(self.said.get(name, {}).items()):
            pair.say(as_here(label), person)
        if name in self.decided:
            pair.decided = as_here(self.decided[name])
        if name in self.joined:
            pair.joined = self.joined[name].of(pair)
        if name in self.presumed:
            pair.presumed = self.presumed[name].of(pair)


def read_all_labels(runs: Sequence[Path], judgments: Sequence[Path], label_files: Sequence[Path]) -> GivenLabels:
    """The labels of everything that may hold some."""
    found = GivenLabels()
    of_runs = [run / "judgments" for run in runs if made_by_file(run, "judgments").is_file()]
    if tables := [*of_runs, *judgments]:
        _judgments(tables, found)
    for file in label_files:
        _file(file, found)
    for run in runs:
        if made_by_file(run, "labels").is_file():
            _table(run, found)
    return found


def put_to_the_vote(pairs: Iterable[JudgedPair]) -> None:
    """Join what people say of pairs that they differ on, as `paraloom label` does, where nobody has done so."""
    open_ones = {pair.pair_id: pair for pair in pairs if pair.joined is None and len({*pair.said.values()}) > 1}
    if not open_ones:
        return
    votes = [(name, who, label) for name, pair in open_ones.items() for who, label in pair.said.items()]
    ratings = Ratings.of(*([vote[place] for vote in votes] for place in range(3)))
    for row in label_votes(ratings, definition=GRADED).table.to_pylist():
        open_ones[row["pair_id"]].joined = _sided(row, row["grade"]).label


def _judgments(tables: Sequence[Path], found: GivenLabels) -> None:
    read = read_judgments(files_of(tables), AnswerFileOptions())
    votes = votes_of_judgments((one for one in read.judgments if one.task in GRADED_TASKS), graded=True)
    for vote in votes.votes:
        if vote.answer is not None:
            found.said.setdefault(vote.pair_id, {})[vote.annotator] = vote.answer
    found.decided |= {vote.pair_id: vote.answer for vote in votes.decisions if vote.answer is not None}
    found.left_ids |= votes.left_ids
    found.item_of |= {one.judgment_id: one.item_id for one in read.judgments}
    found.notes += read.notes
    found.dropped_for.update(read.dropped_for)
    found.dropped_for.update(votes.dropped_for)
    for count, words in ((votes.tests, "answers to test questions"), (votes.superseded, "answers changed later")):
        if count:
            found.dropped_for[words] += count


def _file(file: Path, found: GivenLabels) -> None:
    rows = read_rows(file, LABEL_COLUMNS, required=("pair_id", "grade"), leaving_out=True)
    found.notes += rows.notes
    found.dropped_for.update(f"bad_row: {why}" for why in rows.left_out.values())
    columns = [rows.columns.get(name, [None] * len(rows)) for name in LABEL_COLUMNS]
    taken = 0
    for line, *values in zip(rows.lines, *columns, strict=True):
        row = dict(zip(LABEL_COLUMNS, values, strict=True))
        if _word(row["definition"]) not in (None, GRADED):
            found.dropped_for["label of another definition"] += 1
            continue
        grade, name = _word(row["grade"]), _word(row["pair_id"])
        if name is None or (grade is not None and not is_label(grade)):
            what = "no pair_id" if name is None else f"{told(grade)}, which is no graded label"
            raise InputError(f"{file}, line {line}: a row of labels has {what}. Mend it, or leave the row out.")
        if name in found.joined:
            raise InputError(
                f"{file}, line {line}: there is a label of the pair {name} already. Join all votes at once, with one "
                "`paraloom label`, and give its labels alone."
            )
        found.joined[name] = _sided(row, grade)
        taken += 1
    if not taken:
        raise InputError(
            f"{file} holds no label of the definition graded. Make some: `paraloom label JUDGMENTS --out {file.name} "
            "--definition graded`."
        )


def _table(run: Path, found: GivenLabels) -> None:
    for row in _rows(run):
        if row["definition"] == GRADED and row["grade"] is not None:
            found.presumed[row["pair_id"]] = _sided(row, row["grade"])


def _rows(run: Path) -> Iterator[dict[str, Any]]:
    for part in read_parts(run, "labels", LABEL_COLUMNS):
        yield from part.to_pylist()


def _sided(row: Mapping[str, Any], grade: str | None) -> SidedLabel:
    label = MadeLabel(
        grade=None if grade is None else written(grade),
        is_paraphrase=_truth(row["is_paraphrase"]),
        votes_for=_number(row["votes_for"]),
        votes=_number(row["votes"]),
        labelled_by=_word(row["labelled_by"]) or "labels",
    )
    return SidedLabel(label=label, left_id=_word(row["left_id"]))


def _word(value: Any) -> str | None:
    return None if value is None else str(value).strip() or None


def _truth(value: Any) -> bool | None:
    return {"1": True, "true": True, "0": False, "false": False}.get((_word(value) or "").lower())


def _number(value: Any) -> int | None:
    word = _word(value)
    return int(float(word)) if word is not None and word.replace(".", "", 1).isdecimal() else None
