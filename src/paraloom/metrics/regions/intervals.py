"""Numbers from 0 to 1 in, the interval that each lies in out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

MOST = 1000


def intervals_of(values: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Which of so many equal intervals each number lies in, from 0 on; 1 itself lies in the last.

    Rounded before they are cut: .15 lies where it is written, whatever its last binary digit.

    >>> intervals_of(np.array([0.0, 0.049, 0.05, 0.15, 1.0]), 20).tolist()
    [0, 0, 1, 3, 19]
    """
    check_intervals(count)
    return np.clip(np.floor(np.round(values * count, 6)).astype(np.int64), 0, count - 1)


def check_intervals(count: int, option: str = "--intervals") -> None:
    """Refuse a number of intervals that parts nothing."""
    if not 1 <= count <= MOST:
        raise InputError(f"{option} {count} makes no sense. Give a number from 1 to {MOST}, such as 20.")


def interval_name(place: int, count: int) -> str:
    """An interval in figures: its beginning is in it, its end is not, but for the last. No two of a count share a name.

    >>> interval_name(0, 20), interval_name(19, 20)
    ('0.00–0.05', '0.95–1.00')
    >>> interval_name(1, 250)
    '0.004–0.008'
    """
    places = max(2, len(str(count - 1)))  # so many decimals tell bounds apart that are 1 / count from each other
    return f"{place / count:.{places}f}\u2013{(place + 1) / count:.{places}f}"
