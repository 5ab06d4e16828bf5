"""A task in, a trained network with its decision points out; a folder and a network in, the network saved or read.

What all systems that fine-tune a transformer share.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.encoders.batches import TOKENS_AT_ONCE, batches
from paraloom.models.identifiers import CARD, Examples
from paraloom.models.identifiers.refusals import check_pairs
from paraloom.models.identifiers.thresholds import Threshold, place_threshold
from paraloom.models.training.curve import TRAINING, read_curve, write_curve
from paraloom.models.training.fine_tune import FineTuned, fine_tune
from paraloom.models.training.identity import hash_of_network
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.task import CurvePoint, PairTask

if TYPE_CHECKING:
    import torch

WEIGHTS = "model.safetensors"
PAIRS_AT_ONCE = 4096
"""So many pairs are tokenised at a time, however many are scored."""
BATCH_SIZE = {"cpu": 32, "cuda": 256}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What `fit` has found: a network, and where .5 lies for each definition."""

    task: Any
    """A `PairTask`, its network trained."""
    thresholds: Mapping[str, Threshold]
    weights: str
    """A short name for the network's weights."""
    curve: tuple[CurvePoint, ...] = field(default=(), compare=False)

    @property
    def parameters(self) -> int:
        """How many numbers the network has learned, those of its base included."""
        return sum(parameter.numel() for parameter in self.task.net.parameters())

    def score(self, logits: NDArray[np.float64], definition: str) -> NDArray[np.float64]:
        """Numbers from 0 to 1."""
        return self.thresholds[definition].apply(logits)


def fit_network(
    make_task: Callable[[], PairTask],
    examples: Sequence[Examples],
    held_out: Sequence[Examples],
    plan: TrainingPlan,
    seed: int,
) -> Fitted:
    """Train a network on all definitions at once and put .5 at the best F1 of each on its held-out pairs."""
    tuned = fine_tune(make_task, examples, held_out, plan, seed=seed)
    definitions = dict.fromkeys(one.definition for one in held_out)
    return fitted(tuned, {definition: _place(tuned.task, held_out, definition) for definition in definitions})


def fitted(tuned: FineTuned, thresholds: Mapping[str, Threshold]) -> Fitted:
    """A tuned network with thresholds."""
    return Fitted(
        task=tuned.task, thresholds=dict(thresholds), weights=hash_of_network(tuned.task.net), curve=tuned.curve
    )


def _place(task: PairTask, held_out: Sequence[Examples], definition: str) -> Threshold:
    left, right, targets = joined(held_out, definition)
    return place_threshold(pair_logits(task, left, right, definition), targets)


def joined(sets: Sequence[Examples], definition: str) -> tuple[list[str], list[str], NDArray[np.float64]]:
    """Left texts, right texts and targets of all sets of one definition."""
    chosen = [one for one in sets if one.definition == definition]
    targets = [float(target) for one in chosen for target in one.targets]
    return (
        [text for one in chosen for text in one.left],
        [text for one in chosen for text in one.right],
        np.array(targets, np.float64),
    )


def pair_logits(
    task: PairTask, left: Sequence[str], right: Sequence[str], definition: str, *, is_symmetric: bool = True
) -> NDArray[np.float64]:
    """One logit a pair, in 32 bits; a pair that comes twice, in either order where that is the same, is read once."""
    check_pairs(left, right)
    asked = [(one, other) for one, other in zip(left, right, strict=True)]
    if is_symmetric:
        asked = [(one, other) if one <= other else (other, one) for one, other in asked]
    distinct = list(dict.fromkeys(asked))
    found: dict[tuple[str, str], float] = {}
    for start in range(0, len(distinct), PAIRS_AT_ONCE):
        some = distinct[start : start + PAIRS_AT_ONCE]
        chosen = Examples(
            left=[one for one, _ in some],
            right=[other for _, other in some],
            targets=[0.0] * len(some),
            definition=definition,
        )
        found.update(zip(some, answers(task, chosen, task.logits).tolist(), strict=True))
    return np.array([found[pair] for pair in asked], np.float64)


def answers(task: PairTask, pairs: Examples, ask: Callable[[Any], torch.Tensor]) -> NDArray[np.float64]:
    """What a network answers to each pair: one row a pair, in 32 bits, without gradients."""
    torch = torch_library()
    device = device_of(task.net)
    task.net.eval()
    prepared = task.prepare([pairs])
    tokens_at_once = TOKENS_AT_ONCE * BATCH_SIZE[device] // BATCH_SIZE["cpu"]
    rows_seen: list[int] = []
    found = []
    with torch.no_grad():
        for rows in batches(task.lengths(prepared), BATCH_SIZE[device], tokens_at_once):
            rows_seen += rows
            found.append(ask(task.batch(prepared, rows, device)).float())
        together: NDArray[np.float64] = torch.cat(found).cpu().numpy().astype(np.float64)
    in_order = np.empty_like(together)
    in_order[rows_seen] = together
    return in_order


def device_of(net: torch.nn.Module) -> str:
    """Where a network lies."""
    return next(net.parameters()).device.type


def signature_of(name: str, settings: Mapping[str, object], fitted: Fitted | None) -> str:
    """All that decides a score."""
    told = "".join(f"|{key}:{value}" for key, value in settings.items())
    weights = "none" if fitted is None else fitted.weights[:8]
    thresholds = {} if fitted is None else {key: asdict(one) for key, one in fitted.thresholds.items()}
    middles = ",".join(f"{key}@{one['middle']:.6g}" for key, one in sorted(thresholds.items()))
    return f"{name}{told}|thresholds:{middles or 'none'}|paraloom:{paraloom_version()}|weights:{weights}"


def refuse_untrained(name: str, fitted: Fitted | None) -> Fitted:
    """What was fitted; an error where nothing was."""
    if fitted is None:
        raise InputError(f"This {name} has not been trained, so there is nothing to save. Call fit first.")
    return fitted


def save_network(folder: Path, name: str, settings: Mapping[str, Any], plan: TrainingPlan, fitted: Fitted) -> None:
    """Weights, tokeniser, configuration, learning curve and, last, the card that makes a folder an identifier.

    The task's `base` is what a transformer needs to be opened again.
    """
    from safetensors.torch import save_model

    folder.mkdir(parents=True, exist_ok=True)
    save_model(fitted.task.net, str(folder / WEIGHTS))
    fitted.task.base.tokeniser.save_pretrained(folder)
    fitted.task.base.config.save_pretrained(folder)
    write_curve(folder / TRAINING, fitted.curve)
    card = {
        "name": name,
        "settings": dict(settings),
        "plan": asdict(plan),
        "thresholds": {definition: asdict(one) for definition, one in fitted.thresholds.items()},
    }
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a saved system says of itself."""

    settings: dict[str, Any]
    plan: TrainingPlan
    thresholds: dict[str, Threshold]


def read_card(folder: Path) -> Card:
    """What `save_network` wrote of a system."""
    try:
        told = json.loads((folder / CARD).read_text(encoding="utf-8"))
        plan = {**told["plan"], "learning_rates": tuple(told["plan"]["learning_rates"])}
        return Card(
            settings=dict(told["settings"]),
            plan=TrainingPlan(**plan),
            thresholds={definition: Threshold(**one) for definition, one in told["thresholds"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder / CARD} is not whole ({error!r}). Train and save the identifier anew.") from error


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
