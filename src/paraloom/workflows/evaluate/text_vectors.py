"""An embedder's name in, what makes vectors of texts for retrieval out: dense ones, or exact sparse ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.metrics.retrieval.vectors import DenseVectors, SparseVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paraloom.models.embedders import Embedder

EXACT_CHARACTERS = "characters-exact"
"""TF-IDF of character bi- and trigrams that are not folded into dimensions, near the baseline of Kanerva et al. (2023,
section 8.1): n-grams share 2²⁰ buckets, and their counts are damped."""
SHORTEST, LONGEST = 2, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TextVectors:
    """Makes vectors of texts; what it needed to learn, it has."""

    name: str
    signature: str
    dims: int
    make: Callable[[Sequence[str]], Any]
    """Texts in, `Vectors` of one kind out."""
    runs: tuple[Path, ...] = ()
    """Mined runs that have such vectors of their sentences already, as codes."""
    of_codes: Callable[[NDArray[np.int8]], Any] | None = None
    """The codes of such a run in, the same `Vectors` out."""


def name_and_dims(asked: str) -> tuple[str, int]:
    """An embedder's name and how many dimensions are asked for; 0 where none are.

    >>> name_and_dims("fast@64"), name_and_dims("good"), name_and_dims("models/a@b")
    (('fast', 64), ('good', 0), ('models/a@b', 0))
    """
    name, at, dims = asked.rpartition("@")
    return (name, int(dims)) if at and dims.isdecimal() else (asked, 0)


@dataclass(frozen=True, slots=True)
class AskedEmbedder:
    """An embedder that was asked for, before it has learned anything."""

    asked: str
    embedder: Embedder | None
    """None for exact n-grams, which no embedder has."""
    device: str = "cpu"
    """Where vectors are compared."""

    @property
    def learns(self) -> bool:
        """Whether it learns from the very texts it is measured on, so that every set has its own."""
        from paraloom.models.embedders import can_embed

        return self.embedder is None or not can_embed(self.embedder)

    def vectors(self, texts: Iterable[str]) -> TextVectors:
        """What makes vectors, having learned from these texts if there is anything to learn."""
        if self.embedder is None:
            return _exact_characters(self.asked, texts)
        from paraloom.models.embedders import learned

        ready = learned(self.embedder, texts)
        return TextVectors(
            name=self.asked,
            signature=ready.signature,
            dims=ready.dims,
            make=lambda some: DenseVectors(ready.embed(some), self.device),
        )


def ask_for(asked: str, *, device: str = "cpu", hub: bool = False) -> AskedEmbedder:
    """The embedder of that name, or in that folder; the model hub is asked for one only with `hub`.

    >>> exact = ask_for("characters-exact").vectors(["a storm", "the storm", "rain"])
    >>> len(exact.make(["a storm"])), exact.dims
    (1, 0)
    """
    name, dims = name_and_dims(asked)
    if name == EXACT_CHARACTERS:
        if dims:
            raise InputError(f"{asked}: exact vectors of n-grams have no dimensions to choose. Use characters@{dims}.")
        return AskedEmbedder(asked, None)
    from paraloom.models.embedders import load_embedder

    return AskedEmbedder(asked, load_embedder(name, dims=dims, device=device, hub=hub), device)


def _exact_characters(asked: str, texts: Iterable[str]) -> TextVectors:
    from hashlib import blake2b

    from paraloom.engine.signatures import paraloom_version
    from paraloom.metrics.likeness.character_tfidf import CharacterTfidf

    tfidf = CharacterTfidf.of(texts, shortest=SHORTEST, longest=LONGEST)
    assert tfidf.commonness is not None
    weights = blake2b(tfidf.commonness.tobytes(), digest_size=4).hexdigest()
    grams = f"{SHORTEST}-{LONGEST}"
    return TextVectors(
        name=asked,
        signature=f"embedder:{EXACT_CHARACTERS}|grams:{grams}|weights:{weights}|paraloom:{paraloom_version()}",
        dims=0,
        make=lambda some: SparseVectors(tfidf.vectors(some)),
    )
