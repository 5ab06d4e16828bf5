"""A transformer that reads both texts learns, is the same after saving, and does not mind the order of the texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, Examples, Identifier, load, untrained
from paraloom.models.identifiers.cross_encoder import CrossEncoder
from paraloom.models.identifiers.fine_tuned import WEIGHTS
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.surroundings import training_in

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=2, batch_size=8, learning_rates=(0.003,), max_tokens=40, device="cpu")
LEARNING = replace(PLAN, epochs=12)


@pytest.fixture(scope="module")
def trained(tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples]) -> CrossEncoder:
    fresh = untrained("cross-encoder", base=str(tiny_transformer("bert")), plan=LEARNING)
    return fresh.fit([invented_pairs(80)], [invented_pairs(40, seed=2)], seed=1)


def test_it_learns_to_tell_paraphrases(trained: CrossEncoder, invented_pairs: Callable[..., Examples]) -> None:
    unseen = invented_pairs(60, seed=3)
    scores = trained.score(unseen.left, unseen.right)
    assert np.mean((scores > 0.5) == (np.array(unseen.targets) > 0.5)) > 0.9
    assert isinstance(trained, Identifier)
    assert trained.definitions == ("loose",)
    assert trained.parameters == sum(one.numel() for one in trained.fitted.task.net.parameters())
    assert trained.fitted.curve[-1].f1 > 0.9


@pytest.mark.parametrize("kind", ["bert", "roberta", "albert", "deberta-v2", "mpnet", "t5"])
def test_every_kind_of_base_is_trained_saved_and_read_again(
    kind: str, tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples], tmp_path: Path
) -> None:
    fresh = CrossEncoder(base=str(tiny_transformer(kind)), plan=PLAN)
    tuned = fresh.fit([invented_pairs(60)], [invented_pairs(30, seed=2)], seed=1)
    tuned.save(tmp_path / "mine")
    again = load(tmp_path / "mine")
    unseen = invented_pairs(20, seed=3)
    scores = tuned.score(unseen.left, unseen.right)
    assert len(set(scores.tolist())) > 5
    np.testing.assert_array_equal(again.score(unseen.left, unseen.right), scores)
    np.testing.assert_array_equal(again.score(unseen.right, unseen.left), scores)
    assert again.signature == tuned.signature
    assert again.parameters == tuned.parameters
    assert again.fitted.curve == tuned.fitted.curve


def test_any_pair_has_a_score_that_does_not_depend_on_order_or_company(
    trained: CrossEncoder, pairs_of_any_kind: tuple[list[str], list[str]]
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

    tuned = CrossEncoder(base=str(tiny_transformer("bert")), plan=LEARNING).fit(
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


def test_a_fit_inside_surroundings_can_be_resumed(
    tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples], tmp_path: Path
) -> None:
    fresh = CrossEncoder(base=str(tiny_transformer("bert")), plan=replace(PLAN, learning_rates=(0.001, 0.003)))
    sets = [invented_pairs(60)], [invented_pairs(30, seed=2)]
    seen: list[str] = []

    def interrupt(line: str) -> None:
        seen.append(line)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), training_in(tmp_path, interrupt):
        fresh.fit(*sets)
    with training_in(tmp_path):
        resumed = fresh.fit(*sets)
    assert resumed.signature == fresh.fit(*sets).signature


def test_what_is_not_trained_has_no_scores_and_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none yet: call fit first"):
        CrossEncoder().score(["a"], ["b"])
    with pytest.raises(InputError, match="nothing to save"):
        CrossEncoder().save(tmp_path)
    assert CrossEncoder().parameters == 0


def test_a_base_that_is_not_there_is_an_error(invented_pairs: Callable[..., Examples], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no model that transformers can load"):
        CrossEncoder(base=str(tmp_path / "empty"), plan=PLAN).fit([invented_pairs(9)], [invented_pairs(9)])


def test_a_damaged_folder_is_an_error(trained: CrossEncoder, tmp_path: Path) -> None:
    trained.save(tmp_path)
    (tmp_path / WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(InputError, match=r"model\.safetensors cannot be read"):
        load(tmp_path)
    (tmp_path / CARD).write_text(json.dumps({"name": "cross-encoder"}))
    with pytest.raises(InputError, match="is not whole"):
        load(tmp_path)
