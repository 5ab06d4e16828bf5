"""A task and examples in, a trained network with its decision points out; pairs in, what such a network answers out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.models.encoders.batches import TOKENS_AT_ONCE, alike
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.refusals import check_pairs
from paraloom.models.identifiers.thresholds import Threshold, hash_of_thresholds, place_threshold
from paraloom.models.training.fine_tune import FineTuned, fine_tune
from paraloom.models.training.identity import hash_of_network
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.task import CurvePoint, PairTask

if TYPE_CHECKING:
    import torch

PAIRS_AT_ONCE = 4096
"""So many pairs are tokenised at a time, however many are scored."""
BATCH_SIZE = {"cpu": 32, "cuda": 256}

Ask = Callable[[Any, Sequence[str], Sequence[str], str], NDArray[np.float64]]
"""A task, left texts, right texts and a definition in, one number a pair out: the higher the likelier a paraphrase."""


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
    sets: Sequence[tuple[Examples, Examples]],
    plan: TrainingPlan,
    seed: int,
    ask: Ask | None = None,
) -> Fitted:
    """Train a network on all definitions at once and put .5 at the best F1 of each on its held-out pairs.

    `sets` are the examples of each definition with those held out for it; `ask` is `pair_logits` unless given.
    """
    tuned = fine_tune(make_task, [one for one, _ in sets], [kept for _, kept in sets], plan, seed=seed)
    return fitted(tuned, [kept for _, kept in sets], ask)


def fitted(tuned: FineTuned, held_out: Sequence[Examples], ask: Ask | None = None) -> Fitted:
    """A tuned network with .5 at the best F1 of each set, one a definition."""
    ask = ask or pair_logits
    thresholds = {
        kept.definition: place_threshold(
            ask(tuned.task, kept.left, kept.right, kept.definition), np.asarray(kept.targets, np.float64)
        )
        for kept in held_out
    }
    return Fitted(task=tuned.task, thresholds=thresholds, weights=hash_of_network(tuned.task.net), curve=tuned.curve)


def pair_logits(
    task: PairTask, left: Sequence[str], right: Sequence[str], definition: str, *, is_symmetric: bool = True
) -> NDArray[np.float64]:
    """One logit a pair; a pair that comes twice, in either order where that is the same, is read once."""
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
    """What a network answers to each pair, without gradients: one row a pair, whatever it is asked with."""
    torch = torch_library()
    device = device_of(task.net)
    task.net.eval()
    prepared = task.prepare([pairs])
    rows_seen: list[int] = []
    found = []
    with torch.no_grad():
        for rows in rows_together(task.lengths(prepared), device):
            rows_seen += rows
            found.append(ask(task.batch(prepared, rows, device)))
        together: NDArray[np.float64] = torch.cat(found).cpu().numpy().astype(np.float64)
    in_order = np.empty((len(pairs), *together.shape[1:]))
    in_order[rows_seen] = together
    return in_order


def rows_together(lengths: Sequence[int], device: str) -> list[list[int]]:
    """The numbers of the rows of each batch that a network reads on a device; a lone row comes twice."""
    tokens_at_once = TOKENS_AT_ONCE * BATCH_SIZE[device] // BATCH_SIZE["cpu"]
    return [rows for rows, _ in alike(lengths, BATCH_SIZE[device], tokens_at_once)]


def device_of(net: torch.nn.Module) -> str:
    """Where a network lies."""
    return next(net.parameters()).device.type


def signature_of(name: str, settings: Mapping[str, object], fitted: Fitted | None) -> str:
    """All that decides a score."""
    told = "".join(f"|{key.replace('_', '-')}:{_written(value)}" for key, value in settings.items())
    thresholds = hash_of_thresholds(fitted.thresholds if fitted else {})
    weights = fitted.weights[:8] if fitted else "none"
    return f"{name}{told}|thresholds:{thresholds}|paraloom:{paraloom_version()}|weights:{weights}"


def _written(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
