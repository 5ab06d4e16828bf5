"""Tokens of both texts at once in, one number a head out."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

DROPOUT = 0.1


class PairReader(nn.Module):
    """A transformer that reads both texts, and linear heads on the first token's state and the mean of all."""

    def __init__(self, encoder: Any, heads: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(DROPOUT)
        self.heads = new_heads(2 * encoder.config.hidden_size, heads)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """One row a pair, one column a head."""
        states = self.encoder(**batch).last_hidden_state
        pooled = torch.cat([states[:, 0], mean_state(states, batch["attention_mask"])], dim=-1)
        return asked(self.heads, self.dropout(pooled))


def new_heads(width: int, heads: int) -> nn.Linear:
    """Heads that all say nearly nothing yet, as BERT's do."""
    linear = nn.Linear(width, heads)
    nn.init.normal_(linear.weight, std=0.02)
    nn.init.zeros_(linear.bias)
    return linear


def asked(heads: nn.Linear, states: Tensor) -> Tensor:
    """What heads answer, one row a text or pair; once they are trained in 64 bits.

    Few rows are multiplied in another order than many. In 64 bits that does not show, and a row's answer is the same
    whatever is asked beside it.
    """
    if heads.training:
        answers: Tensor = heads(states)
        return answers.float()
    return nn.functional.linear(states.double(), heads.weight.double(), heads.bias.double())


def mean_state(states: Tensor, mask: Tensor) -> Tensor:
    """The mean state of the tokens that a mask names; zero where it names none."""
    shares = mask / mask.sum(1, keepdim=True).clamp(min=1)
    return torch.einsum("btw,bt->bw", states, shares.to(states.dtype))
