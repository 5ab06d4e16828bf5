"""The tables of a mined run in, all that its report counts of them out.

It is kept in the run: of many million sentences counting takes minutes, and tables that are the same need it once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from paraloom.engine.signatures import hash_of_source
from paraloom.engine.store import write_text
from paraloom.reports.mining_counts import (
    ClusterCounts,
    LabelCounts,
    PairCounts,
    SentenceCounts,
    count_clusters,
    count_labels,
    count_pairs,
    count_sentences,
)
from paraloom.reports.mining_examples import MinedExample, examples_of
from paraloom.reports.provenance import StepMade, threshold_of
from paraloom.reports.read_back import read_back

COUNTS = "counts.json"
"""In the run folder: what was counted, and what it was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What tables hold, and a few pairs to look at."""

    sentences: SentenceCounts
    pairs: PairCounts
    labels: LabelCounts | None
    """Null where no identifier was asked."""
    clusters: ClusterCounts
    examples: tuple[MinedExample, ...]


def counted_tables(run: Path, steps: Sequence[StepMade]) -> Counted:
    """Count the tables that these steps have made, or read what was counted of the very same; without a step of labels
    these are not looked at."""
    made_from = {step.table: step.signature for step in steps} | {"source": hash_of_source(("reports",))}
    file = run / COUNTS
    if file.is_file() and (told := json.loads(file.read_text(encoding="utf-8")))["made_from"] == made_from:
        return cast("Counted", read_back(Counted, told["counted"]))
    labels = count_labels(run) if "labels" in made_from else None
    counted = Counted(
        sentences=count_sentences(run),
        pairs=count_pairs(run),
        labels=labels,
        clusters=count_clusters(run),
        examples=examples_of(run, threshold_of(tuple(steps)) if labels is not None else None),
    )
    written = {"made_from": made_from, "counted": asdict(counted)}
    write_text(file, json.dumps(written, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    return counted
