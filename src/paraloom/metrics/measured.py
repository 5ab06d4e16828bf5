"""Outputs in, a measured metric out: its value over a set, the value of each item, and how it was computed.

Every metric is used alike: `metric.prepare(evaluation_set)` reads sources and references once, and what it returns
is called with the outputs of one system after the other. So a sweep over hundreds of variants prepares once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from paraloom.metrics.evaluation_set import EvaluationSet

Better = Literal["higher", "lower", "neither"]
"""Which way a metric points; `neither` where a paraphrase should be neither high nor low (its length, say)."""

Combine = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Summed statistics (…, k) in, values (…) out: how a metric over a set follows from sums over its items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One metric of one system on one evaluation set."""

    name: str
    """Lower case, sacrebleu's name where it has one: `bleu`, `self-bleu`, `bertscore-f1`."""
    value: float
    """Of the whole set, in the metric's own unit (BLEU, chrF and TER from 0 to 100, as in sacrebleu)."""
    items: NDArray[np.float64]
    """Of each item alone, in the order of the sources; empty where one item alone has no value."""
    signature: str
    """All that decides the value: `bleu|nrefs:1|case:mixed|…|version:2.6.0`."""
    better: Better
    statistics: NDArray[np.float64] | None = None
    """One row an item; the value of any subset follows from the sum of its rows. None where no sum will do."""
    combine: Combine | None = None
    """From summed statistics to values, for many resamples at once."""


@runtime_checkable
class Metric(Protocol):
    """A way to measure outputs, with all its settings fixed."""

    @property
    def name(self) -> str:
        """The metric's name, as in `Measured`."""

    @property
    def better(self) -> Better:
        """Which way it points."""

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read sources and references once; what is returned measures one list of outputs, one a source."""


def mean_of(name: str, items: NDArray[np.float64], signature: str, better: Better) -> Measured:
    """A metric whose value over a set is the mean over its items.

    >>> mean_of("pinc", np.array([0.0, 0.5]), "pinc|n:4", "higher").value
    0.25
    """
    items = np.asarray(items, dtype=np.float64)
    statistics = np.column_stack([items, np.ones(len(items))])
    return Measured(
        name=name,
        value=float(items.mean()) if len(items) else float("nan"),
        items=items,
        signature=signature,
        better=better,
        statistics=statistics,
        combine=_mean_of_sums,
    )


def _mean_of_sums(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sums[..., 0] / sums[..., 1])


def signature(name: str, settings: Mapping[str, object]) -> str:
    """A name and its settings in the manner of sacrebleu, in the order given.

    >>> signature("pinc", {"n": 4, "case": "lc"})
    'pinc|n:4|case:lc'
    """
    return "|".join([name, *(f"{key}:{value}" for key, value in settings.items())])
