"""A tiny network that learns from shared words, and a program that trains it.

python word_task.py FOLDER WEIGHTS EVENTS: trains in FOLDER, writes a line to EVENTS at every look and the trained
weights to WEIGHTS.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import torch

from paraloom.models.identifiers import Examples
from paraloom.models.training.fine_tune import fine_tune
from paraloom.models.training.plan import TrainingPlan

WORDS = [
    "storm",
    "coast",
    "market",
    "fell",
    "rose",
    "team",
    "won",
    "lost",
    "vote",
    "law",
    "rain",
    "goal",
    "price",
    "river",
]
PLAN = TrainingPlan(epochs=4, batch_size=8, learning_rates=(0.003, 0.02), device="cpu")
BUCKETS = 64


class WordNet(torch.nn.Module):
    def __init__(self, definitions: Sequence[str]) -> None:
        super().__init__()
        self.words = torch.nn.EmbeddingBag(BUCKETS, 16, mode="mean")
        self.mixed = torch.nn.Linear(32, 16)
        self.normed = torch.nn.LayerNorm(16)
        self.dropped = torch.nn.Dropout(0.2)
        self.heads = torch.nn.Linear(16, len(definitions))

    def forward(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        u, v = self.words(left), self.words(right)
        mixed = self.normed(torch.relu(self.mixed(torch.cat([(u - v).abs(), u * v], dim=1))))
        return self.heads(self.dropped(mixed))


class WordTask:
    """Each text is its first words, four at most."""

    def __init__(self, definitions: Sequence[str] = ("loose",), reads: int = 4) -> None:
        self.definitions, self.reads = list(definitions), reads
        self.net = WordNet(definitions)

    @property
    def identity(self) -> dict[str, object]:
        return {"system": "word-task", "reads": self.reads}

    def prepare(self, examples: Sequence[Examples]):
        left = [numbers(text, self.reads) for one in examples for text in one.left]
        right = [numbers(text, self.reads) for one in examples for text in one.right]
        targets = [target for one in examples for target in one.targets]
        heads = [self.definitions.index(one.definition) for one in examples for _ in range(len(one))]
        return np.array(left), np.array(right), np.array(targets, np.float32), np.array(heads)

    def lengths(self, prepared) -> Sequence[int]:
        return [int((row > 0).sum()) for row in prepared[0]]

    def batch(self, prepared, rows: Sequence[int], device: str):
        return tuple(torch.from_numpy(column[rows]).to(device) for column in prepared)

    def loss(self, batch) -> torch.Tensor:
        return torch.nn.functional.binary_cross_entropy_with_logits(self.logits(batch), batch[2])

    def logits(self, batch) -> torch.Tensor:
        left, right, _, heads = batch
        return self.net(left, right).gather(1, heads[:, None])[:, 0]


def numbers(text: str, reads: int) -> list[int]:
    found = [1 + crc32(word.encode("utf-8", "replace")) % (BUCKETS - 1) for word in text.split()[:reads]]
    return found + [0] * (4 - len(found))


def invented(pairs: int, seed: int, definition: str = "loose") -> Examples:
    """Pairs that share all words but one, or none."""
    draw = random.Random(seed)
    left, right, targets = [], [], []
    for _ in range(pairs):
        words = draw.sample(WORDS, 4)
        same = draw.random() < 0.5
        others = [*words[:3], draw.choice(WORDS)] if same else draw.sample([w for w in WORDS if w not in words], 4)
        left.append(" ".join(words))
        right.append(" ".join(draw.sample(others, 4)))
        targets.append(float(same))
    return Examples(left=left, right=right, targets=targets, definition=definition)


def main(folder: Path, weights: Path, events: Path) -> None:
    torch.set_num_threads(1)

    def tell(line: str) -> None:
        with events.open("a", encoding="utf-8") as lines:
            lines.write(f"{line}\n")
        time.sleep(0.05)  # so that there is a moment to be killed in

    tuned = fine_tune(WordTask, [invented(80, 1)], [invented(40, 2)], PLAN, seed=5, folder=folder, tell=tell)
    torch.save(tuned.task.net.state_dict(), weights)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
