"""Candidates with their texts in, `Pair` rows out: how alike the wording is, and why a pair is not worth having."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa

from paraloom.metrics.likeness.character_cosine import character_cosines
from paraloom.metrics.likeness.lettered import letters_of
from paraloom.pairs.mine import PLACES
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.tables import Pair, pair_id_of, schema
from paraloom.text.normalise import bare

SAME_WORDS = "trivial: punctuation"
SAME_BUT_DIGITS = "trivial: digits"
SAME_WORDS_REORDERED = "trivial: word order"
BELOW_BAND = "lexical: below the band"
ABOVE_BAND = "lexical: above the band"
BEYOND_MOST = "beyond_most"

JOINED_WORDS = 8
"""Texts that differ only in how words are joined differ in length by fewer letters."""
_DIGITS = re.compile(r"\d+")


def trivial_reason(left: str, right: str) -> str | None:
    """Why the difference between two texts is none that a paraphrase is about, or nothing.

    >>> trivial_reason("The U.S. storm!", "the US storm"), trivial_reason("Top 10 songs", "Top 25 songs")
    ('trivial: punctuation', 'trivial: digits')
    >>> trivial_reason("the storm hit", "hit the storm"), trivial_reason("the storm hit", "the storm struck")
    ('trivial: word order', None)
    """
    return trivial_words(bare(left), bare(right))


def trivial_words(one: str, other: str) -> str | None:
    """The same for texts that are lower-cased words alone."""
    if one == other or (abs(len(one) - len(other)) < JOINED_WORDS and one.replace(" ", "") == other.replace(" ", "")):
        return SAME_WORDS
    if _DIGITS.search(one) and _DIGITS.sub("0", one) == _DIGITS.sub("0", other):
        return SAME_BUT_DIGITS
    if len(one) == len(other) and sorted(one.split()) == sorted(other.split()):
        return SAME_WORDS_REORDERED
    return None


class MinedPairs:
    """Rows of two sentences with similarity and margin → rows of `Pair`."""

    def __init__(self, options: MinedPairOptions, proposed_by: str) -> None:
        self.options = options
        self.proposed_by = proposed_by

    def __call__(self, edges: pa.Table) -> pa.Table:
        """`edges` has left_id, right_id, left, right, similarity, margin and is_mutual."""
        from paraloom.pairs.word_loops import word_overlaps

        left, right = edges.column("left").to_pylist(), edges.column("right").to_pylist()
        left_ids, right_ids = edges.column("left_id").to_pylist(), edges.column("right_id").to_pylist()
        lexical = character_cosines(left, right)
        bare_left, bare_right = [bare(text) for text in left], [bare(text) for text in right]
        pinc, jaccard = word_overlaps(*letters_of(bare_left), *letters_of(bare_right))
        columns: dict[str, Any] = {
            "pair_id": [pair_id_of(one, other) for one, other in zip(left_ids, right_ids, strict=True)],
            "group_id": edges.column("left_id"),
            "left_id": edges.column("left_id"),
            "right_id": edges.column("right_id"),
            "left": edges.column("left"),
            "right": edges.column("right"),
            "created_at": pa.nulls(len(edges)),
            "proposed_by": pa.repeat(self.proposed_by, len(edges)),
            "rank": np.zeros(len(edges), np.int64),
            "pinc": np.round(pinc, PLACES),
            "jaccard": np.round(jaccard, PLACES),
            "similarity": edges.column("similarity"),
            "margin": edges.column("margin"),
            "is_mutual": edges.column("is_mutual"),
            "lexical": lexical,
            "dropped_for": pa.array(self._reasons(bare_left, bare_right, lexical.tolist()), pa.string()),
        }
        return pa.table(columns).cast(schema(Pair))

    def _reasons(self, left: list[str], right: list[str], lexical: list[float]) -> list[str | None]:
        low, high = self.options.lexical_band
        reasons: list[str | None] = []
        for one, other, alike in zip(left, right, lexical, strict=True):
            reason = None if self.options.keep_trivial else trivial_words(one, other)
            if reason is None and alike < low:
                reason = BELOW_BAND
            if reason is None and alike > high:
                reason = ABOVE_BAND
            reasons.append(reason)
        return reasons
