"""Links between two texts in, the phrase pairs that agree with them out."""

from __future__ import annotations

from typing import NamedTuple

from paraloom.errors import InputError
from paraloom.models.aligners import Links
from paraloom.phrases.options import MOST_WORDS


class Span(NamedTuple):
    """Where a phrase pair lies: tokens from `start` on, up to `end` and not with it, on either side."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int


def phrase_spans(
    left_words: int, right_words: int, links: Links, *, max_words: int = MOST_WORDS, extend_unaligned: bool = False
) -> list[Span]:
    """All phrase pairs consistent with an alignment (Och and Ney, 2004; Koehn et al., 2003).

    There is a link between the two, and none from a word of the one to a word outside of the other. Words at the edges
    have links, unless `extend_unaligned`.

    >>> phrase_spans(2, 3, ((0, 0), (1, 2)))
    [Span(left_start=0, left_end=1, right_start=0, right_end=1),
     Span(left_start=0, left_end=2, right_start=0, right_end=3),
     Span(left_start=1, left_end=2, right_start=2, right_end=3)]
    """
    import numpy as np

    from paraloom.phrases.span_loops import consistent_spans

    check_max_words(max_words)
    outside = [link for link in links if not (0 <= link[0] < left_words and 0 <= link[1] < right_words)]
    if outside:
        raise InputError(f"There is a link {outside[0]} between texts of {left_words} and {right_words} words.")
    found, _ = consistent_spans(
        np.array([left_words]),
        np.array([right_words]),
        np.array([len(links)]),
        np.array(links, np.int64).reshape(-1, 2),
        max_words,
        extend_unaligned,
    )
    return [Span(*row) for row in found[:, 1:].tolist()]


def check_max_words(max_words: int) -> None:
    """Refuse phrases of a length that cannot be had."""
    if not 1 <= max_words <= MOST_WORDS:
        raise InputError(f"max_words is {max_words}. Phrases have 1 to {MOST_WORDS} words.")


def written_inside(bits: int) -> str:
    """The links inside a phrase pair, which are the bits of a number, as aligners write them.

    >>> written_inside(1 | 1 << 8)
    '0-0 1-1'
    """
    from paraloom.phrases.span_loops import STRIDE

    return " ".join(f"{bit // STRIDE}-{bit % STRIDE}" for bit in range(STRIDE * STRIDE) if bits >> bit & 1)
