"""What the training loop asks of a system, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from paraloom.models.identifiers import Examples

if TYPE_CHECKING:
    import torch


class PairTask(Protocol):
    """One network that learns from pairs: how examples become batches, and batches losses and scores.

    What it draws at random it draws from torch, whose state a checkpoint keeps; all that it learns is in `net`.
    """

    @property
    def net(self) -> torch.nn.Module:
        """The network: the same object each time."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that decides how it learns and is in no weight, as plain values: its system, settings, tokeniser.

        A training that was stopped is gone on with by a task of the same identity alone.
        """

    def prepare(self, examples: Sequence[Examples]) -> Any:
        """All pairs of all definitions in the order given, as numbers: tokenised once, before the first step.

        Another task that was made the same way can be given them too.
        """

    def lengths(self, prepared: Any) -> Sequence[int]:
        """How long each pair is, so that like lengths share a batch."""

    def batch(self, prepared: Any, rows: Sequence[int], device: str) -> Any:
        """These pairs as the network takes them, on a device."""

    def loss(self, batch: Any) -> torch.Tensor:
        """What a step lowers: one number."""

    def logits(self, batch: Any) -> torch.Tensor:
        """One number a pair, the higher the likelier a paraphrase under the pair's own definition; no gradients."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One look at the held-out pairs while training."""

    learning_rate: float
    epoch: float
    step: int
    loss: float
    """Mean over the steps since the last look."""
    f1: float
    """The best F1 on held-out pairs at any threshold; the mean over definitions where there are several."""
    f1_by_definition: Mapping[str, float]
    thresholds: Mapping[str, float]
    """The logit at which it is reached, by definition."""
