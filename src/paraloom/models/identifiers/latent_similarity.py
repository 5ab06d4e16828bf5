"""Pairs of texts in, paraphrases by the cosine of their latent vectors out: the papers' "(sim)".

WMF (Guo and Diab, 2012) and OrMF (Guo et al., 2014) give each sentence a vector; `lexical=True` adds the n-gram
features and is LEX-WMF or LEX-OrMF (Xu et al., 2014, after Ji and Eisenstein, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers.latent_identifier import LatentIdentifier

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class LatentSimilarity(LatentIdentifier):
    """One feature of latent meaning, the cosine.

    >>> LatentSimilarity(factors="wmf", lexical=True).name
    'lex-wmf-sim'
    """

    kind: ClassVar[str] = "sim"

    def latent_features(self, left: Floats, right: Floats, same_words: NDArray[np.bool_]) -> Floats:
        """The cosine of each pair of vectors; a text without a known word is like itself alone."""
        lengths = np.sqrt((left * left).sum(axis=1)) * np.sqrt((right * right).sum(axis=1))
        known = lengths > 0
        cosines = (left * right).sum(axis=1) / np.where(known, lengths, 1.0)
        return np.where(known, cosines, same_words)[:, None]
