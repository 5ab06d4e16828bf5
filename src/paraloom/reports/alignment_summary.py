"""A run of aligned documents in, what came of it in numbers out: documents, pairs of them, segments, labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.store import read_parts
from paraloom.metrics.corpus_figures import ExtractionFigures
from paraloom.reports.columns import Count, add_values, counted
from paraloom.reports.histograms import Histogram, HistogramCounter
from paraloom.reports.provenance import StepMade, input_files, steps_of

EXAMPLES = 12
LINES_AROUND = 2
LETTERS_AROUND = 240
"""At most so many lines and letters of a document are shown before and behind what is in a pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCounts:
    """What was read."""

    kinds: tuple[Count, ...]
    """Kept documents by kind."""
    dropped: tuple[Count, ...]
    without_date: int
    """Articles that are in no window, since nobody knows when they were published."""
    without_work: int
    """Versions of nothing known, which are compared with nothing."""
    cues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Pairs of documents, or of parts of them."""

    kept: int
    works: int
    """Different films, texts or threads among them; articles do not count."""
    dropped: tuple[Count, ...]
    likeness: Histogram
    """Of the kept ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentCounts:
    """What was suggested."""

    kept: int
    shapes: tuple[Count, ...]
    suggested_by: tuple[Count, ...]
    dropped: tuple[Count, ...]
    score: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class InContext:
    """A pair with the lines around it."""

    pair_id: str
    shape: str
    score: float
    """That the identifier gave."""
    is_paraphrase: bool
    left: tuple[str, str, str]
    """Before, the segment itself, behind."""
    right: tuple[str, str, str]


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
    examples: tuple[InContext, ...]
    steps: tuple[StepMade, ...]


def summarise_alignment(run: Path, extraction: Sequence[ExtractionFigures]) -> AlignmentSummary:
    """Count what lies in the tables of a run, part by part."""
    steps = steps_of(run)
    paraphrases, judged = _labels(run)
    return AlignmentSummary(
        files=input_files(steps),
        documents=_documents(run),
        pairs=_pairs(run),
        extraction=tuple(extraction),
        segments=_segments(run),
        paraphrases=paraphrases,
        judged=judged,
        examples=_examples(run),
        steps=steps,
    )


def _documents(run: Path) -> DocumentCounts:
    kinds, dropped = Counter[str](), Counter[str]()
    without_date = without_work = 0
    for part in read_parts(run, "documents", ("kind", "work", "created_at", "dropped_for")):
        for row in part.to_pylist():
            if row["dropped_for"] is not None:
                dropped[row["dropped_for"]] += 1
                continue
            kinds[row["kind"]] += 1
            if row["kind"] == "article":
                without_date += row["created_at"] is None
            else:
                without_work += row["work"] is None
    cues = sum(len(part) for part in read_parts(run, "cues", ("document_id",)))
    return DocumentCounts(
        kinds=counted(kinds),
        dropped=counted(dropped, most=20),
        without_date=without_date,
        without_work=without_work,
        cues=cues,
    )


def _pairs(run: Path) -> PairCounts:
    dropped = Counter[str]()
    likeness = HistogramCounter()
    keys: set[str] = set()
    kept = 0
    for part in read_parts(run, "groups", ("group_id", "key", "is_origin", "similarity", "dropped_for")):
        rows = [row for row in part.to_pylist() if row["is_origin"]]  # a pair has two rows
        for row in rows:
            if row["dropped_for"] is not None:
                dropped[row["dropped_for"]] += 1
        good = [row for row in rows if row["dropped_for"] is None]
        kept += len(good)
        keys |= {row["key"] for row in good if " / " not in row["key"]}
        likeness.add(_numbers(row["similarity"] for row in good))
    return PairCounts(kept=kept, works=len(keys), dropped=counted(dropped), likeness=likeness.result())


