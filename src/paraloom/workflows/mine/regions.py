"""Judged candidates and an identifier in, where they are safely negative or positive out (Kanerva et al., 2023, §7.2).

The paper's bounds are measured as they are; beside them bounds are sought, on the dev pairs, that take most candidates
at a wanted precision, and checked on the test pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.likeness.character_cosine import SIGNATURE
from paraloom.metrics.regions.estimates import Share, measure_region, weighted_share
from paraloom.metrics.regions.intervals import intervals_of
from paraloom.metrics.regions.tiles import tile_map
from paraloom.pairs.region_options import RegionOptions
from paraloom.pairs.regions import Scored, best_negatives, best_positives, negatives, positives
from paraloom.reports.regions import PUBLISHED, RegionRow, RegionsReport
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.mine.region_files import JudgedCandidates, read_judged
from paraloom.workflows.mine.region_options import MeasureOptions, ScoringOptions
from paraloom.workflows.mine.scoring import Scorer

INTERVALS = 20

Truths = NDArray[np.bool_]
INSIDE: dict[str, Callable[[Scored, RegionOptions], Truths]] = {"negatives": negatives, "positives": positives}
"""By what pairs are taken for: which lie in the region."""
BEST = {"negatives": best_negatives, "positives": best_positives}
BOUNDS = {
    "negatives": ("max_similarity", "min_confidence"),
    "positives": ("positive_similarity", "positive_confidence"),
}


def measure_regions(
    judged: str | Path,
    bounds: RegionOptions = RegionOptions(),
    scoring: ScoringOptions = ScoringOptions(),
    options: MeasureOptions = MeasureOptions(),
) -> RegionsReport:
    """The heat map of a judged sample, and how far each region can be trusted."""
    scorer = Scorer(model=scoring.model, asked=scoring.definition)
    read = read_judged(
        Path(judged),
        options.drawn,
        scorer,
        columns=named_columns(scoring.columns),
        dev_share=options.dev_share,
    )
    return regions_report(Path(judged).name, read, scorer.signature, bounds, options)


def regions_report(
    name: str, read: JudgedCandidates, identifier: str, bounds: RegionOptions, options: MeasureOptions
) -> RegionsReport:
    """The same of judged pairs with all their numbers."""
    is_negative = ~read.is_paraphrase
    return RegionsReport(
        name=name,
        pairs=len(read),
        negatives=int(is_negative.sum()),
        tiles=tile_map(
            read.scored.similarity, read.scored.negative, is_negative, read.weights, options.steps, read.strata
        ),
        intervals=tuple(_by_interval(read)),
        rows=tuple(_rows(read, bounds, options.wanted_precision)),
        is_weighted=read.is_weighted,
        notes=read.notes,
        scored_by=read.scored_by,
        signature=f"similarity:{SIGNATURE.replace('|', ',')}|identifier:{identifier.replace('|', ',')}"
        f"|wanted:{options.wanted_precision:g}|weights:{'population' if read.is_weighted else 'none'}"
        f"|interval:wilson{',stratified' if read.strata is not None else ''}|paraloom:{paraloom_version()}",
    )


def _by_interval(read: JudgedCandidates) -> Iterator[Share]:
    places = intervals_of(read.scored.similarity, INTERVALS)
    for place in range(INTERVALS):
        yield weighted_share(~read.is_paraphrase, read.weights, among=places == place, strata=read.strata)


def _rows(read: JudgedCandidates, bounds: RegionOptions, wanted: float) -> Iterator[RegionRow]:
    dev, test = read.chosen(read.is_dev), read.chosen(~read.is_dev)
    sought = _sought(dev, wanted) if len(dev) else {}
    for kind in INSIDE:
        yield _row(kind, read, bounds, "all")
        if kind in sought:
            yield _row(kind, dev, sought[kind], "dev", is_chosen=True)
            yield _row(kind, test, sought[kind], "test", is_chosen=True)


def _sought(dev: JudgedCandidates, wanted: float) -> dict[str, RegionOptions]:
    """By what pairs are taken for, the best bounds; a pair of both regions is a negative, as where pairs are taken."""
    best = {kind: find(dev.scored, dev.is_paraphrase, dev.weights, wanted, dev.strata) for kind, find in BEST.items()}
    found = {kind: bounds for kind, bounds in best.items() if bounds is not None}
    if found.keys() >= INSIDE.keys():
        first = {name: getattr(found["negatives"], name) for name in BOUNDS["negatives"]}
        found["positives"] = replace(found["positives"], **first)
    return found


def _row(
    kind: str, read: JudgedCandidates, bounds: RegionOptions, measured_on: str, *, is_chosen: bool = False
) -> RegionRow:
    is_right = read.is_paraphrase if kind == "positives" else ~read.is_paraphrase
    inside = INSIDE[kind](read.scored, bounds)
    given = {name: getattr(bounds, name) for name in BOUNDS[kind]}
    is_published = all(value == getattr(RegionOptions(), name) for name, value in given.items())
    return RegionRow(
        kind=kind,
        rule=told_bounds(kind, bounds),
        measured_on=measured_on,
        region=measure_region(inside, is_right, read.weights, read.strata),
        bounds=given,
        is_chosen=is_chosen,
        published=PUBLISHED[kind] if is_published else None,
    )


def told_bounds(kind: str, bounds: RegionOptions) -> str:
    """A region in words.

    >>> told_bounds("negatives", RegionOptions()), told_bounds("positives", RegionOptions())
    ('similarity < 0.1 or confidence > 0.4', 'similarity > 0.5 and confidence ≥ 0.998')
    """
    if kind == "negatives":
        return f"similarity < {bounds.max_similarity:g} or confidence > {bounds.min_confidence:g}"
    return f"similarity > {bounds.positive_similarity:g} and confidence ≥ {bounds.positive_confidence:g}"
