"""The number of a step in, its learning rate and its pairs out: all that is decided before training begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np

from paraloom.models.training.plan import TrainingPlan

BATCHES_SORTED_TOGETHER = 50
"""Pairs are drawn at random; so many batches of them at a time are sorted by length. More would leave less chance."""

FEW_STEPS = 1500
"""A shorter training looks at the held-out pairs once an epoch."""


def rate_at(step: int, steps: int, warm_up: float) -> float:
    """The share of the learning rate that step number `step` (from 0) of `steps` takes: up in a line, then down in one.

    >>> [round(rate_at(step, 10, 0.2), 2) for step in range(10)]
    [0.0, 0.5, 1.0, 0.88, 0.75, 0.62, 0.5, 0.38, 0.25, 0.12]
    """
    rising = ceil(steps * warm_up)
    if step < rising:
        return step / rising
    return (steps - step) / max(1, steps - rising)


def steps_between_looks(steps: int, steps_an_epoch: int, plan: TrainingPlan) -> int:
    """After how many steps the held-out pairs are looked at.

    >>> steps_between_looks(1400, 280, TrainingPlan()), steps_between_looks(1500, 300, TrainingPlan())
    (280, 500)
    """
    return steps_an_epoch if steps < FEW_STEPS else plan.evaluate_every


def epoch_batches(lengths: Sequence[int], batch_size: int, seed: int, epoch: int) -> Iterator[list[int]]:
    """The numbers of all pairs in an order that seed and epoch decide, those of like length together.

    >>> sorted(row for batch in epoch_batches([3, 1, 2], 2, seed=1, epoch=0) for row in batch)
    [0, 1, 2]
    """
    draw = np.random.default_rng([seed, epoch])
    order = draw.permutation(len(lengths))
    sizes = np.asarray(lengths)
    batches: list[list[int]] = []
    for start in range(0, len(order), batch_size * BATCHES_SORTED_TOGETHER):
        pool = order[start : start + batch_size * BATCHES_SORTED_TOGETHER]
        pool = pool[np.argsort(sizes[pool], kind="stable")]
        batches += [pool[at : at + batch_size].tolist() for at in range(0, len(pool), batch_size)]
    for number in draw.permutation(len(batches)):
        yield batches[number]


def by_length(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """The numbers of all pairs from short to long, a batch at a time.

    >>> list(by_length([3, 1, 2], 2))
    [[1, 2], [0]]
    """
    order = np.argsort(np.asarray(lengths), kind="stable").tolist()
    for start in range(0, len(order), batch_size):
        yield order[start : start + batch_size]
