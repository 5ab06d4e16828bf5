"""Files of judgments or plain answers in, ratings out, all on one scale: yes and no, or grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraloom.errors import InputError
from paraloom.labels.label_votes import GRADED
from paraloom.labels.votes_of_answer import GRADED_TASKS, TASKS
from paraloom.labels.votes_of_judgments import votes_of_judgments
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.identification.graded import NO, SKIP, YES, collapse
from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions
from paraloom.workflows.evaluate.answer_files import read_answers
from paraloom.workflows.label.answer_kinds import kind_of
from paraloom.workflows.label.judgment_files import are_judgments, files_of, read_judgments
from paraloom.workflows.label.options import VoteLabelOptions

COLLAPSED = "The answers are grades: 3 and 4 count as yes, 1 and 2 as no, x as neither."


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenVotes:
    """Votes of files, ready to be joined."""

    ratings: Ratings
    definition: str
    nameless: bool
    """Votes do not say who gave them."""
    rows: int
    """That were read."""
    superseded: int
    tests: int
    dropped_for: Mapping[str, int]
    notes: tuple[str, ...]
    decisions: Mapping[str, str | None] = field(default_factory=dict)
    """By item, what an expert decided; None where they skipped it."""
    left_ids: Mapping[str, str] = field(default_factory=dict)
    """By item, the sentence on the left of its grades, where that is known."""


def read_votes(
    given: Sequence[str | Path],
    options: VoteLabelOptions = VoteLabelOptions(),
    reading: AnswerFileOptions = AnswerFileOptions(),
) -> GivenVotes:
    """The votes of judgments (a table's folder, or files with `judgment_id`) or of files of plain answers."""
    files = files_of(given)
    if not files:
        raise InputError("Give at least one file of judgments or answers.")
    found = _judged(files, options, reading) if are_judgments(files) else _answered(files, options, reading)
    if not len(found.ratings.answer) and not found.decisions:
        reasons = "; ".join(f"{count} × {reason}" for reason, count in found.dropped_for.items())
        tests = f" {found.tests} answer hidden test questions (--include-tests)." if found.tests else ""
        raise InputError(
            f"There is no vote on a pair in {files[0]}{' …' if len(files) > 1 else ''}.{tests} "
            f"{reasons + '. ' if reasons else ''}Labels are made from the tasks {', '.join(TASKS)}, or from answers "
            "such as yes and no."
        )
    return found


def _judged(files: Sequence[Path], options: VoteLabelOptions, reading: AnswerFileOptions) -> GivenVotes:
    read = read_judgments(files, reading)
    counted = [one for one in read.judgments if options.include_tests or not one.is_test]
    tasks = {one.task for one in counted if one.task in TASKS}
    graded = options.definition == GRADED
    if options.definition is None:
        graded = bool(tasks) and tasks <= set(GRADED_TASKS)
        if not graded and tasks & set(GRADED_TASKS):
            raise InputError(
                f"There are judgments of the tasks {', '.join(sorted(tasks))}: grades beside yes and no. Say what they "
                "are to become (--definition), or choose some (--where task=pair)."
            )
    found = votes_of_judgments(read.judgments, graded=graded, tests=options.include_tests)
    votes, decisions = found.votes, found.decisions
    ratings = Ratings.of(  # a decision is no vote, but its pair is an item
        [one.pair_id for one in (*votes, *decisions)],
        [one.annotator for one in (*votes, *decisions)],
        [*(vote.answer for vote in votes), *(None for _ in decisions)],
        order=() if graded else (NO, YES),
    )
    return GivenVotes(
        ratings=ratings,
        definition=options.definition or (GRADED if graded else "loose"),
        nameless=False,
        rows=read.rows,
        superseded=found.superseded,
        tests=found.tests,
        dropped_for=dict(sorted((Counter(read.dropped_for) + Counter(found.dropped_for)).items())),
        notes=read.notes,
        decisions={one.pair_id: one.answer for one in decisions},
        left_ids=found.left_ids,
    )


def _answered(files: Sequence[Path], options: VoteLabelOptions, reading: AnswerFileOptions) -> GivenVotes:
    answers = read_answers(files, reading)
    said = [answer for answer in answers.answers if answer is not None]
    kind = kind_of(said, options.definition)
    meant = {answer: kind.read(answer) for answer in set(said)}
    bad = Counter(f"bad_row: the answer {answer!r} is {kind.what}" for answer in said if meant[answer] is None)
    ratings = Ratings.of(
        answers.items,
        answers.annotators,
        [None if answer is None else meant[answer] for answer in answers.answers],
        order=() if kind.are_grades else (NO, YES),
        last_counts=reading.repeated == "last",
        place=answers.place,
    )
    superseded = len(said) - sum(bad.values()) - len(ratings.answer)
    notes = [*answers.notes, *([kind.note] if kind.note else [])]
    definition = options.definition or (GRADED if kind.are_grades else "loose")
    if kind.are_grades and definition != GRADED:
        votes = {label: collapse(label, "binary") for label in ratings.scale.answers}
        skipped = {label: None if vote == SKIP else vote for label, vote in votes.items()}
        ratings = ratings.seen_as(skipped, order=(NO, YES))
        notes.append(COLLAPSED)
    return GivenVotes(
        ratings=ratings,
        definition=definition,
        nameless=answers.nameless,
        rows=len(answers.items),
        superseded=superseded,
        tests=0,
        dropped_for=dict(sorted(bad.items())),
        notes=tuple(notes),
    )
