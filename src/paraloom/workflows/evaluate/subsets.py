"""A measured metric in, its values over parts of the set out, without measuring again.

Where a metric follows from sums over items, any part of a set costs one sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.measured import Measured
from paraloom.reports.parrot_summary import CountBin, SampledMetric

COUNT_EDGES = (*range(1, 11), 12, 15, 20, 30, 50, 100)
"""Where bins of reference counts begin: single counts first, then wider and wider."""


def can_be_summed(measured: Measured) -> bool:
    """Whether the metric of a part of the set follows from the items' statistics."""
    return measured.statistics is not None and measured.combine is not None


def value_over(measured: Measured, rows: NDArray[np.int64]) -> float:
    """The metric over these items alone.

    >>> from paraloom.metrics.measured import mean_of
    >>> value_over(mean_of("pinc", np.array([0.0, 0.5, 1.0]), "pinc", "higher"), np.array([1, 2]))
    0.75
    """
    if measured.statistics is None or measured.combine is None:
        raise ValueError(f"{measured.name} does not follow from sums over items.")
    return float(measured.combine(measured.statistics[rows].sum(axis=0)))


def by_reference_count(counts: Sequence[int], measured: Sequence[Measured]) -> tuple[CountBin, ...]:
    """Each metric over the sources with so many references (figures 1 and 2 of Mao and Lee, 2019)."""
    had = np.asarray(counts)
    bins = []
    largest = int(had.max())
    for least, following in pairwise([*(edge for edge in COUNT_EDGES if edge <= largest), largest + 1]):
        rows = np.flatnonzero((had >= least) & (had < following))
        if not len(rows):
            continue
        most = int(had[rows].max())
        bins.append(
            CountBin(
                name=str(least) if following == least + 1 or most == least else f"{least}\u2013{most}",
                least=least,
                most=most,
                sources=len(rows),
                values={one.name: value_over(one, rows) for one in measured if can_be_summed(one)},
            )
        )
    return tuple(bins)


def sampled_sets(
    measured: Sequence[Measured], *, samples: int, sample_size: int, seed: int
) -> tuple[SampledMetric, ...]:
    """Each metric over test sets drawn at random, without replacement within a set (Table 4 of Mao and Lee, 2019).

    Nothing where the whole is no larger than one sample: all samples would be the same.
    """
    usable = [one for one in measured if can_be_summed(one)]
    if not usable or samples < 2 or len(usable[0].items) <= sample_size:
        return ()
    random = np.random.default_rng(seed)
    values = np.empty((samples, len(usable)))
    for drawn in range(samples):
        rows = random.choice(len(usable[0].items), size=sample_size, replace=False, shuffle=False)
        values[drawn] = [value_over(one, rows) for one in usable]
    return tuple(
        SampledMetric(
            name=one.name,
            mean=float(column.mean()),
            deviation=float(column.std(ddof=1)),
            smallest=float(column.min()),
            largest=float(column.max()),
        )
        for one, column in zip(usable, values.T, strict=True)
    )
