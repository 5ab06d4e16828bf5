"""Files of judgments in, a file of labels out, and how far the people agree who gave them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.labels.aggregate.exclude import without_low_kappa
from paraloom.labels.graded import GradedAgreement, consensus_of, graded_agreement
from paraloom.labels.label_votes import GRADED, label_votes
from paraloom.metrics.agreement.coefficient import Coefficient, coefficient_intervals
from paraloom.metrics.agreement.cohen import pair_kappas
from paraloom.metrics.agreement.krippendorff import alpha_of_times, krippendorff_alpha
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.significance import check_resampling
from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions
from paraloom.workflows.label.given_votes import GivenVotes, read_votes
from paraloom.workflows.label.options import VoteLabelOptions
from paraloom.workflows.label.summary import Agreement, Annotator, Labelled
from paraloom.workflows.table_files import check_table_file, write_table_file


def label_judgments(
    judgments: Sequence[str | Path],
    out: str | Path,
    options: VoteLabelOptions = VoteLabelOptions(),
    reading: AnswerFileOptions = AnswerFileOptions(),
) -> Labelled:
    """Write a label for each item that was judged, undecided ones too; tell how far its judges agree."""
    target = Path(out)
    check_table_file(target, [Path(file) for file in judgments], "labels", overwrite=options.overwrite)
    check_resampling(options.resamples, seed=options.seed)
    given = read_votes(judgments, options, reading)
    if given.nameless and (options.method != "majority" or options.exclude_below is not None):
        raise InputError(
            "Counts of votes (--votes) do not say who voted, so only --method majority can join them, and nobody can "
            "be left out (--exclude-below)."
        )
    ratings, low = given.ratings, dict[str, float]()
    if options.exclude_below is not None:
        ratings, low = without_low_kappa(ratings, options.exclude_below)
    labelled = label_votes(
        ratings,
        definition=given.definition,
        method=options.method,
        threshold=options.threshold,
        seed=options.seed,
        decisions=given.decisions,
        left_ids=given.left_ids,
        also=[
            ("exclude-below", "none" if options.exclude_below is None else f"{options.exclude_below:g}"),
            ("tests", "yes" if options.include_tests else "no"),
            ("version", paraloom_version()),
        ],
    )
    write_table_file(labelled.table, target)
    said = labelled.table.column("is_paraphrase").to_pylist()
    return Labelled(
        out=str(out),
        definition=given.definition,
        rows=given.rows,
        items=len(said),
        paraphrases=said.count(True),
        others=said.count(False),
        votes=len(ratings.answer),
        decided=labelled.decided,
        aggregated=labelled.aggregated,
        labelled_by=labelled.labelled_by,
        agreement=_agreement(ratings, given, options),
        before=_agreement(given.ratings, given, options) if low else None,
        annotators=() if given.nameless else _annotators(ratings, labelled.aggregated.competence),
        excluded=low,
        excluded_votes=len(given.ratings.answer) - len(ratings.answer),
        superseded=given.superseded,
        tests=given.tests,
        dropped_for=given.dropped_for,
        notes=given.notes,
    )


def _agreement(ratings: Ratings, given: GivenVotes, options: VoteLabelOptions) -> Agreement:
    counts = ratings.counts()
    name = "krippendorff-alpha"
    alpha = krippendorff_alpha(counts)
    intervals = coefficient_intervals(counts, {name: alpha_of_times}, resamples=options.resamples, seed=options.seed)
    kappas = None if given.nameless else pair_kappas(ratings)
    graded: tuple[GradedAgreement, ...] = ()
    settled = None
    if given.definition == GRADED and not given.nameless:
        # Where nothing was decided, only what all agree on is settled, and everybody goes with that.
        settled = consensus_of(ratings, given.decisions) if given.decisions else None
        graded = graded_agreement(ratings, settled)
    return Agreement(
        alpha=Coefficient(
            name=name,
            value=alpha.value,
            why_none=alpha.why_none,
            interval=None if alpha.value is None else intervals[name],
        ),
        mean_kappa=None if kappas is None else kappas.mean(),
        mean_kappa_by_items=None if kappas is None else kappas.mean_by_items(),
        items_compared=counts.items_to_compare,
        graded=graded,
        items_settled=None if settled is None else len(settled),
    )


def _annotators(
    ratings: Ratings, competence: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> tuple[Annotator, ...]:
    """Everybody who voted, the least competent first."""
    votes = np.bincount(ratings.annotator, minlength=len(ratings.annotators))
    found = [
        Annotator(name=name, votes=int(count), competence=None if np.isnan(skill) else round(float(skill), 6))
        for name, count, skill in zip(ratings.annotators, votes, competence, strict=True)
        if count
    ]
    return tuple(sorted(found, key=lambda one: (one.competence is None, one.competence or 0.0, one.name)))
