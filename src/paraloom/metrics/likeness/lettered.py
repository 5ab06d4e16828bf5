"""Texts in, their letters in lower case as one array of code points out, as loops over numbers take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

BLANKS = np.array([chr(code).isspace() for code in range(0x3001)])
"""Which code points are white space; those beyond are not."""


def letters_of(texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of all texts behind one another, and where each text ends.

    >>> [array.tolist() for array in letters_of(["Ab", "", "c"])]
    [[97, 98, 99], [2, 2, 3]]
    """
    lowered = [text.lower() for text in texts]
    letters = np.frombuffer("".join(lowered).encode("utf-32-le", "surrogatepass"), np.uint32)
    return letters, np.cumsum([len(text) for text in lowered], dtype=np.int64)
