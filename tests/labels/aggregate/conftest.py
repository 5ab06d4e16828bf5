"""Crowds whose skills are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from paraloom.metrics.agreement.ratings import Ratings

Rows = list[tuple[str, str, str]]
Crowd = Callable[..., tuple[Rows, dict[str, str]]]


def make_crowd(
    seed: int, items: int, accuracies: Sequence[float], votes: int, classes: int = 2
) -> tuple[Rows, dict[str, str]]:
    """Rows of item, annotator, answer, and the truth; each item is answered by so many, drawn at random."""
    random = np.random.default_rng(seed)
    truth = {f"i{item:04d}": str(random.integers(classes)) for item in range(items)}
    rows = []
    for item, true in truth.items():
        for person in random.choice(len(accuracies), votes, replace=False):
            wrong = str((int(true) + 1 + random.integers(classes - 1)) % classes)
            rows.append((item, f"w{person:02d}", true if random.random() < accuracies[person] else wrong))
    return rows, truth


@pytest.fixture
def crowd() -> Crowd:
    return make_crowd


def ratings_of(rows: Rows) -> Ratings:
    return Ratings.of(*map(list, zip(*rows, strict=True)))


@pytest.fixture
def rated() -> Callable[[Rows], Ratings]:
    return ratings_of
