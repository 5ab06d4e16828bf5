"""Steps take the learning rates that transformers would give them, and every pair once an epoch."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import get_linear_schedule_with_warmup

from paraloom.errors import InputError
from paraloom.models.training.order import by_length, epoch_batches, rate_at
from paraloom.models.training.plan import TrainingPlan


@pytest.mark.parametrize(("steps", "warm_up"), [(100, 0.06), (7, 0.0), (50, 0.5), (1, 0.06)])
def test_learning_rates_are_those_of_transformers(steps: int, warm_up: float) -> None:
    from math import ceil

    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    schedule = get_linear_schedule_with_warmup(optimiser, ceil(steps * warm_up), steps)
    for step in range(steps):
        assert rate_at(step, steps, warm_up) == pytest.approx(schedule.get_last_lr()[0])
        optimiser.step()
        schedule.step()


@given(st.lists(st.integers(1, 200), min_size=1, max_size=400), st.integers(1, 40), st.integers(0, 5))
def test_every_pair_comes_once_an_epoch_in_batches_of_like_length(lengths: list[int], size: int, epoch: int) -> None:
    batches = list(epoch_batches(lengths, size, seed=3, epoch=epoch))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert sum(len(batch) < size for batch in batches) <= 1
    assert batches == list(epoch_batches(lengths, size, seed=3, epoch=epoch))
    in_order = [row for batch in by_length(lengths, size) for row in batch]
    assert [lengths[row] for row in in_order] == sorted(lengths)


def test_epochs_and_seeds_differ_and_little_is_padding() -> None:
    lengths = [number * 37 % 100 + 1 for number in range(1000)]
    first = list(epoch_batches(lengths, 16, seed=1, epoch=0))
    assert first != list(epoch_batches(lengths, 16, seed=1, epoch=1))
    assert first != list(epoch_batches(lengths, 16, seed=2, epoch=0))
    widest = sum(len(batch) * max(lengths[row] for row in batch) for batch in first)
    assert widest < 1.1 * sum(lengths)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("epochs", 0),
        ("batch_size", 0),
        ("warm_up", 1.0),
        ("warm_up", float("nan")),
        ("weight_decay", -1.0),
        ("epsilon", 0.0),
        ("evaluate_every", 0),
        ("max_tokens", 7),
        ("learning_rates", (1e-5, 0.0)),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(setting: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{setting}=.*Give"):
        TrainingPlan(**{setting: value})
