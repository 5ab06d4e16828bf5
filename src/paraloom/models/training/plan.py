"""How a network is trained. Imports nothing heavy: the command line reads these options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Fine-tuning as Dou et al. (2022, appendix C) do: only the learning rate is tuned, by F1 on held-out pairs."""

    epochs: int = 5
    """How often every pair is seen at most."""
    batch_size: int = 32
    """Pairs a step."""
    learning_rates: tuple[float, ...] = (1e-5, 2e-5, 3e-5, 5e-5)
    """Each is tried; the one with the best F1 on held-out pairs is kept."""
    warm_up: float = 0.06
    """Share of all steps in which the learning rate rises from zero; then it falls in a straight line."""
    weight_decay: float = 0.01
    epsilon: float = 1e-8
    """AdamW's epsilon."""
    evaluate_every: int = 500
    """Steps between two looks at the held-out pairs; once an epoch where there are fewer than 1500 steps in all."""
    max_tokens: int = 128
    """Of a longer pair the longer text is cut."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to train; `auto` takes a GPU if there is one."""
