"""Rows and a network in, the trained network and its answers out: AdamW, warm-up 6 %, linear decay, bf16 on a GPU."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss

from paraloom.models.pair_model import QUESTIONS, TURNED

from .network import MEASURED, Net
from .tokens import Texts

LONGEST = 128
TURN = [QUESTIONS.index(TURNED.get(name, name)) for name in QUESTIONS]
PROBABILITIES = [place for place, name in enumerate(QUESTIONS) if name not in MEASURED]
NUMBERS = [place for place, name in enumerate(QUESTIONS) if name in MEASURED]


@dataclass(slots=True, kw_only=True)
class Data:
    """Pairs as numbers of texts, their targets a question (NaN where unknown) and how much each target weighs."""

    left: Tensor
    right: Tensor
    targets: Tensor
    weights: Tensor

    def chosen(self, rows: Tensor) -> Data:
        return Data(
            left=self.left[rows], right=self.right[rows], targets=self.targets[rows], weights=self.weights[rows]
        )

    def __len__(self) -> int:
        return len(self.left)


def joined(parts: list[Data]) -> Data:
    """Several sets of rows as one."""
    return Data(**{name: torch.cat([getattr(part, name) for part in parts]) for name in Data.__slots__})


def train(
    net: Net,
    texts: Texts,
    epochs: list[Data],
    *,
    size: int,
    rate: float,
    seed: int,
    turned: str = "random",
    exit_weight: float = 0.5,
    tell_every: int = 200,
    decay: float = 0.01,
) -> Net:
    """Fit all questions at once, one set of rows an epoch; each target counts for its weight."""
    device = texts.device
    fast = device == "cuda"
    torch.manual_seed(seed)
    rng = torch.Generator(device=device).manual_seed(seed)
    net.to(device).train()
    masters = [parameter.detach().clone().float() for parameter in net.parameters()]
    if fast:
        net.bfloat16()
    parameters = list(net.parameters())
    for master in masters:
        master.grad = torch.zeros_like(master)
    groups = [
        {"params": [master for master in masters if master.ndim > 1], "weight_decay": decay},
        {"params": [master for master in masters if master.ndim <= 1], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=rate, eps=1e-8, betas=(0.9, 0.98), fused=fast)
    steps = sum(-(-len(data) // size) for data in epochs)
    schedule = warm_up_and_decay(optimiser, steps)
    started, step, total = time.time(), 0, torch.zeros((), device=device)
    for number, data in enumerate(epochs):
        for rows, width in _batches(data, texts, size, rng):
            part = data.chosen(rows)
            swapped = _swapped(part, turned, rng)
            loss = _loss(net, texts, part, swapped, exit_weight, width)
            loss.backward()
            torch._foreach_copy_(
                [master.grad for master in masters],
                [p.grad if p.grad is not None else torch.zeros_like(p) for p in parameters],
            )
            torch.nn.utils.clip_grad_norm_(masters, 1.0)
            optimiser.step()
            schedule.step()
            with torch.no_grad():
                torch._foreach_copy_(parameters, masters)
            for parameter in parameters:
                parameter.grad = None
            step += 1
            total += loss.detach()
            if step % tell_every == 0:
                print(
                    f"  epoch {number + 1} step {step}/{steps} loss {total.item() / tell_every:.4f}, "
                    f"{time.time() - started:.0f} s",
                    flush=True,
                )
                total.zero_()
    net.float()
    with torch.no_grad():
        torch._foreach_copy_(parameters, masters)
    return net.eval()


def warm_up_and_decay(optimiser: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LambdaLR:
    """Up to the full rate within 6 % of the steps, then down to nothing in a straight line."""
    return torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (0.06 * steps), max(0.0, (steps - step) / (0.94 * steps)))
    )


def _batches(data: Data, texts: Texts, size: int, rng: torch.Generator) -> list[tuple[Tensor, int]]:
    """Rows of each batch and how wide it is, those of like length together, in random order."""
    order = torch.randperm(len(data), generator=rng, device=texts.device)
    lengths = (texts.lengths[data.left] + texts.lengths[data.right])[order]
    stretch = torch.arange(len(order), device=texts.device) // (size * 50)
    order = order[torch.argsort(stretch * 100_000 + lengths)]
    batches = order.split(size)
    widths = [
        int(one)
        for one in torch.stack(
            [texts.width(data.left[rows], data.right[rows], LONGEST).max() for rows in batches]
        ).tolist()
    ]
    return [
        (batches[place], widths[place])
        for place in torch.randperm(len(batches), generator=rng, device=texts.device).tolist()
    ]


def _swapped(part: Data, turned: str, rng: torch.Generator) -> Tensor:
    if turned == "random":
        return torch.rand(len(part), generator=rng, device=part.left.device) < 0.5
    return torch.zeros(len(part), dtype=torch.bool, device=part.left.device)


def _loss(net: Net, texts: Texts, part: Data, swapped: Tensor, exit_weight: float, width: int) -> Tensor:
    first, second = torch.where(swapped, part.right, part.left), torch.where(swapped, part.left, part.right)
    targets = torch.where(swapped[:, None], part.targets[:, TURN], part.targets)
    weights = torch.where(swapped[:, None], part.weights[:, TURN], part.weights)
    known = ~torch.isnan(targets)
    weights = torch.where(known, weights, torch.zeros_like(weights))
    targets = torch.nan_to_num(targets)
    answers = net(*texts.batch(first, second, LONGEST, width))
    loss = torch.zeros((), device=targets.device)
    for place, answer in enumerate(answers):
        each = torch.zeros_like(answer)
        each[:, PROBABILITIES] = binary_cross_entropy_with_logits(
            answer[:, PROBABILITIES], targets[:, PROBABILITIES], reduction="none"
        )
        each[:, NUMBERS] = smooth_l1_loss(answer[:, NUMBERS], targets[:, NUMBERS], reduction="none", beta=0.3) * 2
        share = 1.0 if place == len(answers) - 1 else exit_weight
        loss = loss + share * (each * weights).sum() / len(part)
    return loss


@torch.inference_mode()
def answers(
    net: Net, texts: Texts, left: Tensor, right: Tensor, *, both: bool = True, size: int = 1024, exit: int = -1
) -> Tensor:
    """Every question's answer for each pair: logits, the mean over both orders where asked."""
    device = texts.device
    net = copy.deepcopy(net).eval()
    if device == "cuda":
        net.bfloat16()
    order = torch.argsort(texts.lengths[left] + texts.lengths[right])
    found = torch.zeros(len(left), len(QUESTIONS), device=device)
    for rows in order.split(size):
        one, other = left[rows], right[rows]
        answer = net(*texts.batch(one, other, LONGEST))[exit].float()
        if both:
            answer = (answer + net(*texts.batch(other, one, LONGEST))[exit].float()[:, TURN]) / 2
        found[rows] = answer
    return found
