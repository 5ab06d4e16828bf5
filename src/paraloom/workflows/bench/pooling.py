"""Results of one contender on one corpus in, its figures out: over all folds and seeds, with intervals.

Scores of all folds are pooled: every pair was scored by a training that had not seen its group. Where there are several
seeds, figures are means over them. For intervals whole groups of pairs are drawn again, for all seeds alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import (
    DecisionPoint,
    best_f1,
    mean_of_runs,
    measure_decisions,
    weights_for_base_rate,
)
from paraloom.metrics.identification.figures import draws_told
from paraloom.metrics.identification.ranking import FIGURES, Ranking, compare_resampled, resampled_figures
from paraloom.metrics.significance import LEVEL, SEED, Comparison, Groups, bootstrap_intervals, percentile_interval
from paraloom.reports.bench_identification_rows import BenchFigure
from paraloom.workflows.bench.draws import Drawn, read_drawn, write_drawn
from paraloom.workflows.bench.results import Floats, Result

MAIN = "max-f1"
"""What systems are ranked and compared by."""


@dataclass(frozen=True)
class Pooled:
    """All results of one contender on one corpus by one plan."""

    results: tuple[Result, ...]
    resamples: int
    kept_in: Path | None = None
    """Folder that keeps what is drawn again: on a large corpus it takes seconds a row."""

    @property
    def first(self) -> Result:
        """One of the results, for what they have in common."""
        return self.results[0]

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """Trainings of each part that are all there."""
        by_seed: dict[int, set[int]] = {}
        for result in self.results:
            by_seed.setdefault(result.seed, set()).add(result.fold)
        most = max(map(len, by_seed.values()))
        return tuple(sorted(seed for seed, folds in by_seed.items() if len(folds) == most))

    @cached_property
    def folds(self) -> tuple[int, ...]:
        """Parts that there are results of."""
        return tuple(sorted({result.fold for result in self._of(self.seeds[0])}))

    @property
    def is_whole(self) -> bool:
        """Whether every part was measured on."""
        return len(self.folds) == self.first.folds

    def _of(self, seed: int) -> list[Result]:
        return sorted((result for result in self.results if result.seed == seed), key=lambda result: result.fold)

    @cached_property
    def truth(self) -> NDArray[np.bool_]:
        """Of the pooled pairs, fold after fold."""
        return np.concatenate([result.truth_array() for result in self._of(self.seeds[0])])

    @cached_property
    def scores(self) -> tuple[Floats, ...]:
        """Of the pooled pairs, one array a seed."""
        return tuple(np.concatenate([result.score_array() for result in self._of(seed)]) for seed in self.seeds)

    @cached_property
    def groups(self) -> Groups | None:
        """Of the pooled pairs; no group is in two folds. None where a result does not tell those of its pairs."""
        numbers: list[Groups] = []
        for result in self._of(self.seeds[0]):
            if len(result.groups) != len(result.truth):
                return None
            before = int(numbers[-1].max()) + 1 if numbers else 0
            numbers.append(np.array(result.groups, np.int64) + before)
        return np.concatenate(numbers)

    @cached_property
    def grades(self) -> tuple[tuple[list[str], list[str]], ...]:
        """Labels of a graded scheme, true and predicted, of the pooled pairs, one pair of lists a seed."""
        return tuple(
            (
                [grade for result in self._of(seed) for grade in result.true_grades],
                [grade for result in self._of(seed) for grade in result.predicted_grades],
            )
            for seed in self.seeds
        )

    @cached_property
    def rankings(self) -> list[Ranking]:
        """The pairs by their scores, one a seed."""
        return [Ranking.of(scores, self.truth) for scores in self.scores]

    @property
    def resampled(self) -> Floats:
        """Max F1, average precision and ROC-AUC over draws of the groups: the mean over seeds of each draw."""
        return self._drawn.resampled

    @cached_property
    def _drawn(self) -> Drawn:
        file = None if self.kept_in is None else self.kept_in / f"{self._key()}.json"
        found = None if file is None else read_drawn(file)
        if found is None:
            found = self._draw()
            if file is not None:
                write_drawn(found, file)
        return found

    def _key(self) -> str:
        digest = blake2b(f"{paraloom_version()} {self.resamples} {SEED} {LEVEL}".encode(), digest_size=8)
        for values in (self.truth, *self.scores, *([] if self.groups is None else [self.groups])):
            digest.update(values.tobytes())
        return digest.hexdigest()

    def _draw(self) -> Drawn:
        runs = [measure_decisions(scores, self.truth) for scores in self.scores]
        joint = [mean_of_runs([run[name] for run in runs]) for name in runs[0]]
        intervals = bootstrap_intervals(joint, groups=self.groups, resamples=self.resamples, seed=SEED)
        bounds = {one.name: interval for one, interval in zip(joint, intervals, strict=True)}
        drawn = resampled_figures(self.rankings, groups=self.groups, resamples=self.resamples, seed=SEED)
        resampled = np.mean(drawn, axis=0)
        for place, name in enumerate(FIGURES):
            bounds[name] = percentile_interval(resampled[:, place], LEVEL, SEED)
        ends = {name: (one.low, one.high) for name, one in bounds.items() if one is not None}
        return Drawn(bounds=ends, resampled=np.asarray(resampled, np.float64))

    @cached_property
    def best(self) -> list[DecisionPoint]:
        """Where max F1 lies, one point a seed."""
        return [best_f1(scores, self.truth) for scores in self.scores]

    def figures(self) -> dict[str, BenchFigure]:
        """Every metric by its name."""
        runs = [measure_decisions(scores, self.truth) for scores in self.scores]
        ranked = [dict(zip(FIGURES, ranking.figures().tolist(), strict=True)) for ranking in self.rankings]
        found = {
            name: self._figure(name, [run[name].value for run in runs], one.signature) for name, one in runs[0].items()
        }
        found |= {name: self._figure(name, [one[name] for one in ranked], f"{name}|ties:together") for name in FIGURES}
        for part in ("precision", "recall", "threshold"):
            name, values = f"{MAIN}-{part}", [getattr(point, part) for point in self.best]
            found[name] = self._figure(name, values, f"{name}|ties:together")
        return found

    def _figure(self, name: str, values: Sequence[float], signature: str) -> BenchFigure:
        signature = f"{signature}|pairs:{len(self.truth)}|seeds:{len(values)}"
        low, high = self._drawn.bounds.get(name, (None, None))
        if low is not None:
            drawn = draws_told(None if self.groups is None else int(self.groups.max()) + 1)
            signature = f"{signature}|{drawn}|bootstrap:{self.resamples}|seed:{SEED}"
        return BenchFigure(
            value=float(np.mean(values)),
            low=low,
            high=high,
            seeds=tuple(values),
            signature=signature,
        )

    def at_base_rate(self, base_rate: float) -> float:
        """Max F1 as if so large a share of the pairs were paraphrases."""
        weights = weights_for_base_rate(self.truth, base_rate)
        return float(np.mean([best_f1(scores, self.truth, weights).f1 for scores in self.scores]))

    def by_fold(self) -> list[float]:
        """Max F1 of every fold alone, in which there are both kinds of pairs, of all seeds."""
        values = []
        for seed in self.seeds:
            for result in self._of(seed):
                truth = result.truth_array()
                if truth.any() and not truth.all():
                    values.append(best_f1(result.score_array(), truth).f1)
        return values

    def compared_with(self, other: Pooled) -> Comparison | None:
        """Max F1 less that of another contender on the same draws; None where that was not measured on these pairs."""
        same = other._on_the_pairs_of(self)
        if same is None:
            return None
        ours, theirs = (np.mean([ranking.figures() for ranking in one.rankings], axis=0) for one in (self, same))
        found = compare_resampled(ours, theirs, self.resampled, same.resampled, seed=SEED)
        return next(one for one in found if one.name == MAIN)

    def _on_the_pairs_of(self, other: Pooled) -> Pooled | None:
        """These results as far as they are on another's folds: one split in 80% and 20% is the first of five folds."""
        folds = [result.truth for result in other._of(other.seeds[0])]
        same = tuple(result for result in self.results if result.truth in folds)
        if not same:
            return None
        found = self if len(same) == len(self.results) else Pooled(same, self.resamples, self.kept_in)
        return found if np.array_equal(found.truth, other.truth) and _same(found.groups, other.groups) else None


def _same(one: Groups | None, other: Groups | None) -> bool:
    return one is other if one is None or other is None else np.array_equal(one, other)


def pool(results: Sequence[Result], resamples: int, kept_in: Path | None = None) -> Pooled:
    """Results of one plan as one; an error where nothing can be told apart."""
    pooled = Pooled(tuple(results), resamples, kept_in)
    if pooled.truth.all() or not pooled.truth.any():
        raise InputError(f"all {len(pooled.truth)} pairs are of one kind")
    return pooled


def by_plan(results: Sequence[Result]) -> Mapping[str, list[Result]]:
    """Results of one contender that belong together."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.plan, []).append(result)
    return found
