"""Word vectors of both texts in, one number a head out: each word is compared with what it is aligned to."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from paraloom.models.identifiers.networks.pair_reader import mean_state
from paraloom.models.identifiers.networks.words_in_context import WordsInContext, begin_evenly, highest_state


class EsimNetwork(nn.Module):
    """Sequential inference with attention between the texts (Chen et al., 2017, without trees)."""

    def __init__(self, width: int, hidden: int, dropout: float, heads: int) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.words = WordsInContext(width, hidden)
        self.compared = nn.Sequential(nn.Linear(8 * hidden, hidden), nn.ReLU())
        self.composed = WordsInContext(hidden, hidden)
        self.classifier = nn.Sequential(
            nn.Dropout(dropout), nn.Linear(8 * hidden, hidden), nn.Tanh(), nn.Dropout(dropout), nn.Linear(hidden, heads)
        )
        begin_evenly(self)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """One row a pair, one column a head: the mean of both orders."""
        states = self.words(self.dropout(vectors), lengths)
        aligned = align(states, mask)
        compared = self.compared(torch.cat([states, aligned, states - aligned, states * aligned], dim=-1))
        composed = self.composed(self.dropout(compared), lengths)
        left, right = torch.cat([mean_state(composed, mask), highest_state(composed, mask)], dim=-1).chunk(2)
        both_orders = torch.cat([torch.cat([left, right], dim=-1), torch.cat([right, left], dim=-1)])
        answers: Tensor = self.classifier(both_orders)
        return answers.view(2, len(left), -1).mean(dim=0)


def align(states: Tensor, mask: Tensor) -> Tensor:
    """For each word of a text the mean of the other text's words, weighed by how like it they are (equations 11-13)."""
    other, other_mask = torch.roll(states, len(states) // 2, 0), torch.roll(mask, len(mask) // 2, 0)
    likeness = (states @ other.transpose(1, 2)).float().masked_fill(~other_mask[:, None], -1e4)
    return likeness.softmax(dim=-1).to(other.dtype) @ other
