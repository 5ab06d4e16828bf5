"""A file of pairs in, the same file with scores out, block by block: memory stays flat however long it is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.given_blocks import Block, Survey, survey_pairs
from paraloom.engine.written_blocks import layout_for
from paraloom.errors import InputError
from paraloom.models.identifiers.grades import grades_of
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.identify.asked_for import identifier_asked_for
from paraloom.workflows.identify.options import IdentifyOptions
from paraloom.workflows.identify.summary import Counts, Identified
from paraloom.workflows.pair_blocks import (
    DROPPED_FOR,
    STANDARD,
    STANDARD_INPUT,
    PairBlocks,
    Tell,
    check_out,
    given_file,
)

if TYPE_CHECKING:
    from paraloom.models.identifiers import Identifier


def identify_file(
    pairs: str | Path, out: str | Path, options: IdentifyOptions = IdentifyOptions(), tell: Tell | None = None
) -> Identified:
    """Score every pair of a file and write all its rows with the columns `score` and `is_paraphrase`.

    `grade` is added for the graded definition, and `dropped_for` where some row cannot be read as a pair: it says
    why, and that row has no score. A file that is there is replaced only where the options say so, and the file of
    pairs never.
    """
    if options.batch < 1:
        raise InputError(f"--batch {options.batch} makes no progress. Give a number such as 10000.")
    check_out(pairs, out, overwrite=options.overwrite)
    begun = time.perf_counter()
    columns = named_columns(options.columns)
    with given_file(str(pairs)) as (path, format):
        identifier = identifier_asked_for(options)
        survey = survey_pairs(path, columns, format, STANDARD_INPUT if str(pairs) == STANDARD else None)
        added = _added(options, survey)
        layout = layout_for(str(out), survey, added, replacing=options.replace_columns)
        scoring = _Scoring(identifier=identifier, options=options, added=tuple(added))
        blocks = PairBlocks(
            work=scoring,
            survey=survey,
            layout=layout,
            batch=options.batch,
            identity={"model": identifier.signature, "definition": options.definition},
            tell=tell,
        )
        blocks.run(str(out))
    scoring.counts.resumed = blocks.resumed
    return Identified(
        out=str(out),
        rows=survey.rows,
        troubles=dict(survey.troubles),
        counts=scoring.counts,
        changed=layout.changed,
        seconds=time.perf_counter() - begun,
        signature=f"{identifier.signature}|definition:{options.definition}|threshold:{options.threshold:g}",
        notes=survey.notes,
    )


def _added(options: IdentifyOptions, survey: Survey) -> dict[str, str]:
    added = {"score": "number", "is_paraphrase": "integer"}
    if options.definition == "graded":
        added["grade"] = "text"
    if survey.troubles:
        added[DROPPED_FOR] = "text"
    return added


@dataclass(slots=True, kw_only=True)
class _Scoring:
    """What is done to each block."""

    identifier: Identifier
    options: IdentifyOptions
    added: tuple[str, ...]
    counts: Counts = field(default_factory=Counts)

    def find(self, block: Block) -> dict[str, list[Any]]:
        """The scores of a block, and its grades; a pair that comes several times is scored once."""
        rows = [row for row, trouble in enumerate(block.troubles) if trouble is None]
        pairs = [(block.left[row], block.right[row]) for row in rows]
        distinct = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        left, right = [pair[0] for pair in distinct], [pair[1] for pair in distinct]
        scores = self.identifier.score(left, right, self.options.definition)
        if not np.isfinite(scores).all():
            place = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError(f"{self.identifier.name} gives no score to {left[place][:40]!r}. Choose another --model.")
        found: dict[str, list[Any]] = {"score": [None] * len(block)}
        for row, pair in zip(rows, pairs, strict=True):
            found["score"][row] = float(scores[distinct[pair]])
        if self.options.definition == "graded":
            grades = grades_of(self.identifier, left, right, scores)
            found["grade"] = [None] * len(block)
            for row, pair in zip(rows, pairs, strict=True):
                found["grade"][row] = grades[distinct[pair]]
        self.counts.repeated += len(pairs) - len(distinct)
        return found

    def columns(self, block: Block, found: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The new columns, in their order."""
        self.counts.add(block)
        decided = [None if score is None else int(score > self.options.threshold) for score in found["score"]]
        self.counts.paraphrases += sum(decision == 1 for decision in decided)
        values: dict[str, list[Any]] = {**found, "is_paraphrase": decided, DROPPED_FOR: block.troubles}
        return {name: values[name] for name in self.added}
