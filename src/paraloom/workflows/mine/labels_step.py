"""Mined pairs in, an identifier's labels out, of all that are kept or of those of the highest rank.

Scores that this run or another one has of a pair are taken from there: a changed threshold, more pairs to judge or a
run that has grown cost what is new.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.passes import BucketPass, Pass, Read
from paraloom.engine.rows import row_schema
from paraloom.engine.steps import Step
from paraloom.engine.store import made_by_file, read_made_by, write_text
from paraloom.labels.label import PairLabeller, labels_of_scores
from paraloom.labels.options import LabelOptions
from paraloom.tables import Label
from paraloom.workflows.mine.known_scores import FROM, KnownScores, judged_alike

if TYPE_CHECKING:
    from paraloom.engine.layout import Laid
    from paraloom.workflows.mine.options import JudgeOptions

JUDGED_A_TASK = 4096
"""Pairs that one task judges: some seconds' work."""
TAKEN = "labels.taken.json"
"""The file of a run that says how many scores are from which other runs; absent where none are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A pair to be labelled: its texts, or what is known of it from before."""

    pair_id: str
    left: str | None
    right: str | None
    score: float | None
    grade: str | None
    labelled_by: str | None
    known_from: int | None
    """Which of the runs that were judged before has the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How much there is to judge."""

    waiting: int
    """Pairs that nobody has judged."""
    taken: Mapping[str, int]
    """Scores that are known, by the name of the run they are from."""
    asked: Laid
    """All of them (`Asked`)."""


def labels_step(
    run: Path,
    options: JudgeOptions,
    earlier: Sequence[Path] = (),
    *,
    begin: Callable[[Judging], None] = lambda judging: None,
) -> Step:
    """Pairs → labels; `begin` is told before the first pair is judged."""
    from paraloom.models.identifiers import weight_files

    weights = weight_files(options.identifier)
    known = judged_alike((run, *earlier), options, weights)
    return Step(
        table="labels",
        passes=(
            BucketPass(
                name="asked",
                reads=(Read(table="pairs", columns=("pair_id", "left", "right", "rank")),),
                work=partial(partial, _asked, known=KnownScores(known), most=options.judge_most),
                row=Asked,
                to="pair_id",
            ),
            partial(_identified_pass, run=run, options=label_options(options), known=known, begin=begin),
        ),
        options=_signed(options),
        stages=("labels", "models"),
        inputs=("pairs",),
        weights=weights,
        made_anew_for=_made_anew_for(run, options),
    )


def label_options(options: JudgeOptions) -> LabelOptions:
    """What the labeller is told."""
    return LabelOptions(identifier=options.identifier, definition=options.definition, threshold=options.threshold)


def _signed(options: JudgeOptions) -> tuple[LabelOptions, Mapping[str, int | None]]:
    """The options as they stand in a signature: an identifier's folder by its last part, for its weights are there."""
    from paraloom.models.identifiers.systems import SYSTEMS

    told = label_options(options)
    if told.identifier not in SYSTEMS:
        told = replace(told, identifier=Path(told.identifier).resolve().name)
    return told, {"judge_most": options.judge_most}


def _made_anew_for(run: Path, options: JudgeOptions) -> tuple[str, ...]:
    """What labels follow: a threshold, and more pairs to judge; of fewer, scores would be lost."""
    judged = int(read_made_by(run, "labels")["rows"]) if made_by_file(run, "labels").is_file() else 0
    are_fewer = options.judge_most is not None and options.judge_most < judged
    return ("options.threshold",) if are_fewer else ("options.threshold", "options.judge_most")


def _asked(bucket: int, pairs: pa.Table, *, known: KnownScores, most: int | None) -> Iterator[pa.Table]:
    """The pairs of a bucket whose rank is high enough, those that are known without their texts."""
    if most is not None:
        pairs = pairs.filter(pc.less_equal(pairs.column("rank"), most))
    pairs = known.beside(pairs.combine_chunks())
    is_known = pc.is_valid(pairs.column("score"))
    for side in ("left", "right"):
        texts = pc.if_else(is_known, pa.scalar(None, pa.string()), pairs.column(side))
        pairs = pairs.set_column(pairs.schema.get_field_index(side), side, texts)
    yield pairs


def _identified_pass(
    laid: Mapping[str, Laid],
    *,
    run: Path,
    options: LabelOptions,
    known: Sequence[Path],
    begin: Callable[[Judging], None],
) -> Pass:
    counts = Counter[int | None]()
    for rows in laid["asked"].rows((FROM,)):
        counts.update({met["values"]: met["counts"] for met in pc.value_counts(rows.column(FROM)).to_pylist()})
    taken = Counter[str]()
    for number, path in enumerate(known):
        taken[path.name] += counts[number]
    taken = +taken
    note_taken(run, taken)
    begin(Judging(waiting=counts[None], taken=taken, asked=laid["asked"]))
    return Pass(
        name="identified",
        reads=(Read(table="asked", columns=tuple(row_schema(Asked).names), kept_only=False),),
        by=None,
        work=partial(AskedPairs, options),
        row=Label,
        to="pair_id",
        rows_a_task=JUDGED_A_TASK,
    )


class AskedPairs:
    """Labels the pairs of a batch: by their scores, where these are known, else by the identifier."""

    def __init__(self, options: LabelOptions) -> None:
        self.options = options
        self.judge = PairLabeller(options)

    def __call__(self, pairs: pa.Table) -> pa.Table:
        is_known = pc.is_valid(pairs.column("score"))
        known = labels_of_scores(pairs.filter(is_known), self.options)
        if len(known) == len(pairs):
            return known  # the identifier need not be loaded
        return pa.concat_tables([known, self.judge(pairs.filter(pc.invert(is_known)))])


def note_taken(run: Path, taken: Mapping[str, int]) -> None:
    """Keep in the run how many scores were taken from which runs."""
    file = run / TAKEN
    if taken:
        write_text(file, json.dumps(dict(taken), indent=2) + "\n")
    else:
        file.unlink(missing_ok=True)


def read_taken(run: Path) -> dict[str, int]:
    """How many of a run's scores were taken from which runs."""
    file = run / TAKEN
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
