"""Texts by number in, their vectors out, as a network in training or at rest gives them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn

from recipes.identifier.encoder import Encoder
from recipes.identifier.tokens import Texts
from recipes.identifier.training import warm_up_and_decay

from .pool import LONGEST


class Pooled(nn.Module):
    """A transformer whose states are averaged over a text's tokens."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = Encoder(folder)
        self.slope, self.middle = nn.Parameter(torch.tensor(10.0)), nn.Parameter(torch.tensor(0.6))

    def forward(self, texts: Texts, rows: Tensor) -> Tensor:
        ids, mask = texts.single(rows, LONGEST)
        (states,) = self.encoder(ids, mask, torch.zeros_like(ids), (self.encoder.layers_there,))
        weight = mask[:, :, None].to(states.dtype)
        return (states * weight).sum(1) / weight.sum(1)


class Static(nn.Module):
    """A vector for every word piece, averaged over a text's pieces: what it weighs is in its length."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table)
        self.slope, self.middle = nn.Parameter(torch.tensor(10.0)), nn.Parameter(torch.tensor(0.6))

    def forward(self, texts: Texts, rows: Tensor) -> Tensor:
        ids, mask = texts.single(rows, LONGEST * 2)
        mask = mask & (ids != texts.marks.begin) & (ids != texts.marks.end)
        offsets = torch.cumsum(mask.sum(1), 0) - mask.sum(1)
        return nn.functional.embedding_bag(ids[mask], self.table, offsets, mode="mean")


@torch.inference_mode()
def vectors(net: nn.Module, texts: Texts, size: int = 2048) -> Tensor:
    """Unit vectors of all texts, in 16 bits."""
    net = copy.deepcopy(net).eval()
    if texts.device == "cuda":
        net.bfloat16()
    found: Tensor | None = None
    for rows in torch.argsort(texts.lengths).split(size):
        some = nn.functional.normalize(net(texts, rows).float(), dim=1).half()
        if found is None:
            found = torch.zeros(len(texts.lengths), some.shape[1], dtype=torch.float16, device=texts.device)
        found[rows] = some
    assert found is not None
    return found


def like_lengths(texts: Texts, rows: tuple[Tensor, ...], size: int) -> Iterator[Tensor]:
    """Places of rows in batches, those of like length together, in random order."""
    lengths = sum(texts.lengths[side] for side in rows)
    order = torch.randperm(len(rows[0]), device=texts.device)
    batches = [
        part for stretch in order.split(size * 20) for part in stretch[torch.argsort(lengths[stretch])].split(size)
    ]
    yield from (batches[place] for place in torch.randperm(len(batches)).tolist())


class Trainer:
    """AdamW over 32-bit copies of a network's 16-bit weights, warm-up and straight decay."""

    def __init__(self, net: nn.Module, steps: int, rate: float, decay: float = 0.01) -> None:
        self.net, self.device = net, next(net.parameters()).device.type
        parameters = [parameter for parameter in net.parameters() if parameter.requires_grad]
        groups = [
            {"params": [one for one in parameters if one.ndim > 1], "weight_decay": decay},
            {"params": [one for one in parameters if one.ndim <= 1], "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=self.device == "cuda")
        self.schedule = warm_up_and_decay(self.optimiser, steps)
        self.total, self.steps, self.done = torch.zeros((), device=self.device), steps, 0

    def step(self, loss: Tensor, tell_every: int = 300) -> None:
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.schedule.step()
        self.total += loss.detach()
        self.done += 1
        if self.done % tell_every == 0:
            print(f"  step {self.done}/{self.steps} loss {self.total.item() / tell_every:.4f}", flush=True)
            self.total.zero_()
