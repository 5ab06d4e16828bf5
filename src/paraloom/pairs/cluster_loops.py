"""Pairs of numbers in, who belongs together out: plain loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Parents = NDArray[np.int64]


@compiled
def _top(parents: Parents, node: Any) -> Any:
    while parents[node] != node:
        parents[node] = parents[parents[node]]  # shorten the way for the next time
        node = parents[node]
    return node


@compiled
def link(parents: Parents, left: NDArray[np.int64], right: NDArray[np.int64]) -> None:
    """Join the clusters of the two ends of every pair; a cluster's top is its smallest member."""
    for place in range(len(left)):
        one, other = _top(parents, left[place]), _top(parents, right[place])
        if one < other:
            parents[other] = one
        elif other < one:
            parents[one] = other


@compiled
def flatten(parents: Parents) -> None:
    """Point every member at the top of its cluster."""
    for node in range(len(parents)):
        parents[node] = _top(parents, node)
