"""Texts in, their latent vectors out by orthogonal matrix factorisation (Guo, Liu and Diab, 2014), of length 1.

The words' vectors are learned from a sample of the collection; every text is then folded in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.embedders.catalogue import EMBEDDERS, Asked
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.identifiers.latent_identifier import lemmas_of
from paraloom.models.identifiers.matrix_factors import Factorisation, MatrixFactors, factorise

NAME = "ormf"
TEXTS_AT_ONCE = 8192
LEARNT_FROM = 50_000


@dataclass(frozen=True, eq=False, kw_only=True)
class OrmfEmbedder:
    """Latent vectors of sentences, of length 1."""

    is_network: ClassVar[bool] = False
    dims: int = EMBEDDERS[NAME].dims
    orthogonality: float = 0.0001
    """α: the step that makes dimensions orthogonal."""
    language: str = "en"
    """The language whose lemmas are counted as words."""
    seed: int = 1
    factors: MatrixFactors | None = None
    """The words' vectors. None before `learn`."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def is_learned(self) -> bool:
        return self.factors is not None

    @property
    def learns_from(self) -> int:
        return LEARNT_FROM

    @cached_property
    def signature(self) -> str:
        learnt = self.factors.fingerprint if self.factors else "none"
        return f"embedder:{NAME}|dims:{self.dims}|lemmas:{self.language}|weights:{learnt}|paraloom:{paraloom_version()}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where none of its words is known."""
        if self.factors is None:
            raise InputError(f"{NAME} has learned no words yet. Call learn with sentences of the collection first.")
        found = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            bags = [lemmas_of(text, self.language) for text in texts[start : start + TEXTS_AT_ONCE]]
            found[start : start + TEXTS_AT_ONCE] = unit_length(self.factors.fold_in(bags))
        return found

    def learn(self, texts: Iterable[str]) -> OrmfEmbedder:
        """The same with the vectors of the words of these texts, which are held in memory."""
        how = Factorisation(dimensions=self.dims, orthogonality=self.orthogonality)
        bags = (lemmas_of(text, self.language) for text in texts)
        return replace(self, factors=factorise(bags, how, self.seed))

    def save(self, folder: Path) -> None:
        """Write words and vectors into a folder."""
        from paraloom.models.embedders.cards import write_card

        if self.factors is None:
            raise InputError(f"{NAME} has learned nothing to save. Call learn first.")
        folder.mkdir(parents=True, exist_ok=True)
        self.factors.save(folder)
        write_card(folder, "ormf", {"dims": self.dims, "language": self.language, "seed": self.seed})

    @classmethod
    def load(cls, folder: Path | None, asked: Asked) -> OrmfEmbedder:
        """What was saved into a folder, or one that has still to learn."""
        if folder is None:
            return cls(dims=asked.dims or EMBEDDERS[NAME].dims)
        from paraloom.models.embedders import read_card

        card = read_card(folder)
        factors = MatrixFactors.load(folder)
        return cls(dims=factors.dimensions, language=card["language"], seed=card["seed"], factors=factors)