def _segments(run: Path) -> SegmentCounts:
    shapes, by, dropped = Counter[str](), Counter[str](), Counter[str]()
    score = HistogramCounter()
    kept = 0
    for part in read_parts(run, "segments", ("shape", "suggested_by", "score", "dropped_for")):
        add_values(dropped, part.column("dropped_for"))
        good = part.filter(part.column("dropped_for").is_null())
        kept += len(good)
        add_values(shapes, good.column("shape"))
        add_values(by, good.column("suggested_by"))
        score.add(_numbers(good.column("score").to_pylist()))
    return SegmentCounts(
        kept=kept,
        shapes=counted(shapes),
        suggested_by=counted(by),
        dropped=counted(dropped),
        score=score.result(),
    )


def _labels(run: Path) -> tuple[int, int]:
    said = Counter[bool | None]()
    for part in read_parts(run, "labels", ("is_paraphrase",)):
        said.update(part.column("is_paraphrase").to_pylist())
    return said[True], said[True] + said[False]


def _examples(run: Path) -> tuple[InContext, ...]:
    """Pairs with the smallest ids, which are pairs by lot: half of them paraphrases if there are as many."""
    columns = ("pair_id", "group_id", "left_id", "right_id", "is_paraphrase", "score")
    found: list[dict[str, Any]] = []
    for part in read_parts(run, "corpus", columns):
        rows = part.to_pylist()
        for verdict in (True, False):
            found += [row for row in rows if row["is_paraphrase"] is verdict][: EXAMPLES // 2]
    chosen: list[dict[str, Any]] = []
    for verdict in (True, False):
        ordered = sorted((row for row in found if row["is_paraphrase"] is verdict), key=lambda row: row["pair_id"])
        chosen += ordered[: EXAMPLES // 2]
    places = _rows(run, "sentences", "sentence_id", {row[side] for row in chosen for side in ("left_id", "right_id")})
    texts = _rows(run, "documents", "document_id", {place["document_id"] for place in places.values()})
    shapes = _shapes(run, {row["group_id"] for row in chosen})

    def around(sentence_id: str) -> tuple[str, str, str]:
        place = places[sentence_id]
        return surroundings(texts[place["document_id"]]["text"], place["start"], place["end"])

    return tuple(
        InContext(
            pair_id=row["pair_id"],
            shape=shapes.get((row["left_id"], row["right_id"]), ""),
            score=row["score"],
            is_paraphrase=row["is_paraphrase"],
            left=around(row["left_id"]),
            right=around(row["right_id"]),
        )
        for row in chosen
    )


def surroundings(text: str, start: int, end: int) -> tuple[str, str, str]:
    r"""A stretch of a text, and the lines before and behind it.

    >>> surroundings("One.\nTwo.\nThree.\nFour.\nFive.", 10, 16)
    ('One.\nTwo.\n', 'Three.', '\nFour.\nFive.')
    """
    before = "\n".join(text[:start].split("\n")[-LINES_AROUND - 1 :])
    behind = "\n".join(text[end:].split("\n")[: LINES_AROUND + 1])
    if len(before) > LETTERS_AROUND:
        before = f"… {before[-LETTERS_AROUND:].partition(' ')[2]}"
    if len(behind) > LETTERS_AROUND:
        behind = f"{behind[:LETTERS_AROUND].rpartition(' ')[0]} …"
    return before, text[start:end], behind


def _rows(run: Path, table: str, key: str, wanted: set[str]) -> dict[str, dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    found: dict[str, dict[str, Any]] = {}
    for part in read_parts(run, table):
        rows = part.filter(pc.is_in(part.column(key), value_set=pa.array(sorted(wanted), pa.string())))
        found |= {row[key]: row for row in rows.to_pylist()}
    return found


def _shapes(run: Path, groups: set[str]) -> dict[tuple[str, str], str]:
    """By the ids of the two sentences of a segment, its shape."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from paraloom.tables import make_id

    found: dict[tuple[str, str], str] = {}
    for part in read_parts(run, "segments"):
        rows = part.filter(pc.is_in(part.column("group_id"), value_set=pa.array(sorted(groups), pa.string())))
        for row in rows.to_pylist():
            left, right = (
                make_id(*(row[f"{side}_{name}"] for name in ("document_id", "start", "end")))
                for side in ("left", "right")
            )
            found[left, right] = row["shape"]
    return found


def _numbers(values: Any) -> Any:
    import numpy as np

    return np.array([value for value in values if value is not None], float)
