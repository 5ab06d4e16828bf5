"""How a network is trained. Imports nothing heavy: the command line reads these options."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from paraloom.errors import InputError


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
    """AdamW's, on matrices alone: biases and the scales of layer norms are left free."""
    epsilon: float = 1e-8
    """AdamW's epsilon."""
    evaluate_every: int = 500
    """Steps between two looks at the held-out pairs; once an epoch where there are fewer than 1500 steps in all."""
    max_tokens: int = 128
    """Of a longer pair the longer text is cut."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to train; `auto` takes a GPU if there is one."""

    def __post_init__(self) -> None:
        allowed = {
            "epochs": self.epochs >= 1,
            "batch_size": self.batch_size >= 1,
            "warm_up": 0 <= self.warm_up < 1,
            "weight_decay": 0 <= self.weight_decay < inf,
            "epsilon": 0 < self.epsilon < inf,
            "evaluate_every": self.evaluate_every >= 1,
            "max_tokens": self.max_tokens >= 8,
            "learning_rates": bool(self.learning_rates) and all(0 < rate < inf for rate in self.learning_rates),
        }
        for name, is_allowed in allowed.items():
            if not is_allowed:
                raise InputError(
                    f"A training plan with {name}={getattr(self, name)!r} cannot be followed. {RULES[name]}"
                )


RULES = {
    "epochs": "Give at least 1.",
    "batch_size": "Give at least 1.",
    "warm_up": "Give a share from 0 to less than 1.",
    "weight_decay": "Give 0 or more.",
    "epsilon": "Give a number above 0.",
    "evaluate_every": "Give at least 1.",
    "max_tokens": "Give at least 8.",
    "learning_rates": "Give at least one, each above 0.",
}
"""What each number of a plan must be."""
