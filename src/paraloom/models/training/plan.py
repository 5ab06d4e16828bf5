"""How a network is trained. Imports nothing heavy: the command line reads these options."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from math import inf
from typing import Any, Literal, NoReturn

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Fine-tuning as Dou et al. (2022, appendix C) do: only the learning rate is tuned, by F1 on held-out pairs.

    They take F1 as the network decides; here it is the best F1 at any threshold, as .5 is put there afterwards. A
    system may have a plan of its own, with other numbers. What each means: `PlanOptions`.
    """

    epochs: int = 5
    batch_size: int = 32
    learning_rates: tuple[float, ...] = ()
    """None: those that suit the kind of network (`models/training/rates.py`)."""
    warm_up: float = 0.06
    weight_decay: float = 0.01
    epsilon: float = 1e-8
    evaluate_every: int = 500
    max_tokens: int = 128
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        allowed = {
            "epochs": self.epochs >= 1,
            "batch_size": self.batch_size >= 1,
            "warm_up": 0 <= self.warm_up < 1,
            "weight_decay": 0 <= self.weight_decay < inf,
            "epsilon": 0 < self.epsilon < inf,
            "evaluate_every": self.evaluate_every >= 1,
            "max_tokens": self.max_tokens >= 8,
            "learning_rates": all(0 < rate < inf for rate in self.learning_rates),
        }
        for name, is_allowed in allowed.items():
            if not is_allowed:
                _refuse(name, getattr(self, name))

    def as_json(self) -> dict[str, Any]:
        """All that decides how a training ends: the plan, but for the machine.

        >>> "device" in TrainingPlan(learning_rates=(1e-4,)).as_json()
        False
        """
        told = {**asdict(self), "learning_rates": list(self.learning_rates)}
        told.pop("device")
        return told


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


def _refuse(name: str, value: object) -> NoReturn:
    raise InputError(f"A training plan with {name}={value!r} cannot be followed. {RULES[name]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What is to be otherwise than in the plan of the system that is trained.

    >>> plan = PlanOptions(epochs=5).on(TrainingPlan(epochs=10, batch_size=64))
    >>> plan.epochs, plan.batch_size
    (5, 64)
    """

    epochs: int | None = None
    """How often every pair is seen at most. This and all below: the system's own where it is not given."""
    batch_size: int | None = None
    """Pairs a step."""
    learning_rates: tuple[float, ...] | None = None
    """Each is tried; the one that does best on held-out pairs is kept, an identifier by F1 at any threshold."""
    warm_up: float | None = None
    """Share of all steps in which the learning rate rises from zero; then it falls in a straight line."""
    weight_decay: float | None = None
    """AdamW's, on matrices alone: biases and the scales of layer norms are left free."""
    epsilon: float | None = None
    """AdamW's epsilon."""
    evaluate_every: int | None = None
    """Steps between two looks at the held-out pairs; once an epoch where there are fewer than 1500 steps in all."""
    max_tokens: int | None = None
    """Of a longer pair the longer text is cut; of a text that is read alone, what lies behind so many."""
    device: Literal["auto", "cpu", "cuda"] | None = None
    """Where to train; `auto` takes a GPU if there is one."""

    def __post_init__(self) -> None:
        self.on(TrainingPlan())  # what no plan can have is refused before any work begins
        if self.learning_rates == ():
            _refuse("learning_rates", self.learning_rates)

    @property
    def given(self) -> dict[str, Any]:
        """What was given, by name.

        >>> PlanOptions(epochs=5, device="cpu").given
        {'epochs': 5, 'device': 'cpu'}
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def on(self, plan: TrainingPlan) -> TrainingPlan:
        """A system's own plan with what was given in its place."""
        return replace(plan, **self.given)
