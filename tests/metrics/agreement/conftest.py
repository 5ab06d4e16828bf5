"""Tables of answers with gaps, as hypothesis draws them and as papers print them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from paraloom.metrics.agreement.levels import Level
from paraloom.metrics.agreement.ratings import Ratings

Table = Sequence[Sequence[str | None]]
"""One row an item, one column an annotator, None where there is no answer."""

MakeRatings = Callable[..., Ratings]

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): four observers, twelve units.
OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""


def made(table: Table, level: Level = "nominal", order: Sequence[str] = ()) -> Ratings:
    rows = [
        (f"item {item}", f"rater {rater}", answer) for item, row in enumerate(table) for rater, answer in enumerate(row)
    ]
    items, raters, answers = zip(*rows, strict=True) if rows else ((), (), ())
    return Ratings.of(items, raters, answers, level=level, order=order)


@pytest.fixture
def ratings() -> MakeRatings:
    """Ratings of a table."""
    return made


@pytest.fixture
def observers() -> Table:
    """Krippendorff's published example."""
    lines = [line.split() for line in OBSERVERS.strip().splitlines()]
    return [[None if answer == "." else answer for answer in column] for column in zip(*lines, strict=True)]
