"""Word pairs as feature numbers in, the weights that find anchors among them out: loops over numbers alone.

Compiled, and so imported only where weights are learned.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled
def learn_weights(
    starts: Integers,
    features: NDArray[np.int32],
    topical: NDArray[np.int32],
    paraphrase: NDArray[np.bool_],
    orders: Integers,
    size: int,
) -> Floats:
    """The averaged weights of a perceptron that fills in the most probable anchors itself (Xu et al., 2014).

    A word pair is an anchor where its weights sum above 0, a pair of texts is a paraphrase where it has an anchor. A
    paraphrase without one raises its best word pair. Other texts lower their anchors, one after another and as
    long as they are anchors: many have the same features, and lowered all at once these would fall too far (F1 on
    Twitter-URL .711 instead of .726). The word pairs of pair i lie from `starts[i]` to `starts[i + 1]`. A row of
    `topical` is one more feature of each word pair: the first as if nothing were known of the topic, the second as it
    is. Rounds take them in turn, so that the weights serve for new topics too.
    """
    weights, weighed_sum, step = np.zeros(size), np.zeros(size), 1.0
    for turn in range(len(orders)):
        of_topic = topical[turn % 2]
        for pair in orders[turn]:
            best, highest = -1, -np.inf
            for one in range(starts[pair], starts[pair + 1]):
                margin = weights[of_topic[one]]
                for column in range(features.shape[1]):
                    margin += weights[features[one, column]]
                if margin > highest:
                    best, highest = one, margin
                if margin > 0 and not paraphrase[pair]:
                    _add(weights, weighed_sum, features[one], of_topic[one], -1.0, step)
            if paraphrase[pair] and best >= 0 and highest <= 0:
                _add(weights, weighed_sum, features[best], of_topic[best], 1.0, step)
            step += 1.0
    return weights - weighed_sum / step


@compiled
def _add(
    weights: Floats, weighed_sum: Floats, features: NDArray[np.int32], of_topic: int, amount: float, step: float
) -> None:
    weights[of_topic] += amount
    weighed_sum[of_topic] += amount * step
    for column in range(len(features)):
        weights[features[column]] += amount
        weighed_sum[features[column]] += amount * step
