"""Features of pairs in, the probability that each is a paraphrase out, by logistic regression.

scikit-learn finds the coefficients; what is kept of it is a few numbers, and a score needs NumPy alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import best_f1
from paraloom.models.identifiers.thresholds import probabilities

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """The regression for one definition: features are standardised by means and scales, then weighed."""

    means: tuple[float, ...]
    scales: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float
    """After `shift` was added."""
    shift: float
    """What was added to the fitted intercept so that .5 is the point of the best F1 on held-out pairs."""
    base_rate: float
    """Share of paraphrases among the pairs it was fitted on."""

    @property
    def assumed_base_rate(self) -> float:
        """The share of paraphrases at which the score is a calibrated probability: the shift is a change of prior."""
        odds = self.base_rate / (1 - self.base_rate) * float(np.exp(self.shift))
        return odds / (1 + odds)

    def with_shift(self, shift: float) -> Coefficients:
        """The same regression with .5 at another place."""
        return replace(self, intercept=self.intercept - self.shift + shift, shift=shift)

    def logits(self, features: Floats) -> Floats:
        """The regression's linear part, added up feature by feature.

        A matrix product may add in another order for another number of rows; a pair's score would then depend, in
        its last digit, on the batch it came in.
        """
        logits = np.full(len(features), self.intercept)
        numbers = zip(self.means, self.scales, self.coefficients, strict=True)
        for column, (mean, scale, coefficient) in enumerate(numbers):
            logits += (features[:, column] - mean) * (coefficient / scale)
        return logits

    def scores(self, features: Floats) -> Floats:
        """One number from 0 to 1 for each row of features, rounded to 6 decimals."""
        return probabilities(self.logits(features))

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Coefficients:
        """What `dataclasses.asdict` wrote, back from JSON."""
        rows = {name: tuple(written[name]) for name in ("means", "scales", "coefficients")}
        return cls(**{**written, **rows})


def fit_regression(
    features: Floats, targets: Floats, held_out_features: Floats, held_out_targets: Floats, regularisation: float
) -> Coefficients:
    """Coefficients learned from some pairs, with .5 at the best F1 of the held-out ones.

    Nothing here is random. `regularisation` is scikit-learn's C, the inverse strength of the L2 penalty on the
    standardised features.
    """
    truth = np.asarray(targets) > 0.5
    if truth.all() or not truth.any():
        raise InputError(
            f"All {len(truth)} examples have the same answer. A regression learns from paraphrases and other pairs."
        )
    means, scales = features.mean(axis=0), features.std(axis=0)
    scales[scales == 0] = 1.0
    model = _sklearn_regression()(C=regularisation, max_iter=1000, tol=1e-8)
    model.fit((features - means) / scales, truth)
    unshifted = Coefficients(
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        coefficients=tuple(model.coef_[0].tolist()),
        intercept=float(model.intercept_[0]),
        shift=0.0,
        base_rate=float(truth.mean()),
    )
    best = best_f1(unshifted.logits(held_out_features), np.asarray(held_out_targets) > 0.5)
    return unshifted.with_shift(-best.threshold)


def _sklearn_regression() -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise InputError(
            "Fitting a regression needs scikit-learn, which is not installed. Install it: pip install 'paraloom[train]'"
        ) from error
    return LogisticRegression
