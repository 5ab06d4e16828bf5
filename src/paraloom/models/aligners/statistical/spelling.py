"""Words and pairs of them in, how alike the two of each pair are in spelling out.

The measure is the longest common subsequence ratio (Melamed, 1999). Words with a figure are alike to none: 2015 and
2016 differ in a letter and in what they mean. A leading # or @ does not count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners.statistical.cells import even_parts, in_threads
from paraloom.models.aligners.statistical.vocabulary import Codes, begins

FEWEST_LETTERS = 4
"""Shorter words are alike by chance."""
LONGEST_WORD = 40
"""Longer ones are addresses."""


def spelling_likenesses(
    words: Sequence[str], rows: Codes, columns: Codes, least: float, threads: int
) -> NDArray[np.float32]:
    """How alike the words of each row and column number are, from `least` to 1; 0 where less, and for a word itself.

    >>> one, other = np.array([0, 0, 2], np.int32), np.array([1, 2, 3], np.int32)
    >>> found = spelling_likenesses(["report", "reports", "2015-12", "2016-12"], one, other, 0.7, 1)
    >>> [round(float(likeness), 2) for likeness in found]
    [0.86, 0.0, 0.0]
    """
    from paraloom.models.aligners.statistical.spelling_loops import likenesses

    bare = [word.lstrip("#@") for word in words]
    can_be_alike = np.array(
        [FEWEST_LETTERS <= len(word) <= LONGEST_WORD and not any(map(str.isdigit, word)) for word in bare], np.bool_
    )
    letters = np.frombuffer("".join(bare).encode("utf-32-le", "surrogatepass"), np.int32)
    starts = begins(np.array([len(word) for word in bare], np.int64))
    found = in_threads(
        lambda first, last: likenesses(rows[first:last], columns[first:last], letters, starts, can_be_alike, least),
        even_parts(np.ones(len(rows), np.int8), 4 * threads) if len(rows) else [],
        threads,
    )
    return np.concatenate([np.zeros(0, np.float32), *found])
