"""A training and a plan in, the weights that did best out: it is tried at every learning rate of the plan.

What is learned from, what is lost and what is looked at is each training's own. Every learning rate starts from the
same seed, so a rate is all that differs. What is needed to go on is written after every look and once a minute: a
training that was stopped goes on where it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from paraloom.errors import InputError
from paraloom.models.training.checkpoints import Checkpoints
from paraloom.models.training.course import take_steps
from paraloom.models.training.library import device_for, torch_library
from paraloom.models.training.order import epoch_batches, steps_between_looks
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.torch_steps import adamw, randomness

if TYPE_CHECKING:
    import torch

Tell = Callable[[str], None]
Seen = tuple[Mapping[str, Any], str]
"""What a point of the curve says beyond when it was, and the same in words."""


class HasNetwork(Protocol):
    """What a training must know of its task."""

    @property
    def net(self) -> torch.nn.Module:
        """All that is learned."""


class Point(Protocol):
    """What a training must know of one look at what is held out: a dataclass that has an epoch and a loss too."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def learning_rate(self) -> float: ...

    @property
    def step(self) -> int: ...


AnyTask = TypeVar("AnyTask", bound=HasNetwork)
AnyPoint = TypeVar("AnyPoint", bound=Point)


class RatesTried(ABC, Generic[AnyTask, AnyPoint]):
    """One training, at one learning rate after the other."""

    point: Callable[..., AnyPoint]
    """What the curve is made of."""

    def __init__(
        self,
        make_task: Callable[[], AnyTask],
        task: AnyTask,
        plan: TrainingPlan,
        seed: int,
        checkpoints: Checkpoints,
        tell: Tell | None,
    ) -> None:
        self.torch = torch_library()
        self.make_task, self.task = make_task, task
        self.plan, self.seed, self.checkpoints = plan, seed, checkpoints
        self.tell = tell or (lambda line: None)
        self.device = device_for(plan)
        self.curve: list[AnyPoint] = []

    @abstractmethod
    def batches_from(self, step: int) -> Iterator[Any]:
        """The batches of this step and all that follow it."""

    @abstractmethod
    def loss(self, batch: Any) -> torch.Tensor:
        """What a step lowers: one number."""

    @abstractmethod
    def see(self) -> Seen | None:
        """Measure on what is held out; None where the network gives no numbers."""

    @abstractmethod
    def best(self) -> AnyPoint | None:
        """The best look so far; of equals the first."""

    def plan_steps(self, examples: int) -> None:
        """How many steps there are, if an epoch has so many examples."""
        self.steps_an_epoch = ceil(examples / self.plan.batch_size)
        self.steps = self.steps_an_epoch * self.plan.epochs
        self.between_looks = steps_between_looks(self.steps, self.steps_an_epoch, self.plan)

    def epochs_from(self, step: int, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Examples of these lengths, each once an epoch: the batches of this step and all that follow it."""
        epoch, done = divmod(step, self.steps_an_epoch)
        for number in range(epoch, self.plan.epochs):
            yield from list(epoch_batches(lengths, self.plan.batch_size, self.seed, number))[done:]
            done = 0

    def try_all(self, complaint: str) -> AnyPoint:
        """Take all steps that are left; the task has the best weights then. Complain where no look gave numbers."""
        finished = self.checkpoints.finished()
        if finished is not None:
            self._remember(finished["curve"])
        else:
            self._go_on()
            self.checkpoints.finish({"curve": [asdict(point) for point in self.curve]})
        best = self.best()
        if best is None:
            raise InputError(complaint)
        self.task.net.load_state_dict(self.checkpoints.best(_name(best)))
        self.task.net.to(self.device).eval()
        return best

    def _go_on(self) -> None:
        reached = self.checkpoints.reached()
        first = 0
        if reached is not None:
            self._remember(reached["curve"])
            first = reached["rate"]
            self.tell(f"going on at learning rate {self.plan.learning_rates[first]:g}, step {reached['step']}")
            if reached["step"] == self.steps:
                first, reached = first + 1, None
        self.try_from(first, reached)

    def try_from(self, first: int, reached: dict[str, Any] | None) -> None:
        """All steps of this learning rate, or those that are left of it, and all of those that follow it."""
        for rate in range(first, len(self.plan.learning_rates)):
            if rate > 0:
                self.torch.manual_seed(self.seed)
                self.task = self.make_task()
            self.try_rate(rate, reached if rate == first else None)

    def try_rate(self, rate: int, reached: dict[str, Any] | None) -> None:
        """All steps of one learning rate, or those that are left; a look before the first shows what they gain."""
        net = self.network()
        if reached is None and rate == 0:
            self.look(rate, 0, None)
        take_steps(self, rate, net, adamw(net, self.plan, self.device, fused=True), reached)

    def network(self) -> torch.nn.Module:
        """The network as it learns."""
        return self.task.net.to(self.device).train()

    def look(self, rate: int, step: int, loss: float | None) -> bool:
        """Measure on what is held out; False where the network gives no numbers any more."""
        learning_rate = self.plan.learning_rates[rate]
        seen = self.see()
        if seen is None or not isfinite(loss or 0.0):
            self.tell(f"learning rate {learning_rate:g}, step {step} of {self.steps}: no numbers any more; given up")
            return False
        figures, told = seen
        point = self.point(
            learning_rate=learning_rate,
            epoch=round(step / self.steps_an_epoch, 4),
            step=step,
            loss=None if loss is None else round(loss, 6),
            **figures,
        )
        self.curve.append(point)
        is_better = self.best() is point
        if is_better:
            self.checkpoints.better(self.task.net.state_dict(), _name(point))
        lost = "before the first step" if loss is None else f"step {step} of {self.steps}: loss {loss:.4f}"
        best_so_far = " (best so far)" if is_better and step else ""
        self.tell(f"learning rate {learning_rate:g}, {lost}, held-out {told}{best_so_far}")
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
        best = self.best()
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
                "best": "" if best is None else _name(best),
            }
        )

    def _remember(self, curve: Sequence[dict[str, Any]]) -> None:
        self.curve = [self.point(**point) for point in curve]


def _name(point: Point) -> str:
    """What the file of a point's weights is called after."""
    return f"{point.learning_rate!r}-{point.step}"
