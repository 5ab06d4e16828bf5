"""Pairs of texts in, how likely they are paraphrases out, by looking at all pairs of their words as at an image.

He and Lin (2016), in Lan et al. (2017) the row "DeepPairwiseWord". The authors' choices are kept: an LSTM of 250, 13
features a pair of words, the focus layer, 19 layers, an image of 32 or 48 words a side. Trained with AdamW instead of
RMSProp, by the plan that all networks here share.

**Either order gives the same score:** the network looks at the cube and at its mirror image, and the mean counts.
While training it sees one of the two, drawn anew at every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from paraloom.errors import InputError
from paraloom.models.identifiers.word_network import WordNetwork

if TYPE_CHECKING:
    import torch

SIDES = (32, 48)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepPairwiseWord(WordNetwork):
    """Pairwise word interaction with a focus layer and a deep convolutional network (He and Lin, 2016).

    >>> DeepPairwiseWord(vectors="glove-50d", side=48).max_words
    48
    """

    NAME: ClassVar[str] = "deep-pairwise-word"

    hidden: int = 250
    """Width of the LSTM in each direction."""
    side: Literal[32, 48] = 32
    """How many words of a text are read: the side of the image."""

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise InputError(f"An image of {self.side} words a side is not known. Choose 32 or 48.")

    @property
    def max_words(self) -> int:
        """How many words of a text are read."""
        return self.side

    def network(self, width: int, heads: int) -> torch.nn.Module:
        from paraloom.models.identifiers.networks.pairwise_words import PairwiseWordsNetwork

        return PairwiseWordsNetwork(width, self.hidden, self.side, heads)
