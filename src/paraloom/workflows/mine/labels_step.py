"""Mined pairs in, an identifier's labels out, of all that are kept or of those of the highest rank."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from paraloom.engine.passes import Pass, Read
from paraloom.engine.steps import Step
from paraloom.labels.label import PairLabeller
from paraloom.labels.options import LabelOptions
from paraloom.tables import Label

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.workflows.mine.options import JudgeOptions


def labels_step(options: JudgeOptions) -> Step:
    """Pairs → labels."""
    from paraloom.models.identifiers import weight_files

    return Step(
        table="labels",
        passes=(
            Pass(
                name="identified",
                reads=(Read(table="pairs", columns=("pair_id", "left", "right", "rank")),),
                by=None,
                work=partial(BestPairs, label_options(options), options.judge_most),
                row=Label,
                to="pair_id",
            ),
        ),
        options=replace(options, keep_negatives=False),
        stages=("labels", "models"),
        inputs=("pairs",),
        weights=weight_files(options.identifier),
    )


def label_options(options: JudgeOptions) -> LabelOptions:
    """What the labeller is told."""
    return LabelOptions(identifier=options.identifier, definition=options.definition, threshold=options.threshold)


class BestPairs:
    """Labels the pairs of a batch whose rank is high enough."""

    def __init__(self, options: LabelOptions, most: int | None) -> None:
        self.label = PairLabeller(options)
        self.most = most

    def __call__(self, pairs: pa.Table) -> pa.Table:
        if self.most is not None:
            pairs = pairs.filter(pc.less_equal(pairs.column("rank"), self.most))
        return self.label(pairs)
