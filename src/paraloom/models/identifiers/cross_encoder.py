"""Pairs of texts in, how likely they are paraphrases out, by a transformer that reads both texts at once.

Devlin et al. (2019) put `[CLS] left [SEP] right [SEP]` through BERT and fine-tune all of it; Dou et al. (2022,
appendix C) do so with BERT, RoBERTa, BERTweet, ALBERT and DeBERTa. Any of these, or another base of transformers,
can be named; the heads, one a definition, see the first token's state and the mean of all.

**Either order gives the same score:** the mean of the logits of both orders. While training the order of each pair is
drawn anew at every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from paraloom.models.identifiers.tokenised_pairs import Distinct, in_either_order, template_of
from paraloom.models.identifiers.transformer_base import Base
from paraloom.models.identifiers.transformer_identifier import TransformerIdentifier, TransformerTask

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoder(TransformerIdentifier):
    """A transformer that reads both texts at once (Devlin et al., 2019). Needs the extra `train`.

    >>> CrossEncoder(base="roberta-base").definitions
    ()
    """

    NAME: ClassVar[str] = "cross-encoder"

    def task(self, base: Base, definitions: Sequence[str]) -> CrossTask:
        return CrossTask(self, base, definitions)


class CrossTask(TransformerTask):
    """A `PairTask`: both texts through one transformer, one head a definition."""

    def __init__(self, system: CrossEncoder, base: Base, definitions: Sequence[str]) -> None:
        from paraloom.models.identifiers.networks.pair_reader import PairReader

        TransformerTask.__init__(self, base, definitions, system.identity())
        self.template = template_of(base.tokeniser, 2, min(system.plan.max_tokens, base.limit))
        self.net = PairReader(base.encoder(), len(self.definitions))

    def lengths(self, prepared: Distinct) -> list[int]:
        return prepared.pair_lengths(self.template)

    def batch(self, prepared: Distinct, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        from torch import from_numpy

        heads, targets = from_numpy(prepared.heads[rows]), from_numpy(prepared.targets[rows])
        tokens = in_either_order(prepared, rows, self.template, device, training=self.net.training)
        return tokens, heads.to(device), targets.to(device)

    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits

        tokens, heads, targets = batch
        answers = self.net(tokens).gather(1, heads[:, None])[:, 0]
        return binary_cross_entropy_with_logits(answers, targets)

    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor:
        tokens, heads, _ = batch
        answers = self.net(tokens).view(2, len(heads), -1).mean(0)
        chosen: torch.Tensor = answers.gather(1, heads[:, None])[:, 0]
        return chosen
