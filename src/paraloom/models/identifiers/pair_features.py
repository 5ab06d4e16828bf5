"""Pairs of texts in, numbers out that tell cheaply how much they share: the first look of the cascade.

N-grams of words, stems and characters, numbers and names that one text alone has, TF-IDF, and for every word the
nearest one of the other text by static vectors, weighed by rarity. A pair of posts takes about ten microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.parts import of_parts
from paraloom.models.identifiers.token_table import TokenTable

LONGEST_TEXT = 20_000
"""Of a longer text only so many characters are read."""
PAIRS_AT_ONCE = 2048
RARE = 2
"""A word must stand in so many texts to have a weight of its own."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lexicon:
    """How rare words are: the inverse document frequency of those that are not the rarest."""

    hashes: NDArray[np.uint64]
    weights: Floats
    rarest: float
    """The weight of every other word."""

    @cached_property
    def rows(self) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """The row of each word by its hash."""
        from paraloom.models.identifiers.hashed_rows import hashed

        return hashed(self.hashes)

    def __len__(self) -> int:
        return len(self.hashes)

    @classmethod
    def learn(cls, texts: Sequence[str]) -> Lexicon:
        """The words of some texts; the same text counts once.

        >>> lexicon = Lexicon.learn(["a storm", "a gale", "a storm again"])
        >>> lexicon.weights.round(2).tolist(), round(lexicon.rarest, 2)
        ([0.0, 0.41], 1.1)
        """
        distinct = list(dict.fromkeys(texts))
        counted = [_document_counts(distinct[first : first + 8192]) for first in range(0, len(distinct), 8192)]
        words = np.concatenate([hashes for hashes, _ in counted] or [np.zeros(0, np.uint64)])
        hashes, places = np.unique(words, return_inverse=True)
        counts = np.bincount(places, np.concatenate([times for _, times in counted] or [np.zeros(0)]), len(hashes))
        kept = counts >= RARE
        order = np.lexsort((hashes[kept], -counts[kept]))
        return cls(
            hashes=hashes[kept][order],
            weights=np.log(len(distinct) / counts[kept][order]),
            rarest=float(np.log(max(len(distinct), 1))),
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairFeatures:
    """What is known of pairs: a row of features each, and the words that one text alone has."""

    features: Floats
    missing: NDArray[np.int32]
    """Rows of the lexicon, pair after pair; words without one are left out."""
    pair_of: NDArray[np.int64]
    """The pair of each missing word."""

    def __len__(self) -> int:
        return len(self.features)


def pair_features(left: Sequence[str], right: Sequence[str], lexicon: Lexicon, table: TokenTable) -> PairFeatures:
    """The features of every pair, in the order of `pair_measures.FEATURES`. The order of the two texts does not matter.

    >>> from paraloom.models.identifiers.pair_measures import FEATURES
    >>> from paraloom.models.identifiers.token_table import load_table
    >>> known = pair_features(["the storm hit"], ["the gale hit"], Lexicon.learn([]), load_table("none"))
    >>> known.features[0, FEATURES.index("words_1_lower")].round(2).item()
    0.67
    """
    if len(left) != len(right):
        raise InputError(f"{len(left)} left texts and {len(right)} right texts do not make pairs.")
    from paraloom.models.identifiers.pair_measures import FEATURES

    parts = of_parts(
        lambda first, last: _features_of(left[first:last], right[first:last], lexicon, table), len(left), PAIRS_AT_ONCE
    )
    return PairFeatures(
        features=np.concatenate([np.zeros((0, len(FEATURES))), *(part.features for part in parts)]),
        missing=np.concatenate([np.zeros(0, np.int32), *(part.missing for part in parts)]),
        pair_of=np.concatenate(
            [np.zeros(0, np.int64), *(part.pair_of + number * PAIRS_AT_ONCE for number, part in enumerate(parts))]
        ),
    )


def _features_of(left: Sequence[str], right: Sequence[str], lexicon: Lexicon, table: TokenTable) -> PairFeatures:
    from paraloom.models.identifiers.hashed_rows import ABSENT, find_rows, find_vectors
    from paraloom.models.identifiers.pair_measures import FEATURES, MOST_TOKENS, measure_pairs
    from paraloom.models.identifiers.pair_tokens import scan_texts

    # Sorted within the pair, so that sums are added up in the same order whichever text comes first.
    turned = [one > other for one, other in zip(left, right, strict=True)]
    texts = [other if turn else one for one, other, turn in zip(left, right, turned, strict=True)]
    texts += [one if turn else other for one, other, turn in zip(left, right, turned, strict=True)]
    clean, clean_bounds, words, stems, marks, firsts, lasts, bounds = scan_texts(*as_bytes(texts), MOST_TOKENS)
    rows = find_rows(*lexicon.rows, words)
    weights = np.full(len(rows), lexicon.rarest)
    weights[rows != ABSENT] = lexicon.weights[rows[rows != ABSENT]]
    vectors = np.zeros((len(words), table.vectors.shape[1]), np.int8)
    known = find_vectors(clean, firsts, lasts, *table.rows, table.vectors, vectors)
    features = np.empty((len(left), len(FEATURES)))
    missing, missing_bounds = np.empty(len(words), np.int64), np.empty(len(left) + 1, np.int64)
    first = np.arange(len(left))
    measure_pairs(
        first,
        first + len(left),
        clean,
        clean_bounds,
        words,
        stems,
        marks,
        bounds,
        weights,
        vectors,
        known,
        features,
        missing,
        missing_bounds,
    )
    missing_rows = rows[missing[: missing_bounds[-1]]]
    pair_of = np.repeat(first, np.diff(missing_bounds))
    return PairFeatures(
        features=features, missing=missing_rows[missing_rows != ABSENT], pair_of=pair_of[missing_rows != ABSENT]
    )


def as_bytes(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of all texts in one row, and the bounds of each."""
    encoded = [_plain(text[:LONGEST_TEXT]) for text in texts]
    bounds = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in encoded], out=bounds[1:])
    return np.frombuffer(b"".join(encoded), np.uint8), bounds


def _plain(text: str) -> bytes:
    if text.isascii():
        return text.encode()
    lowered = _NOT_ASCII.sub(lambda letters: letters.group().lower(), text.replace("’", "'"))
    return lowered.encode("utf-8", "replace")


def _document_counts(texts: Sequence[str]) -> tuple[NDArray[np.uint64], Floats]:
    """Each word's hash and in how many of these texts it stands."""
    from paraloom.models.identifiers.pair_measures import MOST_TOKENS
    from paraloom.models.identifiers.pair_tokens import scan_texts

    _, _, words, _, _, _, _, bounds = scan_texts(*as_bytes(texts), MOST_TOKENS)
    hashes, places = np.unique(words, return_inverse=True)
    text_of = np.repeat(np.arange(len(texts)), np.diff(bounds))
    cells = np.unique(places.astype(np.int64) * max(len(texts), 1) + text_of)
    return hashes, np.bincount(cells // max(len(texts), 1), minlength=len(hashes)).astype(np.float64)
