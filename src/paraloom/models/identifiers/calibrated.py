"""An identifier's scores in, probabilities out: of a hundred pairs with a probability of .8, eighty are paraphrases.

A score is above .5 where calling the pair a paraphrase gives the best F1, which mostly is so at less than an even
chance. Who asks how sure an identifier is, as a teacher is asked, needs the chance itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers.thresholds import logistic_curve, probabilities

Floats = NDArray[np.float64]

HALF_A_STEP = 5e-7
"""Scores are rounded to 6 decimals: one of 0 or 1 is somewhere within this of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A logistic curve from an identifier's scores, under one definition, to probabilities.

    >>> Calibration(slope=1.0, intercept=-1.0).probabilities(np.array([0.0, 0.5, 1.0])).round(3).tolist()
    [0.0, 0.269, 1.0]
    """

    slope: float
    """Of the score's log odds; never below 0, so that the order of the scores is kept."""
    intercept: float

    def probabilities(self, scores: Floats) -> Floats:
        """The chance that each pair is a paraphrase, rounded to 6 decimals."""
        return probabilities(self.slope * _log_odds(scores) + self.intercept)


def calibrate(scores: Floats, targets: Floats) -> Calibration:
    """The likeliest curve on held-out pairs (Platt, 1999). Scores that say the opposite tell nothing but the base rate.

    >>> calibrate(np.array([0.5, 0.6, 0.7, 0.8]), np.array([0.0, 0.0, 0.0, 1.0])).probabilities(np.array([0.6])) < 0.5
    array([ True])
    """
    truth = np.asarray(targets) > 0.5
    slope, intercept = logistic_curve(_log_odds(scores), truth)
    if slope < 0:
        slope, intercept = logistic_curve(np.zeros(len(truth)), truth)
    return Calibration(slope=slope, intercept=intercept)


def _log_odds(scores: Floats) -> Floats:
    inside = np.clip(scores, HALF_A_STEP, 1 - HALF_A_STEP)
    odds: Floats = np.log(inside / (1 - inside))
    return odds
