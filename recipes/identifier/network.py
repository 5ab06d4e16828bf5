"""An encoder and one head a question: what teacher and student have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from paraloom.models.pair_model import QUESTIONS

from .encoder import Encoder

MEASURED = ("similarity",)
"""Answered by a number on its own scale; all others by a probability."""


class Heads(nn.Module):
    """The first token's state and the mean of all, through one hidden layer a question."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(2 * width, hidden * len(QUESTIONS))
        self.answers = nn.Parameter(torch.randn(len(QUESTIONS), hidden) * hidden**-0.5)
        self.biases = nn.Parameter(torch.zeros(len(QUESTIONS)))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        shares = (mask / mask.sum(1, keepdim=True)).to(states.dtype)
        pooled = torch.cat([states[:, 0], torch.einsum("btw,bt->bw", states, shares)], dim=-1)
        hidden = functional.gelu(self.hidden(functional.dropout(pooled, 0.1, self.training)))
        hidden = hidden.view(len(hidden), len(QUESTIONS), -1)
        return torch.einsum("bqh,qh->bq", hidden, self.answers).float() + self.biases.float()


class Net(nn.Module):
    """Answers to every question after each of the layers asked for; the last is the one that counts."""

    def __init__(self, base: Path, exits: Sequence[int] = (), hidden: int = 64) -> None:
        super().__init__()
        self.encoder = Encoder(base)
        self.exits = (*exits, self.encoder.layers_there)
        self.heads = nn.ModuleList(Heads(self.encoder.width, hidden) for _ in self.exits)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> list[Tensor]:
        states = self.encoder(ids, mask, segments, self.exits)
        return [heads(found, mask) for heads, found in zip(self.heads, states, strict=True)]
