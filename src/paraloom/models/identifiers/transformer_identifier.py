"""A base and a plan in, an identifier out: what all systems share that fine-tune a transformer.

Each has a task of its own: how pairs become tokens, and a transformer's states answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.network_identifier import NetworkIdentifier
from paraloom.models.identifiers.refusals import with_held_out
from paraloom.models.identifiers.saved_network import Card, read_network, save_network
from paraloom.models.identifiers.tokenised_pairs import tokenised
from paraloom.models.identifiers.trained_network import fit_network, signature_of
from paraloom.models.identifiers.transformer_base import (
    Base,
    Kind,
    lasting_name,
    open_base,
    plan_for,
    reopen_base,
    save_base,
)
from paraloom.models.known import short_name

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerIdentifier(NetworkIdentifier):
    """A system that fine-tunes a transformer: each has a task of its own. Needs the extra `train`."""

    PLACE: ClassVar[str] = "base"
    KIND: ClassVar[Kind] = "AutoModel"

    base: str = "all-MiniLM-L6-v2"
    """A known model, a folder, or a name on the model hub."""

    @abstractmethod
    def task(self, base: Base, definitions: Sequence[str]) -> TransformerTask:
        """A fresh network on a base, for these definitions."""

    def make_task(self, definitions: Sequence[str]) -> Callable[[], TransformerTask]:
        """What opens the base and makes a fresh network on it, as often as it is called."""
        return lambda: self.task(open_base(self.base, self.KIND), definitions)

    @property
    def signature(self) -> str:
        learned = self.fitted.task.base.identity if self.fitted else {}
        settings = {"base": short_name(self.base), **self.own_settings(), "max-tokens": self.plan.max_tokens}
        return signature_of(self.NAME, settings | learned, self.fitted)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Self:
        """The same settings with a network trained on all definitions at once, by the plan."""
        sets = with_held_out(examples, held_out)
        plan = plan_for(self.plan, self.base)
        make_task = self.make_task([one.definition for one, _ in sets])
        return replace(self, plan=plan, fitted=fit_network(make_task, sets, plan, seed, self.logits))

    def save(self, folder: Path) -> None:
        """Write network, tokeniser and settings into a folder."""
        fitted = self.trained()
        save_network(folder, fitted)
        save_base(folder, fitted.task.base)
        settings = self.settings() | {"base": lasting_name(self.base), "definitions": fitted.task.definitions}
        Card(settings=settings, plan=self.plan, thresholds=fitted.thresholds).write(folder, self.NAME)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What was saved into a folder."""
        card = Card.read(folder)
        settings = dict(card.settings)
        definitions = settings.pop("definitions", tuple(card.thresholds))
        untrained = cls(**settings, plan=card.plan)
        task = untrained.task(reopen_base(folder, cls.KIND), definitions)
        return replace(untrained, fitted=read_network(folder, task, card.thresholds))


class TransformerTask(ABC):
    """What all tasks on a transformer share: each is a `PairTask` with a network, batches and answers of its own."""

    net: torch.nn.Module

    def __init__(self, base: Base, definitions: Sequence[str], system: dict[str, Any]) -> None:
        """`system` is the identity of the system that it is a task of."""
        self.base, self.definitions, self.system = base, list(definitions), system

    @property
    def identity(self) -> dict[str, Any]:
        return {**self.system, "definitions": self.definitions, **self.base.identity}

    def prepare(self, examples: Sequence[Examples]) -> Any:
        return tokenised(self.base.tokeniser, examples, self.definitions)

    @abstractmethod
    def lengths(self, prepared: Any) -> list[int]: ...

    @abstractmethod
    def batch(self, prepared: Any, rows: Sequence[int], device: str) -> tuple[Any, ...]: ...

    @abstractmethod
    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor: ...

    @abstractmethod
    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor: ...
