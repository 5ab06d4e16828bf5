"""What metrics say of outputs and what people said of them in, how far the two go together out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.correlation import spearman
from paraloom.metrics.measured import mean_of
from paraloom.metrics.ratings.grouped_correlation import spearman_intervals, spearman_within
from paraloom.metrics.ratings.rated_outputs import RatedOutputs
from paraloom.metrics.significance import RESAMPLES, SEED, Interval, bootstrap_interval

Floats = NDArray[np.float64]

STARS = ((0.0001, "∗∗∗"), (0.001, "∗∗"), (0.01, "∗"))
"""As in Tables 12 and 13 of Dou et al. (2022)."""

LEAST_FOR_STARS = 10
"""With fewer items the p-value, which is that of Student's t, is far off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCorrelation:
    """One metric against one aspect, over the outputs of one system (of all, where `system` is None)."""

    metric: str
    aspect: str
    system: str | None
    items: int
    value: float | None
    """Spearman's over all items at once; None where one side has no order."""
    p_value: float | None
    """As if items were independent."""
    interval: Interval | None
    """Over draws of whole sources."""
    within: float | None
    """Mean of Spearman's inside each source with several outputs; None where there is no such source."""
    within_interval: Interval | None
    within_sources: int

    @property
    def stars(self) -> str:
        """One star where p is below .01, two below .001, three below .0001."""
        if self.p_value is None or self.items < LEAST_FOR_STARS:
            return ""
        return next((shown for most, shown in STARS if self.p_value < most), "")


def correlate_with_people(
    metrics: Mapping[str, Floats],
    rated: RatedOutputs,
    system: str | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[MetricCorrelation]:
    """Every metric with every aspect and their sum; a value that is NaN leaves its item out.

    `metrics` holds one value an item of `rated`, by the metric's name.
    """
    chosen = np.array([system is None or name == system for name in rated.systems])
    _, source_of = np.unique(np.array(rated.sources, dtype=object), return_inverse=True)
    people = {aspect: rated.means(aspect) for aspect in rated.scored}
    found: dict[tuple[str, str], MetricCorrelation] = {}
    for rows, columns in _alike(metrics, people, chosen):
        names, aspects = list(dict.fromkeys(name for name, _ in columns)), list(dict.fromkeys(a for _, a in columns))
        intervals = spearman_intervals(
            [metrics[name][rows] for name in names],
            [people[aspect][rows] for aspect in aspects],
            source_of[rows],
            resamples=resamples,
            seed=seed,
        )
        for name, aspect in columns:
            found[name, aspect] = _correlated(
                name,
                aspect,
                system,
                metrics[name][rows],
                people[aspect][rows],
                source_of[rows],
                intervals[names.index(name)][aspects.index(aspect)],
                resamples,
                seed,
            )
    return [found[name, aspect] for name in metrics for aspect in rated.scored if (name, aspect) in found]


def _alike(
    metrics: Mapping[str, Floats], people: Mapping[str, Floats], chosen: NDArray[np.bool_]
) -> list[tuple[NDArray[np.int64], list[tuple[str, str]]]]:
    """The items that a metric and an aspect both have, and all metrics and aspects that have the same ones."""
    together: dict[bytes, tuple[NDArray[np.int64], list[tuple[str, str]]]] = {}
    for name, values in metrics.items():
        for aspect, means in people.items():
            both = chosen & np.isfinite(values) & np.isfinite(means)
            if both.any():
                together.setdefault(both.tobytes(), (np.flatnonzero(both), []))[1].append((name, aspect))
    return list(together.values())


def _correlated(
    name: str,
    aspect: str,
    system: str | None,
    values: Floats,
    means: Floats,
    sources: NDArray[np.int64],
    interval: Interval | None,
    resamples: int,
    seed: int,
) -> MetricCorrelation:
    mixed = spearman(values, means)
    within = spearman_within(values, means, sources)
    by_source = mean_of("within", within.by_group, "within", "higher")
    return MetricCorrelation(
        metric=name,
        aspect=aspect,
        system=system,
        items=len(values),
        value=None if mixed is None else mixed.value,
        p_value=None if mixed is None else mixed.p_value,
        interval=interval if mixed is not None else None,
        within=within.value,
        within_interval=bootstrap_interval(by_source, resamples=resamples, seed=seed) if within.groups else None,
        within_sources=within.groups,
    )
