"""Vectors of unit length in, int8 codes out, whose dot products are whole numbers and the same on every machine.

A code is a vector times a scale, rounded. Products of two codes are sums of whole numbers below 2^24, which float32
holds exactly in whatever order they are added: by any BLAS, with any number of threads, on a GPU with TF32. So ties are
real ties, and a search gives the same neighbours everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

LARGEST = 127
"""A code's numbers lie between -127 and 127."""
MOST_DIMS = 1040
"""127 · 127 · 1040 is the last product that stays below 2^24."""
QUANTILES = (0.99, 0.999, 0.9999, 0.99999, 1.0)
"""What is beyond one of these quantiles of all numbers' sizes is cut off; the one that loses least is taken."""
ROTATION_GAIN = 0.5
"""Vectors are rotated where that leaves at most this share of the squared error: it costs time."""
ROTATION_SEED = 7
LEARNED_ON = 20_000
"""Rows that a scale is learned on; more change nothing that three digits show."""
ROWS_AT_ONCE = 16_384
STEPS_TO_DOUBLE = 8
"""Scales are learned in steps of 9 %: finer ones would keep no more that matters."""


class Codes(Protocol):
    """How vectors are kept: what a row is written as, and the int8 row that is searched with."""

    @property
    def dims(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def width(self) -> int:
        """Bytes that a row takes."""
        ...

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[Any]:
        """Vectors of unit length as they are kept, a row each; zeros stay zeros."""
        ...

    def decode(self, kept: NDArray[Any]) -> NDArray[np.int8]:
        """The int8 rows that kept rows stand for."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Coder:
    """Vectors as one int8 a number."""

    dims: int
    scale: float
    """The length of a code: what a vector of unit length is multiplied with before it is rounded."""
    rotated: bool = False
    """Whether vectors are turned first, by a fixed rotation that spreads what a few dimensions hold over all."""

    def __post_init__(self) -> None:
        check_dims(self.dims)

    @property
    def width(self) -> int:
        """Bytes that a row takes: one a dimension."""
        return self.dims

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.int8]:
        """Vectors of unit length as int8 codes, a row each; zeros stay zeros.

        >>> Coder(dims=2, scale=100.0).encode(np.array([[0.6, -0.8], [0, 0]], np.float32)).tolist()
        [[60, -80], [0, 0]]
        """
        if vectors.ndim != 2 or vectors.shape[1] != self.dims:
            raise InputError(f"Vectors of {self.dims} dimensions are wanted; these have the shape {vectors.shape}.")
        from paraloom.models.neighbours.code_loops import rounded_to_length

        codes = np.empty(vectors.shape, np.int8)
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            rows = vectors[start : start + ROWS_AT_ONCE]
            if not np.isfinite(rows).all():
                raise InputError("The embedder gave numbers that are not finite. Choose another --embedder.")
            rounded_to_length(rotate(rows) if self.rotated else rows, self.scale, codes[start : start + len(rows)])
        return codes

    def decode(self, kept: NDArray[Any]) -> NDArray[np.int8]:
        """The same rows: they are kept as they are searched."""
        return kept.view(np.int8) if kept.dtype == np.uint8 else kept


def check_dims(dims: int) -> None:
    """Refuse vectors whose products would not be exact."""
    if not 1 <= dims <= MOST_DIMS:
        raise InputError(
            f"Vectors of {dims} dimensions cannot be searched: 1 to {MOST_DIMS} can, because products of int8 codes "
            "are exact up to there. Choose fewer with --dims, or another --embedder."
        )


def rounded(vectors: NDArray[Any], scale: float) -> NDArray[np.int8]:
    """Numbers times a scale, as whole numbers from -127 to 127."""
    codes: NDArray[np.int8] = np.clip(np.rint(vectors * scale), -LARGEST, LARGEST).astype(np.int8)
    return codes


def rotate(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Vectors turned by a fixed rotation: signs drawn once, then the discrete Hartley transform.

    It is computed in float64, so that how rows are batched moves no number across the edge where it is rounded.
    """
    turned: NDArray[np.float64] = vectors.astype(np.float64) @ rotation(vectors.shape[1])
    return turned


def rotation(dims: int) -> NDArray[np.float64]:
    """The orthonormal matrix of `rotate`."""
    signs = np.random.default_rng(ROTATION_SEED).integers(0, 2, dims) * 2 - 1
    angles = 2 * np.pi * (np.outer(np.arange(dims), np.arange(dims)) % dims) / dims
    matrix: NDArray[np.float64] = signs[:, None] * (np.cos(angles) + np.sin(angles)) / np.sqrt(dims)
    return matrix


def learn_coder(sample: NDArray[np.float32]) -> Coder:
    """The coder that keeps most of these vectors; rotated where a few dimensions hold much of them.

    >>> learn_coder(np.eye(4, dtype=np.float32)).scale
    127.0
    """
    dims = sample.shape[1]
    check_dims(dims)
    known = sample[np.abs(sample).max(axis=1, initial=0) > 0][:LEARNED_ON]
    if not len(known):
        return Coder(dims=dims, scale=float(LARGEST))
    scale, error = _least_lost(known)
    if dims > 2:
        turned_scale, turned_error = _least_lost(rotate(known))
        if turned_error <= error * ROTATION_GAIN:
            return Coder(dims=dims, scale=turned_scale, rotated=True)
    return Coder(dims=dims, scale=scale)


def _least_lost(sample: NDArray[Any]) -> tuple[float, float]:
    """The best scale, of few, and the squared error that it leaves: few large numbers are cut off so that the others
    are finer."""
    sizes = np.quantile(np.abs(sample), QUANTILES)
    scales = sorted({_on_grid(LARGEST / size) for size in sizes if size > 0})
    errors = [float(np.mean((rounded(sample, scale) / scale - sample) ** 2)) for scale in scales]
    best = int(np.argmin(errors))
    return scales[best], errors[best]


def _on_grid(scale: float) -> float:
    """The next lower of few scales, to four digits: collections that are much alike get the same one, and their codes
    go together.

    >>> _on_grid(254.0), _on_grid(250.0), _on_grid(240.0)
    (254.0, 232.9, 232.9)
    """
    steps = math.floor(round(STEPS_TO_DOUBLE * math.log2(scale / LARGEST), 6))
    return float(f"{LARGEST * 2 ** (steps / STEPS_TO_DOUBLE):.4g}")


def squared_norms(codes: NDArray[np.int8]) -> NDArray[np.int32]:
    """The squared length of every row.

    >>> squared_norms(np.array([[3, -4], [0, 0]], np.int8)).tolist()
    [25, 0]
    """
    norms: NDArray[np.int32] = np.einsum("ij,ij->i", codes, codes, dtype=np.int32, casting="unsafe")
    return norms


def similarities(
    dots: NDArray[np.int32], norms_left: NDArray[np.int32], norms_right: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Cosines from dot products and squared lengths, to 6 decimals; 0 where a vector is zero.

    >>> similarities(np.array([24, 0]), np.array([25, 25]), np.array([25, 0])).tolist()
    [0.96, 0.0]
    """
    lengths = np.sqrt(norms_left.astype(np.float64) * norms_right.astype(np.float64))
    cosines = np.zeros(np.broadcast_shapes(dots.shape, lengths.shape), np.float64)
    np.divide(dots, lengths, out=cosines, where=lengths > 0)
    return cosines.round(6)
