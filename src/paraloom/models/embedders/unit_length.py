"""Vectors in, the same with length 1 out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def unit_length(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Each row divided by its length; zeros stay zeros.

    >>> unit_length(np.array([[3.0, 4.0], [0.0, 0.0]])).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    divisors = np.where(lengths > 0, lengths, 1)[:, None].astype(vectors.dtype)
    return np.asarray(vectors / divisors, np.float32)
