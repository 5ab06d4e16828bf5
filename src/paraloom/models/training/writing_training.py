"""Pairs and a fresh network in, the network that foretells held-out paraphrases best out, with its learning curve.

Fine-tuning as Dou et al. (2022, appendix C, Table 10) do it: AdamW, warm-up, a straight fall, chosen by perplexity on
held-out pairs. Batches are decided by the number of a step alone, and what is needed to go on is written after every
look and once a minute: a training that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

LOOKED_AT_ONCE = 32
"""Held-out pairs that are read together."""

PLAN = TrainingPlan(epochs=5, batch_size=128, learning_rates=(1e-4, 3e-4, 1e-5, 3e-5))
"""That of the paper's Table 10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingPoint:
    """One look at the held-out pairs."""

    learning_rate: float
    epoch: float
    step: int
    loss: float | None
    """Mean over the steps since the last look; none before the first step."""
    perplexity: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainedWriter:
    """A network with the weights that did best, and how it came to them."""

    task: WritingTask
    curve: tuple[WritingPoint, ...]
    best: WritingPoint


def train_writer(
    make_task: Callable[[], WritingTask],
    pairs: Sequence[tuple[str, str]],
    held_out: Sequence[tuple[str, str]],
    plan: TrainingPlan = PLAN,
    *,
    weights: Sequence[float] | None = None,
    seed: int = 1,
    made_by: Mapping[str, Any],
    folder: Path | None = None,
    tell: Tell | None = None,
) -> TrainedWriter:
    """Train a network at every learning rate of the plan.

    `make_task` makes a fresh network, always from the same seed. `weights` say how much each pair counts. With a
    folder, a training that was stopped goes on; `made_by` is what decides it.
    """
    if not pairs or not held_out:
        raise InputError("A generator needs pairs to learn from and pairs that are held out. Give more pairs.")
    torch = torch_library()
    with own_randomness(torch):
        torch.manual_seed(seed)
        checkpoints: Checkpoints = InMemory() if folder is None else InFolder(folder, made_by)
        training = _Training(make_task, pairs, held_out, weights, plan, seed, checkpoints, tell)
        return training.run()


class _Training(RatesTried[WritingTask, WritingPoint]):
    """One call of `train_writer`."""

    point = WritingPoint

    def __init__(
        self,
        make_task: Callable[[], WritingTask],
        pairs: Sequence[tuple[str, str]],
        held_out: Sequence[tuple[str, str]],
        weights: Sequence[float] | None,
        plan: TrainingPlan,
        seed: int,
        checkpoints: Checkpoints,
        tell: Tell | None,
    ) -> None:
        super().__init__(make_task, make_task(), plan, seed, checkpoints, tell)
        asked = self.task.prepare(pairs)
        short = [number for number, one in enumerate(asked) if len(one) <= plan.max_tokens]
        if not short:
            raise InputError(f"Every pair has more than {plan.max_tokens} tokens. Give a larger --max-tokens.")
        self.asked = [asked[number] for number in short]
        self.weights = None if weights is None else [weights[number] for number in short]
        self.held_out = [one for one in self.task.prepare(held_out) if len(one) <= plan.max_tokens]
        if not self.held_out:
            raise InputError(
                f"Every pair that is held out has more than {plan.max_tokens} tokens. Give a larger --max-tokens."
            )
        self.plan_steps(len(self.asked))

    def run(self) -> TrainedWriter:
        best = self.try_all("The base gives no numbers, before any training. Choose another --base.")
        return TrainedWriter(task=self.task, curve=tuple(self.curve), best=best)

    def batches_from(self, step: int) -> Iterator[list[int]]:
        return self.epochs_from(step, [len(one) for one in self.asked])

    def loss(self, rows: Sequence[int]) -> torch.Tensor:
        """The mean over pieces; with weights, of each pair's share of them."""
        losses, owners = self._losses([self.asked[row] for row in rows])
        if self.weights is None:
            return losses.mean()
        weights: torch.Tensor = self.torch.tensor([self.weights[row] for row in rows], device=self.device)[owners]
        return (losses * weights).sum() / weights.sum().clamp_min(1e-9)

    def _losses(self, asked: Sequence[Asked]) -> tuple[torch.Tensor, torch.Tensor]:
        with narrow(self.device):
            return self.task.losses(asked, self.device)

    def see(self) -> Seen | None:
        """Perplexity on the held-out pairs."""
        mean = self._held_out_loss()
        if not isfinite(mean):
            return None
        perplexity = round(exp(min(mean, 100.0)), 6)
        return {"perplexity": perplexity}, f"perplexity {perplexity:.3f}"

    def best(self) -> WritingPoint | None:
        """The look with the lowest perplexity; of equals the first."""
        return min(self.curve, key=lambda point: point.perplexity, default=None)

    def _held_out_loss(self) -> float:
        self.task.net.eval()
        total = pieces = 0.0
        with self.torch.no_grad():
            for rows in by_length([len(one) for one in self.held_out], LOOKED_AT_ONCE):
                losses, _ = self._losses([self.held_out[row] for row in rows])
                total += float(losses.double().sum())
                pieces += len(losses)
        self.task.net.train()
        return total / pieces
