"""Vectors in, int8 rows of one length out: plain loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

TRIES = 3
"""Scales tried for a row; the first few come close."""
LARGEST = np.int32(127)


@compiled
def _rounded(vector: NDArray[Any], scale: float, codes: NDArray[np.int32]) -> int:
    """A vector times a scale as whole numbers from -127 to 127; gives their squared length."""
    squared = np.int32(0)
    for place in range(vector.shape[0]):
        code = np.int32(np.rint(vector[place] * scale))
        code = min(max(code, -LARGEST), LARGEST)
        codes[place] = code
        squared += code * code
    return int(squared)


@compiled
def _best_step(vector: NDArray[Any], scale: float, codes: NDArray[np.int32], missing: float) -> int:
    """The place where the next whole number on the other side of what was rounded best adds what is missing, or -1."""
    best, left = -1, abs(missing)
    for place in range(vector.shape[0]):
        code = codes[place]
        step = np.int32(1) if vector[place] * scale > code else np.int32(-1)
        after = abs(missing - (2 * step * code + 1))
        if after < left and abs(code + step) <= LARGEST:
            best, left = place, after
    return best


@compiled
def rounded_to_length(vectors: NDArray[Any], length: float, rows: NDArray[np.int8]) -> None:
    """Each vector times its own scale, rounded, so that all rows are of as nearly one length as can be.

    Plain rounding makes some rows longer and some shorter, by a thousandth, and a product ranks a long row too high by
    as much. A vector of zeros stays zeros.
    """
    wanted = length * length
    codes = np.empty(vectors.shape[1], np.int32)
    for row in range(vectors.shape[0]):
        vector = vectors[row]
        norm = 0.0
        for place in range(vector.shape[0]):
            norm += float(vector[place]) * float(vector[place])
        scale = length / np.sqrt(norm) if norm > 0 else 0.0
        best, best_scale = np.inf, scale
        for _ in range(TRIES):
            squared = _rounded(vector, scale, codes)
            if abs(squared - wanted) < best:
                best, best_scale = abs(squared - wanted), scale
            if squared == 0:
                break
            scale *= length / np.sqrt(float(squared))
        squared = _rounded(vector, best_scale, codes)
        place = _best_step(vector, best_scale, codes, wanted - squared) if squared > 0 else -1
        if place >= 0:
            codes[place] += np.int32(1) if vector[place] * best_scale > codes[place] else np.int32(-1)
        for place in range(vector.shape[0]):
            rows[row, place] = codes[place]
