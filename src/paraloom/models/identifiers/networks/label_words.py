"""Tokens of a question about two texts in, how much likelier one of two words is as its answer out."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

STEPS_AT_ONCE = 4
"""A single token a row is multiplied in an order that depends on how many rows there are; so many are not."""


class LabelWords(nn.Module):
    """An encoder and a decoder, of whose first step only the two words' numbers are looked at."""

    def __init__(self, model: Any, yes: int, no: int) -> None:
        super().__init__()
        self.model = model
        self.yes, self.no = yes, no

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """The logit of one word less that of the other, one a row.

        Once it is trained the decoder takes further steps, which its first one does not see, so that a row's answer is
        the same whatever is asked beside it.
        """
        steps = 1 if self.training else STEPS_AT_ONCE
        start = torch.full(
            (len(batch["input_ids"]), steps),
            self.model.config.decoder_start_token_id,
            device=batch["input_ids"].device,
            dtype=torch.int64,
        )
        first: Tensor = self.model(**batch, decoder_input_ids=start).logits[:, 0]
        return (first[:, self.yes] - first[:, self.no]).float()
