"""A folder of results in, the results of each contender on each corpus out: of one plan, and of the corpus as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from paraloom.errors import InputError
from paraloom.workflows.bench.measured_groups import MeasuredGroups
from paraloom.workflows.bench.pooling import Pooled, by_plan, pool
from paraloom.workflows.bench.results import Result, is_of_this_version, read_results

DRAWS = "draws"
"""Folder that keeps what was drawn for intervals."""

Place = tuple[str, str]
"""A corpus and the name of a contender on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What lies in a folder, as far as it can stand in one table."""

    pooled: Mapping[Place, Pooled]
    why_not: Mapping[Place, str]
    """Results that cannot be measured, and why."""
    notes: tuple[str, ...]


def collect(
    folder: Path,
    hashes: Mapping[str, str],
    plans: Mapping[Place, str],
    resamples: int,
    groups: MeasuredGroups = MeasuredGroups({}),
) -> Collected:
    """Of every contender the results of one plan: the one asked for, else the one with most folds and seeds.

    `hashes` are those of the corpora as they are read now: results on other pairs are left aside, and counted.
    `groups` has those of results that do not tell theirs.
    """
    found: dict[Place, list[Result]] = {}
    other_pairs, other_version = 0, 0
    for result in read_results(folder):
        if not is_of_this_version(result):
            other_version += 1
        elif hashes.get(result.corpus, result.corpus_hash) != result.corpus_hash:
            other_pairs += 1
        else:
            found.setdefault((result.corpus, result.contender), []).append(result)
    pooled, why_not = {}, {}
    for place, results in found.items():
        try:
            chosen = [replace(result, groups=groups.of(result)) for result in _of_one_plan(results, plans.get(place))]
            pooled[place] = pool(chosen, resamples, folder / DRAWS)
        except InputError as error:
            why_not[place] = str(error)
    notes = _notes(
        (other_pairs, "on other pairs than the corpora hold now"), (other_version, "of another version of Paraloom")
    )
    return Collected(pooled=pooled, why_not=why_not, notes=tuple(notes))


def _of_one_plan(results: list[Result], asked: str | None) -> list[Result]:
    plans = {plan: _once_each(found) for plan, found in by_plan(results).items()}
    if asked is not None and asked in plans:
        return plans[asked]
    return max(plans.values(), key=_completeness)


def _once_each(results: list[Result]) -> list[Result]:
    """One result a fold and seed: where what is fitted on was divided anew, that of the later version of Paraloom."""
    return list({(one.fold, one.seed): one for one in sorted(results, key=lambda one: bool(one.groups))}.values())


def _completeness(results: list[Result]) -> tuple[bool, int, str]:
    """Whole ones first, then those with more trainings; the name decides, so that the choice is always the same."""
    seen = {(result.fold, result.seed) for result in results}
    return len({fold for fold, _ in seen}) == results[0].folds, len(seen), results[0].plan


def _notes(*left_aside: tuple[int, str]) -> Iterable[str]:
    for count, why in left_aside:
        if count:
            results = "1 result in the folder is" if count == 1 else f"{count} results in the folder are"
            yield f"{results} {why}: left aside."
