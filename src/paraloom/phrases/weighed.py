"""Counted phrase pairs in, the rows of the table `phrases` out: probabilities both ways, lexical weights, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paraloom.engine.layout import Laid
from paraloom.phrases import reason_loops, text_loops
from paraloom.phrases.consistent import written_inside
from paraloom.phrases.options import PhraseOptions
from paraloom.phrases.span_loops import mirrored
from paraloom.phrases.tokens import Side, encode, one_chunk
from paraloom.phrases.words import Lexicon
from paraloom.tables import Phrase

REASONS = ("identical", "link", "punctuation", "number", "mention", "sub_phrase", "shared_edges", "too_rare")
"""Why phrase pairs are left out, in the order in which it is looked for."""
_TOO_RARE = REASONS.index("too_rare") + 1
DIGITS = 6
"""Of a probability, so many are significant: those of long phrases are very small."""
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(200)])

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidPhrase(Phrase):
    """A row of the table, and the part of it that it belongs in."""

    part: int


@dataclass(frozen=True, slots=True)
class Discount:
    """What Kneser and Ney take off every count, to spread it over pairs that were never met (Foster et al., 2006)."""

    discount: float
    pairs: int
    """Different phrase pairs."""

    @classmethod
    def of(cls, counted: Iterable[pa.Table]) -> Discount:
        """Estimated from how many pairs of two phrases were met once and twice, in rows with `count` and `reason`."""
        once, twice, pairs = 0, 0, 0
        for rows in counted:
            count = rows.column("count").to_numpy()
            of_two = count[rows.column("reason").to_numpy() != reason_loops.IDENTICAL]
            once, twice = once + int((of_two == 1).sum()), twice + int((of_two == 2).sum())
            pairs += len(count)
        return cls(once / (once + 2 * twice) if once else 0.0, pairs)

    def probability(self, count: Integers, given: Integers, partners: Integers, its_partners: Integers) -> Numbers:
        """Of a phrase, given one that was met `given` times with as many `partners`; it has so many itself."""
        spread = self.discount * partners / given
        return np.asarray((count - self.discount) / given + spread * its_partners / self.pairs)


class PhraseWeigher:
    """All rows of the right phrases of a bucket → rows of `Phrase`."""

    def __init__(self, lexicon: Laid, options: PhraseOptions, discount: Discount | None) -> None:
        self.lexicon = Lexicon(lexicon)
        self.options = options
        self.discount = discount

    def __call__(self, bucket: int, merged: pa.Table) -> Iterator[pa.Table]:
        if not len(merged):
            return
        names = ("count", "left_count", "left_partners", "links", "reason", "pair_count")
        count, left_count, left_partners, links, reason, pair_count = (merged.column(name).to_numpy() for name in names)
        rights, right = encode(merged.column("right"))
        sums = np.zeros(len(rights), np.int64)
        np.add.at(sums, right, count)
        right_count, right_partners = sums[right], np.bincount(right)[right]
        forward = self._probability(count, left_count, left_partners, right_partners)
        backward = self._probability(count, right_count, right_partners, left_partners)
        lexical = self._lexical(one_chunk(merged.column("left")), one_chunk(merged.column("right")), links)
        is_rare = (reason == reason_loops.KEPT) & (pair_count < self.options.min_pairs)
        yield pa.table(
            {
                **{name: merged.column(name) for name in ("left", "right", "count", "left_count")},
                **{name: merged.column(name) for name in ("pair_count", "group_count", "contexts")},
                "part": merged.column("left_part"),
                "right_count": right_count,
                "forward": significant(forward),
                "backward": significant(backward),
                "lexical_forward": significant(lexical[0]),
                "lexical_backward": significant(lexical[1]),
                "score": significant(np.sqrt(forward * backward)),
                "links": _written(links),
                "dropped_for": _reasons(np.where(is_rare, _TOO_RARE, reason)),
            }
        )

    def _probability(self, count: Integers, given: Integers, partners: Integers, its_partners: Integers) -> Numbers:
        if self.discount is None:
            return np.asarray(count / given)
        return self.discount.probability(count, given, partners, its_partners)

    def _lexical(self, lefts: pa.Array, rights: pa.Array, links: Integers) -> tuple[Numbers, Numbers]:
        left, right = Side.of(lefts), Side.of(rights)
        return self._weights(left, right, links), self._weights(right, left, mirrored(links))

    def _weights(self, given: Side, other: Side, links: Integers) -> Numbers:
        """Of the other phrases' words, given those that they are linked to."""
        keys, of_word = text_loops.lexical_keys(given.hashes, given.of_text, other.hashes, other.of_text, links)
        return text_loops.lexical_weights(self.lexicon(keys), of_word, other.of_text)


def significant(numbers: Numbers) -> Numbers:
    """The same with six significant digits.

    >>> significant(np.array([2 / 3, 1.23456789e-9, 0.0]))
    array([6.66667e-01, 1.23457e-09, 0.00000e+00])
    """
    exponents = np.floor(np.log10(numbers, out=np.zeros_like(numbers), where=numbers > 0)).astype(np.int64)
    scales = _POWERS[np.clip(DIGITS - 1 - exponents, 0, len(_POWERS) - 1)]
    return np.asarray(np.round(numbers * scales) / scales)


def _written(links: Integers) -> pa.Array:
    distinct, which = np.unique(links, return_inverse=True)
    return pa.array([written_inside(bits) for bits in distinct.tolist()], pa.string()).take(pa.array(which))


def _reasons(codes: Integers) -> pa.Array:
    return pa.array((None, *REASONS), pa.string()).take(pa.array(codes))
