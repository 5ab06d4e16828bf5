"""Word vectors of both texts in, one number a head out: two sentence vectors and what compares them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from paraloom.models.identifiers.networks.words_in_context import WordsInContext, begin_evenly, highest_state


class InferSentNetwork(nn.Module):
    """BiLSTM with max pooling; u, v, |u - v| and u * v go into a small classifier (Conneau et al., 2017)."""

    def __init__(self, width: int, hidden: int, classifier: int, dropout: float, heads: int) -> None:
        super().__init__()
        self.words = WordsInContext(width, hidden)
        self.classifier = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(8 * hidden, classifier),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(classifier, heads),
        )
        begin_evenly(self)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """One row a pair, one column a head: the mean of both orders."""
        left, right = highest_state(self.words(vectors, lengths), mask).chunk(2)
        apart, together = (left - right).abs(), left * right
        one = torch.cat([left, right, apart, together], dim=-1)
        other = torch.cat([right, left, apart, together], dim=-1)
        answers: Tensor = self.classifier(torch.cat([one, other]))
        return answers.view(2, len(left), -1).mean(dim=0)
