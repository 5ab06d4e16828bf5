"""Pairs and texts by number in, losses of their vectors out: what an embedder learns from, one kind of lesson a class.

Texts are numbered once; a lesson says which texts a batch of it needs, and is given their vectors, in that order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.models.training.embedding_objectives import TEMPERATURE, alike_as, binary, contrastive, matryoshka
from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch

Integers = NDArray[np.int64]

NONE = -1
"""Stands where a pair has no further hard text."""


class Lesson(Protocol):
    """Something to learn, row by row."""

    def __len__(self) -> int:
        """How many rows there are."""

    def texts(self, rows: Integers) -> Integers:
        """The numbers of the texts whose vectors the loss of these rows is of."""

    def loss(self, vectors: torch.Tensor, rows: Integers, net: Any) -> torch.Tensor:
        """What a step lowers; `vectors` are those of `texts(rows)`, `net` holds what is learned beside them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SamePairs:
    """Pairs that say the same: of each the right text must be found among all of its batch."""

    left: Integers
    right: Integers
    groups: Integers
    """By text: texts of one group say the same and do not compete."""
    hard: Integers
    """A row a pair: texts that are alike and do not say the same, NONE behind the last."""
    sizes: tuple[int, ...]
    """The first so many numbers of a vector must do alone."""
    temperature: float = TEMPERATURE

    def __len__(self) -> int:
        return len(self.left)

    def texts(self, rows: Integers) -> Integers:
        return np.concatenate([self.left[rows], self.right[rows], self._hard(rows)])

    def loss(self, vectors: torch.Tensor, rows: Integers, net: Any) -> torch.Tensor:
        left, right, hard = vectors[: len(rows)], vectors[len(rows) : 2 * len(rows)], vectors[2 * len(rows) :]
        given = {
            "groups": _on(vectors, self.groups[self.left[rows]]),
            "hard_groups": _on(vectors, self.groups[self._hard(rows)]) if len(hard) else None,
            "temperature": self.temperature,
        }
        return matryoshka(contrastive, self.sizes, left, right, *([hard] if len(hard) else []), **given)

    def _hard(self, rows: Integers) -> Integers:
        every = self.hard[rows].ravel()
        return np.asarray(every[every != NONE], np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedPairs:
    """Pairs of which people, or a teacher that reads both texts at once, said how likely they say the same."""

    left: Integers
    right: Integers
    said: NDArray[np.float32]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.left)

    def texts(self, rows: Integers) -> Integers:
        return np.concatenate([self.left[rows], self.right[rows]])

    def loss(self, vectors: torch.Tensor, rows: Integers, net: Any) -> torch.Tensor:
        left, right = vectors[: len(rows)], vectors[len(rows) :]
        given = {"targets": _on(vectors, self.said[rows]), "slope": net.slope, "middle": net.middle}
        return matryoshka(binary, self.sizes, left, right, **given)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaughtTexts:
    """Texts with the vectors of a teacher: as alike as it finds them they must become."""

    taught: NDArray[np.float32]
    """A row a text."""
    sizes: tuple[int, ...]
    temperature: float = TEMPERATURE

    def __len__(self) -> int:
        return len(self.taught)

    def texts(self, rows: Integers) -> Integers:
        return rows

    def loss(self, vectors: torch.Tensor, rows: Integers, net: Any) -> torch.Tensor:
        as_taught = partial(alike_as, teacher=_on(vectors, self.taught[rows]), temperature=self.temperature)
        return matryoshka(as_taught, self.sizes, vectors)


def _on(vectors: torch.Tensor, numbers: NDArray[Any]) -> torch.Tensor:
    """Numbers on the device of the vectors."""
    found: torch.Tensor = torch_library().from_numpy(np.ascontiguousarray(numbers)).to(vectors.device)
    return found
