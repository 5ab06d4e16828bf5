"""Tokens of phrase pairs in, why some of them are no use out: loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Kinds = NDArray[np.uint8]

MARK, NUMBER, LINK, MENTION, TRIVIAL, ANY = 1, 2, 4, 8, 16, 32
"""Bits of a token's kind: no letter or digit in it; digits and no letter; a web address; @user; of no weight; all."""
KEPT, IDENTICAL, ADDRESS, PUNCTUATION, NUMBERS, MENTIONS, SUB_PHRASE, SHARED_EDGES = range(8)
"""What is found about a pair, in the order in which it is looked for."""
KEEP, IF_TRIVIAL, DROP = range(3)


@compiled
def _all_are(kinds: Kinds, start: Any, end: Any, wanted: Any) -> bool:
    for place in range(start, end):  # noqa: SIM110 - a loop that is compiled
        if not kinds[place] & wanted:
            return False
    return True


@compiled
def _are_the_same(words: Hashes, start: Any, others: Hashes, other: Any, count: Any) -> bool:
    for step in range(count):  # noqa: SIM110
        if words[start + step] != others[other + step]:
            return False
    return True


@compiled
def _differ_in_marks(
    words: Hashes, kinds: Kinds, start: Any, end: Any, others: Hashes, other_kinds: Kinds, other: Any, stop: Any
) -> bool:
    """Whether both are the same words once punctuation is taken out."""
    while True:
        while start < end and kinds[start] & MARK:
            start += 1
        while other < stop and other_kinds[other] & MARK:
            other += 1
        if start == end or other == stop:
            return bool(start == end and other == stop)
        if words[start] != others[other]:
            return False
        start, other = start + 1, other + 1


@compiled
def _is_in(
    words: Hashes, start: Any, end: Any, longer: Hashes, kinds: Kinds, other: Any, stop: Any, wanted: Any
) -> bool:
    """Whether a phrase is the longer one without some words, which stand together or around it and are all `wanted`."""
    count, more = end - start, (stop - other) - (end - start)
    for first in range(more + 1):  # around it
        if (
            _are_the_same(words, start, longer, other + first, count)
            and _all_are(kinds, other, other + first, wanted)
            and _all_are(kinds, other + first + count, stop, wanted)
        ):
            return True
    for first in range(1, count):  # inside it
        if (
            _are_the_same(words, start, longer, other, first)
            and _are_the_same(words, start + first, longer, other + first + more, count - first)
            and _all_are(kinds, other + first, other + first + more, wanted)
        ):
            return True
    return False


@compiled
def _share_edges(
    words: Hashes, kinds: Kinds, start: Any, end: Any, others: Hashes, other: Any, stop: Any, wanted: Any
) -> bool:
    """Whether both begin with the same word, or end with the same one, that is `wanted`."""
    first = words[start] == others[other] and kinds[start] & wanted
    last = words[end - 1] == others[stop - 1] and kinds[end - 1] & wanted
    return bool(first or last)


@compiled
def find_reasons(
    starts: Integers,
    ends: Integers,
    words: Hashes,
    kinds: Kinds,
    other_starts: Integers,
    other_ends: Integers,
    others: Hashes,
    other_kinds: Kinds,
    kept: tuple[bool, bool, bool, bool],
    sub_phrases: Any,
    shared_edges: Any,
) -> Kinds:
    """What is found about each pair of phrases, which are stretches of both sides' tokens.

    `kept` says whether addresses, punctuation, numbers and mentions are; the last two are `KEEP`, `IF_TRIVIAL` or
    `DROP`. All of it is the same for a pair and for its mirror image.
    """
    found = np.zeros(len(starts), np.uint8)
    keep_links, keep_marks, keep_numbers, keep_mentions = kept
    for row in range(len(starts)):
        start, end, other, stop = starts[row], ends[row], other_starts[row], other_ends[row]
        length, other_length = end - start, stop - other
        if length == other_length and _are_the_same(words, start, others, other, length):
            found[row] = IDENTICAL
            continue
        kinds_met, other_kinds_met = 0, 0
        for place in range(start, end):
            kinds_met |= kinds[place]
        for place in range(other, stop):
            other_kinds_met |= other_kinds[place]
        if (kinds_met | other_kinds_met) & LINK and not keep_links:
            found[row] = ADDRESS
        elif (
            _all_are(kinds, start, end, MARK)
            or _all_are(other_kinds, other, stop, MARK)
            or (
                not keep_marks
                and (
                    (kinds[start] | kinds[end - 1] | other_kinds[other] | other_kinds[stop - 1]) & MARK
                    or _differ_in_marks(words, kinds, start, end, others, other_kinds, other, stop)
                )
            )
        ):
            found[row] = PUNCTUATION
        elif (
            not keep_numbers
            and _all_are(kinds, start, end, NUMBER | MARK)
            and _all_are(other_kinds, other, stop, NUMBER | MARK)
        ):
            found[row] = NUMBERS
        elif (
            not keep_mentions
            and _all_are(kinds, start, end, MENTION | MARK)
            and _all_are(other_kinds, other, stop, MENTION | MARK)
        ):
            found[row] = MENTIONS
        else:
            if sub_phrases != KEEP:
                wanted = ANY if sub_phrases == DROP else TRIVIAL
                if length < other_length:
                    is_in = _is_in(words, start, end, others, other_kinds, other, stop, wanted)
                else:
                    is_in = _is_in(others, other, stop, words, kinds, start, end, wanted)
                if is_in:
                    found[row] = SUB_PHRASE
                    continue
            if shared_edges != KEEP:
                wanted = ANY if shared_edges == DROP else TRIVIAL
                if _share_edges(words, kinds, start, end, others, other, stop, wanted):
                    found[row] = SHARED_EDGES
    return found
