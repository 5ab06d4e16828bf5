"""The numbers of the words of both texts in, one number a head out, by a network that compares word vectors."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class WordBatch:
    """Some pairs: first all left texts, then all right ones, filled up to the longest."""

    given: Tensor
    """The vector of each word as it was found: texts × words × width."""
    learned: Tensor
    """The row of each word in the table of learned vectors; 0 where the given vector is kept."""
    lengths: Tensor
    """Words of each text, on the CPU."""
    mask: Tensor
    """Texts × words: whether a word stands there."""
    heads: Tensor
    targets: Tensor


class WordVectorNetwork(nn.Module):
    """Word vectors, given or learned, and a network that compares two texts of them."""

    def __init__(self, compare: nn.Module, initial: Tensor, digest: bytes) -> None:
        """`initial` has the vectors that are learned further, one row a word; `digest` names those that are not."""
        super().__init__()
        self.compare = compare
        nothing = initial.new_zeros(1, initial.shape[1])
        self.words = nn.Parameter(torch.cat([nothing, initial])) if len(initial) else None
        # Not learned, but part of what decides a score: a checkpoint made with other vectors is another training.
        self.register_buffer("given_vectors", torch.frombuffer(bytearray(digest), dtype=torch.uint8))

    def forward(self, batch: WordBatch) -> Tensor:
        """One row a pair, one column a head."""
        vectors = batch.given
        if self.words is not None:
            vectors = torch.where(
                (batch.learned > 0)[..., None], nn.functional.embedding(batch.learned, self.words), vectors
            )
        answers: Tensor = self.compare(vectors, batch.lengths, batch.mask)
        return answers.float()
