"""Pairs of texts in, how alike their letters are out: the lexical similarity of Kanerva et al. (2023, section 7.2).

The cosine of the counts of character n-grams of lengths 2 to 4, in lower case and within words, a blank at either end
of a word. Nothing is learnt and nothing is weighed: a pair's figure is the same whatever it is measured with. Counts
are whole numbers, so their products are exact, and every machine puts a pair into the same interval.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.likeness.character_tfidf import BUCKETS, counted_grams
from paraloom.metrics.likeness.lettered import BLANKS, letters_of

SHORTEST, LONGEST = 2, 4
PLACES = 6
PAIRS_AT_ONCE = 16_384
LONG_TEXT = 20_000
"""Letters from which on n-grams are counted in a million buckets, which some of them share."""
SIGNATURE = "character-cosine|n:2-4|case:lower|within:words|counts:plain"


def character_cosines(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """One number from 0 to 1 a pair, rounded to 6 decimals; 0 where a text has no letters.

    >>> character_cosines(["The storm", "a storm", ""], ["the STORM", "the coast", ""]).round(2).tolist()
    [1.0, 0.05, 0.0]
    """
    if len(left) != len(right):
        raise InputError(f"There are {len(left)} left texts and {len(right)} right ones. Give as many of each.")
    parts = [
        _cosines(left[start : start + PAIRS_AT_ONCE], right[start : start + PAIRS_AT_ONCE])
        for start in range(0, len(left), PAIRS_AT_ONCE)
    ]
    return np.concatenate([np.empty(0), *parts])


def _cosines(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    if max(map(len, (*left, *right)), default=0) > LONG_TEXT:
        products, ours, theirs = _of_long_texts(left, right)
    else:
        from paraloom.metrics.likeness.pair_loops import pair_products

        counted = pair_products(*letters_of(left), *letters_of(right), BLANKS, SHORTEST, LONGEST)
        products, ours, theirs = counted.astype(np.float64).T
    lengths = ours * theirs
    cosines = np.divide(products, np.sqrt(lengths), out=np.zeros(len(products)), where=lengths > 0)
    return np.asarray(np.clip(np.round(cosines, PLACES), 0.0, 1.0))


def _of_long_texts(left: Sequence[str], right: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """The same products where a table for one pair alone would be too large."""
    from paraloom.metrics.likeness.gram_loops import row_products

    ours, theirs = counted_grams(left, SHORTEST, LONGEST), counted_grams(right, SHORTEST, LONGEST)
    rows = np.arange(len(left), dtype=np.int64)
    products = row_products(*ours, *theirs, rows, rows, BUCKETS).astype(np.float64)
    return products, _squares(*ours), _squares(*theirs)


def _squares(starts: NDArray[np.int64], buckets: NDArray[np.int32], counts: NDArray[np.float32]) -> NDArray[np.float64]:
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.asarray(np.bincount(rows, counts.astype(np.float64) ** 2, minlength=len(starts) - 1), np.float64)
