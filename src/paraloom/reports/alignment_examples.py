"""A run of aligned documents in, a few pairs of its corpus out, each between the lines of its documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import nsmallest
from pathlib import Path
from statistics import median
from typing import Any

from paraloom.engine.store import read_parts
from paraloom.tables import sentence_id_of

EXAMPLES_EACH = 3
"""So many of the best, and so many from the middle, of paraphrases and of others."""
LINES_AROUND = 2
LETTERS_AROUND = 240
"""At most so many lines and letters of a document are shown before and behind what is in a pair."""


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


def examples_of(run: Path) -> tuple[InContext, ...]:
    """Released pairs: paraphrases, then others, of each those with the highest score, then some from the middle."""
    chosen = [row for verdict in (True, False) for row in _chosen(run, verdict)]
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


def _chosen(run: Path, verdict: bool) -> list[dict[str, Any]]:
    scores = [score for rows in _released(run, verdict) for score in rows.column("score").to_pylist()]
    if not scores:
        return []
    middle = median(scores)
    best = _first(run, verdict, lambda row: (-row["score"], row["pair_id"]), EXAMPLES_EACH)
    near = _first(run, verdict, lambda row: (abs(row["score"] - middle), row["pair_id"]), 2 * EXAMPLES_EACH)
    return [*best, *[row for row in near if row not in best][:EXAMPLES_EACH]]


def _first(run: Path, verdict: bool, key: Callable[[dict[str, Any]], Any], most: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for rows in _released(run, verdict):
        found = nsmallest(most, [*found, *rows.to_pylist()], key=key)
    return found


def _released(run: Path, verdict: bool) -> Iterator[Any]:
    """The pairs of one verdict that were not left out, part by part."""
    import pyarrow.compute as pc

    columns = ("pair_id", "group_id", "left_id", "right_id", "is_paraphrase", "score", "dropped_for")
    for part in read_parts(run, "corpus", columns):
        kept = pc.and_(pc.is_null(part.column("dropped_for")), pc.equal(part.column("is_paraphrase"), verdict))
        yield part.filter(kept).drop_columns(["dropped_for"])


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

    found: dict[tuple[str, str], str] = {}
    for part in read_parts(run, "segments"):
        rows = part.filter(pc.is_in(part.column("group_id"), value_set=pa.array(sorted(groups), pa.string())))
        for row in rows.to_pylist():
            left, right = (
                sentence_id_of(*(row[f"{side}_{name}"] for name in ("document_id", "start", "end")))
                for side in ("left", "right")
            )
            found[left, right] = row["shape"]
    return found
