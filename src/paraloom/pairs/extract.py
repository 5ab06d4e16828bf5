"""Two aligned documents in, suggested segments out; segments and the documents' texts in, pairs out.

Each suggestion is kept; one that is trivial, too short, too long or has little chance says so in `dropped_for`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from paraloom.engine.rows import Members
from paraloom.errors import InputError
from paraloom.metrics.diversity.cosine import cosine_of_counts
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.pairs.members import PLACES
from paraloom.pairs.similarities import Embed
from paraloom.pairs.suggestions import BEST_MATCH, HEADINGS, IN_ORDER, MOST_LETTERS, Side, Suggestion, suggestions
from paraloom.pairs.trivial import trivial
from paraloom.pairs.worth import chance, heading_worth
from paraloom.tables import Pair, Segment, make_id, pair_id_of, sentence_id_of
from paraloom.text.language import detect
from paraloom.text.tokenise import words

FOUND = {IN_ORDER: "in order", BEST_MATCH: "best match in any order", HEADINGS: "headings"}
LETTERS_TO_TELL = 1000
"""So many letters of each document tell the language."""
SEGMENT_COLUMNS = tuple(field.name for field in fields(Segment))


class SegmentFinder:
    """Suggests segments, with the encoder that was asked for loaded once."""

    def __init__(self, options: ExtractOptions, heading_most_alike: float = 1.0) -> None:
        self.options = options
        self.heading_most_alike = heading_most_alike
        self.embed: Embed | None = None
        if options.embedder:
            from paraloom.models.encoders import load_sentence_encoder

            self.embed = load_sentence_encoder(options.embedder).embed

    def __call__(self, group_id: str, documents: Members) -> Iterator[Segment]:
        """The segments of one group."""
        return segments_of_group(
            group_id, documents, options=self.options, heading_most_alike=self.heading_most_alike, embed=self.embed
        )


def segments_of_group(
    group_id: str,
    documents: Members,
    *,
    options: ExtractOptions = ExtractOptions(),
    heading_most_alike: float = 1.0,
    embed: Embed | None = None,
) -> Iterator[Segment]:
    """The stretches of two documents that may say the same, the origin of the group on the left.

    Wanted of each document: document_id, is_origin, kind, text, title, start, end, and how alike both are: similarity.
    """
    if len(documents) < 2:  # the other one was left out
        return
    if len(documents) > 2:
        raise InputError(
            f"The group {group_id} has {len(documents)} documents, and segments are of two. Make pairs of them."
        )
    left, right = _sides(group_id, documents)
    alike = documents["similarity"][0] or 0.0
    language = detect("\n".join(_beginning(side) for side in (left, right))) or ""
    for found in suggestions(left, right, documents_alike=alike, in_order=options.in_order, embed=embed):
        worth = heading_worth if found.found_by == HEADINGS else chance
        score = round(worth(found.measured), PLACES)
        yield Segment(
            segment_id=make_id("segment", left.document_id, *found.left, right.document_id, *found.right),
            group_id=group_id,
            left_document_id=left.document_id,
            left_start=found.left[0],
            left_end=found.left[1],
            right_document_id=right.document_id,
            right_start=found.right[0],
            right_end=found.right[1],
            shape=found.shape,
            suggested_by=_suggested_by(found, options.embedder if embed else ""),
            reason=_reason(found, options.embedder if embed else ""),
            score=score,
            dropped_for=_dropped_for(found, score, language, options, heading_most_alike),
        )


def merge_segments(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A segment met in two groups of the same documents belongs to the one with the smaller id."""
    return min(rows, key=lambda row: str(row["group_id"]))


def _sides(group_id: str, documents: Members) -> tuple[Side, Side]:
    """The two documents, the origin of the group first."""
    wanted = ("document_id", "text", "kind", "title", "start", "end")
    columns = (documents[name] for name in wanted)
    sides = [Side(**dict(zip(wanted, row, strict=True))) for row in zip(*columns, strict=True)]
    first, second = documents["is_origin"]
    if first == second:
        raise InputError(
            f"Of the two documents of the group {group_id}, {'both are' if first else 'neither is'} its origin. One "
            "must be: it is the left one."
        )
    return (sides[0], sides[1]) if first else (sides[1], sides[0])


def _beginning(side: Side) -> str:
    start = side.start or 0
    return side.text[start : start + LETTERS_TO_TELL]


def _suggested_by(found: Suggestion, embedder: str) -> str:
    by_meaning = bool(embedder) and found.found_by != HEADINGS
    return f"{found.found_by}+{Path(embedder).name}" if by_meaning else found.found_by


def _reason(found: Suggestion, embedder: str) -> str:
    measured = found.measured
    if found.found_by == HEADINGS:
        return f"{FOUND[HEADINGS]}; articles alike {measured.around:.2f}; letters alike {measured.letters:.2f}"
    told = [f"{found.shape} {FOUND[found.found_by]}", f"letters alike {measured.letters:.2f}"]
    if embedder:
        told.append(f"letters and meaning ({Path(embedder).name}) {measured.likeness:.2f}")
    if found.found_by == IN_ORDER:
        told.append(f"around it {measured.around:.2f}")
    return "; ".join(told)


def _dropped_for(
    found: Suggestion, score: float, language: str, options: ExtractOptions, heading_most_alike: float
) -> str | None:
    measured = found.measured
    if min(measured.words) < options.min_words:
        return "too_short"
    if max(measured.words) > options.max_words or max(measured.lengths) > MOST_LETTERS:
        return "too_long"
    pattern = None if options.keep_trivial else trivial(*found.words, language)
    if pattern:
        return f"trivial: {pattern}"
    if found.found_by == HEADINGS and measured.letters > heading_most_alike:
        return "headings_too_alike"
    return "low_score" if score < options.min_score else None


def pairs_of_segments(group_id: str, segments: Members, documents: Members) -> Iterator[Pair]:
    """The segments of one group as pairs of texts, ranked by their score, those left out behind the others.

    Wanted of the segments: all their columns; of the group's documents: document_id, text, created_at.
    """
    texts = dict(zip(documents["document_id"], documents["text"], strict=True))
    times = dict(zip(documents["document_id"], documents["created_at"], strict=True))
    columns = {name: segments[name] for name in SEGMENT_COLUMNS if name != "group_id"}
    found = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    rows = [Segment(group_id=group_id, **row) for row in found]
    rows.sort(key=lambda row: (row.dropped_for is not None, -row.score, row.segment_id))
    for rank, row in enumerate(rows, start=1):
        left_id = sentence_id_of(row.left_document_id, row.left_start, row.left_end)
        right_id = sentence_id_of(row.right_document_id, row.right_start, row.right_end)
        left = " ".join(texts[row.left_document_id][row.left_start : row.left_end].split())
        right = " ".join(texts[row.right_document_id][row.right_start : row.right_end].split())
        said, other_said = words(left[:MOST_LETTERS]), words(right[:MOST_LETTERS])
        written = (times[row.left_document_id], times[row.right_document_id])
        yield Pair(
            pair_id=pair_id_of(left_id, right_id),
            group_id=group_id,
            left_id=left_id,
            right_id=right_id,
            left=left,
            right=right,
            created_at=max((time for time in written if time is not None), default=None),
            proposed_by=row.suggested_by,
            rank=rank,
            pinc=round(pinc_of_tokens(said, other_said), PLACES),
            jaccard=round(jaccard_of_tokens(said, other_said), PLACES),
            similarity=round(cosine_of_counts(Counter(said), Counter(other_said)), PLACES),
            dropped_for=row.dropped_for,
        )
