"""Plain answers in, what kind they are out: grades, or yes and no; `1` is both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from paraloom.errors import InputError
from paraloom.labels.label_votes import GRADED
from paraloom.metrics.identification.graded import NO, SKIP, YES, is_label, written

WORDS = {YES: ("1", "yes", "y", "true", "paraphrase"), NO: ("0", "no", "n", "false", "not paraphrase")}
"""What plain answers call for and against, in any case."""


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """What the answers of some files are."""

    are_grades: bool
    note: str | None = None
    """How they were read, where they do not tell by themselves."""

    @property
    def what(self) -> str:
        """What an answer is that cannot be read."""
        return "no graded label" if self.are_grades else "neither yes nor no"

    def read(self, answer: str) -> str | None:
        """The answer as it is counted; None where it cannot be read."""
        if self.are_grades:
            return written(answer) if is_label(answer) else None
        return yes_or_no(answer)


def yes_or_no(answer: str) -> str | None:
    """A word for yes or no as `1` or `0`; None where it is neither."""
    return next((vote for vote, words in WORDS.items() if answer.casefold() in words), None)


def kind_of(answers: Iterable[str], definition: str | None = None) -> AnswerKind:
    """What the answers are, by those that can be one thing alone: 2, 3 and 4 are grades, 0 and words are no grades.

    Answers that are neither decide nothing. A mix of both is an `InputError`, unless the definition says grades.

    >>> kind_of(["1", "2", "4>", "5?"]).are_grades, kind_of(["1", "0"]).are_grades
    (True, False)
    >>> kind_of(["1"]).note
    'Every answer is 1, which was read as yes. If it is the grade 1 (unrelated): --definition graded.'
    """
    counts = Counter(answers)
    only_grades = sorted(one for one in counts if is_label(one) and yes_or_no(one) is None and one.lower() != SKIP)
    only_words = sorted(one for one in counts if not is_label(one) and yes_or_no(one) is not None)
    if definition == GRADED and (only_grades or not only_words):
        return AnswerKind(True)
    if only_words and (only_grades or definition == GRADED):
        raise InputError(_mixed(counts, only_grades, only_words))
    if only_grades or only_words:
        return AnswerKind(bool(only_grades))
    if any(one.lower() == SKIP for one in counts):
        note = "Every answer is 1 or x, which were read as grades." if "1" in counts else None
        return AnswerKind(True, note)
    read_as = "Every answer is 1, which was read as yes. If it is the grade 1 (unrelated): --definition graded."
    return AnswerKind(False, read_as if "1" in counts else None)


def _mixed(counts: Counter[str], only_grades: list[str], only_words: list[str]) -> str:
    def told(some: list[str]) -> str:
        more = " …" if len(some) > 3 else ""
        return ", ".join(f"{one!r} ({counts[one]:,} times)" for one in some[:3]) + more

    if not only_grades:
        return f"The answers are yes and no, as {told(only_words)}, and no grades. Choose another --definition."
    return (
        f"Some answers are grades, as {told(only_grades)}, and some yes or no, as {told(only_words)}. A 1 means "
        "something else in each: choose rows of one kind (--where), or mend the file. With --definition graded all are "
        "read as grades, and those that are none are left out."
    )
