"""Judged candidates in, their numbers and labels out: similarity, confidences, weights, and what they are for.

Labels are graded or yes and no. They may lie in a file of their own, by `pair_id`, as `paraloom label` writes it: then
the drawn sample is given beside it. Where no identifier is asked, pairs without a score are left out and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.likeness.character_cosine import character_cosines
from paraloom.models.identifiers.confidences import has_two_scales
from paraloom.pairs.regions import Scored, Truths
from paraloom.pairs.stratified import DEV, TEST
from paraloom.reports.regions import ScoredBy
from paraloom.tables import make_id
from paraloom.text.counted import counted
from paraloom.workflows.mine.candidates import Block, numbers
from paraloom.workflows.mine.judged_labels import read_labelled
from paraloom.workflows.mine.scoring import TWO_SCALES, Scorer, who_scored


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCandidates:
    """Candidates that people judged, each with all its numbers."""

    scored: Scored
    is_paraphrase: Truths
    weights: NDArray[np.float64]
    """How many candidates each stands for; 1 each where nothing tells it."""
    is_dev: Truths
    """Those to choose by; the others are to check."""
    is_weighted: bool
    notes: tuple[str, ...]
    scored_by: ScoredBy
    strata: NDArray[np.int64] | None = None
    """The number of the interval that each was drawn from; None where nothing tells it."""
    populations: NDArray[np.float64] | None = None
    """Candidates of that interval."""

    def __len__(self) -> int:
        return len(self.is_paraphrase)

    def chosen(self, rows: Truths) -> JudgedCandidates:
        """Some of them, which then stand for all candidates: an interval's are shared by those that are chosen."""
        return replace(
            self,
            scored=self.scored[rows],
            is_paraphrase=self.is_paraphrase[rows],
            weights=self.weights[rows],
            is_dev=self.is_dev[rows],
            strata=None if self.strata is None else self.strata[rows],
            populations=None if self.populations is None else self.populations[rows],
        ).weighted_anew()

    def weighted_anew(self) -> JudgedCandidates:
        """The same with weights that follow from how many were judged of each interval, where that is known."""
        if self.strata is None or self.populations is None:
            return self
        return replace(self, weights=self.populations / np.bincount(self.strata)[self.strata])


def read_judged(
    judged: Path, drawn: Path | None, scorer: Scorer, *, columns: Mapping[str, str], dev_share: float
) -> JudgedCandidates:
    """The judged pairs of a file, or of a drawn sample with labels in another file."""
    labelled = read_labelled(judged, drawn, columns)
    rows = scorer.scorable(labelled.block)
    unscored = len(labelled.block) - len(rows)
    if not rows:
        raise InputError(
            f"{unscored:,} of {unscored:,} pairs come without a score. Score them: --model NAME, or `paraloom "
            "identify` first."
        )
    weights = _weights(labelled.block).chosen(np.array(rows))
    is_dev, about_split = _is_dev(labelled.block, dev_share)
    block = labelled.block.chosen(rows)
    about = []
    if unscored:
        told = counted(unscored, "pair comes", "pairs come")
        about.append(f"{told} without a score, left out as `select` leaves such pairs out: --model NAME scores all.")
    if not weights.is_given:
        about.append("No column of weights tells how many candidates a pair stands for: all count alike.")
    definition, signature = who_scored(block)
    has_grades = "grade" in block.columns and labelled.label_column != "grade"
    if not scorer.model and (has_grades or has_two_scales(signature, definition)):
        about.append(TWO_SCALES)
    return JudgedCandidates(
        scored=scorer.scored(block, character_cosines(block.left, block.right)),
        is_paraphrase=np.array(labelled.is_paraphrase)[rows],
        weights=weights.weights,
        is_dev=is_dev[rows],
        is_weighted=weights.is_given,
        notes=(*labelled.notes, *about, *about_split, *scorer.notes()),
        strata=weights.strata,
        populations=weights.populations,
        scored_by=_scored_by(scorer, definition, signature),
    ).weighted_anew()


def _scored_by(scorer: Scorer, definition: str, signature: str) -> ScoredBy:
    if scorer.model:
        return ScoredBy(model=scorer.model, definition=scorer.definition, signature=scorer.identifier.signature)
    if scorer.asked and definition and scorer.asked != definition:
        raise InputError(
            f"The pairs come with scores for the definition {definition!r}, not {scorer.asked!r}. Leave out "
            "--definition, or score them: --model NAME."
        )
    return ScoredBy(model="", definition=definition or scorer.definition, signature=signature)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    """How many candidates each judged pair stands for."""

    weights: NDArray[np.float64]
    is_given: bool
    strata: NDArray[np.int64] | None = None
    """The number of the interval that each was drawn from."""
    populations: NDArray[np.float64] | None = None
    """Candidates of that interval."""

    def chosen(self, rows: NDArray[np.int64]) -> _Weights:
        """Those that have a score: of an interval's candidates they stand for as many as have one too."""
        strata, populations = self.strata, self.populations
        if strata is not None and populations is not None:
            shares = np.bincount(strata[rows], minlength=strata.max() + 1) / np.bincount(strata)
            populations = populations * shares[strata]
        return _Weights(
            weights=self.weights[rows],
            is_given=self.is_given,
            strata=None if strata is None else strata[rows],
            populations=None if populations is None else populations[rows],
        )


def _weights(block: Block) -> _Weights:
    """As the file tells them; where it names no interval, pairs of one weight are taken for drawn from one."""
    if "weight" not in block.columns:
        return _Weights(weights=np.ones(len(block)), is_given=False)
    weights = numbers(block.columns["weight"], "weight")
    if np.isnan(weights).any() or (weights < 0).any():
        raise InputError(
            "The column weight must hold a number from 0 on in every row. Give the sample as it was drawn."
        )
    if not {"interval", "population"} <= set(block.columns):
        return _Weights(weights=weights, is_given=True, strata=_numbered(weights.tolist()))
    populations = numbers(block.columns["population"], "population")
    if np.isnan(populations).any() or (populations < 0).any():
        raise InputError("The column population must hold a number from 0 on in every row. Give the sample as drawn.")
    strata = _numbered(block.columns["interval"])
    return _Weights(weights=weights, is_given=True, strata=strata, populations=populations)


def _numbered(values: Sequence[Any]) -> NDArray[np.int64]:
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return np.array([places[value] for value in values], np.int64)


def _is_dev(block: Block, share: float) -> tuple[Truths, list[str]]:
    """Which pairs choose bounds: as the file says, else a share of them; and what is to be said of it."""
    splits = ["" if one is None else str(one).strip() for one in block.columns.get("split", ())]
    others = Counter(split for split in splits if split not in (DEV, TEST))
    if splits and not others:
        return np.array([split == DEV for split in splits]), []
    if len(splits) > others.total():
        told = ", ".join(f"{split or 'nothing'} ({count:,})" for split, count in others.most_common(5))
        raise InputError(
            f"The column split holds {told} beside {DEV} and {TEST}. Say {DEV} or {TEST} of every pair, or leave the "
            f"column out."
        )
    # By the texts, so that a pair is on the same side whatever file it comes from.
    places = [
        int(make_id("split", *sorted(pair))[:8], 16) / 2**32 for pair in zip(block.left, block.right, strict=True)
    ]
    told = ", ".join(split for split, _ in others.most_common(5) if split)
    about = f"The column split says neither {DEV} nor {TEST} ({told}): pairs were divided by --dev-share."
    return np.array(places) < share, [about] if told else []
