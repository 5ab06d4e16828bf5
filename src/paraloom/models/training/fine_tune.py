"""Examples and a fresh network in, the trained network and its learning curve out. Needs torch and nothing else.

As Dou et al. (2022, appendix C): AdamW, a warm-up, a straight fall, the learning rate chosen by F1 on held-out pairs;
gradients are clipped to a norm of 1. Every learning rate starts from the same seed, so a rate is all that differs.

**A departure:** the F1 that chooses is the best F1 at any threshold, not that of the network's own decisions, because
.5 is put at that threshold afterwards. It tells how well a network ranks, and is never lower than theirs would be.

**Stopped and started again**, a training in a folder ends with the weights it would have had: on a CPU, with the
same number of threads, bit by bit. What it needs for that is written after every look at the held-out pairs, and in
between once a minute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.identification.decisions import best_f1
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.refusals import check_sets
from paraloom.models.training.checkpoints import Checkpoints, InFolder, InMemory
from paraloom.models.training.course import take_steps
from paraloom.models.training.identity import hash_of_examples, hash_of_network
from paraloom.models.training.library import own_randomness, torch_library
from paraloom.models.training.order import by_length
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.rates import with_rates
from paraloom.models.training.rates_tried import RatesTried, Seen
from paraloom.models.training.surroundings import surroundings
from paraloom.models.training.task import CurvePoint, PairTask
from paraloom.models.training.torch_steps import adamw, narrow

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuned:
    """A network with the weights that did best on the held-out pairs, and how it came to them."""

    task: PairTask
    """Its network is on the device it was trained on, in evaluation mode."""
    curve: tuple[CurvePoint, ...]
    """Every look, of every learning rate."""


def fine_tune(
    make_task: Callable[[], PairTask],
    examples: Sequence[Examples],
    held_out: Sequence[Examples],
    plan: TrainingPlan,
    *,
    seed: int,
    folder: Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> FineTuned:
    """Train a network at every learning rate of the plan; keep the weights with the best F1 at any threshold.

    `make_task` makes a fresh network, always from the same seed. F1 is that on held-out pairs; with several definitions
    the mean of theirs counts. With a folder (or inside `training_in`), a training that was stopped goes on from its
    last look.
    """
    check_sets(examples, held_out)
    plan = with_rates(plan)
    around = surroundings()
    folder = folder or around.next_folder()
    torch = torch_library()
    with own_randomness(torch):
        torch.manual_seed(seed)
        task = make_task()
        checkpoints: Checkpoints = InMemory()
        if folder is not None:
            checkpoints = InFolder(folder, _made_by(task, examples, held_out, plan, seed))
        training = _Training(make_task, task, examples, held_out, plan, seed, checkpoints, tell or around.tell)
        result = training.run()
    around.curves.append(result.curve)
    return result


class _Training(RatesTried[PairTask, CurvePoint]):
    """One call of `fine_tune`."""

    point = CurvePoint

    def __init__(
        self,
        make_task: Callable[[], PairTask],
        task: PairTask,
        examples: Sequence[Examples],
        held_out: Sequence[Examples],
        plan: TrainingPlan,
        seed: int,
        checkpoints: Checkpoints,
        tell: Callable[[str], None] | None,
    ) -> None:
        super().__init__(make_task, task, plan, seed, checkpoints, tell)
        self.examples, self.held_out = examples, held_out
        self.truth = {definition: (rows, truth) for definition, rows, truth in _rows_by_definition(held_out)}
        self.plan_steps(sum(map(len, examples)))

    def run(self) -> FineTuned:
        self.try_all(
            f"Training came to no numbers at any learning rate ({', '.join(map(str, self.plan.learning_rates))}). "
            "Give lower ones."
        )
        return FineTuned(task=self.task, curve=tuple(self.curve))

    def try_from(self, first: int, reached: dict[str, Any] | None) -> None:
        """As ever, after all pairs were prepared."""
        self.prepared = self.task.prepare(self.examples)
        self.lengths = self.task.lengths(self.prepared)
        self.looked_at = self.task.prepare(self.held_out)
        self.looked_at_lengths = self.task.lengths(self.looked_at)
        super().try_from(first, reached)

    def try_rate(self, rate: int, reached: dict[str, Any] | None) -> None:
        """All steps of one learning rate, or those that are left; heads that have learned nothing are not looked at."""
        net = self.network()
        take_steps(self, rate, net, adamw(net, self.plan, self.device), reached)

    def loss(self, batch: list[int]) -> torch.Tensor:
        """What a step lowers."""
        with narrow(self.device):
            return self.task.loss(self.task.batch(self.prepared, batch, self.device))

    def batches_from(self, step: int) -> Iterator[list[int]]:
        return self.epochs_from(step, self.lengths)

    def see(self) -> Seen | None:
        """F1 at the best threshold of each definition, on the held-out pairs."""
        logits = self._held_out_logits()
        if not np.isfinite(logits).all():
            return None
        points = {definition: best_f1(logits[rows], truth) for definition, (rows, truth) in self.truth.items()}
        f1 = float(np.mean([found.f1 for found in points.values()]))
        figures = {
            "f1": f1,
            "f1_by_definition": {definition: found.f1 for definition, found in points.items()},
            "thresholds": {definition: found.threshold for definition, found in points.items()},
        }
        return figures, f"F1 {f1:.4f}"

    def best(self) -> CurvePoint | None:
        """The look with the highest F1; of equals the first."""
        return max(self.curve, key=lambda point: point.f1, default=None)

    def _held_out_logits(self) -> NDArray[np.float64]:
        torch, net = self.torch, self.task.net
        net.eval()
        rows_seen: list[int] = []
        found = []
        with torch.no_grad(), narrow(self.device):
            for rows in by_length(self.looked_at_lengths, 2 * self.plan.batch_size):
                rows_seen += rows
                found.append(self.task.logits(self.task.batch(self.looked_at, rows, self.device)).float())
        net.train()
        logits = np.empty(len(rows_seen))
        logits[rows_seen] = torch.cat(found).cpu().numpy()
        return logits


def _rows_by_definition(sets: Sequence[Examples]) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.bool_]]]:
    """For each definition, the numbers of its pairs and whether they are paraphrases."""
    definitions = np.array([one.definition for one in sets for _ in range(len(one))], object)
    truth = np.array([float(target) > 0.5 for one in sets for target in one.targets], np.bool_)
    for definition in dict.fromkeys(one.definition for one in sets):
        rows = np.flatnonzero(definitions == definition)
        yield definition, rows, truth[rows]


def _made_by(
    task: PairTask, examples: Sequence[Examples], held_out: Sequence[Examples], plan: TrainingPlan, seed: int
) -> dict[str, Any]:
    """All that decides how a training ends, but for the machine it runs on."""
    told = asdict(plan)
    told.pop("device")
    return {
        **task.identity,
        **told,
        "seed": seed,
        "examples": hash_of_examples(examples),
        "held out": hash_of_examples(held_out),
        "network": hash_of_network(task.net),
        "paraloom": paraloom_version(),
    }
