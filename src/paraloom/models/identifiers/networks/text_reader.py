"""Tokens of one text in, its vector out; two vectors in, one number a head out (Reimers and Gurevych, 2019)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from paraloom.models.identifiers.networks.pair_reader import asked, mean_state, new_heads


class TextReader(nn.Module):
    """A transformer that reads each text on its own, and what compares two vectors."""

    def __init__(self, encoder: Any, heads: int, objective: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = new_heads(3 * encoder.config.hidden_size, heads) if objective == "classification" else None

    def vectors(self, batch: dict[str, Tensor]) -> Tensor:
        """The mean state of each text's tokens."""
        return mean_state(self.encoder(**batch).last_hidden_state, batch["attention_mask"]).float()

    def compare(self, left: Tensor, right: Tensor, heads: Tensor) -> Tensor:
        """One number a pair: its head's answer to u, v and |u - v|, the mean of both orders; or the cosine."""
        if self.heads is None:
            cosine = nn.functional.cosine_similarity(left.double(), right.double())
            return cosine.float() if self.training else cosine
        apart = (left - right).abs()
        # The mean over both orders of a linear head is the head's answer to the mean of its inputs.
        middle = (left + right) / 2
        answers = asked(self.heads, torch.cat([middle, middle, apart], dim=-1))
        return answers.gather(1, heads[:, None])[:, 0]
