"""A base in, the same one used to posts out: it has guessed hidden words of all texts (Gururangan et al., 2020)."""

from __future__ import annotations

import time
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from .encoder import Encoder
from .prepared import Prepared
from .tokens import Texts
from .training import warm_up_and_decay

HIDDEN_SHARE = 0.2
"""Of the words are hidden."""
LONGEST = 64


class Guesser(nn.Module):
    """An encoder and what turns a state into the word that is hidden there, with the same word vectors."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.encoder = Encoder(base)
        width = self.encoder.width
        self.dense, self.norm = nn.Linear(width, width), nn.LayerNorm(width)
        self.bias = nn.Parameter(torch.zeros(self.encoder.words.num_embeddings))

    def forward(self, ids: Tensor, mask: Tensor, hidden: Tensor) -> Tensor:
        states = self.encoder(ids, mask, torch.zeros_like(ids), (self.encoder.layers_there,))[-1]
        states = self.norm(functional.gelu(self.dense(states[hidden])))
        return functional.linear(states, self.encoder.words.weight, self.bias)


def adapt(
    base: Path,
    work: Path,
    out: Path,
    *,
    device: str,
    kind: str = "mpnet",
    epochs: int = 2,
    rate: float = 1e-4,
    size: int = 768,
    seed: int = 1,
    few: int = 0,
) -> None:
    """Train on hidden words and write the encoder as a base."""
    started = time.time()
    texts = Prepared(work, kind, device).texts
    torch.manual_seed(seed)
    net = Guesser(base).to(device).train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    chosen = torch.randperm(len(texts.lengths), device=device)
    chosen = chosen[:few] if few else chosen
    batches = [rows for _ in range(epochs) for rows in _batches(texts, chosen, size)]
    schedule = warm_up_and_decay(optimiser, len(batches))
    total = torch.zeros((), device=device)
    for step, rows in enumerate(batches, start=1):
        ids, mask = texts.single(rows, LONGEST)
        shown, hidden = _hide(ids, mask, texts)
        with torch.autocast(device, torch.bfloat16):
            loss = functional.cross_entropy(net(shown, mask, hidden), ids[hidden])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        schedule.step()
        total += loss.detach()
        if step % 200 == 0:
            print(f"  hidden words: step {step}/{len(batches)} loss {total.item() / 200:.3f}", flush=True)
            total.zero_()
    net.encoder.write(base, out)
    print(f"adapted in {time.time() - started:.0f} s", flush=True)


def _batches(texts: Texts, chosen: Tensor, size: int) -> list[Tensor]:
    """Texts of like length together, in random order."""
    order = chosen[torch.randperm(len(chosen), device=chosen.device)]
    batches = [
        rows
        for stretch in order.split(size * 50)
        for rows in stretch[torch.argsort(texts.lengths[stretch])].split(size)
    ]
    return [batches[place] for place in torch.randperm(len(batches)).tolist()]


def _hide(ids: Tensor, mask: Tensor, texts: Texts) -> tuple[Tensor, Tensor]:
    """The ids with some words hidden, a tenth of them behind another word and a tenth not at all, and which."""
    words = mask & (ids != texts.marks.begin) & (ids != texts.marks.end)
    drawn = torch.rand(ids.shape, device=ids.device)
    hidden = words & (drawn < HIDDEN_SHARE)
    how = drawn / HIDDEN_SHARE
    shown = torch.where(hidden & (how < 0.8), texts.marks.hidden, ids)
    other = texts.pieces[torch.randint(len(texts.pieces) - 1, ids.shape, device=ids.device)].long()
    return torch.where(hidden & (how >= 0.9), other, shown), hidden
