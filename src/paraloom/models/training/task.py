"""What the training loop asks of a system, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from paraloom.models.identifiers import Examples

if TYPE_CHECKING:
    import torch


class PairTask(Protocol):
    """One network that learns from pairs: how examples become batches, and batches losses and scores."""

    net: torch.nn.Module

    def prepare(self, examples: Sequence[Examples]) -> Any:
        """All pairs of all definitions in one order, as numbers: tokenised once, before the first step."""

    def lengths(self, prepared: Any) -> Sequence[int]:
        """How long each pair is, so that like lengths share a batch."""

    def batch(self, prepared: Any, rows: Sequence[int], device: str) -> Any:
        """These pairs as the network takes them, on a device."""

    def loss(self, batch: Any) -> torch.Tensor:
        """What a step lowers: one number."""

    def logits(self, batch: Any) -> torch.Tensor:
        """One number a pair, above 0 where it is a paraphrase; without gradients."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One look at the held-out pairs while training."""

    learning_rate: float
    epoch: float
    step: int
    loss: float
    """Mean over the steps since the last look."""
    f1: float
    """The best F1 on held-out pairs at any threshold."""
    threshold: float
    """The logit at which it is reached."""
