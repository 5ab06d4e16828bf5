"""Pairs and labels of a mined run in, a few to look at out: the best, the boldest, the doubtful, the dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.store import made_by_file, read_parts
from paraloom.reports.differences import Piece, differences

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

EACH = 6
"""Examples of a kind."""
COLUMNS = ("pair_id", "left", "right", "similarity", "margin", "lexical", "rank", "dropped_for")
BEST, BOLD, DOUBTFUL, LEFT_OUT = "the best", "the same in other words", "on the edge", "left out"
KINDS = {
    BEST: "Those that come first in the file of pairs.",
    BOLD: "Held true, and least alike in their letters.",
    DOUBTFUL: "Nearest to the score at which a pair is held true.",
    LEFT_OUT: "Found near each other, and left out for what stands below them.",
}
"""The kinds of examples, and what is said of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedExample:
    """A pair to look at."""

    kind: str
    pair_id: str
    left: str
    right: str
    similarity: float
    margin: float
    lexical: float
    score: float | None
    dropped_for: str | None


def examples_of(run: Path, threshold: float | None) -> tuple[MinedExample, ...]:
    """A few pairs of every kind; which ones depends on the pairs alone."""
    found: dict[str, list[tuple[float, str, MinedExample]]] = {kind: [] for kind in KINDS}
    for part, scores in _parts(run):
        for kind, (values, rows) in _values(part, scores, threshold).items():
            order = np.argsort(values, kind="stable")[:EACH]  # rows come by id: of equal values the lowest is first
            for value, row in zip(values[order].tolist(), rows[order].tolist(), strict=True):
                example = _example(kind, part.slice(row, 1).to_pylist()[0], scores[row] if threshold else None)
                found[kind].append((value, example.pair_id, example))
            found[kind] = sorted(found[kind], key=lambda item: item[:2])[:EACH]
    return tuple(example for kind in KINDS for *_, example in found[kind])


def _parts(run: Path) -> Iterator[tuple[pa.Table, NDArray[np.float64]]]:
    """The pairs of every part, and their scores: not a number where a pair has none."""
    import pyarrow.compute as pc

    pairs = read_parts(run, "pairs", COLUMNS)
    if not made_by_file(run, "labels").is_file():
        yield from ((part, np.full(len(part), np.nan)) for part in pairs)
        return
    for part, labels in zip(pairs, read_parts(run, "labels", ("pair_id", "score")), strict=True):
        places = pc.index_in(part.column("pair_id"), value_set=labels.column("pair_id").combine_chunks())
        scores = labels.column("score").take(places)
        yield part, pc.fill_null(scores, float("nan")).to_numpy()


def _values(
    part: pa.Table, scores: NDArray[np.float64], threshold: float | None
) -> dict[str, tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """For every kind, what its pairs are chosen by, the lowest first, and which rows they are."""
    import pyarrow.compute as pc

    is_kept = pc.is_null(part.column("dropped_for")).to_numpy()
    rank, lexical = (part.column(name).to_numpy().astype(np.float64) for name in ("rank", "lexical"))
    by_lot = np.arange(len(part), dtype=np.float64)  # ids are hashes
    chosen = {LEFT_OUT: (by_lot, ~is_kept)}
    if threshold is None:
        chosen[BEST] = (rank, is_kept)
    else:
        is_judged = is_kept & ~np.isnan(scores)
        chosen[BEST] = (-scores, is_judged)
        chosen[BOLD] = (lexical, is_judged & (scores > threshold))
        chosen[DOUBTFUL] = (np.abs(scores - threshold), is_judged)
    return {kind: (values[among], np.flatnonzero(among)) for kind, (values, among) in chosen.items()}


def _example(kind: str, row: dict[str, Any], score: float | None) -> MinedExample:
    shown = {name: row[name] for name in COLUMNS if name != "rank"}
    return MinedExample(kind=kind, score=None if score is None or np.isnan(score) else float(score), **shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExample:
    """An example with its differences marked."""

    example: MinedExample
    left: Sequence[Piece]
    right: Sequence[Piece]


def shown(example: MinedExample) -> ShownExample:
    """What each side has of its own."""
    left, right = differences(example.left, example.right)
    return ShownExample(example=example, left=left, right=right)
