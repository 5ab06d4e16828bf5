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
from paraloom.metrics.identification.graded import (
    SCHEMES,
    SKIP,
    Grade,
    collapse,
    is_paraphrase,
    read_label,
    turned,
    written,
)

__all__ = [
    "SCHEMES",
    "SKIP",
    "AgainstConsensus",
    "GradedAgreement",
    "MergedLabels",
    "collapse",
    "consensus_of",
    "differences",
    "graded_agreement",
    "is_paraphrase",
    "merge",
    "read_label",
    "turned",
    "written",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedLabels:
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


def merge(labels: Iterable[str]) -> MergedLabels:
    """The label that everybody gave, or in what they differ.

    >>> merge(["4s>", "4>s"])
    MergedLabels(label='4>s', differs=())
    >>> merge(["4s", "4"]).differs, merge(["4s", "4", "2"]).differs
    (('style',), ('base', 'style'))
    """
    said = sorted({written(label) for label in labels})
    if not said:
        raise InputError("There are no labels to merge. Give at least one.")
    if len(said) == 1:
        return MergedLabels(label=said[0])
    found = {part for place, one in enumerate(said) for other in said[place + 1 :] for part in differences(one, other)}
    return MergedLabels(
        label=None, differs=tuple(part for part in ("skip", "base", "direction", "style", "minor") if part in found)
    )


COMPARED = ("full", "base-and-direction", "base")
"""Those of `SCHEMES` under which labels are compared; section 6.1 of the paper has the first two."""

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
    """One of `COMPARED` or of `FLAGS`."""
    pairs: int
    """Times that two people labelled the same pair; for a flag, that both called it 4."""
    agreement: float | None
    """The share of those on which they say the same."""
    kappa: float | None
    """Cohen's kappa of every two annotators, averaged by the pairs they share."""
    consensus: AgainstConsensus | None = None
    """All individual labels against the consensus."""
    annotators: Mapping[str, AgainstConsensus] | None = None


def consensus_of(ratings: Ratings, decisions: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Of each item that two people or more labelled: what was decided, else what all of them say.

    Items that are in dispute and were not decided have none (Kanerva et al., 2023, section 6.1).

    >>> ratings = Ratings.of(list("aabbccd"), ["ann", "bob"] * 3 + ["ann"], ["4>", "4>", "4", "4s", "2", "3", "4"])
    >>> consensus_of(ratings, {"b": "4s"})
    {'a': '4>', 'b': '4s'}
    """
    said: dict[str, list[str]] = {}
    for item, answer in zip(ratings.item, ratings.answer, strict=True):
        said.setdefault(ratings.items[item], []).append(ratings.scale.answers[answer])
    found = {}
    for item, labels in said.items():
        settled = (decisions or {}).get(item) or merge(labels).label
        if len(labels) > 1 and settled is not None:
            found[item] = settled
    return found


def graded_agreement(ratings: Ratings, consensus: Mapping[str, str] | None = None) -> tuple[GradedAgreement, ...]:
    """The figures of section 6.1 for each of `COMPARED`, then the agreement on each of `FLAGS`.

    `consensus` is the settled label of items; without it, people are only compared with each other. `x` counts as a
    label of its own.

    >>> ratings = Ratings.of(list("aabbcc"), ["ann", "bob"] * 3, ["4>", "4", "4s", "4s", "2", "3"])
    >>> found = {one.part: one for one in graded_agreement(ratings, {"a": "4>", "b": "4s", "c": "3"})}
    >>> round(found["full"].agreement, 3), round(found["base"].agreement, 3), found["style"].kappa
    (0.333, 0.667, 1.0)
    >>> round(found["full"].consensus.accuracy, 3), round(found["full"].annotators["bob"].accuracy, 3)
    (0.667, 0.667)
    """
    answers = ratings.scale.answers
    fours = {answer: grade for answer in answers if (grade := read_label(answer)) is not None and grade.base == "4"}
    found = []
    for part in COMPARED:
        right = None if consensus is None else {item: collapse(label, part) for item, label in consensus.items()}
        found.append(_of_part(part, ratings.seen_as({answer: collapse(answer, part) for answer in answers}), right))
    for part, view in FLAGS.items():
        seen = {answer: view(fours[answer]) if answer in fours else None for answer in answers}
        found.append(_of_part(part, ratings.seen_as(seen), None))
    return tuple(found)


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
    settled = [item for item in ratings.items if item in right]
    scale = Scale.of([*ratings.scale.answers, *(right[item] for item in settled)])
    meant_of = np.full(len(ratings.items), -1, np.int64)
    meant_of[[place for place, item in enumerate(ratings.items) if item in right]] = scale.codes(
        right[item] for item in settled
    )
    kept = meant_of[ratings.item] >= 0
    said, meant = scale.codes(ratings.scale.answers)[ratings.answer[kept]], meant_of[ratings.item[kept]]
    who = ratings.annotator[kept]
    all_of_them = cohen_kappa(Confusions.of(scale, np.zeros_like(who), said, meant, 1))
    each = cohen_kappa(Confusions.of(scale, who, said, meant, len(ratings.annotators)))
    compared = np.unique(who).tolist()
    return _told(all_of_them, 0), {ratings.annotators[place]: _told(each, place) for place in compared}


def _told(kappas: Kappas, place: int) -> AgainstConsensus:
    return AgainstConsensus(
        labels=int(kappas.shared[place]),
        accuracy=known(kappas.agreement[place]),
        kappa=known(kappas.kappa[place]),
    )
