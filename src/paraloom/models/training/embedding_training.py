"""Lessons and a fresh network in, the network that does best on held-out texts out, with its learning curve.

As `fine_tune`: AdamW, a warm-up, a straight fall, gradients clipped to a norm of 1, every learning rate from the same
seed. Before the first step the held-out texts are looked at too, so that what training gained is known; where no look
is better, the network is left as it was. Batches are decided by the number of a step alone, and what else is needed to
go on is written after every look and once a minute: on a CPU, with the same number of threads, a training that was
stopped ends with the weights it would have had, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.training.checkpoints import Checkpoints, InFolder, InMemory
from paraloom.models.training.embedding_figures import RECIPROCAL, HeldOutTexts
from paraloom.models.training.embedding_lessons import Lesson
from paraloom.models.training.library import own_randomness, torch_library
from paraloom.models.training.order import by_length, epoch_batches
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.rates_tried import RatesTried, Seen, Tell
from paraloom.models.training.torch_steps import narrow

if TYPE_CHECKING:
    import torch

    from paraloom.models.training.embedding_networks import EmbeddingTask

Integers = NDArray[np.int64]
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainedEmbedding:
    """A network with the weights that did best, and how it came to them."""

    task: EmbeddingTask
    """Its network is on the device it was trained on, in evaluation mode."""
    curve: tuple[EmbeddingPoint, ...]
    best: EmbeddingPoint


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


class _Training(RatesTried["EmbeddingTask", EmbeddingPoint]):
    """One call of `train_embedding`."""

    point = EmbeddingPoint

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
        super().__init__(make_task, make_task(), plan, seed, checkpoints, tell)
        self.lessons, self.texts, self.held_out, self.chosen_by = lessons, texts, held_out, chosen_by
        self.plan_steps(max(map(len, lessons)))

    def run(self) -> TrainedEmbedding:
        best = self.try_all("The base gives vectors that are not numbers, before any training. Choose another --base.")
        return TrainedEmbedding(task=self.task, curve=tuple(self.curve), best=best)

    def try_from(self, first: int, reached: dict[str, Any] | None) -> None:
        """As ever, after all texts were cut."""
        self.prepared = self.task.prepare(self.texts)
        self.looked_at = self.task.prepare(self.held_out.texts)
        of_texts = self.task.lengths(self.prepared)
        self.lengths = [_longest(lesson, of_texts) for lesson in self.lessons]
        super().try_from(first, reached)

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

    def see(self) -> Seen | None:
        """All figures of the held-out texts."""
        vectors = self._held_out_vectors()
        if not np.isfinite(vectors).all():
            return None
        figures = self.held_out.figures(vectors)
        return {"figures": figures}, ", ".join(f"{name} {value:.4f}" for name, value in figures.items())

    def best(self) -> EmbeddingPoint | None:
        """The look with the best figure; of equals the one with the better mean reciprocal rank, then the first."""
        return max(
            self.curve, key=lambda point: (point.figures[self.chosen_by], point.figures[RECIPROCAL]), default=None
        )

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


def _longest(lesson: Lesson, lengths: Integers) -> Integers:
    """How long the longest text of each row is."""
    if not lengths.any():
        return np.zeros(len(lesson), np.int64)
    return np.array([lengths[lesson.texts(np.array([row]))].max() for row in range(len(lesson))], np.int64)
