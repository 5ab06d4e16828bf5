"""Files of judgments or plain answers in, ratings out, all on one scale: yes and no, or grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError
from paraloom.labels.graded import written
from paraloom.labels.label_votes import GRADED
from paraloom.labels.votes_of_judgments import GRADED_TASKS, NO, TASKS, YES, votes_of_judgments
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions
from paraloom.workflows.evaluate.answer_files import read_answers
from paraloom.workflows.label.judgment_files import are_judgments, files_of, read_judgments
from paraloom.workflows.label.options import VoteLabelOptions

WORDS = {YES: ("1", "yes", "y", "true", "paraphrase"), NO: ("0", "no", "n", "false", "not paraphrase")}
"""What plain answers call for and against, in any case."""


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
    if not len(found.ratings.answer):
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
    ratings = Ratings.of(
        [vote.pair_id for vote in found.votes],
        [vote.annotator for vote in found.votes],
        [vote.answer for vote in found.votes],
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
    )


def _answered(files: Sequence[Path], options: VoteLabelOptions, reading: AnswerFileOptions) -> GivenVotes:
    answers = read_answers(files, reading)
    said = [answer for answer in answers.answers if answer is not None]
    graded = options.definition == GRADED or (options.definition is None and _are_grades(said))
    meant = {answer: _grade(answer) if graded else _yes_or_no(answer) for answer in set(said)}
    what = "no graded label" if graded else "neither yes nor no"
    bad = Counter(f"bad_row: the answer {answer!r} is {what}" for answer in said if meant[answer] is None)
    ratings = Ratings.of(
        answers.items,
        answers.annotators,
        [None if answer is None else meant[answer] for answer in answers.answers],
        order=() if graded else (NO, YES),
        last_counts=reading.repeated == "last",
        place=answers.place,
    )
    return GivenVotes(
        ratings=ratings,
        definition=options.definition or (GRADED if graded else "loose"),
        nameless=answers.nameless,
        rows=len(answers.items),
        superseded=len(said) - sum(bad.values()) - len(ratings.answer),
        tests=0,
        dropped_for=dict(sorted(bad.items())),
        notes=answers.notes,
    )


def _are_grades(said: Iterable[str]) -> bool:
    """All are graded labels, and not all yes or no (1 is both)."""
    distinct = set(said)
    return all(_grade(answer) for answer in distinct) and not all(_yes_or_no(answer) for answer in distinct)


def _grade(answer: str) -> str | None:
    try:
        return written(answer)
    except InputError:
        return None


def _yes_or_no(answer: str) -> str | None:
    return next((vote for vote, words in WORDS.items() if answer.casefold() in words), None)
