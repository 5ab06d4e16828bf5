"""A run of aligned documents in, what came of it in numbers out: documents, pairs of them, segments, labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.engine.store import read_parts
from paraloom.metrics.corpus_figures import ExtractionFigures
from paraloom.reports.alignment_counts import (
    CorpusCounts,
    DocumentCounts,
    PairCounts,
    SegmentCounts,
    count_corpus,
    count_documents,
    count_pairs,
    count_segments,
)
from paraloom.reports.alignment_examples import InContext, examples_of
from paraloom.reports.provenance import StepMade, input_files, steps_of


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentSummary:
    """Everything the report shows."""

    files: tuple[str, ...]
    documents: DocumentCounts
    pairs: PairCounts
    extraction: tuple[ExtractionFigures, ...]
    """Table 1 of Kanerva et al. (2023), of what was suggested instead of what people extracted."""
    segments: SegmentCounts
    paraphrases: int
    """Pairs that the identifier calls paraphrases."""
    judged: int
    corpus: CorpusCounts
    examples: tuple[InContext, ...]
    steps: tuple[StepMade, ...]


def summarise_alignment(run: Path, extraction: Sequence[ExtractionFigures]) -> AlignmentSummary:
    """Count what lies in the tables of a run, part by part."""
    steps = steps_of(run)
    paraphrases, judged = _labels(run)
    return AlignmentSummary(
        files=input_files(steps),
        documents=count_documents(run),
        pairs=count_pairs(run),
        extraction=tuple(extraction),
        segments=count_segments(run),
        paraphrases=paraphrases,
        judged=judged,
        corpus=count_corpus(run),
        examples=examples_of(run),
        steps=steps,
    )


def _labels(run: Path) -> tuple[int, int]:
    said = Counter[bool | None]()
    for part in read_parts(run, "labels", ("is_paraphrase",)):
        said.update(part.column("is_paraphrase").to_pylist())
    return said[True], said[True] + said[False]
