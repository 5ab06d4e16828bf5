"""Vectors of any embedder in, shorter ones out: those along the directions of most variance (principal components).

The directions are learned from a sample of the collection. Vectors are not centred, so that products stay what they
are: the directions are those that keep most of the products (the eigenvectors of Σ v vᵀ).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders.catalogue import Asked
from paraloom.models.embedders.directions import leading_directions
from paraloom.models.embedders.unit_length import unit_length

SYSTEM = "reduced"
DIRECTIONS = "directions.safetensors"
LEARNT_FROM = 20_000


@dataclass(frozen=True, eq=False, kw_only=True)
class ReducedEmbedder:
    """Another embedder's vectors, turned to their principal components and cut."""

    of: Any
    """The embedder whose vectors are cut."""
    wanted: int
    source: Asked
    """How that embedder is loaded again."""
    directions: NDArray[np.float64] | None = None
    """One column a direction. None before `learn`."""

    def __post_init__(self) -> None:
        if not 0 < self.wanted < self.of.dims:
            raise InputError(
                f"{self.of.name} has vectors of {self.of.dims} numbers, so there are none of {self.wanted}. "
                f"Choose --dims from 1 to {self.of.dims}."
            )

    @property
    def name(self) -> str:
        return str(self.of.name)

    @property
    def is_network(self) -> bool:
        return bool(self.of.is_network)

    @property
    def dims(self) -> int:
        return self.wanted

    @property
    def is_learned(self) -> bool:
        return self.directions is not None

    @property
    def learns_from(self) -> int:
        return LEARNT_FROM

    @cached_property
    def signature(self) -> str:
        numbers = blake2b(digest_size=4)
        if self.directions is not None:
            numbers.update(np.ascontiguousarray(self.directions).data)
        return f"{self.of.signature}|dims:{self.wanted}|directions:{numbers.hexdigest()}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where the embedder that is cut gives zeros."""
        if self.directions is None:
            raise InputError(f"{self.name} with {self.wanted} dimensions has still to learn which. Call learn first.")
        # In 64 bits: what the order of additions changes is gone when it is rounded to 32.
        return unit_length(self.of.embed(texts).astype(np.float64) @ self.directions)

    def learn(self, texts: Iterable[str]) -> ReducedEmbedder:
        """The same with the directions that keep most of these texts' vectors."""
        vectors = self.of.embed(list(texts)).astype(np.float64)
        if not np.any(vectors):
            raise InputError(f"{self.name} knows none of the texts that it is to learn {self.wanted} dimensions from.")
        return replace(self, directions=leading_directions(vectors, self.wanted))

    def save(self, folder: Path) -> None:
        """Write the directions into a folder, and which embedder they are for."""
        from safetensors.numpy import save_file

        from paraloom.models.embedders.cards import write_card

        if self.directions is None:
            raise InputError(f"{self.name} with {self.wanted} dimensions has learned nothing to save. Learn first.")
        folder.mkdir(parents=True, exist_ok=True)
        save_file({"directions": self.directions}, folder / DIRECTIONS)
        place = Path(self.source.name)
        name = str(place.resolve()) if place.is_dir() else self.source.name
        card = {
            "dims": self.wanted,
            "of": {"name": name, "max_tokens": self.source.max_tokens},
            "of_signature": self.of.signature,
            "of_weights": weights_of(name),
        }
        write_card(folder, SYSTEM, card)

    @classmethod
    def load(cls, folder: Path | None, asked: Asked, of: str = "") -> ReducedEmbedder:
        """What was saved into a folder; the embedder that it cuts must have the weights of the one it was learned from.

        `of` is where that one lies now, if it has been moved.
        """
        from paraloom.models.embedders import load_embedder, read_card
        from paraloom.models.embedders.cards import read_tensors

        assert folder is not None, "directions are read from a folder"
        card = read_card(folder)
        source = Asked(name=of or card["of"]["name"], max_tokens=card["of"]["max_tokens"], device=asked.device)
        embedder = load_embedder(source.name, device=source.device, max_tokens=source.max_tokens)
        if weights_of(source.name) != card["of_weights"]:
            raise InputError(
                f"{folder} was learned with {card['of_signature']}, but {source.name} is now {embedder.signature}. "
                "Learn it anew, or put the embedder of that time back."
            )
        directions = read_tensors(folder / DIRECTIONS, ("directions",))["directions"]
        return cls(of=embedder, wanted=card["dims"], source=source, directions=directions)


def weights_of(name: str) -> str:
    """Eight letters for the files that an embedder's vectors depend on; where they lie and run plays no part."""
    from paraloom.models.embedders import weight_files
    from paraloom.models.embedders.cards import hash_of_weights

    return hash_of_weights(file for _, file in sorted(weight_files(name).items()))
