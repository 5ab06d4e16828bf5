"""A network and a plan in, an identifier out: what all systems share that train a network of torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers.refusals import check_definition
from paraloom.models.identifiers.trained_network import Fitted, pair_logits
from paraloom.models.training.plan import TrainingPlan

NO_SETTINGS = ("plan", "fitted", "table")
"""Fields that say how it is trained, or what was learned or loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkIdentifier(ABC):
    """A system whose fields are its settings, a plan, and the network that was trained by it."""

    NAME: ClassVar[str] = ""
    PLACE: ClassVar[str] = ""
    """The setting that says where weights come from. These are known by their hash, wherever they lie."""

    plan: TrainingPlan = TrainingPlan()
    """How it is trained, and how many tokens it reads."""
    fitted: Fitted | None = None
    """The trained network. None before `fit`."""

    @property
    def name(self) -> str:
        return self.NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.fitted.thresholds)) if self.fitted else ()

    @property
    def parameters(self) -> int:
        return self.fitted.parameters if self.fitted else 0

    @property
    @abstractmethod
    def signature(self) -> str: ...

    def settings(self) -> dict[str, Any]:
        """What was chosen, but for how to train."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in NO_SETTINGS}

    def own_settings(self) -> dict[str, Any]:
        """What was chosen, but for how to train and what to start from."""
        return {name: value for name, value in self.settings().items() if name != self.PLACE}

    def identity(self) -> dict[str, Any]:
        """What tells its trainings from those of another system, or of other settings."""
        return {"system": self.NAME, **self.own_settings()}

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(self.NAME, definition, self.definitions)
        fitted = self.trained()
        return fitted.score(self.logits(fitted.task, left, right, definition), definition)

    def logits(self, task: Any, left: Sequence[str], right: Sequence[str], definition: str) -> NDArray[np.float64]:
        """What its network answers: one number a pair, the higher the likelier a paraphrase."""
        return pair_logits(task, left, right, definition)

    def trained(self) -> Fitted:
        """What was fitted; an error where nothing was."""
        if self.fitted is None:
            raise InputError(f"This {self.NAME} has not been trained, so there is nothing to save. Call fit first.")
        return self.fitted
