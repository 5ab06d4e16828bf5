"""Pairs of texts in, paraphrases by a regression on their latent vectors out: the papers' "(vec)".

WMF (Guo and Diab, 2012) and OrMF (Guo et al., 2014) give each sentence a vector; two vectors become one, their sum and
their absolute difference side by side (Ji and Eisenstein, 2013; Lan et al., 2017). `lexical=True` adds the n-gram
features and is LEX-WMF or LEX-OrMF.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers.latent_identifier import LatentIdentifier

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class LatentVectors(LatentIdentifier):
    """Two features for each latent dimension: the sum and the absolute difference.

    >>> LatentVectors(factors="ormf").name
    'ormf-vec'
    """

    kind: ClassVar[str] = "vec"

    def latent_features(self, left: Floats, right: Floats, same_words: NDArray[np.bool_]) -> Floats:
        """[v₁ + v₂, |v₁ − v₂|] of each pair of vectors."""
        return np.hstack([left + right, np.abs(left - right)])
