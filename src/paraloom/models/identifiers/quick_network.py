"""Features of pairs in, the logit that each is a paraphrase out: a small network, trained and run without a library.

A linear part, one hidden layer, and a weight for each word that one text alone has. Targets may lie between 0 and 1,
so that it can learn from a teacher's doubts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers.pair_features import PairFeatures

Floats = NDArray[np.float64]

FARTHEST = 4.0
"""In standard deviations: a feature beyond what training has seen says no more than the extremes it has."""
BATCH = 256
"""Pairs of one step; fewer where there are few."""
FEWEST_STEPS = 1000
"""Few examples are gone over more often, until so many steps are taken."""
RATE = 2e-3
DECAY = 1e-3
"""Pull of the weights of features towards 0; those of words are held back by `WORD_SCALE`."""
WORD_SCALE = 0.3
"""How quickly weights of words grow beside those of features."""
FORGET, FORGET_SQUARES = 0.9, 0.999
"""How long Adam remembers steps and their squares (Kingma and Ba, 2015)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QuickNetwork:
    """What was learned for one definition."""

    means: Floats
    scales: Floats
    linear: Floats
    inner: Floats
    """Features × hidden units."""
    inner_bias: Floats
    outer: Floats
    words: Floats
    """Of each word of the lexicon, what its absence on one side adds."""
    bias: Floats
    """One number, `shift` included."""

    def logits(self, known: PairFeatures) -> Floats:
        """One number a pair; its sums are added up in one order, whatever other pairs there are."""
        from paraloom.models.identifiers.network_loops import run_network

        given = np.ascontiguousarray(known.features)
        found = run_network(
            given, self.means, self.scales, self.linear, self.inner, self.inner_bias, self.outer, float(self.bias[0])
        )
        found += np.bincount(known.pair_of, self.words[known.missing], len(known))
        return found

    def shifted(self, by: float) -> QuickNetwork:
        """The same with another number added to every logit."""
        return replace(self, bias=self.bias + by)

    @property
    def parameters(self) -> int:
        """How many numbers were learned."""
        learned = (self.linear, self.inner, self.inner_bias, self.outer, self.words, self.bias)
        return sum(numbers.size for numbers in learned)

    def arrays(self) -> dict[str, Floats]:
        """All numbers by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def train_network(
    known: PairFeatures, targets: Floats, words: int, *, hidden: int, epochs: int, seed: int
) -> QuickNetwork:
    """Logistic loss by Adam (Kingma and Ba, 2015), steps shrinking to 0. `words` is the size of the lexicon."""
    random = np.random.default_rng(seed)
    means, scales = known.features.mean(axis=0), known.features.std(axis=0)
    scales[scales == 0] = 1.0
    given = standardised(known.features, means, scales)
    width = given.shape[1]
    linear, bias, outer = np.zeros(width), np.zeros(1), np.zeros(hidden)
    inner, inner_bias = random.normal(0, width**-0.5, (width, hidden)), np.zeros(hidden)
    weights = np.zeros(words)
    steps = _Adam([linear, bias, inner, inner_bias, outer, weights])
    bounds = np.searchsorted(known.pair_of, np.arange(len(given) + 1))
    batches = max(1, len(given) // min(BATCH, max(8, len(given) // 16)))
    epochs = max(epochs, -(-FEWEST_STEPS // batches))
    for epoch in range(epochs):
        for number, rows in enumerate(np.array_split(random.permutation(len(given)), batches)):
            inputs = given[rows]
            missing, owner = _missing_of(rows, bounds, known.missing)
            units = np.maximum(inputs @ inner + inner_bias, 0)
            logits = inputs @ linear + bias[0] + units @ outer
            logits += WORD_SCALE * np.bincount(owner, weights[missing], len(rows))
            error = (1 / (1 + np.exp(-np.clip(logits, -30, 30))) - targets[rows]) / len(rows)
            behind = np.outer(error, outer) * (units > 0)
            steps.take(
                [
                    inputs.T @ error + DECAY * linear,
                    np.array([error.sum()]),
                    inputs.T @ behind + DECAY * inner,
                    behind.sum(axis=0),
                    units.T @ error + DECAY * outer,
                    np.asarray(WORD_SCALE * np.bincount(missing, error[owner], words), np.float64),
                ],
                RATE * (1 - (epoch * batches + number) / (epochs * batches)),
            )
    return QuickNetwork(
        means=means,
        scales=scales,
        linear=linear,
        inner=inner,
        inner_bias=inner_bias,
        outer=outer,
        words=WORD_SCALE * weights,
        bias=bias,
    )


def standardised(features: Floats, means: Floats, scales: Floats) -> Floats:
    """Features as the network takes them."""
    return np.asarray(np.clip((features - means) / scales, -FARTHEST, FARTHEST))


def _missing_of(
    rows: NDArray[np.int64], bounds: NDArray[np.int64], missing: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The missing words of some pairs, and which of these pairs each belongs to."""
    counts = bounds[rows + 1] - bounds[rows]
    owner = np.repeat(np.arange(len(rows)), counts)
    places = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(bounds[rows], counts)
    return missing[places], owner


class _Adam:
    """Parameters that are changed in place, each number at its own pace."""

    def __init__(self, parameters: list[Floats]) -> None:
        self.parameters = parameters
        self.means = [np.zeros_like(one) for one in parameters]
        self.squares = [np.zeros_like(one) for one in parameters]
        self.taken = 0

    def take(self, gradients: list[Floats], rate: float) -> None:
        """One step against the gradients."""
        self.taken += 1
        fresh, fresh_squares = 1 - FORGET**self.taken, 1 - FORGET_SQUARES**self.taken
        for one, gradient, mean, square in zip(self.parameters, gradients, self.means, self.squares, strict=True):
            mean *= FORGET
            mean += (1 - FORGET) * gradient
            square *= FORGET_SQUARES
            square += (1 - FORGET_SQUARES) * gradient * gradient
            one -= rate * (mean / fresh) / (np.sqrt(square / fresh_squares) + 1e-8)
