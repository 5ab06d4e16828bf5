"""Pairs of texts in, how likely they are paraphrases out, by comparing one vector a text.

Conneau et al. (2017): a bidirectional LSTM reads the word vectors of a text, the highest number of each column is its
vector; two vectors u and v are compared by u, v, |u - v| and u * v. Here the sentence encoder learns from
the pairs alone (the authors' was trained on natural language inference first), and is smaller than their 2048.

**Either order gives the same score:** the mean of the logits of both orders, in training as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from paraloom.models.identifiers.word_network import WordNetwork

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True, kw_only=True)
class InferSent(WordNetwork):
    """A BiLSTM with max pooling, and a classifier of two sentence vectors (Conneau et al., 2017).

    >>> InferSent(vectors="glove-50d", hidden=128).definitions
    ()
    """

    NAME: ClassVar[str] = "infersent"

    hidden: int = 512
    """Width of the LSTM in each direction."""
    classifier: int = 512
    """Width of the classifier's hidden layer."""
    dropout: float = 0.2
    """Share of the classifier's inputs that are left out while training."""

    def network(self, width: int, heads: int) -> torch.nn.Module:
        from paraloom.models.identifiers.networks.infersent_network import InferSentNetwork

        return InferSentNetwork(width, self.hidden, self.classifier, self.dropout, heads)
