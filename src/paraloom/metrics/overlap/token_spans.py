"""Texts in, one row of code points and the place of every token in it out.

The tokens of mteval-v13a, sacrebleu's default, are four rules in turn over the whole text. Each rule looks at one sign
and its neighbours only, so one walk over the signs finds the same tokens; `tokens_13a` has the rules in words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

OTHER, SPACE, ALONE, POINT, DASH, DIGIT = range(6)
"""What a sign is to the walk; see `tokens_13a`."""


def code_points(texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """All texts in one row, and where each begins; the last bound is the row's end. Half a surrogate pair is a sign.

    >>> points, bounds = code_points(["ab", "", "c"])
    >>> points.tolist(), bounds.tolist()
    ([97, 98, 99], [0, 2, 2, 3])
    """
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)), out=bounds[1:])
    row = "".join(texts).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(row, dtype="<u4").astype(np.uint32, copy=False), bounds


@compiled
def token_spans(
    points: NDArray[np.uint32], bounds: NDArray[np.int64], kinds: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where every token begins and ends in the row of code points, and how many come before each text's first."""
    begins = np.empty(len(points), dtype=np.int64)  # a token is at least one sign
    ends = np.empty(len(points), dtype=np.int64)
    token_bounds = np.zeros(len(bounds), dtype=np.int64)
    written = 0
    for text in range(len(bounds) - 1):
        begun = -1
        before = SPACE
        parted_before = False
        for place in range(bounds[text], bounds[text + 1]):
            sign = points[place]
            kind = kinds[sign] if sign < len(kinds) else OTHER
            parted = False
            alone = kind == ALONE
            if kind == POINT:
                # A point that a rule has just parted is used up: it cannot part the next one.
                parted = before != DIGIT and not parted_before
                follows_digit = False
                if place + 1 < bounds[text + 1] and points[place + 1] < len(kinds):
                    follows_digit = kinds[points[place + 1]] == DIGIT
                alone = parted or not follows_digit
            elif kind == DASH:
                alone = before == DIGIT
            if (alone or kind == SPACE) and begun >= 0:
                begins[written], ends[written] = begun, place
                written += 1
                begun = -1
            if alone:
                begins[written], ends[written] = place, place + 1
                written += 1
            elif kind != SPACE and begun < 0:
                begun = place
            before = kind
            parted_before = parted
        if begun >= 0:
            begins[written], ends[written] = begun, bounds[text + 1]
            written += 1
        token_bounds[text + 1] = written
    return begins[:written], ends[:written], token_bounds


@compiled
def without_spaces(
    points: NDArray[np.uint32], bounds: NDArray[np.int64], kinds: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Every sign that is no white space, as a token of its own, and how many come before each text's first."""
    kept = np.empty(len(points), dtype=np.int32)
    kept_bounds = np.zeros(len(bounds), dtype=np.int64)
    written = 0
    for text in range(len(bounds) - 1):
        for place in range(bounds[text], bounds[text + 1]):
            sign = points[place]
            if sign >= len(kinds) or kinds[sign] != SPACE:
                kept[written] = sign
                written += 1
        kept_bounds[text + 1] = written
    return kept[:written], kept_bounds
