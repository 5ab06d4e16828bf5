"""Graded labels of several people in, the agreed label or what is in dispute out, and how far they agree.

The scheme is that of Kanerva et al. (2023, section 5.1): 1 to 4, behind a 4 any of the flags `<` or `>`, `i` and `s`;
`x` skips a pair that cannot be labelled. A label taken apart is a `Grade`; a skipped pair has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.agreement.cohen import Confusions, Kappas, cohen_kappa, pair_kappas
from paraloom.metrics.agreement.people import known
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale
from paraloom.metrics.identification.graded import Grade, read_grade

SKIP = "x"
"""The label of a pair that was skipped."""


def read_label(label: str) -> Grade | None:
    """A label taken apart; None for `x`. What is no label is an `InputError`.

    >>> read_label("4si>").label, read_label("x")
    ('4>is', None)
    """
    return None if label.strip().lower() == SKIP else read_grade(label)


def written(label: str) -> str:
    """The label as the corpus writes it, so that the same labels are the same text.

    >>> written(" 4s> "), written("X")
    ('4>s', 'x')
    """
    grade = read_label(label)
    return SKIP if grade is None else grade.label


def is_paraphrase(label: str) -> bool | None:
    """Yes for 3 and 4 with any flags, no for 1 and 2, neither for `x`.

    >>> [is_paraphrase(label) for label in ("1", "2", "3", "4<i", "x")]
    [False, False, True, True, None]
    """
    grade = read_label(label)
    return None if grade is None else grade.is_paraphrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Labels that were given to one pair independently, brought together."""

    label: str | None
    """What all say; None where they differ, for people to settle."""
    differs: tuple[str, ...] = ()
    """In what: `skip`, `base`, or among labels that are all 4 `direction`, `style`, `minor`."""

    @property
    def is_conflict(self) -> bool:
        return self.label is None


def differences(one: str, other: str) -> tuple[str, ...]:
    """In what two labels differ; flags are compared only where both are 4.

    >>> differences("4>", "4is"), differences("4>", "3"), differences("x", "2"), differences("4is", "4si")
    (('direction', 'style', 'minor'), ('base',), ('skip',), ())
    """
    first, second = read_label(one), read_label(other)
    if first is None or second is None:
        return () if first is second else ("skip",)
    if first.base != second.base:
        return ("base",)
    return tuple(name for name in ("direction", "style", "minor") if getattr(first, name) != getattr(second, name))


def merge(labels: Iterable[str]) -> Merged:
    """The label that everybody gave, or in what they differ.

    >>> merge(["4s>", "4>s"])
    Merged(label='4>s', differs=())
    >>> merge(["4s", "4"]).differs, merge(["4s", "4", "2"]).differs
    (('style',), ('base', 'style'))
    """
    said = sorted({written(label) for label in labels})
    if not said:
        raise InputError("There are no labels to merge. Give at least one.")
    if len(said) == 1:
        return Merged(label=said[0])
    found = {part for place, one in enumerate(said) for other in said[place + 1 :] for part in differences(one, other)}
    return Merged(
        label=None, differs=tuple(part for part in ("skip", "base", "direction", "style", "minor") if part in found)
    )


SCHEMES: dict[str, Callable[[Grade], str]] = {
    "full": lambda grade: grade.label,
    "base-and-direction": lambda grade: grade.merged,
    "base": lambda grade: grade.base,
}
"""What of a label is compared: all of it, all but `i` and `s` (section 6.1 of the paper), or the number alone."""

FLAGS: dict[str, Callable[[Grade], str]] = {
    "direction": lambda grade: grade.direction or "none",
    "style": lambda grade: "s" if grade.style else "none",
    "minor": lambda grade: "i" if grade.minor else "none",
}
"""What may stand behind a 4, each compared alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstConsensus:
    """Labels of one annotator, or of all, against the consensus."""

    labels: int
    accuracy: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedAgreement:
    """How far people agree on one part of the label."""

    part: str
    """One of `SCHEMES` or of `FLAGS`."""
    pairs: int
    """Times that two people labelled the same pair; for a flag, that both called it 4."""
    agreement: float | None
    """The share of those on which they say the same."""
    kappa: float | None
    """Cohen's kappa of every two annotators, averaged by the pairs they share."""
    consensus: AgainstConsensus | None = None
    """All individual labels against the consensus."""
    annotators: Mapping[str, AgainstConsensus] | None = None


