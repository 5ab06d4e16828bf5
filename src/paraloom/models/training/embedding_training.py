"""Lessons and a fresh network in, the network that does best on held-out texts out, with its learning curve.

As `fine_tune`: AdamW, a warm-up, a straight fall, gradients clipped to a norm of 1, every learning rate from the same
seed. Before the first step the held-out texts are looked at too, so that what training gained is known; where no look
is better, the network is left as it was. Batches are decided by the number of a step alone, and what else is needed to
go on is written after every look and once a minute: on a CPU, with the same number of threads, a training that was
stopped ends with the weights it would have had, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.training.checkpoints import Checkpoints, InFolder, InMemory
from paraloom.models.training.course import take_steps
from paraloom.models.training.embedding_figures import RECIPROCAL, HeldOutTexts
from paraloom.models.training.embedding_lessons import Lesson
from paraloom.models.training.library import device_for, own_randomness, torch_library
from paraloom.models.training.order import by_length, epoch_batches, steps_between_looks
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.torch_steps import adamw, narrow, randomness

if TYPE_CHECKING:
    import torch

    from paraloom.models.training.embedding_networks import EmbeddingTask

Integers = NDArray[np.int64]
Tell = Callable[[str], None]
MOST_LESSONS = 8
"""Kinds of lessons that a seed has different orders for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingPoint:
    """One look at the held-out texts."""

    learning_rate: float
    epoch: float
    step: int
    loss: float | None
    """Mean over the steps since the last look; none before the first step."""
    figures: Mapping[str, float]

    @property
    def name(self) -> str:
        """What the file of its weights is called after."""
        return f"{self.learning_rate!r}-{self.step}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainedEmbedding:
    """A network with the weights that did best, and how it came to them."""

    task: EmbeddingTask
    """Its network is on the device it was trained on, in evaluation mode."""
    curve: tuple[EmbeddingPoint, ...]
    best: EmbeddingPoint


def best_point(curve: Sequence[EmbeddingPoint], chosen_by: str) -> EmbeddingPoint | None:
    """The look with the best figure; of equals the one with the better mean reciprocal rank, then the first."""
    return max(curve, key=lambda point: (point.figures[chosen_by], point.figures[RECIPROCAL]), default=None)


def train_embedding(
    make_task: Callable[[], EmbeddingTask],
    lessons: Sequence[Lesson],
    texts: Sequence[str],
    held_out: HeldOutTexts,
    plan: TrainingPlan,
    *,
    seed: int,
    chosen_by: str,
    made_by: Mapping[str, Any],
    folder: Path | None = None,
    tell: Tell | None = None,
) -> TrainedEmbedding:
    """Train a network at every learning rate of the plan on all lessons at once: their losses are added.

    `make_task` makes a fresh network, always from the same seed. An epoch is over when all of the longest lesson was
    seen. With a folder, a training that was stopped goes on; `made_by` is what decides it.
    """
    torch = torch_library()
    with own_randomness(torch):
        torch.manual_seed(seed)
        checkpoints: Checkpoints = InMemory() if folder is None else InFolder(folder, made_by)
        training = _Training(make_task, lessons, texts, held_out, plan, seed, chosen_by, checkpoints, tell)
        return training.run()


