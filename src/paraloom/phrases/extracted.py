"""Aligned pairs in, the phrase pairs in them out: each once in either order, with how often it was there.

Rows of a group lie together, so that what is counted here can be added up: a group is in one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from paraloom.phrases import reason_loops, span_loops, text_loops
from paraloom.phrases.aligned_sides import Sides
from paraloom.phrases.contexts import WORDS_AROUND
from paraloom.phrases.options import PhraseOptions
from paraloom.phrases.tokens import Side, TokenKinds, bytes_of, encode, lists_of, one_chunk, parts_of, runs_of, sums_of
from paraloom.phrases.words import bucket_numbers

PAIRS_AT_ONCE = 8192
"""So many sentence pairs, and the rest of the group of the last of them, are counted together."""

_STRENGTHS = {"keep": reason_loops.KEEP, "trivial": reason_loops.IF_TRIVIAL, "drop": reason_loops.DROP}
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedPhrase:
    """A phrase pair in this order with one way to link its words, as far as a batch of sentence pairs has it."""

    bucket: int
    """Of the left phrase."""
    left: str
    right: str
    links: int
    reason: int
    count: int
    pair_count: int
    """Sentence pairs that have not been counted with another way to link its words."""
    group_count: int
    context_keys: list[int]
    contexts: list[str]


class PhraseExtractor:
    """Sentence pairs of a bucket → `ExtractedPhrase`."""

    def __init__(self, options: PhraseOptions, buckets: int) -> None:
        self.options = options
        self.buckets = buckets
        self.kinds = TokenKinds(options)

    def __call__(self, bucket: int, alignments: pa.Table) -> Iterator[pa.Table]:
        groups = _group_numbers(alignments.column("group_id"))
        begins = np.flatnonzero(runs_of(groups))
        start = 0
        while start < len(alignments):
            later = begins[begins >= start + PAIRS_AT_ONCE]
            stop = int(later[0]) if len(later) else len(alignments)
            yield self._counted(alignments.slice(start, stop - start), groups[start:stop])
            start = stop

    def _counted(self, alignments: pa.Table, groups: Integers) -> pa.Table:
        sides = Sides.of(alignments)
        spans, inside = span_loops.consistent_spans(
            sides.left.of_text,
            sides.right.of_text,
            sides.link_ends,
            sides.links,
            self.options.max_words,
            self.options.extend_unaligned,
        )
        pairs = spans[:, 0]
        lefts = _Stretches.of(sides.left, pairs, spans[:, 1], spans[:, 2])
        rights = _Stretches.of(sides.right, pairs, spans[:, 3], spans[:, 4])
        reasons = self._reasons(lefts, rights)
        phrases, left_codes, right_codes = _numbered(lefts, rights)

        both = np.where(reasons == reason_loops.IDENTICAL, 1, 2)  # two phrases that differ are a row in either order
        which = np.repeat(np.arange(len(pairs)), both)
        turned = ~runs_of(which)
        left = np.where(turned, right_codes[which], left_codes[which])
        right = np.where(turned, left_codes[which], right_codes[which])
        links = np.where(turned, span_loops.mirrored(inside)[which], inside[which])
        order = np.argsort(left * len(phrases) + right, kind="stable")  # sentence pairs stay in order
        left, right, links, which, turned = left[order], right[order], links[order], which[order], turned[order]
        is_new = runs_of(left, right)
        contexts = self._contexts(alignments, lefts, rights, which, turned, reasons[which], is_new)

        run = np.cumsum(is_new) - 1
        by_links = np.lexsort((links, run))
        counted = {
            "count": (3 - both)[which],  # the same phrase on both sides is there twice
            "pair_count": (is_new | runs_of(pairs[which])).astype(np.int64),
            "group_count": (is_new | runs_of(groups[pairs[which]])).astype(np.int64),
        }
        is_row = runs_of(run[by_links], links[by_links])
        first = by_links[is_row]
        hashes = text_loops.hash_texts(*bytes_of(phrases))
        columns = {
            "bucket": bucket_numbers(hashes, self.buckets)[left[first]],
            "left": phrases.take(pa.array(left[first])),
            "right": phrases.take(pa.array(right[first])),
            "links": links[first],
            "reason": reasons[which[first]].astype(np.int64),
            **{name: sums_of(values[by_links], is_row) for name, values in counted.items()},
        }
        keys, texts, counts = contexts
        of_row = np.where(runs_of(run[first]), counts[run[first]], 0)  # beside the first of a pair's rows
        return pa.table({**columns, "context_keys": lists_of(keys, of_row), "contexts": lists_of(texts, of_row)})

    def _reasons(self, lefts: _Stretches, rights: _Stretches) -> NDArray[np.uint8]:
        options = self.options
        return reason_loops.find_reasons(
            lefts.starts,
            lefts.ends,
            lefts.side.hashes,
            self.kinds(lefts.side),
            rights.starts,
            rights.ends,
            rights.side.hashes,
            self.kinds(rights.side),
            (options.keep_links, options.keep_punctuation, options.keep_numbers, options.keep_mentions),
            _STRENGTHS[options.sub_phrases],
            _STRENGTHS[options.shared_edges],
        )

    def _contexts(
        self,
        alignments: pa.Table,
        lefts: _Stretches,
        rights: _Stretches,
        which: Integers,
        turned: NDArray[np.bool_],
        reasons: NDArray[np.uint8],
        is_new: NDArray[np.bool_],
    ) -> tuple[pa.Array, pa.Array, Integers]:
        """Keys and texts of the contexts that are kept of each run, and how many each has."""
        ids = alignments.column("alignment_id").to_pylist()
        pair_hashes = np.array([int(its_id[:16], 16) for its_id in ids], np.uint64)
        found = [stretches.around(pair_hashes, self.options.seed) for stretches in (lefts, rights)]
        keys = np.where(turned, found[1].keys[which], found[0].keys[which])
        wanted = reasons == reason_loops.KEPT
        bounds = np.concatenate([[0], np.cumsum(wanted)])
        places, counts = span_loops.first_of_each(is_new, bounds, keys[wanted], self.options.contexts)
        chosen = np.flatnonzero(wanted)[places]
        before, after, pairs = (
            pc.if_else(pa.array(turned[chosen]), right, left)
            for left, right in zip(
                found[0].texts(which[chosen]),
                found[1].texts(which[chosen]),
                strict=True,
            )
        )
        pair_ids = one_chunk(alignments.column("pair_id")).take(pairs)
        return pa.array(keys[chosen]), pc.binary_join_element_wise(before, after, pair_ids, "\t"), counts


@dataclass(frozen=True, slots=True)
class _Around:
    """Where the words around each phrase of a side lie."""

    data: NDArray[np.uint8]
    before: Integers
    start: Integers
    end: Integers
    after: Integers
    pairs: Integers
    keys: Integers

    def texts(self, rows: Integers) -> tuple[pa.Array, pa.Array, pa.Array]:
        """The words before these phrases, those behind them, and the place of the pair."""
        before = parts_of(self.data, self.before[rows], np.maximum(self.before[rows], self.start[rows] - 1))
        after = parts_of(self.data, np.minimum(self.after[rows], self.end[rows] + 1), self.after[rows])
        return before, after, pa.array(self.pairs[rows])


@dataclass(frozen=True, slots=True)
class _Stretches:
    """Phrases of one side: from which to which of its tokens they go."""

    side: Side
    pairs: Integers
    starts: Integers
    ends: Integers

    @classmethod
    def of(cls, side: Side, pairs: Integers, starts: Integers, ends: Integers) -> _Stretches:
        first = side.first_of_text[pairs]
        return cls(side, pairs, first + starts, first + ends)

    def texts(self) -> pa.Array:
        """The phrases."""
        return parts_of(self.side.data, self.side.starts[self.starts], self.side.ends[self.ends - 1])

    def around(self, pair_hashes: NDArray[np.uint64], seed: int) -> _Around:
        """What stands around each, and the keys by which some of that is kept."""
        side, pairs = self.side, self.pairs
        first = np.maximum(self.starts - WORDS_AROUND, side.first_of_text[pairs])
        last = np.minimum(self.ends + WORDS_AROUND, side.of_text[pairs]) - 1
        before, after = side.starts[first], side.ends[last]
        start, end = side.starts[self.starts], side.ends[self.ends - 1]
        keys = text_loops.context_keys(side.data, before, start, end, after, pair_hashes[pairs], seed)
        return _Around(side.data, before, start, end, after, pairs, keys)


def _numbered(lefts: _Stretches, rights: _Stretches) -> tuple[pa.Array, Integers, Integers]:
    """The different phrases of both sides, and which of them every left and right one is."""
    encoded = pa.concat_arrays([lefts.texts(), rights.texts()]).dictionary_encode()
    codes = encoded.indices.to_numpy().astype(np.int64)
    return encoded.dictionary, codes[: len(lefts.pairs)], codes[len(lefts.pairs) :]


def _group_numbers(column: pa.ChunkedArray) -> Integers:
    return encode(column)[1]
