"""A trained network in, a folder that holds it out, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.models.identifiers import CARD
from paraloom.models.identifiers.thresholds import Threshold
from paraloom.models.identifiers.trained_network import Fitted
from paraloom.models.training.curve import TRAINING, read_curve, write_curve
from paraloom.models.training.identity import hash_of_network
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.task import PairTask

WEIGHTS = "model.safetensors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a saved system says of itself: the file that makes a folder an identifier."""

    settings: Mapping[str, Any]
    plan: TrainingPlan
    thresholds: Mapping[str, Threshold]

    def write(self, folder: Path, name: str) -> None:
        """Under a system's name; last of all, as a folder with a card is whole."""
        told = {
            "name": name,
            "settings": dict(self.settings),
            "plan": asdict(self.plan),
            "thresholds": {definition: asdict(one) for definition, one in self.thresholds.items()},
        }
        (folder / CARD).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Card:
        """The card of a folder; what was a tuple is one again."""
        try:
            told = json.loads((folder / CARD).read_text(encoding="utf-8"))
            return cls(
                settings=_with_tuples(told["settings"]),
                plan=TrainingPlan(**_with_tuples(told["plan"])),
                thresholds={definition: Threshold(**one) for definition, one in told["thresholds"].items()},
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{folder / CARD} is not whole ({error!r}). Train and save the identifier anew."
            ) from error


def _with_tuples(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}


def save_network(folder: Path, fitted: Fitted) -> None:
    """Write weights and learning curve into a folder."""
    from safetensors.torch import save_model

    folder.mkdir(parents=True, exist_ok=True)
    save_model(fitted.task.net, str(folder / WEIGHTS))
    write_curve(folder / TRAINING, fitted.curve)


def read_network(folder: Path, task: PairTask, thresholds: Mapping[str, Threshold]) -> Fitted:
    """A saved network in the task that was made for it."""
    from safetensors import SafetensorError
    from safetensors.torch import load_model

    try:
        load_model(task.net, str(folder / WEIGHTS))
    except (OSError, RuntimeError, SafetensorError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{folder / WEIGHTS} cannot be read: {reason}. Train and save the identifier anew.") from error
    task.net.to("cuda" if torch_library().cuda.is_available() else "cpu").eval()
    return Fitted(
        task=task,
        thresholds=dict(thresholds),
        weights=hash_of_network(task.net),
        curve=read_curve(folder / TRAINING),
    )
