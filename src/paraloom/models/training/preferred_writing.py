"""Sources with a better and a worse text each in, a network out that prefers the better ones.

Direct preference optimisation (Rafailov et al., 2023): the log-probability of the better text is to rise over that of
the worse one, both against what the network gave them before it learned. Those are computed once, before the first
step, from the weights that the training starts from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.errors import InputError
from paraloom.models.training.checkpoints import Checkpoints, InFolder, InMemory
from paraloom.models.training.course import take_steps
from paraloom.models.training.library import device_for, own_randomness, torch_library
from paraloom.models.training.order import by_length, epoch_batches, steps_between_looks
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.torch_steps import adamw, narrow, randomness
from paraloom.models.training.writing_task import Asked, WritingTask

if TYPE_CHECKING:
    import torch

Tell = Callable[[str], None]
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

    @property
    def name(self) -> str:
        """What the file of its weights is called after."""
        return f"{self.learning_rate!r}-{self.step}"


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


class _Preferring:
    """One call of `train_preferring`."""

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
        self.torch = torch_library()
        self.make_task, self.task = make_task, make_task()
        self.beta, self.anchor = beta, anchor
        self.plan, self.seed, self.checkpoints = plan, seed, checkpoints
        self.tell = tell or (lambda line: None)
        self.device = device_for(plan)
        self.learned, self.held_out = self._asked(preferences), self._asked(held_out)
        if not self.learned or not self.held_out:
            raise InputError(f"Every attempt has more than {plan.max_tokens} tokens. Give a larger --max-tokens.")
        self.task.net.to(self.device).eval()
        self.reference, self.held_out_reference = self._before(self.learned), self._before(self.held_out)
        self.steps_an_epoch = ceil(len(self.learned) / plan.batch_size)
        self.steps = self.steps_an_epoch * plan.epochs
        self.between_looks = steps_between_looks(self.steps, self.steps_an_epoch, plan)
        self.curve: list[PreferencePoint] = []

    def run(self) -> TrainedByPreference:
        finished = self.checkpoints.finished()
        if finished is not None:
            self._remember(finished["curve"])
        else:
            self._train()
            self.checkpoints.finish({"curve": [asdict(point) for point in self.curve]})
        best = best_point(self.curve)
        if best is None:
            raise InputError("The base gives no numbers, before any training. Choose another --start.")
        self.task.net.load_state_dict(self.checkpoints.best(best.name))
        self.task.net.to(self.device).eval()
        return TrainedByPreference(task=self.task, curve=tuple(self.curve), best=best)

    def _train(self) -> None:
        reached = self.checkpoints.reached()
        first = 0
        if reached is not None:
            self._remember(reached["curve"])
            first = reached["rate"]
            self.tell(f"going on at learning rate {self.plan.learning_rates[first]:g}, step {reached['step']}")
            if reached["step"] == self.steps:
                first, reached = first + 1, None
        for rate in range(first, len(self.plan.learning_rates)):
            if rate > 0:
                self.torch.manual_seed(self.seed)
                self.task = self.make_task()
            net = self.task.net.to(self.device).eval()  # nothing is left out by chance: gains are small differences
            begun = reached if rate == first else None
            if begun is None and rate == 0:
                self.look(rate, 0, None)
            take_steps(self, rate, net, adamw(net, self.plan, self.device, fused=True), begun)

    def batches_from(self, step: int) -> Iterator[list[int]]:
        lengths = [max(len(one) for one in both) for both in self.learned]
        epoch, done = divmod(step, self.steps_an_epoch)
        for number in range(epoch, self.plan.epochs):
            yield from list(epoch_batches(lengths, self.plan.batch_size, self.seed, number))[done:]
            done = 0

    def loss(self, rows: Sequence[int]) -> torch.Tensor:
        """How far each better text is from having gained over the worse one, and the anchor."""
        sums, counts = self._sums([self.learned[row] for row in rows])
        before = self.torch.tensor(self.reference[list(rows)], device=self.device, dtype=sums.dtype)
        loss: torch.Tensor = self._losses(sums, before).mean()
        if self.anchor:
            loss = loss - self.anchor * sums[:, 0].sum() / counts[:, 0].sum()
        return loss

    def look(self, rate: int, step: int, loss: float | None) -> bool:
        """Measure on the held-out preferences; False where the network gives no numbers any more."""
        learning_rate = self.plan.learning_rates[rate]
        held_out_loss, right = self._held_out()
        if not isfinite(loss or 0.0) or not isfinite(held_out_loss):
            self.tell(f"learning rate {learning_rate:g}, step {step} of {self.steps}: no numbers any more; given up")
            return False
        point = PreferencePoint(
            learning_rate=learning_rate,
            epoch=round(step / self.steps_an_epoch, 4),
            step=step,
            loss=None if loss is None else round(loss, 6),
            held_out_loss=round(held_out_loss, 6),
            right=round(right, 6),
        )
        self.curve.append(point)
        is_better = best_point(self.curve) is point
        if is_better:
            self.checkpoints.better(self.task.net.state_dict(), point.name)
        lost = "before the first step" if loss is None else f"step {step} of {self.steps}: loss {loss:.4f}"
        told = (
            f"held-out loss {held_out_loss:.4f}, right in {right:.1%}{' (best so far)' if is_better and step else ''}"
        )
        self.tell(f"learning rate {learning_rate:g}, {lost}, {told}")
        return True

    def reach(
        self,
        rate: int,
        step: int,
        net: torch.nn.Module,
        optimiser: torch.optim.Optimizer,
        lost: float = 0.0,
        since: int = 0,
    ) -> None:
        """Note what is needed to go on from here; `lost` in `since` steps is not in the curve yet."""
        best = best_point(self.curve)
        self.checkpoints.reach(
            {
                "rate": rate,
                "step": step,
                "lost": lost,
                "since": since,
                "net": net.state_dict(),
                "optimiser": optimiser.state_dict(),
                "random": randomness(self.device),
                "curve": [asdict(point) for point in self.curve],
                "best": "" if best is None else best.name,
            }
        )

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

    def _remember(self, curve: Sequence[dict[str, Any]]) -> None:
        self.curve = [PreferencePoint(**point) for point in curve]


def best_point(curve: Sequence[PreferencePoint]) -> PreferencePoint | None:
    """The look with the lowest held-out loss; of equals the first."""
    return min(curve, key=lambda point: point.held_out_loss, default=None)
