"""Pairs that are fit to learn from in, a teacher trained on them whole, and what it writes for every sentence, out.

Runs on a GPU, in torch; of Paraloom it needs no model.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recipes.identifier.training import warm_up_and_decay

from .teacher_base import BASE, PIECES, Rows
from .teacher_network import Teacher, write

CONFIG, WRITTEN = "teacher_config.json", "written.npz"
LONGEST = 112
EPOCHS, SIZE, RATE = 2, 128, 4e-5
STRETCH = 50
"""Batches within which rows of like length are put together."""
TEMPERATURES = (0.7, 0.7, 0.7, 0.7, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""A candidate each: some likely ones, some that differ."""
SOURCES_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Given:
    """What `prepare_teacher` wrote."""

    begin: int
    end: int
    kept: np.ndarray[Any, Any]
    rows: dict[str, Rows]

    @classmethod
    def read(cls, work: Path) -> Given:
        with np.load(work / PIECES) as stored:
            begin, end = stored["marks"].tolist()
            names = [name for name in stored.files if f"{name}_starts" in stored.files]
            rows = {name: Rows(stored[name], stored[f"{name}_starts"]) for name in names}
            return cls(begin, end, stored["kept"], rows)

    def pairs(self, name: str, few: int) -> list[tuple[list[int], list[int]]]:
        """What is read, and what is to be written; none that is too long."""
        left, right = self.rows[f"{name}_left"], self.rows[f"{name}_right"]
        number = min(few, len(left)) if few else len(left)
        found = [([self.begin, *left[row], self.end], [*right[row], self.end]) for row in range(number)]
        return [pair for pair in found if len(pair[0]) + len(pair[1]) <= LONGEST]


Pairs = Sequence[tuple[list[int], list[int]]]


def teach(work: Path, *, device: str, few: int = 0, seed: int = 1) -> None:
    """Train the teacher and let it write: `written.npz`."""
    given = Given.read(work)
    torch.manual_seed(seed)
    net = Teacher.read(work / BASE, work / CONFIG, len(given.kept)).to(device)
    dev = given.pairs("dev", few)
    print(f"teacher: perplexity {_perplexity(net, dev, given.end, device):.2f} before", flush=True)
    _train(net, given.pairs("examples", few), given.end, device, seed)
    print(f"teacher: perplexity {_perplexity(net, dev, given.end, device):.2f} after", flush=True)
    _write_all(net.to(torch.bfloat16).eval(), given, work, device, few, seed)


def _train(net: Teacher, pairs: Pairs, end: int, device: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    batches = [batch for _ in range(EPOCHS) for batch in _batches(pairs, rng)]
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.0, betas=(0.9, 0.98), fused=True)
    schedule = warm_up_and_decay(optimiser, len(batches))
    started, total = time.time(), torch.zeros((), device=device)
    for step, rows in enumerate(batches, start=1):
        loss = _losses(net, [pairs[row] for row in rows], end, device).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        schedule.step()
        total += loss.detach()
        if step % 100 == 0:
            told = f"  step {step}/{len(batches)} loss {total.item() / 100:.3f}, {time.time() - started:.0f} s"
            print(told, flush=True)
            total.zero_()


def _batches(pairs: Pairs, rng: np.random.Generator) -> list[list[int]]:
    """Rows of like length together, in random order."""
    order = rng.permutation(len(pairs))
    lengths = np.array([len(left) + len(right) for left, right in pairs])
    found = []
    for start in range(0, len(order), SIZE * STRETCH):
        some = order[start : start + SIZE * STRETCH]
        some = some[np.argsort(lengths[some], kind="stable")]
        found += [some[at : at + SIZE].tolist() for at in range(0, len(some), SIZE)]
    return [found[place] for place in rng.permutation(len(found))]


def _losses(net: Teacher, pairs: Pairs, end: int, device: str) -> Tensor:
    """Of every piece that is to be written the negative log-probability."""
    width = -(-max(len(left) + len(right) for left, right in pairs) // 8) * 8
    ids = torch.full((len(pairs), width), end)
    places: list[int] = []
    for row, (left, right) in enumerate(pairs):
        ids[row, : len(left) + len(right)] = torch.tensor(left + right)
        places += range(row * width + len(left) - 1, row * width + len(left) + len(right) - 1)
    targets = torch.tensor([piece for _, right in pairs for piece in right])
    ids, at, wanted = (one.to(device, non_blocking=True) for one in (ids, torch.tensor(places), targets))
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        logits = net.logits(net.states(ids).flatten(0, 1)[at])
    return functional.cross_entropy(logits.float(), wanted, reduction="none")


@torch.no_grad()
def _perplexity(net: Teacher, pairs: Pairs, end: int, device: str) -> float:
    losses = torch.cat([_losses(net, pairs[at : at + 32], end, device) for at in range(0, len(pairs), 32)])
    return math.exp(float(losses.double().mean()))


def _write_all(net: Teacher, given: Given, work: Path, device: str, few: int, seed: int) -> None:
    """Candidates of all sources, those of like length written side by side."""
    sources = given.rows["sources"]
    asked = [[given.begin, *sources[row], given.end] for row in range(min(few, len(sources)) if few else len(sources))]
    order = sorted(range(len(asked)), key=lambda row: len(asked[row]))
    chance = torch.Generator(device).manual_seed(seed)
    started = time.time()
    owners: list[int] = []
    pieces: list[list[int]] = []
    own: list[float] = []
    for number, at in enumerate(range(0, len(order), SOURCES_AT_ONCE)):
        some = order[at : at + SOURCES_AT_ONCE]
        found = write(
            net,
            [asked[row] for row in some],
            TEMPERATURES,
            end=given.end,
            top_k=50,
            top_p=0.95,
            longest=1.3,
            chance=chance,
        )
        owners += [row for row in some for _ in TEMPERATURES]
        pieces += found.pieces
        own += found.own
        if number % 20 == 0:
            print(f"  written for {at + len(some):,} of {len(order):,}, {time.time() - started:.0f} s", flush=True)
    rows = Rows.of([given.kept[one] if one else [] for one in pieces])
    np.savez_compressed(
        work / WRITTEN,
        source=np.array(owners, np.int32),
        own=np.array(own, np.float16),
        pieces=rows.pieces,
        starts=rows.starts,
    )
