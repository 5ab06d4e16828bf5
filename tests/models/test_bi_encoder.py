"""A transformer that reads each text on its own compares vectors as in the paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, untrained
from paraloom.models.identifiers.bi_encoder import BiEncoder, compared
from paraloom.models.training.plan import TrainingPlan

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=12, batch_size=8, learning_rates=(0.01,), max_tokens=40, device="cpu")
OBJECTIVES = ["classification", "cosine"]


@pytest.fixture(scope="module", params=OBJECTIVES)
def trained(
    request: pytest.FixtureRequest,
    tiny_transformer: Callable[[str], Path],
    invented_pairs: Callable[..., Examples],
) -> BiEncoder:
    fresh = untrained("bi-encoder", base=str(tiny_transformer("bert")), objective=request.param, plan=PLAN)
    return fresh.fit([invented_pairs(80)], [invented_pairs(40, seed=2)], seed=1)


def test_vectors_are_compared_as_in_the_paper(trained: BiEncoder) -> None:
    """Both orders of u, v and |u - v| through the head, or the cosine, one pair at a time."""
    task = trained.fitted.task
    left, right = "the storm hit the coast", "a river left the town"
    with torch.no_grad():
        u, v = (
            task.net.encoder(**task.base.tokeniser(text, return_tensors="pt")).last_hidden_state.mean(dim=1)
            for text in (left, right)
        )
        if trained.objective == "cosine":
            expected = torch.nn.functional.cosine_similarity(u, v).item()
        else:
            both = (torch.cat([one, other, (one - other).abs()], dim=1) for one, other in ((u, v), (v, u)))
            expected = np.mean([task.net.heads(one).item() for one in both])
    assert compared(task, [left], [right], "loose")[0] == pytest.approx(expected, abs=1e-5)


def test_what_is_trained_is_what_is_scored(trained: BiEncoder, invented_pairs: Callable[..., Examples]) -> None:
    held_out = invented_pairs(40, seed=2)
    best = max(trained.fitted.curve, key=lambda point: point.f1)
    scores = trained.score(held_out.left, held_out.right)
    truth = np.array(held_out.targets) > 0.5
    found = 2 * (truth & (scores > 0.5)).sum() / (truth.sum() + (scores > 0.5).sum())
    assert found == pytest.approx(best.f1)


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(InputError, match="no objective 'euclid'"):
        BiEncoder(objective="euclid")