def graded_agreement(ratings: Ratings, consensus: Mapping[str, str] | None = None) -> tuple[GradedAgreement, ...]:
    """The figures of section 6.1 for each of `SCHEMES`, then the agreement on each of `FLAGS`.

    `consensus` is the settled label of items; without it, people are only compared with each other. `x` counts as a
    label of its own.

    >>> ratings = Ratings.of(list("aabbcc"), ["ann", "bob"] * 3, ["4>", "4", "4s", "4s", "2", "3"])
    >>> found = {one.part: one for one in graded_agreement(ratings, {"a": "4>", "b": "4s", "c": "3"})}
    >>> round(found["full"].agreement, 3), round(found["base"].agreement, 3), found["style"].kappa
    (0.333, 0.667, 1.0)
    >>> round(found["full"].consensus.accuracy, 3), round(found["full"].annotators["bob"].accuracy, 3)
    (0.667, 0.667)
    """
    grades = [read_label(answer) for answer in ratings.scale.answers]
    settled = {item: read_label(label) for item, label in (consensus or {}).items()}
    found = []
    for part, view in SCHEMES.items():
        right = None if consensus is None else {item: _seen(grade, view) for item, grade in settled.items()}
        found.append(_of_part(part, _viewed(ratings, [_seen(grade, view) for grade in grades]), right))
    for part, view in FLAGS.items():
        of_fours = [view(grade) if grade is not None and grade.base == "4" else None for grade in grades]
        found.append(_of_part(part, _viewed(ratings, of_fours), None))
    return tuple(found)


def _seen(grade: Grade | None, view: Callable[[Grade], str]) -> str:
    return SKIP if grade is None else view(grade)


def _viewed(ratings: Ratings, views: list[str | None]) -> Ratings:
    """The same ratings with other answers; None leaves a label out."""
    return Ratings.of(
        [ratings.items[place] for place in ratings.item],
        [ratings.annotators[place] for place in ratings.annotator],
        [views[place] for place in ratings.answer],
    )


def _of_part(part: str, ratings: Ratings, right: Mapping[str, str] | None) -> GradedAgreement:
    pairs = pair_kappas(ratings)
    shared = pairs.kappas.shared
    both = int(shared.sum())
    everybody = people = None
    if right is not None:
        everybody, people = _against(ratings, right)
    return GradedAgreement(
        part=part,
        pairs=both,
        agreement=float(np.average(pairs.kappas.agreement, weights=shared)) if both else None,
        kappa=pairs.mean_by_items(),
        consensus=everybody,
        annotators=people,
    )


def _against(ratings: Ratings, right: Mapping[str, str]) -> tuple[AgainstConsensus, dict[str, AgainstConsensus]]:
    """Everybody's labels together, then each annotator's, against the consensus."""
    rows = [
        (ratings.items[item], ratings.annotators[annotator], ratings.scale.answers[answer])
        for item, annotator, answer in zip(ratings.item, ratings.annotator, ratings.answer, strict=True)
        if ratings.items[item] in right
    ]
    scale = Scale.of([*(answer for _, _, answer in rows), *(right[item] for item, _, _ in rows)])
    said = scale.codes(answer for _, _, answer in rows)
    meant = scale.codes(right[item] for item, _, _ in rows)
    names = {name: place for place, name in enumerate(dict.fromkeys(annotator for _, annotator, _ in rows))}
    who = np.array([names[annotator] for _, annotator, _ in rows], dtype=np.int64)
    all_of_them = cohen_kappa(Confusions.of(scale, np.zeros(len(rows), np.int64), said, meant, 1))
    each = cohen_kappa(Confusions.of(scale, who, said, meant, len(names)))
    return _told(all_of_them, 0), {name: _told(each, place) for name, place in names.items()}


def _told(kappas: Kappas, place: int) -> AgainstConsensus:
    return AgainstConsensus(
        labels=int(kappas.shared[place]),
        accuracy=known(kappas.agreement[place]),
        kappa=known(kappas.kappa[place]),
    )
