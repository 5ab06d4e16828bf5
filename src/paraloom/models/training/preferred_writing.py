"""Sources with a better and a worse text each in, a network out that prefers the better ones.

Direct preference optimisation (Rafailov et al., 2023): the log-probability of the better text is to rise over that of
the worse one, both against what the network gave them before it learned. Those are computed once, before the first
step, from the weights that the training starts from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.errors import InputError
from paraloom.models.training.checkpoints import Checkpoints, InFolder, InMemory
from paraloom.models.training.library import own_randomness, torch_library
from paraloom.models.training.order import by_length
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.rates_tried import RatesTried, Seen, Tell
from paraloom.models.training.torch_steps import narrow
from paraloom.models.training.writing_task import Asked, WritingTask

if TYPE_CHECKING:
    import torch

Preferred = tuple[str, str, str]
"""A source, the better text and the worse one."""
LOOKED_AT_ONCE = 16
"""Preferences that are read together where nothing is learned."""

PLAN = TrainingPlan(epochs=2, batch_size=16, learning_rates=(5e-5,), warm_up=0.1, weight_decay=0.0)
"""What suits thin matrices; small steps, since both texts are the network's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencePoint:
    """One look at the held-out preferences."""

    learning_rate: float
    epoch: float
    step: int
    loss: float | None
    """Mean over the steps since the last look; none before the first step."""
    held_out_loss: float
    right: float
    """Share of held-out preferences whose better text has gained more than the worse one; ties count half."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainedByPreference:
    """A network with the weights that did best, and how it came to them."""

    task: WritingTask
    curve: tuple[PreferencePoint, ...]
    best: PreferencePoint


def train_preferring(
    make_task: Callable[[], WritingTask],
    preferences: Sequence[Preferred],
    held_out: Sequence[Preferred],
    plan: TrainingPlan = PLAN,
    *,
    beta: float = 0.1,
    anchor: float = 0.0,
    seed: int = 1,
    made_by: Mapping[str, Any],
    folder: Path | None = None,
    tell: Tell | None = None,
) -> TrainedByPreference:
    """Train a network at every learning rate of the plan; chosen by the same loss on held-out preferences.

    `make_task` makes the network that the training starts from, always the same. `anchor` adds so much of the better
    text's cross-entropy. With a folder, a training that was stopped goes on; `made_by` is what decides it.
    """
    if not preferences or not held_out:
        raise InputError("There are no preferences to learn from, or none to hold out. Play more sources.")
    torch = torch_library()
    with own_randomness(torch):
        torch.manual_seed(seed)
        checkpoints: Checkpoints = InMemory() if folder is None else InFolder(folder, made_by)
        return _Preferring(make_task, preferences, held_out, beta, anchor, plan, seed, checkpoints, tell).run()


class _Preferring(RatesTried[WritingTask, PreferencePoint]):
    """One call of `train_preferring`."""

    point = PreferencePoint

    def __init__(
        self,
        make_task: Callable[[], WritingTask],
        preferences: Sequence[Preferred],
        held_out: Sequence[Preferred],
        beta: float,
        anchor: float,
        plan: TrainingPlan,
        seed: int,
        checkpoints: Checkpoints,
        tell: Tell | None,
    ) -> None:
        super().__init__(make_task, make_task(), plan, seed, checkpoints, tell)
        self.beta, self.anchor = beta, anchor
        self.learned, self.held_out = self._asked(preferences), self._asked(held_out)
        if not self.learned or not self.held_out:
            raise InputError(f"Every attempt has more than {plan.max_tokens} tokens. Give a larger --max-tokens.")
        self.task.net.to(self.device).eval()
        self.reference, self.held_out_reference = self._before(self.learned), self._before(self.held_out)
        self.plan_steps(len(self.learned))

    def run(self) -> TrainedByPreference:
        best = self.try_all("The base gives no numbers, before any training. Choose another --start.")
        return TrainedByPreference(task=self.task, curve=tuple(self.curve), best=best)

    def network(self) -> torch.nn.Module:
        return self.task.net.to(self.device).eval()  # nothing is left out by chance: gains are small differences

    def batches_from(self, step: int) -> Iterator[list[int]]:
        return self.epochs_from(step, [max(len(one) for one in both) for both in self.learned])

    def loss(self, rows: Sequence[int]) -> torch.Tensor:
        """How far each better text is from having gained over the worse one, and the anchor."""
        sums, counts = self._sums([self.learned[row] for row in rows])
        before = self.torch.tensor(self.reference[list(rows)], device=self.device, dtype=sums.dtype)
        loss: torch.Tensor = self._losses(sums, before).mean()
        if self.anchor:
            loss = loss - self.anchor * sums[:, 0].sum() / counts[:, 0].sum()
        return loss

    def see(self) -> Seen | None:
        """The same loss on the held-out preferences, and in how many of them the better text gained more."""
        loss, right = self._held_out()
        if not isfinite(loss):
            return None
        return {"held_out_loss": round(loss, 6), "right": round(right, 6)}, f"loss {loss:.4f}, right in {right:.1%}"

    def best(self) -> PreferencePoint | None:
        """The look with the lowest held-out loss; of equals the first."""
        return min(self.curve, key=lambda point: point.held_out_loss, default=None)

    def _asked(self, preferences: Sequence[Preferred]) -> list[tuple[Asked, Asked]]:
        better = self.task.prepare([(source, text) for source, text, _ in preferences])
        worse = self.task.prepare([(source, text) for source, _, text in preferences])
        most = self.plan.max_tokens
        return [both for both in zip(better, worse, strict=True) if max(map(len, both)) <= most]

    def _sums(self, preferences: Sequence[tuple[Asked, Asked]]) -> tuple[torch.Tensor, torch.Tensor]:
        """The log-probability of each better and each worse text, in two columns; and their lengths."""
        asked = [one for both in preferences for one in both]
        with narrow(self.device):
            losses, owners = self.task.losses(asked, self.device)
        sums = self.torch.zeros(len(asked), device=self.device).index_add(0, owners, -losses.float())
        counts = self.torch.bincount(owners, minlength=len(asked))
        return sums.view(-1, 2), counts.view(-1, 2)

    def _losses(self, sums: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        gained = sums - before
        losses: torch.Tensor = -self.torch.nn.functional.logsigmoid(self.beta * (gained[:, 0] - gained[:, 1]))
        return losses

    def _before(self, preferences: Sequence[tuple[Asked, Asked]]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What the network that the training starts from gives both texts of each preference."""
        found = np.zeros((len(preferences), 2), np.float32)
        for rows, sums in self._read(preferences):
            found[rows] = sums.cpu().numpy()
        return found

    def _read(self, preferences: Sequence[tuple[Asked, Asked]]) -> Iterator[tuple[list[int], torch.Tensor]]:
        lengths = [max(len(one) for one in both) for both in preferences]
        with self.torch.no_grad():
            for rows in by_length(lengths, LOOKED_AT_ONCE):
                yield rows, self._sums([preferences[row] for row in rows])[0]

    def _held_out(self) -> tuple[float, float]:
        lost = right = 0.0
        for rows, sums in self._read(self.held_out):
            before = self.torch.tensor(self.held_out_reference[rows], device=self.device)
            lost += float(self._losses(sums, before).double().sum())
            gained = (sums - before)[:, 0] - (sums - before)[:, 1]
            right += float((gained > 0).double().sum() + 0.5 * (gained == 0).double().sum())
        return lost / len(self.held_out), right / len(self.held_out)
