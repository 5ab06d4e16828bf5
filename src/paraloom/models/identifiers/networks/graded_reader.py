"""Tokens of both texts at once in, numbers for base label, direction, style and minor deviation out."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from paraloom.models.identifiers.networks.pair_reader import DROPOUT, asked, mean_state, new_heads

SIZES = {"base": 3, "direction": 3, "style": 2, "minor": 2}
"""How many classes each head tells apart."""


class GradedReader(nn.Module):
    """Four heads on five states: [CLS], both [SEP] and the mean of each text (Kanerva et al., 2023, section 7.1)."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(DROPOUT)
        self.heads = new_heads(5 * encoder.config.hidden_size, sum(SIZES.values()))

    def forward(self, tokens: dict[str, Tensor], marks: Tensor, left: Tensor, right: Tensor) -> dict[str, Tensor]:
        """`marks` are the places of both [SEP], `left` and `right` the masks of the texts."""
        states = self.encoder(**tokens).last_hidden_state
        rows = torch.arange(len(states), device=states.device)
        five = [states[:, 0], states[rows, marks[:, 0]], states[rows, marks[:, 1]]]
        five += [mean_state(states, left), mean_state(states, right)]
        answers = asked(self.heads, self.dropout(torch.cat(five, dim=-1)))
        return dict(zip(SIZES, torch.split(answers, list(SIZES.values()), dim=1), strict=True))
