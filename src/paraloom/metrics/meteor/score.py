"""METEOR's statistics in, scores out, as METEOR 1.5 computes them for English (Denkowski and Lavie, 2014).

Statistics add up: the score of a set is the score of the sum over its segments. So resampling needs no Java.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STATISTICS = 23
"""Numbers a segment: lengths, function words, matches of four modules, chunks, matched words."""

_LENGTHS = slice(0, 2)  # output, reference
_FUNCTION_WORDS = slice(2, 4)
_MATCHES = slice(4, 20)  # for each module: content words of the output, of the reference, function words of both
_CHUNKS = 20
_MATCHED = slice(21, 23)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What METEOR 1.5 was tuned to for English, by ranking judgments (`-l en -t rank`, its default)."""

    alpha: float = 0.85
    """Weight of recall against precision."""
    beta: float = 0.2
    gamma: float = 0.6
    """Greatest penalty for words in another order; `beta` bends how it grows."""
    delta: float = 0.75
    """Weight of content words against function words."""
    weights: tuple[float, float, float, float] = (1.0, 0.6, 0.8, 0.6)
    """Of matches that are exact, by stem, by synonym, by paraphrase."""


def meteor_of_sums(sums: NDArray[np.float64], parameters: Parameters = Parameters()) -> NDArray[np.float64]:
    """Scores from 0 to 100 of sums (…, 23) over rows that `summable` made; where nothing matches, 0.

    >>> statistics = np.zeros((2, 23))
    >>> statistics[:, [0, 1, 4, 5, 20, 21, 22]] = [[3, 3, 3, 3, 1, 3, 3], [3, 3, 2, 2, 1, 2, 2]]
    >>> meteor_of_sums(summable(statistics)).round(1).tolist()  # all three words matched, and two of three
    [100.0, 31.8]
    """
    sums = np.asarray(sums, dtype=np.float64)
    delta = parameters.delta
    lengths, function_words = sums[..., _LENGTHS], sums[..., _FUNCTION_WORDS]
    matches = _by_module(sums)
    of_sides = np.array([delta, 1 - delta]) @ np.einsum("...mcs,m->...cs", matches, np.array(parameters.weights))
    with np.errstate(divide="ignore", invalid="ignore"):
        precision_and_recall = of_sides / (delta * (lengths - function_words) + (1 - delta) * function_words)
        precision, recall = precision_and_recall[..., 0], precision_and_recall[..., 1]
        mean = 1 / ((1 - parameters.alpha) / precision + parameters.alpha / recall)
        fragmentation = sums[..., _CHUNKS] / sums[..., _MATCHED].mean(axis=-1)
        penalty = parameters.gamma * fragmentation**parameters.beta
        score = mean * (1 - penalty)
    return np.asarray(np.where(np.isnan(score), 0.0, 100 * np.maximum(score, 0.0)))


def summable(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """The statistics with no chunk where an output is matched whole by one: METEOR neither punishes nor adds it up."""
    everything = (_by_module(statistics).sum(axis=(-3, -2)) == statistics[..., _LENGTHS]).all(axis=-1)
    rows = statistics.copy()
    rows[everything & (statistics[..., _CHUNKS] == 1), _CHUNKS] = 0
    return rows


def _by_module(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matches, by module, content or function words, and output or reference."""
    return statistics[..., _MATCHES].reshape(*statistics.shape[:-1], 4, 2, 2)
