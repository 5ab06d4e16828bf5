"""A network and a plan in, what every step of a training needs out: an optimiser, 16 bits on a GPU, random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan

if TYPE_CHECKING:
    import torch


def adamw(net: torch.nn.Module, plan: TrainingPlan, device: str, *, fused: bool = False) -> torch.optim.Optimizer:
    """AdamW; decay is for matrices alone. The learning rate is set at every step.

    On a GPU all is done in one go; on a CPU where it is `fused`, which is what makes large tables quick.
    """
    learning = [parameter for parameter in net.parameters() if parameter.requires_grad]
    groups = [
        {"params": [one for one in learning if one.ndim >= 2], "weight_decay": plan.weight_decay},
        {"params": [one for one in learning if one.ndim < 2], "weight_decay": 0.0},
    ]
    optimiser: torch.optim.Optimizer = torch_library().optim.AdamW(
        [group for group in groups if group["params"]],
        lr=0.0,
        eps=plan.epsilon,
        fused=True if fused or device == "cuda" else None,
    )
    return optimiser


def narrow(device: str) -> Any:
    """On a GPU matrices are multiplied in 16 bits."""
    library = torch_library()
    return library.autocast(device, dtype=library.bfloat16, enabled=device == "cuda")


def randomness(device: str) -> dict[str, Any]:
    """The state of all random numbers that a training draws."""
    library = torch_library()
    return {"cpu": library.get_rng_state(), "cuda": library.cuda.get_rng_state() if device == "cuda" else None}


def restore_randomness(state: dict[str, Any], device: str) -> None:
    """Go on with these."""
    library = torch_library()
    library.set_rng_state(state["cpu"])
    if device == "cuda" and state["cuda"] is not None:
        library.cuda.set_rng_state(state["cuda"])
