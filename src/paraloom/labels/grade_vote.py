"""How probable each graded label is in, one label out, voted on step by step.

The complete labels are many, so the most frequent one may be a minority's: of 3, 4, 4>, 2, 2 it is 2, though three of
five say paraphrase. Here each step is decided among those who got so far: skipped or not, paraphrase or not, the
number, and of a 4 the direction and each flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paraloom.labels.aggregate.result import SAME
from paraloom.metrics.identification.graded import SKIP, Grade, read_label

CAUTIOUS = {True: ("3", "4"), False: ("2", "1")}
"""The numbers that say a paraphrase and none; where both are equally probable, the first, which claims less."""


def voted_grade(shares: Mapping[str, float], is_paraphrase: bool | None) -> str | None:
    """The label that goes with what was decided of the pair; None where that is undecided, or nobody gave such a label.

    `shares` are of one pair, by label. `x` takes more than half of all. A direction must be more probable than the
    other one and than none, a flag more probable than not. So the label may be one that nobody gave as a whole.

    >>> voted_grade({"2": 0.4, "3": 0.2, "4": 0.2, "4>": 0.2}, True)
    '4'
    >>> voted_grade({"4>": 0.5, "4s": 0.5}, True), voted_grade({"3": 0.5, "4": 0.5}, True)
    ('4', '3')
    >>> voted_grade({"4": 0.5, "2": 0.5}, None), voted_grade({"x": 0.75, "4": 0.25}, None)
    (None, 'x')
    """
    if shares.get(SKIP, 0.0) > 0.5 + SAME:
        return SKIP
    if is_paraphrase is None:
        return None
    grades = [(grade, share) for label, share in shares.items() if (grade := read_label(label)) is not None]
    first, second = CAUTIOUS[is_paraphrase]
    of_first, of_second = (_sum(share for grade, share in grades if grade.base == base) for base in (first, second))
    if of_first + of_second <= SAME:
        return None
    base = second if of_second > of_first + SAME else first
    return base if base != "4" else _of_fours([(grade, share) for grade, share in grades if grade.base == "4"]).label


def _of_fours(fours: list[tuple[Grade, float]]) -> Grade:
    half = _sum(share for _, share in fours) / 2 + SAME
    directions = {way: _sum(share for grade, share in fours if grade.direction == way) for way in ("", "<", ">")}
    top = max(directions.values())
    foremost = [way for way, share in directions.items() if share >= top - SAME]
    return Grade(
        base="4",
        direction=foremost[0] if len(foremost) == 1 else "",
        minor=_sum(share for grade, share in fours if grade.minor) > half,
        style=_sum(share for grade, share in fours if grade.style) > half,
    )


def _sum(shares: Iterable[float]) -> float:
    return sum(sorted(shares))  # in one order, so that the order of the labels decides nothing
