"""Texts in, vectors of their character n-grams out: TF-IDF near that of Kanerva et al. (2023, section 8.1).

Bi- and trigrams within words, the commoner the lighter, their counts damped. There are far more of them than a vector
has numbers, so each is hashed to a place and a sign (Weinberger et al., 2009): products of vectors are the cosines with
an error of about 1 / √dims. The cosines of all 2²⁰ buckets are those of `tfidf.vectors(texts)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.likeness.character_tfidf import BUCKETS, CharacterTfidf
from paraloom.metrics.parts import of_parts
from paraloom.models.embedders.catalogue import EMBEDDERS, Asked
from paraloom.models.embedders.unit_length import unit_length

NAME = "characters"
COMMONNESS = "commonness.safetensors"
SHORTEST, LONGEST = 2, 3
ROWS = 4096
"""Texts that one thread turns into vectors at a time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CharacterEmbedder:
    """Hashed TF-IDF of character n-grams; before `learn` all n-grams weigh alike."""

    is_network: ClassVar[bool] = False
    dims: int = EMBEDDERS[NAME].dims
    tfidf: CharacterTfidf = CharacterTfidf(shortest=SHORTEST, longest=LONGEST)

    def __post_init__(self) -> None:
        if self.dims < 1:
            raise InputError(f"{NAME} needs at least 1 dimension, not {self.dims}.")

    @property
    def name(self) -> str:
        return NAME

    @property
    def is_learned(self) -> bool:
        return self.tfidf.commonness is not None

    @property
    def learns_from(self) -> int:
        return 0

    @cached_property
    def signature(self) -> str:
        learnt = self.tfidf.commonness
        idf = "none" if learnt is None else blake2b(learnt.tobytes(), digest_size=4).hexdigest()
        grams = f"{self.tfidf.shortest}-{self.tfidf.longest}"
        return f"embedder:{NAME}|dims:{self.dims}|grams:{grams}|weights:{idf}|paraloom:{paraloom_version()}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where a text is blank."""

        def some(first: int, last: int) -> NDArray[np.float32]:
            return unit_length(self.tfidf.vectors(texts[first:last]).sketches(self.dims))

        return np.concatenate([np.zeros((0, self.dims), np.float32), *of_parts(some, len(texts), ROWS)])

    def learn(self, texts: Iterable[str]) -> CharacterEmbedder:
        """The same with the n-grams weighed by how rare they are in these texts; they are read once, as a stream."""
        learnt = CharacterTfidf.of(texts, shortest=self.tfidf.shortest, longest=self.tfidf.longest)
        return replace(self, tfidf=learnt)

    def save(self, folder: Path) -> None:
        """Write the weights of the n-grams into a folder."""
        from safetensors.numpy import save_file

        from paraloom.models.embedders.cards import write_card

        if self.tfidf.commonness is None:
            raise InputError(f"{NAME} has learned nothing to save. Call learn first.")
        folder.mkdir(parents=True, exist_ok=True)
        save_file({"commonness": self.tfidf.commonness}, folder / COMMONNESS)
        settings = {"dims": self.dims, "shortest": self.tfidf.shortest, "longest": self.tfidf.longest}
        write_card(folder, "characters", settings)

    @classmethod
    def load(cls, folder: Path | None, asked: Asked) -> CharacterEmbedder:
        """What was saved into a folder, or one that has still to learn; any number of dimensions may be asked for."""
        if folder is None:
            return cls(dims=asked.dims or EMBEDDERS[NAME].dims)
        from paraloom.models.embedders import read_card
        from paraloom.models.embedders.cards import read_tensors

        card = read_card(folder)
        commonness = read_tensors(folder / COMMONNESS, ("commonness",))["commonness"]
        if commonness.shape != (BUCKETS,):
            raise InputError(f"{folder / COMMONNESS} was saved by another version. Learn and save it anew.")
        tfidf = CharacterTfidf(shortest=card["shortest"], longest=card["longest"], commonness=commonness)
        return cls(dims=asked.dims or card["dims"], tfidf=tfidf)
