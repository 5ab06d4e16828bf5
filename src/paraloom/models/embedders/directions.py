"""Vectors in, the directions along which they vary most out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def leading_directions(vectors: NDArray[np.float64], dims: int) -> NDArray[np.float64]:
    """The eigenvectors of Σ v vᵀ with the largest eigenvalues, one a column, the largest first.

    >>> leading_directions(np.array([[-3.0, 0.0], [0.0, 1.0]]), 1).tolist()
    [[1.0], [0.0]]
    """
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    kept = directions[:, ::-1][:, :dims]
    signs = np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(kept.shape[1])])  # else they are the library's whim
    return np.ascontiguousarray(kept * signs)
