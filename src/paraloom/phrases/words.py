"""Aligned pairs in, how likely a word stands for another one out (Koehn et al., 2003).

Pairs are read in both directions, so there is one table of probabilities for both. What is linked to nothing is linked
to no word, as there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paraloom.engine.layout import Laid
from paraloom.phrases import text_loops
from paraloom.phrases.aligned_sides import Sides
from paraloom.phrases.tokens import Side, comparable_tokens, runs_of, sums_of

LEAST = 1e-7
"""The probability of words that a given lexicon does not have."""
HELD = 4 << 20
"""Probabilities that a worker keeps in memory; of more it reads a part at a time whenever it needs some."""
_COLUMNS = ("key", "probability")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCount:
    """How often a word was linked to another one."""

    bucket: int
    given: int
    """Hash of the word that is given, or of no word."""
    key: int
    """Hash of both."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WordProbability:
    """How likely it is that a word stands for the one that is given."""

    bucket: int
    key: int
    probability: float


def count_words(bucket: int, alignments: pa.Table, *, buckets: int) -> Iterator[pa.Table]:
    """Aligned pairs → `WordCount`, once for each two words."""
    sides = Sides.of(alignments)
    lefts, rights = sides.linked_tokens
    left, right = sides.left.hashes[lefts], sides.right.hashes[rights]
    alone = np.concatenate([_unlinked(sides.left, lefts), _unlinked(sides.right, rights)])
    given = np.concatenate([left, right, np.full(len(alone), text_loops.NO_WORD)])
    keys = text_loops.pair_keys(given, np.concatenate([right, left, alone]))
    distinct, places, counts = np.unique(keys, return_index=True, return_counts=True)
    given = given[places]
    yield pa.table(
        {
            "bucket": bucket_numbers(given, buckets),
            "given": given.view(np.int64),
            "key": distinct.view(np.int64),
            "count": counts,
        }
    )


def _unlinked(side: Side, linked: NDArray[np.int64]) -> NDArray[np.uint64]:
    is_linked = np.zeros(len(side.hashes), bool)
    is_linked[linked] = True
    return side.hashes[~is_linked]


def bucket_numbers(hashes: NDArray[np.uint64], buckets: int) -> NDArray[np.int64]:
    """The bucket of each hash."""
    return (hashes >> np.uint64(40)).astype(np.int64) % buckets


def word_probabilities(bucket: int, counts: pa.Table, *, buckets: int) -> Iterator[pa.Table]:
    """All counts of the words that are given in a bucket → `WordProbability`."""
    given, keys, count = (counts.column(name).to_numpy() for name in ("given", "key", "count"))
    order = np.lexsort((keys, given))
    given, keys = given[order], keys[order]
    is_new = runs_of(given, keys)
    together, given, keys = sums_of(count[order], is_new), given[is_new], keys[is_new]
    is_other = runs_of(given)
    totals = np.repeat(sums_of(together, is_other), np.diff(np.append(np.flatnonzero(is_other), len(given))))
    yield pa.table(
        {"bucket": bucket_numbers(keys.view(np.uint64), buckets), "key": keys, "probability": together / totals}
    )


def given_probabilities(columns: Mapping[str, Sequence[Any]], buckets: int) -> pa.Table:
    """`WordProbability` of a lexicon's columns `left`, `right`, `forward` (of the right word, given the left one) and
    perhaps `backward`; an empty word is no word."""
    left, right = (_hashes(columns[name]) for name in ("left", "right"))
    keys, values = text_loops.pair_keys(left, right), np.array(columns["forward"], np.float64)
    if "backward" in columns:
        keys = np.concatenate([keys, text_loops.pair_keys(right, left)])
        values = np.concatenate([values, np.array(columns["backward"], np.float64)])
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"{values[~((values >= 0) & (values <= 1))][0]:g} is no probability")
    return pa.table({"bucket": bucket_numbers(keys, buckets), "key": keys.view(np.int64), "probability": values})


def _hashes(words: Sequence[Any]) -> NDArray[np.uint64]:
    tokens = [comparable_tokens(str(word or "")).replace(" ", "") for word in words]
    side = Side.of(pa.array(tokens, pa.string()))
    hashes = np.full(len(tokens), text_loops.NO_WORD)
    hashes[np.array([bool(token) for token in tokens], bool)] = side.hashes
    return hashes


class Lexicon:
    """Looks up probabilities of words by their keys, in memory that does not grow with the number of words."""

    def __init__(self, laid: Laid) -> None:
        self._laid = laid
        self._held: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None
        held: list[pa.Table] = []
        for part in laid.rows(_COLUMNS):
            held.append(part)
            if sum(map(len, held)) > HELD:
                return
        if held:
            self._held = _in_order(pa.concat_tables(held))

    def __call__(self, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The probability of each key, `LEAST` where there is none."""
        wanted, which = np.unique(keys.view(np.int64), return_inverse=True)
        found = np.full(len(wanted), LEAST)
        parts = [self._held] if self._held is not None else map(_in_order, self._laid.rows(_COLUMNS))
        for known, probabilities in parts:
            if not len(known):
                continue
            places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
            is_there = known[places] == wanted
            found[is_there] = np.maximum(probabilities[places[is_there]], LEAST)
        return found[which]


def _in_order(part: pa.Table) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Keys in order, and their probabilities."""
    keys, probabilities = (part.column(name).to_numpy() for name in _COLUMNS)
    order = np.argsort(keys, kind="stable")
    return keys[order], probabilities[order]
