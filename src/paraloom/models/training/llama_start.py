"""A fresh network and an adapter in, the same network out that goes on from what the adapter has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.models.language_models.adapter import Update
from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch


def rank_of(update: Update) -> int:
    """The shorter side of its thin matrices; 0 where it has none."""
    return max((left.shape[1] for left, _ in update.values()), default=0)


def check_learnable(update: Update, *, rank: int, layers: range) -> None:
    """Refuse an adapter that changes more than is to learn."""
    for name, (left, _) in update.items():
        if left.shape[1] > rank or int(name.split(".")[1]) not in layers:
            raise InputError(_TOO_MUCH.format(name=name, rank=left.shape[1]))


_TOO_MUCH = (
    "The adapter changes {name} by a rank of {rank}, which is more than is to learn there. Give a larger --rank, and "
    "let all --layers learn that the adapter changes."
)


def start_from(net: torch.nn.Module, update: Update) -> torch.nn.Module:
    """Put an adapter's matrices into those that learn.

    Where the network's are less thin, what is left of them adds nothing yet; where it lacks any of the adapter's, or
    has thinner ones, the adapter would be lost, so that is refused.
    """
    library = torch_library()
    learning = dict(net.named_modules())
    with library.no_grad():
        for name, (left, right) in update.items():
            module: Any = learning.get(f"layers.{name.removeprefix('blk.')}")
            rank = left.shape[1]
            if module is None or getattr(module, "rank", 0) < rank:
                raise InputError(_TOO_MUCH.format(name=name, rank=rank))
            if (len(left), right.shape[1]) != (len(module.left), module.right.shape[1]):
                raise InputError(
                    f"The adapter changes {name} by {left.shape} times {right.shape}, and the base has "
                    f"{tuple(module.weight.shape)} there. Choose the base it is for."
                )
            module.left.zero_()
            module.left[:, :rank] = library.from_numpy(left.copy())
            module.right[:rank] = library.from_numpy(right.copy())
    return net
