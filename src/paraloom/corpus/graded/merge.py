"""All that was said of a pair in, the label it is released with out, or the reason why it is not.

As in section 6.1 of Kanerva et al. (2023) a label is one that everybody gave, or one that a dispute was settled on.
What people differ on under the scheme asked for is left out, unless the vote counts or every label is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paraloom.corpus.graded.judged import DECISION, JudgedPair, MadeLabel
from paraloom.metrics.identification.graded import NO, SKIP, YES, collapse, is_paraphrase, read_label

UNLABELLED, SKIPPED, DIFFERING, TIED, TOO_LOW = "unlabelled", "skipped", "differing", "tied", "below_least_grade"
"""Why a pair has no label to be released with."""

SINGLE, AGREED, KEPT = "single", "agreed", "one of several"
"""How a label was found, where nothing else says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedLabel:
    """A label of a pair under a scheme."""

    label: str
    """As the scheme writes it."""
    grade: str | None
    """The whole grade; None where those who agree under the scheme do not agree on all of it."""
    is_paraphrase: bool
    votes_for: int | None
    """How many said that it is a paraphrase."""
    votes: int | None
    labelled_by: str
    least: int
    """The lowest number among the grades that it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsOfPair:
    """What a pair is released with, or why it is not."""

    labels: tuple[ReleasedLabel, ...] = ()
    """One; several where all are kept."""
    dropped_for: str | None = None
    """None where there are labels."""


def labels_of(pair: JudgedPair, scheme: str, differing: str, least_grade: int = 1) -> LabelsOfPair:
    """The label of a pair, several where all are kept, or why it has none.

    >>> pair = JudgedPair(pair_id="p", left="a", right="b", said={"0": "4>", "1": "4>s", "2": "4"})
    >>> labels_of(pair, "full", "drop")
    LabelsOfPair(labels=(), dropped_for='differing')
    >>> [(one.label, one.grade, one.votes) for one in labels_of(pair, "base", "drop").labels]
    [('4', None, 3)]
    """
    if pair.joined is not None and pair.joined.is_decision:
        found = _of_made(pair.joined, scheme, differing)
    elif pair.decided is not None:
        found = _released([_of_grades(pair, [pair.decided], scheme, DECISION)])
    elif pair.said:
        found = _of_people(pair, scheme, differing)
    else:
        found = _of_made(pair.joined or pair.presumed, scheme, differing)
    high = tuple(one for one in found.labels if one.least >= least_grade)
    return LabelsOfPair(labels=high, dropped_for=found.dropped_for or (None if high else TOO_LOW))


def _of_people(pair: JudgedPair, scheme: str, differing: str) -> LabelsOfPair:
    """What people say each for themselves."""
    views = sorted({collapse(label, scheme) for label in pair.said.values()})
    if len(views) == 1:
        return _released([_view(pair, views[0], scheme, AGREED if len(pair.said) > 1 else SINGLE)])
    if differing == "keep-all":
        return _released([_view(pair, view, scheme, KEPT) for view in views])
    if differing == "drop" or pair.joined is None:
        return LabelsOfPair(dropped_for=DIFFERING)
    return _of_made(pair.joined, scheme, differing)


def _view(pair: JudgedPair, view: str, scheme: str, how: str) -> ReleasedLabel | None:
    """What those say who agree on a label of the scheme; None where that is to skip the pair."""
    return _of_grades(pair, [label for label in pair.said.values() if collapse(label, scheme) == view], scheme, how)


def _of_grades(pair: JudgedPair, grades: Sequence[str], scheme: str, how: str) -> ReleasedLabel | None:
    read = [grade for label in grades if (grade := read_label(label)) is not None]
    if not read:
        return None
    whole = {grade.label for grade in read}
    said = [is_paraphrase(label) for label in pair.said.values()]
    return ReleasedLabel(
        label=collapse(grades[0], scheme),
        grade=whole.pop() if len(whole) == 1 else None,
        is_paraphrase=read[0].is_paraphrase,
        votes_for=said.count(True) if said else None,
        votes=len(said) - said.count(None) if said else None,
        labelled_by=how,
        least=min(int(grade.base) for grade in read),
    )


def _of_made(made: MadeLabel | None, scheme: str, differing: str) -> LabelsOfPair:
    """A label that was made already."""
    if made is None:
        return LabelsOfPair(dropped_for=UNLABELLED)
    if made.tells_of_dispute and differing == "drop":
        return LabelsOfPair(dropped_for=DIFFERING)
    if made.grade is not None and collapse(made.grade, scheme) == SKIP:
        return LabelsOfPair(dropped_for=SKIPPED)
    if made.grade is None and (scheme != "binary" or made.is_paraphrase is None):
        return LabelsOfPair(dropped_for=UNLABELLED if made.votes is None else TIED)
    grade = None if made.grade is None else read_label(made.grade)
    says = made.is_paraphrase if grade is None else grade.is_paraphrase
    label = ReleasedLabel(
        label=(YES if says else NO) if made.grade is None else collapse(made.grade, scheme),
        grade=None if grade is None else grade.label,
        is_paraphrase=bool(says),
        votes_for=made.votes_for,
        votes=made.votes,
        labelled_by=made.labelled_by,
        least=(3 if says else 1) if grade is None else int(grade.base),
    )
    return LabelsOfPair(labels=(label,))


def _released(found: Sequence[ReleasedLabel | None]) -> LabelsOfPair:
    """All that is no word to skip the pair."""
    labels = tuple(one for one in found if one is not None)
    return LabelsOfPair(labels=labels, dropped_for=None if labels else SKIPPED)
