"""A transformer that reads each text on its own learns, is the same after saving, and is indifferent to order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, Identifier, load, untrained
from paraloom.models.identifiers.bi_encoder import BiEncoder, compared
from paraloom.models.training.plan import TrainingPlan

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=2, batch_size=8, learning_rates=(0.003,), max_tokens=40, device="cpu")
LEARNING = replace(PLAN, epochs=12, learning_rates=(0.01,))
OBJECTIVES = ["classification", "cosine"]


@pytest.fixture(scope="module", params=OBJECTIVES)
def trained(
    request: pytest.FixtureRequest,
    tiny_transformer: Callable[[str], Path],
    invented_pairs: Callable[..., Examples],
) -> BiEncoder:
    fresh = untrained("bi-encoder", base=str(tiny_transformer("bert")), objective=request.param, plan=LEARNING)
    return fresh.fit([invented_pairs(80)], [invented_pairs(40, seed=2)], seed=1)


def test_it_learns_to_tell_paraphrases(trained: BiEncoder, invented_pairs: Callable[..., Examples]) -> None:
    unseen = invented_pairs(60, seed=3)
    scores = trained.score(unseen.left, unseen.right)
    assert np.mean((scores > 0.5) == (np.array(unseen.targets) > 0.5)) > 0.85
    assert isinstance(trained, Identifier)
    assert trained.definitions == ("loose",)


@pytest.mark.parametrize("kind", ["roberta", "albert", "deberta-v2", "mpnet", "t5"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_kind_of_base_is_trained_saved_and_read_again(
    kind: str,
    objective: str,
    tiny_transformer: Callable[[str], Path],
    invented_pairs: Callable[..., Examples],
    tmp_path: Path,
) -> None:
    fresh = BiEncoder(base=str(tiny_transformer(kind)), objective=objective, plan=PLAN)
    tuned = fresh.fit([invented_pairs(60)], [invented_pairs(30, seed=2)], seed=1)
    tuned.save(tmp_path / "mine")
    again = load(tmp_path / "mine")
    unseen = invented_pairs(20, seed=3)
    scores = tuned.score(unseen.left, unseen.right)
    assert len(set(scores.tolist())) > 5
    np.testing.assert_array_equal(again.score(unseen.left, unseen.right), scores)
    np.testing.assert_allclose(again.score(unseen.right, unseen.left), scores, atol=2e-6)
    assert again.signature == tuned.signature
    assert again.objective == objective


def test_any_pair_has_a_score_that_does_not_depend_on_order_or_company(
    trained: BiEncoder, pairs_of_any_kind: tuple[list[str], list[str]]
) -> None:
    left, right = pairs_of_any_kind
    scores = trained.score(left, right)
    assert ((scores >= 0) & (scores <= 1)).all()
    np.testing.assert_array_equal(scores, trained.score(right, left))
    alone = np.array([trained.score([one], [other])[0] for one, other in zip(left, right, strict=True)])
    np.testing.assert_allclose(scores, alone, atol=2e-6)
    assert trained.score([], []).shape == (0,)
    with pytest.raises(InputError, match="do not make pairs"):
        trained.score(["a"], [])


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
