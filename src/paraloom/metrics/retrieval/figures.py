"""Places of answers and labels of pairs in, figures of every embedder and their differences out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.identification.figures import Figure, SystemComparison, draws_told
from paraloom.metrics.identification.ranking import (
    FIGURES,
    Ranking,
    compare_resampled,
    intervals_of,
    resampled_figures,
)
from paraloom.metrics.measured import Measured, mean_of
from paraloom.metrics.retrieval.labels import in_order
from paraloom.metrics.retrieval.places import Places
from paraloom.metrics.retrieval.vectors import MILLIONTHS
from paraloom.metrics.significance import RESAMPLES, SEED, Groups, bootstrap_intervals, compare, numbered

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

KS = (1, 10, 100, 1000, 2048)
"""How many of the first candidates are looked at (Kanerva et al., 2023, section 8.2)."""
AVERAGE_RANK, RECIPROCAL, AREA, FORGIVING = "average-rank", "mrr", "roc-auc", "top-1-forgiving"
COMPARED = ("top-1", AVERAGE_RANK, RECIPROCAL)
"""What is compared by bootstrap and by randomisation; the area is compared by bootstrap alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one embedder made of the pairs: where their answers stand."""

    name: str
    made_by: str
    """The embedder's signature."""
    places: Places
    forgiving: Places
    """Where other texts that are known to be right answers are no candidates."""
    similarities: Integers
    """Of the two texts of each pair, in millionths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFigures:
    """Figures of the pairs with one label."""

    label: str
    pairs: int
    figures: Mapping[str, Figure]

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"pairs": self.pairs, **_plain(self.figures)}


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderFigures:
    """All that is measured of one embedder on one set of pairs."""

    name: str
    made_by: str
    pairs: int
    paraphrases: int
    candidates: int
    """How many are ranked for each query."""
    figures: Mapping[str, Figure]
    """Of the paraphrases; `roc-auc` of all pairs."""
    parts: Sequence[PartFigures]
    """By label."""
    ks: tuple[int, ...]
    not_measured: Mapping[str, str]
    """Figures that these pairs have none of, and why."""

    def as_json(self) -> dict[str, Any]:
        """`{"metrics": …, "signature": …}` and all else, as plain values."""
        return _plain(self.figures) | {
            "signature": {name: figure.signature for name, figure in self.figures.items()},
            "labels": {part.label: part.as_json() for part in self.parts},
            "not_measured": dict(self.not_measured),
            "made_by": self.made_by,
            "pairs": self.pairs,
            "paraphrases": self.paraphrases,
            "candidates": self.candidates,
        }


def _plain(figures: Mapping[str, Figure]) -> dict[str, Any]:
    intervals = {name: figure.interval for name, figure in figures.items()}
    return {
        "metrics": {name: figure.value for name, figure in figures.items()},
        "intervals": {name: None if one is None else [one.low, one.high] for name, one in intervals.items()},
    }


def measure_retrieval(
    found: Sequence[Found],
    labels: Sequence[str],
    truth: NDArray[np.bool_],
    *,
    ks: Sequence[int] = KS,
    groups: Groups | None = None,
    settings: str = "",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[list[EmbedderFigures], list[SystemComparison]]:
    """Figures of every embedder on the same pairs, and every two of them compared on the same draws.

    `labels` are the parts that pairs are measured in, `truth` which pairs are paraphrases; what is drawn are the pairs,
    or their groups. `settings` is what else decides a figure, for signatures.

    >>> places = Places(above=np.array([0, 4, 50]), tied=np.zeros(3, int), candidates=100)
    >>> one = Found(
    ...     name="one", made_by="one|v1", places=places, forgiving=places, similarities=np.array([900_000, 800_000, 1])
    ... )
    >>> (figures,), _ = measure_retrieval([one], ["4", "4", "2"], np.array([True, True, False]), resamples=10)
    >>> {name: figures.figures[name].value for name in ("top-1", "top-10", "average-rank", "mrr", "roc-auc")}
    {'top-1': 0.5, 'top-10': 1.0, 'average-rank': 2.0, 'mrr': 0.6, 'roc-auc': 1.0}
    >>> [(part.label, part.figures["average-rank"].value) for part in figures.parts]
    [('2', 50.0), ('4', 2.0)]
    """
    drawing = _Drawing(groups=groups, settings=settings, resamples=resamples, seed=seed)
    every = np.asarray(labels, dtype=object)
    parts = {label: np.flatnonzero(every == label) for label in in_order(labels)}
    positives = np.flatnonzero(truth)
    measured = [_means(one, ks, positives) for one in found]
    figures = [
        EmbedderFigures(
            name=one.name,
            made_by=one.made_by,
            pairs=len(truth),
            paraphrases=len(positives),
            candidates=one.places.candidates,
            figures=drawing.figures(means, positives, one.made_by),
            parts=[
                PartFigures(
                    label=label, pairs=len(rows), figures=drawing.figures(_means(one, ks, rows), rows, one.made_by)
                )
                for label, rows in parts.items()
            ],
            ks=tuple(sorted(set(ks))),
            not_measured={},
        )
        for one, means in zip(found, measured, strict=True)
    ]
    compared = _compared(found, measured, positives, drawing) if len(positives) > 1 else []
    if truth.all() or not truth.any():
        kind = "paraphrase" if truth.all() else "other pair"
        why = f"every pair is {'an ' if kind[0] == 'o' else 'a '}{kind}"
        return [replace(one, not_measured={AREA: why}) for one in figures], compared
    return _with_areas(found, figures, truth, drawing, compared)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """How draws are made, and told in signatures."""

    groups: Groups | None
    settings: str
    resamples: int
    seed: int

    def of(self, rows: Integers) -> Groups | None:
        return None if self.groups is None else numbered(self.groups[rows], len(rows))

    def told(self, rows: Integers) -> str:
        groups = self.of(rows)
        count = None if groups is None or not len(groups) else int(groups.max()) + 1
        drawn = f"{draws_told(count)}|bootstrap:{self.resamples}|seed:{self.seed}"
        return "|".join(part for part in (f"pairs:{len(rows)}", self.settings, drawn) if part)

    def figures(self, means: Mapping[str, Measured], rows: Integers, made_by: str) -> dict[str, Figure]:
        if not len(rows):
            return {}
        intervals = bootstrap_intervals(
            list(means.values()), groups=self.of(rows), resamples=self.resamples, seed=self.seed
        )
        return {
            name: Figure(
                value=one.value,
                interval=interval,
                signature=f"{one.signature}|{self.told(rows)}|{made_by}",
                better=one.better,
            )
            for (name, one), interval in zip(means.items(), intervals, strict=True)
        }


def _means(found: Found, ks: Sequence[int], rows: Integers) -> dict[str, Measured]:
    """Every figure that is a mean over queries, of the pairs with these numbers."""
    places, told = found.places, f"candidates:{found.places.candidates}|ties:mean"
    means = [mean_of(f"top-{k}", places.within(k)[rows], f"top-{k}|{told}", "higher") for k in sorted(set(ks))]
    means += [
        mean_of(AVERAGE_RANK, places.percent()[rows], f"{AVERAGE_RANK}|unit:percent|{told}", "lower"),
        mean_of(RECIPROCAL, places.reciprocal()[rows], f"{RECIPROCAL}|{told}", "higher"),
        mean_of(FORGIVING, found.forgiving.within(1)[rows], f"top-1|other-answers:left-out|{told}", "higher"),
    ]
    return {one.name: one for one in means}


def _compared(
    found: Sequence[Found], measured: Sequence[Mapping[str, Measured]], rows: Integers, drawing: _Drawing
) -> list[SystemComparison]:
    groups = drawing.of(rows)
    told = []
    for (first, ours), (second, other) in combinations(enumerate(found), 2):
        for name in [name for name in COMPARED if name in measured[first]]:
            one, two = measured[first][name], measured[second][name]
            both = [
                compare(one, two, groups=groups, method=method, resamples=drawing.resamples, seed=drawing.seed)
                for method in ("bootstrap", "randomisation")
            ]
            told.append(
                SystemComparison(
                    ours=ours.name, other=other.name, bootstrap=both[0], randomisation_p_value=both[1].p_value
                )
            )
    return told


def _with_areas(
    found: Sequence[Found],
    figures: Sequence[EmbedderFigures],
    truth: NDArray[np.bool_],
    drawing: _Drawing,
    compared: list[SystemComparison],
) -> tuple[list[EmbedderFigures], list[SystemComparison]]:
    """How often a paraphrase is more similar than another pair: what a search cannot tell, and a threshold needs."""
    rankings = [Ranking.of(one.similarities / MILLIONTHS, truth) for one in found]
    resampled = resampled_figures(rankings, groups=drawing.groups, resamples=drawing.resamples, seed=drawing.seed)
    place = FIGURES.index(AREA)
    whole = []
    for one, ranking, drawn in zip(figures, rankings, resampled, strict=True):
        area = Figure(
            value=float(ranking.figures()[place]),
            interval=intervals_of(drawn, seed=drawing.seed)[AREA],
            signature=f"{AREA}|ties:together|{drawing.told(np.arange(len(truth)))}|{one.made_by}",
            better="higher",
        )
        whole.append(replace(one, figures={**one.figures, AREA: area}))
    for (first, ours), (second, other) in combinations(enumerate(found), 2):
        values = rankings[first].figures(), rankings[second].figures()
        both = compare_resampled(*values, resampled[first], resampled[second], seed=drawing.seed)
        compared = [
            *compared,
            SystemComparison(ours=ours.name, other=other.name, bootstrap=both[place], randomisation_p_value=None),
        ]
    return whole, compared
