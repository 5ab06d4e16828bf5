"""A transformer that reads both texts scores the mean of both orders, and each definition by a head of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, load, untrained
from paraloom.models.identifiers.cross_encoder import CrossEncoder
from paraloom.models.training.plan import TrainingPlan

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=12, batch_size=8, learning_rates=(0.003,), max_tokens=40, device="cpu")


@pytest.fixture(scope="module")
def trained(tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples]) -> CrossEncoder:
    fresh = untrained("cross-encoder", base=str(tiny_transformer("bert")), plan=PLAN)
    return fresh.fit([invented_pairs(80)], [invented_pairs(40, seed=2)], seed=1)


def test_the_score_is_the_mean_of_both_orders(trained: CrossEncoder) -> None:
    """Straight from the documentation of transformers, one pair at a time."""
    task = trained.fitted.task
    left, right = "the storm hit the coast", "a river left the town"
    answers = []
    for pair in ((left, right), (right, left)):
        given = task.base.tokeniser(*pair, return_tensors="pt")
        states = task.net.encoder(**given).last_hidden_state
        pooled = torch.cat([states[:, 0], states.mean(dim=1)], dim=1)
        answers.append(task.net.heads(pooled).item())
    threshold = trained.fitted.thresholds["loose"]
    expected = 1 / (1 + np.exp(-(np.mean(answers) - threshold.middle) * threshold.slope))
    assert trained.score([left], [right])[0] == pytest.approx(expected, abs=2e-6)


def test_definitions_are_learned_at_once_and_told_apart(
    tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples], tmp_path: Path
) -> None:
    def opposite(pairs: Examples) -> Examples:
        return replace(pairs, targets=[1 - target for target in pairs.targets], definition="strict")

    tuned = CrossEncoder(base=str(tiny_transformer("bert")), plan=PLAN).fit(
        [invented_pairs(80), opposite(invented_pairs(80, seed=4))],
        [invented_pairs(40, seed=2), opposite(invented_pairs(40, seed=5))],
    )
    unseen = invented_pairs(60, seed=3)
    loose, strict = (tuned.score(unseen.left, unseen.right, name) > 0.5 for name in ("loose", "strict"))
    assert tuned.definitions == ("loose", "strict")
    assert np.mean(loose != strict) > 0.8
    tuned.save(tmp_path)
    np.testing.assert_array_equal(load(tmp_path).score(unseen.left, unseen.right, "strict") > 0.5, strict)
    with pytest.raises(InputError, match="not trained for the definition 'graded'"):
        tuned.score(["a"], ["b"], "graded")
