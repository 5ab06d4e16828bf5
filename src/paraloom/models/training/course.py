"""A training and a learning rate in, all its steps taken: what every training does, whatever it learns and looks at.

Gradients are clipped to a norm of 1, the rate rises and falls as the plan says. What was reached is noted after every
look at what is held out, and in between once a minute, so that a training that was stopped goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from paraloom.models.training.library import torch_library
from paraloom.models.training.order import rate_at
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.torch_steps import restore_randomness

if TYPE_CHECKING:
    import torch

LONGEST_GRADIENT = 1.0
"""A longer gradient is cut to this norm."""
NOTED_EVERY = 60.0
"""Seconds after which what was reached is written between two looks, and told; later where writing takes long."""
SHARE_OF_WRITING = 0.05
"""Of the time may be spent on that."""


class Training(Protocol):
    """What a training must have for its steps to be taken."""

    plan: TrainingPlan
    device: str
    steps: int
    """Of one learning rate, in all."""
    between_looks: int

    def tell(self, line: str, /) -> None:
        """Say how it is going."""

    def batches_from(self, step: int, /) -> Iterator[Any]:
        """The batches of this step and all that follow it."""

    def loss(self, batch: Any, /) -> torch.Tensor:
        """What a step lowers: one number."""

    def look(self, rate: int, step: int, loss: float, /) -> bool:
        """Measure on what is held out; False where the network gives no numbers any more."""

    def reach(
        self,
        rate: int,
        step: int,
        net: torch.nn.Module,
        optimiser: torch.optim.Optimizer,
        lost: float = 0.0,
        since: int = 0,
        /,
    ) -> None:
        """Note what is needed to go on from here; `lost` in `since` steps is not in the curve yet."""


def take_steps(
    training: Training,
    rate: int,
    net: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    reached: dict[str, Any] | None,
) -> None:
    """All steps of one learning rate, or those that are left after what was reached."""
    torch, plan, steps = torch_library(), training.plan, training.steps
    step = since = 0
    lost = torch.zeros((), device=training.device)
    if reached is not None:
        step, since = reached["step"], reached["since"]
        lost += reached["lost"]
        net.load_state_dict(reached["net"])
        optimiser.load_state_dict(reached["optimiser"])
        restore_randomness(reached["random"], training.device)
    begun, begun_at = perf_counter(), step
    next_note = begun + NOTED_EVERY
    for batch in training.batches_from(step):
        for group in optimiser.param_groups:
            group["lr"] = plan.learning_rates[rate] * rate_at(step, steps, plan.warm_up)
        loss = training.loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), LONGEST_GRADIENT)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        lost += loss.detach()
        since += 1
        step += 1
        if step % training.between_looks == 0 or step == steps:
            went_well = training.look(rate, step, float(lost) / since)
            lost.zero_()
            since = 0
            training.reach(rate, step if went_well else steps, net, optimiser)
            if not went_well:
                return
        elif perf_counter() >= next_note:
            left = (perf_counter() - begun) / (step - begun_at) * (steps - step)
            training.tell(
                f"learning rate {plan.learning_rates[rate]:g}, step {step} of {steps}: loss "
                f"{float(lost) / since:.4f}, about {ceil(left / 60)} min left at this rate"
            )
            writing = perf_counter()
            training.reach(rate, step, net, optimiser, float(lost), since)
            written = perf_counter()
            next_note = written + max(NOTED_EVERY, (written - writing) / SHARE_OF_WRITING)
