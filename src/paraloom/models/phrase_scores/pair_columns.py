"""Two columns of phrases in, what the shipped models say of them out: the columns that ratings are foretold from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers import load
from paraloom.models.phrase_scores.cosines import PhraseCosines

EFFORTS = {"quick": ("fast",), "usual": ("fast", "good"), "thorough": ("fast", "good", "paraloom")}
"""Which shipped models are asked."""
DEFINITIONS = ("loose", "strict")
IDENTIFIER = "paraloom"
SUREST = 9.21
"""Logits are cut off where a probability is .0001 or .9999."""

Floats = NDArray[np.float64]
WithoutShared = Callable[[str, str], tuple[str, str]]


class PairColumns:
    """Asks the models of an effort about phrase pairs."""

    def __init__(self, effort: str, without_shared: WithoutShared) -> None:
        """`without_shared` takes off of two phrases the words that both have."""
        self._embedders = {name: PhraseCosines(name) for name in EFFORTS[effort] if name != IDENTIFIER}
        self._identifier = load(IDENTIFIER) if IDENTIFIER in EFFORTS[effort] else None
        self._without_shared = without_shared

    @property
    def signature(self) -> str:
        """All that decides a number."""
        told = [cosines.signature for cosines in self._embedders.values()]
        return "|".join([*told, *([self._identifier.signature] if self._identifier else [])])

    def of(self, left: Sequence[str], right: Sequence[str]) -> dict[str, Floats]:
        """Cosines of the phrases (`fast`, `good`) and of what they do not share (`fast_rest`, `good_rest`), and logits
        of paraphrase (`loose`, `strict`)."""
        rest = [self._without_shared(*pair) for pair in zip(left, right, strict=True)]
        one, other = [pair[0] for pair in rest], [pair[1] for pair in rest]
        found: dict[str, Floats] = {}
        for name, cosines in self._embedders.items():
            found[name] = cosines.of(left, right)
            found[f"{name}_rest"] = cosines.of(one, other)
        if self._identifier is not None:
            for definition in DEFINITIONS:
                found[definition] = logits(self._identifier.score(left, right, definition))
        return found


def logits(probabilities: Floats) -> Floats:
    """Logarithms of odds, cut off at `SUREST`.

    >>> logits(np.array([0.5, 1.0])).tolist()
    [0.0, 9.21]
    """
    inside = probabilities.clip(1e-9, 1 - 1e-9)
    return np.asarray(np.log(inside / (1 - inside)).clip(-SUREST, SUREST).round(6))
