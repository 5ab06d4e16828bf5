"""Pairs in, parts of them out, each measured alone: where an identifier is good, and where it only counts words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.diversity.jaccard import jaccard
from paraloom.metrics.identification.decisions import THRESHOLD, f1_of_calling_all, measure_decisions
from paraloom.metrics.significance import RESAMPLES, SEED, Groups, Interval, bootstrap_intervals
from paraloom.text.tokenise import words

OVERLAP_BOUNDS = (0.2, 0.4, 0.6, 0.8)
LENGTH_BOUNDS = (6, 11, 16, 21)
"""Where the next part begins. They are fixed, so that parts of two corpora can be compared."""

MOST_PARTS = 20
"""A column with more distinct values keeps its most frequent ones; the rest is one part."""

OTHERS = "(others)"
FEW = 10
"""With fewer pairs than this of either kind, a figure says little, and is said to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slicing:
    """One way to cut pairs into parts: the parts' names in their order, and the part that each pair is in."""

    name: str
    parts: tuple[str, ...]
    part_of: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The pairs of one part, measured alone at one threshold."""

    name: str
    pairs: int
    base_rate: float
    """Share of paraphrases: F1 rises with it, so slices are compared by MCC."""
    f1: float | None
    """None where there is no paraphrase to find."""
    f1_interval: Interval | None
    f1_of_calling_all: float | None
    mcc: float | None
    """None where all pairs are of one kind."""
    mcc_interval: Interval | None
    accuracy: float
    note: str | None
    """What to think of before believing the figures."""


def by_overlap(left: Sequence[str], right: Sequence[str]) -> Slicing:
    """Parts by the words that two texts share (Jaccard): high ones hold copies, low ones what is hard to find.

    >>> by_overlap(["the storm hit", "a b"], ["the storm hit", "c d"]).part_of.tolist()
    [4, 0]
    """
    shared = np.array([jaccard(one, other) for one, other in zip(left, right, strict=True)])
    return Slicing(
        name="overlap",
        parts=("below .2", ".2 to .4", ".4 to .6", ".6 to .8", ".8 and more"),
        part_of=np.searchsorted(np.array(OVERLAP_BOUNDS), shared, side="right").astype(np.int64),
    )


def by_length(left: Sequence[str], right: Sequence[str]) -> Slicing:
    """Parts by the number of words of the longer text.

    >>> by_length(["one", "a b c d e f"], ["one two", "a"]).part_of.tolist()
    [0, 1]
    """
    longer = np.array([max(len(words(one)), len(words(other))) for one, other in zip(left, right, strict=True)])
    return Slicing(
        name="length",
        parts=("up to 5 words", "6 to 10", "11 to 15", "16 to 20", "21 and more"),
        part_of=np.searchsorted(np.array(LENGTH_BOUNDS), longer, side="right").astype(np.int64),
    )


def by_value(name: str, values: Sequence[object]) -> Slicing:
    """Parts by the values of a column, the most frequent first.

    >>> by_value("topic", ["sports", "news", "sports", None]).parts
    ('sports', '(none)', 'news')
    """
    written = ["(none)" if value is None or value == "" else str(value) for value in values]
    counted = sorted(Counter(written).items(), key=lambda item: (-item[1], item[0]))
    parts = [value for value, _ in counted]
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS - 1], OTHERS]
    place = {value: number for number, value in enumerate(parts)}
    return Slicing(
        name=name,
        parts=tuple(parts),
        part_of=np.array([place.get(value, len(parts) - 1) for value in written], dtype=np.int64),
    )


def measure_slices(
    slicing: Slicing,
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    threshold: float = THRESHOLD,
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Slice]:
    """Every part that holds a pair, in the slicing's order.

    >>> topics = by_value("topic", ["a", "a", "b", "b"])
    >>> parts = measure_slices(topics, np.array([0.9, 0.1, 0.9, 0.9]), np.array([True, False, True, False]))
    >>> [(part.name, part.f1) for part in parts]
    [('a', 1.0), ('b', 0.6666666666666666)]
    """
    if len(slicing.part_of) != len(scores):
        raise InputError(f"{slicing.name} tells the part of {len(slicing.part_of)} pairs, but there are {len(scores)}.")
    found = []
    for place, name in enumerate(slicing.parts):
        rows = slicing.part_of == place
        if rows.any():
            inside = None if groups is None else groups[rows]
            found.append(_measured(name, scores[rows], truth[rows], threshold, inside, resamples, seed))
    return found


def _measured(
    name: str,
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    threshold: float,
    groups: Groups | None,
    resamples: int,
    seed: int,
) -> Slice:
    measured = measure_decisions(scores, truth, threshold)
    paraphrases = int(truth.sum())
    both = 0 < paraphrases < len(truth)
    f1_interval, mcc_interval = bootstrap_intervals(
        [measured["f1"], measured["mcc"]], groups=groups, resamples=resamples, seed=seed
    )
    base_rate = float(truth.mean())
    return Slice(
        name=name,
        pairs=len(truth),
        base_rate=base_rate,
        f1=measured["f1"].value if paraphrases else None,
        f1_interval=f1_interval if paraphrases else None,
        f1_of_calling_all=f1_of_calling_all(base_rate) if paraphrases else None,
        mcc=measured["mcc"].value if both else None,
        mcc_interval=mcc_interval if both else None,
        accuracy=measured["accuracy"].value,
        note="; ".join(_notes(paraphrases, len(truth) - paraphrases, int((scores > threshold).sum()))) or None,
    )


def _notes(paraphrases: int, others: int, called: int) -> list[str]:
    told = []
    if not paraphrases:
        told.append("no paraphrase, so no F1 and no MCC")
    elif not others:
        told.append("only paraphrases, so no MCC")
    elif paraphrases < FEW:
        told.append(f"few paraphrases ({paraphrases}): read the interval")
    elif others < FEW:
        told.append(f"few other pairs ({others}): read the interval")
    if called == paraphrases + others:
        told.append("every pair was called a paraphrase")
    elif not called:
        told.append("no pair was called a paraphrase")
    return told
