"""Pairs and a fresh network in, the network that foretells held-out paraphrases best out, with its learning curve.

Fine-tuning as Dou et al. (2022, appendix C, Table 10) do it: AdamW, warm-up, a straight fall, chosen by perplexity on
held-out pairs. Batches are decided by the number of a step alone, and what is needed to go on is written after every
look and once a minute: a training that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, exp, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

    @property
    def name(self) -> str:
        """What the file of its weights is called after."""
        return f"{self.learning_rate!r}-{self.step}"


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


class _Training:
    """One call of `train_writer`."""

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
        self.torch = torch_library()
        self.make_task, self.task = make_task, make_task()
        self.plan, self.seed, self.checkpoints = plan, seed, checkpoints
        self.tell = tell or (lambda line: None)
        self.device = device_for(plan)
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
        self.steps_an_epoch = ceil(len(self.asked) / plan.batch_size)
        self.steps = self.steps_an_epoch * plan.epochs
        self.between_looks = steps_between_looks(self.steps, self.steps_an_epoch, plan)
        self.curve: list[WritingPoint] = []

    def run(self) -> TrainedWriter:
        finished = self.checkpoints.finished()
        if finished is not None:
            self._remember(finished["curve"])
        else:
            self._train()
            self.checkpoints.finish({"curve": [asdict(point) for point in self.curve]})
        best = best_point(self.curve)
        if best is None:
            raise InputError("The base gives no numbers, before any training. Choose another --base.")
        self.task.net.load_state_dict(self.checkpoints.best(best.name))
        self.task.net.to(self.device).eval()
        return TrainedWriter(task=self.task, curve=tuple(self.curve), best=best)

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
            net = self.task.net.to(self.device).train()
            begun = reached if rate == first else None
            if begun is None and rate == 0:
                self.look(rate, 0, None)
            take_steps(self, rate, net, adamw(net, self.plan, self.device, fused=True), begun)

    def batches_from(self, step: int) -> Iterator[list[int]]:
        lengths = [len(one) for one in self.asked]
        epoch, done = divmod(step, self.steps_an_epoch)
        for number in range(epoch, self.plan.epochs):
            yield from list(epoch_batches(lengths, self.plan.batch_size, self.seed, number))[done:]
            done = 0

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

    def look(self, rate: int, step: int, loss: float | None) -> bool:
        """Measure on the held-out pairs; False where the network gives no numbers any more."""
        learning_rate = self.plan.learning_rates[rate]
        mean = self._held_out_loss()
        if not isfinite(loss or 0.0) or not isfinite(mean):
            self.tell(f"learning rate {learning_rate:g}, step {step} of {self.steps}: no numbers any more; given up")
            return False
        point = WritingPoint(
            learning_rate=learning_rate,
            epoch=round(step / self.steps_an_epoch, 4),
            step=step,
            loss=None if loss is None else round(loss, 6),
            perplexity=round(exp(min(mean, 100.0)), 6),
        )
        self.curve.append(point)
        is_better = best_point(self.curve) is point
        if is_better:
            self.checkpoints.better(self.task.net.state_dict(), point.name)
        lost = "before the first step" if loss is None else f"step {step} of {self.steps}: loss {loss:.4f}"
        told = f"held-out perplexity {point.perplexity:.3f}{' (best so far)' if is_better and step else ''}"
        self.tell(f"learning rate {learning_rate:g}, {lost}, {told}")
        return True

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

    def _remember(self, curve: Sequence[dict[str, Any]]) -> None:
        self.curve = [WritingPoint(**point) for point in curve]


def best_point(curve: Sequence[WritingPoint]) -> WritingPoint | None:
    """The look with the lowest perplexity; of equals the first."""
    return min(curve, key=lambda point: point.perplexity, default=None)
