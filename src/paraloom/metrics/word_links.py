"""Links between words that people drew and those that an aligner found in, precision, recall, F1 and exact match out.

Micro counts the links of all pairs together. Macro is the mean over pairs of precision and of recall, and their
harmonic mean, as Yao et al. (2013) and Sultan et al. (2014) have it. A found link that people hold to be possible is
not wrong, and one that is only possible need not be found (Och and Ney, 2003).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Link = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldLinks:
    """What people drew for one pair."""

    sure: frozenset[Link]
    possible: frozenset[Link] = frozenset()
    """Those that are right, too, but need not be found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFigures:
    """How far found links are those of people; every figure from 0 to 1."""

    precision: float
    recall: float
    f1: float
    macro_precision: float
    macro_recall: float
    macro_f1: float
    exact_match: float
    """Share of pairs whose links are right, and lack none."""
    error_rate: float
    """Alignment error rate (Och and Ney, 2003): lower is better."""

    def as_json(self) -> dict[str, float]:
        """By the metrics' names."""
        return {name.replace("_", "-"): round(getattr(self, name), 6) for name in self.__slots__}


@dataclass(frozen=True, slots=True, eq=False)
class LinkCounts:
    """What is counted of each pair; any choice of pairs has its figures."""

    found: NDArray[np.int64]
    right: NDArray[np.int64]
    """Found links that are sure or possible."""
    sure: NDArray[np.int64]
    sure_found: NDArray[np.int64]

    @classmethod
    def of(cls, gold: Sequence[GoldLinks], found: Sequence[Collection[Link]]) -> LinkCounts:
        """One number a pair."""
        rows = [
            (len(set(links)), len({*links} & (one.sure | one.possible)), len(one.sure), len({*links} & one.sure))
            for one, links in zip(gold, found, strict=True)
        ]
        return cls(*(np.array(column, np.int64) for column in zip(*rows, strict=True)))

    def figures(self, pairs: NDArray[np.intp] | None = None) -> LinkFigures:
        """Those of some pairs, which may be named more than once, or of all."""
        chosen = np.arange(len(self.found)) if pairs is None else pairs
        found, right, sure, sure_found = (part[chosen] for part in (self.found, self.right, self.sure, self.sure_found))
        precision, recall = _share(right.sum(), found.sum()), _share(sure_found.sum(), sure.sum())
        nothing = (found == 0) & (sure == 0)
        macro = float(_shares(right, found, nothing).mean()), float(_shares(sure_found, sure, nothing).mean())
        exact = (right == found) & (sure_found == sure)
        return LinkFigures(
            precision=precision,
            recall=recall,
            f1=harmonic_mean(precision, recall),
            macro_precision=macro[0],
            macro_recall=macro[1],
            macro_f1=harmonic_mean(*macro),
            exact_match=float(exact.mean()),
            error_rate=1 - _share(right.sum() + sure_found.sum(), found.sum() + sure.sum()),
        )


def link_figures(gold: Sequence[GoldLinks], found: Sequence[Collection[Link]]) -> LinkFigures:
    """The figures of all pairs.

    >>> gold = [GoldLinks(sure=frozenset({(0, 0), (1, 2)})), GoldLinks(sure=frozenset({(0, 0)}))]
    >>> figures = link_figures(gold, [[(0, 0), (1, 1)], [(0, 0)]])
    >>> round(figures.f1, 3), round(figures.macro_f1, 3), figures.exact_match
    (0.667, 0.75, 0.5)
    """
    return LinkCounts.of(gold, found).figures()


def harmonic_mean(one: float, other: float) -> float:
    """F1 of precision and recall; 0 where both are.

    >>> harmonic_mean(0.5, 1.0), harmonic_mean(0, 0)
    (0.6666666666666666, 0.0)
    """
    return 2 * one * other / (one + other) if one + other else 0.0


def _share(part: int, whole: int) -> float:
    """Of nothing all is right."""
    return float(part / whole) if whole else 1.0


def _shares(part: NDArray[np.int64], whole: NDArray[np.int64], nothing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Of each pair; 1 where there is nothing to find and nothing was found, 0 where one of these alone holds."""
    return np.where(whole > 0, part / np.maximum(whole, 1), nothing)