class _Training:
    """One call of `train_embedding`."""

    def __init__(
        self,
        make_task: Callable[[], EmbeddingTask],
        lessons: Sequence[Lesson],
        texts: Sequence[str],
        held_out: HeldOutTexts,
        plan: TrainingPlan,
        seed: int,
        chosen_by: str,
        checkpoints: Checkpoints,
        tell: Tell | None,
    ) -> None:
        self.torch = torch_library()
        self.make_task, self.task = make_task, make_task()
        self.lessons, self.held_out, self.plan, self.seed = lessons, held_out, plan, seed
        self.chosen_by, self.checkpoints = chosen_by, checkpoints
        self.tell = tell or (lambda line: None)
        self.device = device_for(plan)
        self.steps_an_epoch = max(ceil(len(lesson) / plan.batch_size) for lesson in lessons)
        self.steps = self.steps_an_epoch * plan.epochs
        self.between_looks = steps_between_looks(self.steps, self.steps_an_epoch, plan)
        self.texts = texts
        self.curve: list[EmbeddingPoint] = []

    def run(self) -> TrainedEmbedding:
        finished = self.checkpoints.finished()
        if finished is not None:
            self._remember(finished["curve"])
        else:
            self._train()
            self.checkpoints.finish({"curve": [asdict(point) for point in self.curve]})
        best = best_point(self.curve, self.chosen_by)
        if best is None:
            raise InputError("The base gives vectors that are not numbers, before any training. Choose another --base.")
        self.task.net.load_state_dict(self.checkpoints.best(best.name))
        self.task.net.to(self.device).eval()
        return TrainedEmbedding(task=self.task, curve=tuple(self.curve), best=best)

    def _train(self) -> None:
        reached = self.checkpoints.reached()
        first = 0
        if reached is not None:
            self._remember(reached["curve"])
            first = reached["rate"]
            self.tell(f"going on at learning rate {self.plan.learning_rates[first]:g}, step {reached['step']}")
            if reached["step"] == self.steps:
                first, reached = first + 1, None
        self.prepared = self.task.prepare(self.texts)
        self.looked_at = self.task.prepare(self.held_out.texts)
        of_texts = self.task.lengths(self.prepared)
        self.lengths = [_longest(lesson, of_texts) for lesson in self.lessons]
        for rate in range(first, len(self.plan.learning_rates)):
            if rate > 0:
                self.torch.manual_seed(self.seed)
                self.task = self.make_task()
            self._train_at(rate, reached if rate == first else None)

    def _train_at(self, rate: int, reached: dict[str, Any] | None) -> None:
        """All steps of one learning rate, or those that are left."""
        net = self.task.net.to(self.device).train()
        if reached is None and rate == 0:
            self.look(rate, 0, None)
        take_steps(self, rate, net, adamw(net, self.plan, self.device, fused=True), reached)

    def loss(self, batches: Sequence[Integers]) -> torch.Tensor:
        """The sum of all lessons' losses; the texts of all of them are read together."""
        with narrow(self.device):
            wanted = [lesson.texts(rows) for lesson, rows in zip(self.lessons, batches, strict=True)]
            vectors = self.task.vectors(self.prepared, np.concatenate(wanted), self.device).float()
        parts = self.torch.split(vectors, [len(one) for one in wanted])
        losses = [
            lesson.loss(part, rows, self.task.net)
            for lesson, part, rows in zip(self.lessons, parts, batches, strict=True)
        ]
        return sum(losses[1:], losses[0])

    def batches_from(self, step: int) -> Iterator[list[Integers]]:
        """For this step and all that follow it, the rows of each lesson; a shorter lesson is gone through anew."""
        going = [self._batches_of(place, step) for place in range(len(self.lessons))]
        for _ in range(step, self.steps):
            yield [next(one) for one in going]

    def _batches_of(self, place: int, step: int) -> Iterator[Integers]:
        size = self.plan.batch_size
        count = ceil(len(self.lessons[place]) / size)
        round_, done = divmod(step, count)
        while True:
            number = round_ * MOST_LESSONS + place
            for batch in list(epoch_batches(self.lengths[place].tolist(), size, self.seed, number))[done:]:
                yield np.array(batch, np.int64)
            round_, done = round_ + 1, 0

    def look(self, rate: int, step: int, loss: float | None) -> bool:
        """Measure on the held-out texts; False where the network gives no numbers any more."""
        learning_rate = self.plan.learning_rates[rate]
        vectors = self._held_out_vectors()
        if not isfinite(loss or 0.0) or not np.isfinite(vectors).all():
            self.tell(f"learning rate {learning_rate:g}, step {step} of {self.steps}: no numbers any more; given up")
            return False
        point = EmbeddingPoint(
            learning_rate=learning_rate,
            epoch=round(step / self.steps_an_epoch, 4),
            step=step,
            loss=None if loss is None else round(loss, 6),
            figures=self.held_out.figures(vectors),
        )
        self.curve.append(point)
        is_better = best_point(self.curve, self.chosen_by) is point
        if is_better:
            self.checkpoints.better(self.task.net.state_dict(), point.name)
        told = ", ".join(f"{name} {value:.4f}" for name, value in point.figures.items())
        lost = "before the first step" if loss is None else f"step {step} of {self.steps}: loss {loss:.4f}"
        self.tell(
            f"learning rate {learning_rate:g}, {lost}, held-out {told}{' (best so far)' if is_better and step else ''}"
        )
        return True

    def _held_out_vectors(self) -> NDArray[np.float32]:
        torch, net = self.torch, self.task.net
        net.eval()
        lengths = self.task.lengths(self.looked_at).tolist()
        found: NDArray[np.float32] | None = None
        with torch.no_grad(), narrow(self.device):
            for rows in by_length(lengths, self.task.at_once):
                some = self.task.vectors(self.looked_at, np.array(rows, np.int64), self.device).float().cpu().numpy()
                found = np.zeros((len(lengths), some.shape[1]), np.float32) if found is None else found
                found[rows] = some
        net.train()
        assert found is not None, "something is held out"
        return unit_length(found)

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
        best = best_point(self.curve, self.chosen_by)
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
        self.curve = [EmbeddingPoint(**point) for point in curve]


def _longest(lesson: Lesson, lengths: Integers) -> Integers:
    """How long the longest text of each row is."""
    if not lengths.any():
        return np.zeros(len(lesson), np.int64)
    return np.array([lengths[lesson.texts(np.array([row]))].max() for row in range(len(lesson))], np.int64)
