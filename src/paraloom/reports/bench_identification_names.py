"""Systems of a chart of quality and speed in, which names stand beside their marks, and on which side, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

from paraloom.reports.bench_identification_rows import BenchRow

SIDES: Mapping[str, tuple[Literal["left", "center", "right"], int, int]] = {
    "right": ("left", 8, 0),
    "left": ("right", -8, 0),
    "above": ("center", 0, -13),
    "below": ("center", 0, 14),
    "above, leaning left": ("right", 6, -13),
    "above, leaning right": ("left", -6, -13),
    "below, leaning left": ("right", 6, 14),
    "below, leaning right": ("left", -6, 14),
}
"""Where a name may stand, the best place first: the alignment of its text, and how far from the mark, in pixels."""

WIDE, HIGH = 372, 262
"""About as many pixels has a chart within its axes."""

LETTER, LINE, MARK = 5.6, 12, 6
"""About as many pixels is a letter wide, a line high, and half a mark."""

Box = tuple[float, float, float, float]
"""Left, right, top and bottom, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the axes of a chart reach over."""

    speeds: tuple[float, float]
    """On a logarithmic scale."""
    f1: tuple[float, float]

    @classmethod
    def around(cls, rows: Sequence[BenchRow], f1: tuple[float, float]) -> Frame:
        """With room around the marks; `f1` are the lowest and the highest figure to make room for."""
        speeds = [speed(row) for row in rows]
        room = max(0.02, (f1[1] - f1[0]) * 0.1)
        return cls(speeds=(min(speeds) / 1.6, max(speeds) * 1.6), f1=(max(0.0, f1[0] - room), min(1.0, f1[1] + room)))

    def place(self, row: BenchRow) -> tuple[float, float]:
        """Where its mark is, in pixels from the upper left."""
        (slowest, fastest), (lowest, highest) = self.speeds, self.f1
        across = log(speed(row) / slowest) / log(fastest / slowest)
        return across * WIDE, (highest - max_f1(row)) / (highest - lowest) * HIGH


def named_rows(rows: Sequence[BenchRow], frame: Frame) -> dict[str, str]:
    """By the names of the rows whose titles find room: the side. None stands over another, a mark, or the frame.

    Shipped ones come first, then, the best first, those that no other one measured on the same pairs beats in both.
    """
    wanted = [row for row in rows if row.group == "shipped"]
    wanted += sorted((row for row in undominated(rows) if row not in wanted), key=lambda row: -max_f1(row))
    taken = [(row.name, _around(*frame.place(row))) for row in rows]
    found: dict[str, str] = {}
    for row in wanted:
        for side, box in _boxes(row, frame):
            if _is_inside(box) and not any(_overlap(box, other) for name, other in taken if name != row.name):
                found[row.name] = side
                taken.append(("", box))
                break
    return found


def undominated(rows: Sequence[BenchRow]) -> list[BenchRow]:
    """The systems that no other one measured on the same pairs beats, or equals, in both quality and speed.

    >>> from paraloom.reports.bench_identification_rows import BenchCost, BenchFigure
    >>> def row(name: str, f1: float, speed: float) -> BenchRow:
    ...     cost = BenchCost(parameters=1, pairs_per_second=speed, fit_seconds=0, fit_pairs=1, device="cpu",
    ...                      processor="", cores=1)
    ...     figure = BenchFigure(value=f1, seeds=(f1,), signature="")
    ...     return BenchRow(name=name, title=name, group="ours", system=name, corpus="", figures={"max-f1": figure},
    ...                     cost=cost)
    >>> [one.name for one in undominated([row("slow", 0.9, 1), row("poor", 0.5, 2), row("fast", 0.6, 9)])]
    ['slow', 'fast']
    """

    def beats(other: BenchRow, row: BenchRow) -> bool:
        if other.measured_on != row.measured_on:
            return False
        theirs, ours = (max_f1(other), speed(other)), (max_f1(row), speed(row))
        return theirs != ours and theirs[0] >= ours[0] and theirs[1] >= ours[1]

    return [row for row in rows if not any(beats(other, row) for other in rows)]


def max_f1(row: BenchRow) -> float:
    """How good a system is."""
    return row.figures["max-f1"].value


def speed(row: BenchRow) -> float:
    """Pairs scored a second, of a row that was run."""
    assert row.cost is not None
    return row.cost.pairs_per_second


def _boxes(row: BenchRow, frame: Frame) -> Iterator[tuple[str, Box]]:
    x, y = frame.place(row)
    width = LETTER * len(row.title)
    for side, (align, right, down) in SIDES.items():
        left = x + right - {"left": 0.0, "center": width / 2, "right": width}[align]
        yield side, (left, left + width, y + down - LINE / 2, y + down + LINE / 2)


def _around(x: float, y: float) -> Box:
    return x - MARK, x + MARK, y - MARK, y + MARK


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _is_inside(box: Box) -> bool:
    return box[0] >= 0 and box[1] <= WIDE and box[2] >= 0 and box[3] <= HIGH
