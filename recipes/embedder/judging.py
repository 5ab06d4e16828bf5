"""Judged pairs in, a cross-encoder out, and what it says of pairs that nobody judged."""

from __future__ import annotations

import time
from pathlib import Path

import torch
from torch import Tensor, nn

from recipes.identifier.encoder import Encoder
from recipes.identifier.tokens import Texts

from .encoders import Trainer, like_lengths
from .pool import Pool

LONGEST = 112
LOOSE = ("twitter-url train", "pit2015 train", "msrp train", "multipit-expert train")
"""What a paraphrase is to the one who mines: the same information, more or less."""
STRANGERS = 0.15
"""As many random pairs are added, as no paraphrases, as this share of the judged ones."""


class Judge(nn.Module):
    """Reads both texts at once, and says how likely they say the same."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.encoder = Encoder(base)
        self.answer = nn.Linear(self.encoder.width, 1)

    def forward(self, texts: Texts, left: Tensor, right: Tensor) -> Tensor:
        ids, mask, segments = texts.batch(left, right, LONGEST)
        (states,) = self.encoder(ids, mask, segments, (self.encoder.layers_there,))
        weight = mask[:, :, None].to(states.dtype)
        return self.answer((states * weight).sum(1) / weight.sum(1))[:, 0]


def train_judge(base: Path, pool: Pool, texts: Texts, *, epochs: int = 2, size: int = 256, rate: float = 4e-5) -> Judge:
    """A cross-encoder that has learned from what people judged, in both orders."""
    started = time.time()
    judged = pool.from_sources(*LOOSE)
    left, right, target = pool.left[judged], pool.right[judged], pool.target[judged]
    many = int(len(judged) * STRANGERS)
    strangers = [torch.randint(len(pool.texts), (many,), device=pool.device) for _ in range(2)]
    left, right = torch.cat([left, strangers[0]]), torch.cat([right, strangers[1]])
    target = torch.cat([target, torch.zeros(many, device=pool.device)])
    net = Judge(base).to(pool.device).train()
    trainer = Trainer(net, epochs * -(-len(left) // size), rate)
    for _ in range(epochs):
        for rows in like_lengths(texts, (left, right), size):
            turned = bool(torch.rand(()) < 0.5)
            one, other = (right, left) if turned else (left, right)
            with torch.autocast(pool.device, torch.bfloat16):
                logits = net(texts, one[rows], other[rows])
            trainer.step(nn.functional.binary_cross_entropy_with_logits(logits.float(), target[rows]))
    print(f"judge: {len(left):,} pairs, {time.time() - started:.0f} s", flush=True)
    return net.eval()


@torch.inference_mode()
def judged_by(judge: Judge, texts: Texts, left: Tensor, right: Tensor, size: int = 2048) -> Tensor:
    """How likely each pair is a paraphrase."""
    if texts.device == "cuda":
        judge = judge.bfloat16()
    found = torch.zeros(len(left), device=texts.device)
    for rows in torch.argsort(texts.lengths[left] + texts.lengths[right]).split(size):
        found[rows] = judge(texts, left[rows], right[rows]).float().sigmoid()
    return found


def neighbours(vectors: Tensor, wanted: Tensor, k: int, size: int = 4096) -> Tensor:
    """The k nearest texts of these texts, themselves left out."""
    found = []
    for rows in wanted.split(size):
        likeness = vectors[rows] @ vectors.T
        likeness[torch.arange(len(rows), device=rows.device), rows] = -1
        found.append(likeness.topk(k, dim=1).indices)
    return torch.cat(found)
