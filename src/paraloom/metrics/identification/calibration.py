"""Probabilities of pairs and the truth in, how far the probabilities can be believed out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.identification.decisions import check_scores
from paraloom.metrics.measured import Measured, mean_of, signature

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]

BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """Pairs whose probability lies between two bounds: what was promised on average, and what came true."""

    low: float
    high: float
    pairs: int
    promised: float
    happened: float


def expected_calibration_error(
    probabilities: Floats, truth: Truth, weights: Floats | None = None, bins: int = BINS
) -> float:
    """Mean distance between what is promised and what comes true, over bins of equal width (Naeini et al., 2015).

    >>> expected_calibration_error(np.array([0.75, 0.75, 0.75, 0.75]), np.array([True, True, True, False]))
    0.0
    """
    weighed = np.ones(len(truth)) if weights is None else weights
    bin_of = _bin_of(probabilities, bins)
    promised = np.bincount(bin_of, weighed * probabilities, bins)
    happened = np.bincount(bin_of, weighed * truth, bins)
    return float(np.abs(promised - happened).sum() / weighed.sum())


def reliability(probabilities: Floats, truth: Truth, bins: int = BINS) -> list[ReliabilityBin]:
    """The bins of a reliability diagram that hold a pair, from the lowest.

    >>> [bin] = reliability(np.array([0.72, 0.78]), np.array([True, False]))
    >>> bin.low, bin.pairs, bin.promised, bin.happened
    (0.7, 2, 0.75, 0.5)
    """
    bin_of = _bin_of(probabilities, bins)
    pairs = np.bincount(bin_of, minlength=bins)
    promised = np.bincount(bin_of, probabilities, bins)
    happened = np.bincount(bin_of, truth, bins)
    return [
        ReliabilityBin(
            low=place / bins,
            high=(place + 1) / bins,
            pairs=int(pairs[place]),
            promised=float(promised[place] / pairs[place]),
            happened=float(happened[place] / pairs[place]),
        )
        for place in np.flatnonzero(pairs).tolist()
    ]


def measure_calibration(probabilities: Floats, truth: Truth, bins: int = BINS) -> dict[str, Measured]:
    """The expected calibration error, and Brier's mean squared error (1950); both are better where lower.

    >>> measured = measure_calibration(np.array([1.0, 0.5]), np.array([True, False]))
    >>> measured["ece"].value, measured["brier"].value
    (0.25, 0.125)
    """
    check_scores(probabilities, truth)
    missed_by = np.zeros((len(truth), bins + 1))
    missed_by[np.arange(len(truth)), _bin_of(probabilities, bins)] = probabilities - truth
    missed_by[:, -1] = 1.0
    error = Measured(
        name="ece",
        value=expected_calibration_error(probabilities, truth, bins=bins),
        items=np.empty(0),
        signature=signature("ece", {"bins": bins, "width": "equal", "norm": 1}),
        better="lower",
        statistics=missed_by,
        combine=_error_of_bins,
    )
    squared = (probabilities - truth) ** 2
    return {"ece": error, "brier": mean_of("brier", squared, signature("brier", {"classes": 2}), "lower")}


def _error_of_bins(sums: Floats) -> Floats:
    return np.asarray(np.abs(sums[..., :-1]).sum(-1) / sums[..., -1])


def _bin_of(probabilities: Floats, bins: int) -> NDArray[np.int64]:
    # Bounds are compared, not multiplied: .29 * 100 is a little less than 29.
    bounds = np.arange(1, bins) / bins
    return np.searchsorted(bounds, probabilities, side="right").astype(np.int64)
