"""Pairs, a network and a judge in, a network out that learned to write by a loss that what it earns divides.

Nighojkar and Licato (2021, section 3.2): the cross-entropy of a batch is divided by the total reward of the network's
own paraphrases of the batch's sources, where these earn 1 or more; else it is the cross-entropy alone. The network is
asked as it is at that step, as in the paper.

What the division does is to take smaller steps where the network already earns much: it is no gradient of the reward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from paraloom.errors import InputError
from paraloom.models.training.checkpoints import Checkpoints, InFolder, InMemory
from paraloom.models.training.library import own_randomness, torch_library
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.rates_tried import Tell
from paraloom.models.training.writing_task import WritingTask
from paraloom.models.training.writing_training import TrainedWriter
from paraloom.models.training.writing_training import _Training as WriterTraining

if TYPE_CHECKING:
    import torch

LEAST_REWARD = 1.0
"""A batch that earns less in all is learned from by the cross-entropy alone."""

PLAN = TrainingPlan(epochs=3, batch_size=32, learning_rates=(1e-4,), weight_decay=0.0)
"""Three epochs, as the paper has them."""


class Says(Protocol):
    """Draws what a network that is learning says right now."""

    def __call__(self, task: WritingTask, sources: Sequence[str], rng: np.random.Generator) -> list[str]:
        """One paraphrase of each source."""


Reward = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""Sources and paraphrases in, what each earns out."""


def train_rewarded_writer(
    make_task: Callable[[], WritingTask],
    pairs: Sequence[tuple[str, str]],
    held_out: Sequence[tuple[str, str]],
    says: Says,
    reward: Reward,
    plan: TrainingPlan = PLAN,
    *,
    seed: int = 1,
    made_by: Mapping[str, Any],
    folder: Path | None = None,
    tell: Tell | None = None,
) -> TrainedWriter:
    """As `train_writer`: chosen by perplexity on held-out pairs, and resumable where there is a folder."""
    if not pairs or not held_out:
        raise InputError("A generator needs pairs to learn from and pairs that are held out. Give more pairs.")
    torch = torch_library()
    with own_randomness(torch):
        torch.manual_seed(seed)
        checkpoints: Checkpoints = InMemory() if folder is None else InFolder(folder, made_by)
        return _Rewarded(make_task, pairs, held_out, says, reward, plan, seed, checkpoints, tell).run()


class _Rewarded(WriterTraining):
    """One call of `train_rewarded_writer`."""

    def __init__(
        self,
        make_task: Callable[[], WritingTask],
        pairs: Sequence[tuple[str, str]],
        held_out: Sequence[tuple[str, str]],
        says: Says,
        reward: Reward,
        plan: TrainingPlan,
        seed: int,
        checkpoints: Checkpoints,
        tell: Tell | None,
    ) -> None:
        super().__init__(make_task, pairs, held_out, None, plan, seed, checkpoints, tell)
        self.says, self.reward = says, reward
        fits = [len(one) <= plan.max_tokens for one in self.task.prepare(pairs)]
        self.sources = [source for (source, _), is_short in zip(pairs, fits, strict=True) if is_short]
        self.earned: list[float] = []
        """What each source's paraphrase earned on average, a step each since the last look."""

    def batches_from(self, step: int) -> Iterator[Any]:
        """With the number of its step, which decides what is drawn in it."""
        yield from enumerate(super().batches_from(step), start=step)

    def loss(self, batch: Any) -> torch.Tensor:
        """The cross-entropy, divided by what the network's own paraphrases earn in all, if that is 1 or more."""
        step, rows = batch
        total = self._total([self.sources[row] for row in rows], step)
        self.earned.append(total / len(rows))
        return divided(super().loss(rows), total)

    def look(self, rate: int, step: int, loss: float | None) -> bool:
        """As ever, and told what was earned."""
        if self.earned:
            self.tell(f"own paraphrases earned {np.mean(self.earned):.4f} on average since the last look")
            self.earned.clear()
        return super().look(rate, step, loss)

    def _total(self, sources: Sequence[str], step: int) -> float:
        net = self.task.net
        net.eval()
        said = self.says(self.task, sources, np.random.default_rng([self.seed, step]))
        net.train()
        return float(sum(self.reward(sources, said)))


def divided(loss: torch.Tensor, total: float) -> torch.Tensor:
    """The paper's loss of a batch.

    >>> divided(3.0, 2.0), divided(3.0, 0.5)
    (1.5, 3.0)
    """
    return loss / total if total >= LEAST_REWARD else loss
