"""Torch, where it is installed: which device it trains on, and its random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paraloom.errors import InputError
from paraloom.models.training.plan import TrainingPlan


def device_for(plan: TrainingPlan) -> str:
    """Where to train."""
    torch = torch_library()
    if plan.device == "cuda" and not torch.cuda.is_available():
        raise InputError("There is no GPU that torch can use here. Train with `device` auto or cpu.")
    if plan.device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return plan.device


@contextmanager
def own_randomness(torch: Any) -> Iterator[None]:
    """What is drawn inside leaves torch's random numbers outside as they were."""
    with torch.random.fork_rng(devices=[torch.cuda.current_device()] if torch.cuda.is_available() else []):
        yield


def torch_library() -> Any:
    """Torch, or an error that says how to get it."""
    try:
        import torch
    except ImportError as error:
        raise InputError(
            "Training needs torch, which is not installed. Install it: pip install 'paraloom[train]'"
        ) from error
    return torch
