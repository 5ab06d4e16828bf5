"""Paraphrases imply each other: by a network of one's own asked in both directions, or by the shipped model."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models import implication
from paraloom.models.identifiers import SHIPPED, Examples, Identifier, load, untrained
from paraloom.models.identifiers.mutual_implication import Entailments, MutualImplication
from paraloom.models.identifiers.thresholds import Threshold
from paraloom.models.int8 import read_int8
from paraloom.models.pair_model import FOLDER, WEIGHTS
from paraloom.models.training.plan import TrainingPlan

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=8, batch_size=8, learning_rates=(0.003,), max_tokens=40, device="cpu")


def told(pairs: int, seed: int) -> tuple[Entailments, Examples]:
    """A text with `a prize` implies the same one without it; and which pairs imply each other."""
    draw = random.Random(seed)
    premises, hypotheses, labels, both = [], [], [], []
    for _ in range(pairs):
        subject = draw.choice(["the storm", "a river", "our team"])
        first, second = draw.choice([("", ""), (" a prize", ""), ("", " a prize"), ("", " a prize")])
        premises.append(f"{subject} hit{first}")
        hypotheses.append(f"{subject} struck{second}")
        labels.append("neutral" if second and not first else "entailment")
        both.append(float(first == second))
    return (
        Entailments.of(premises, hypotheses, labels),
        Examples(left=premises, right=hypotheses, targets=both, definition="implication"),
    )


@pytest.fixture(scope="module", params=["product", "lower"])
def trained(request: pytest.FixtureRequest, tiny_transformer: Callable[[str], Path]) -> MutualImplication:
    fresh = untrained("mutual-implication", base=str(tiny_transformer("bert")), joined_by=request.param, plan=PLAN)
    entailed, _ = told(120, 1)
    return fresh.fit([entailed], list(told(40, 2)), seed=1)


def test_it_learns_directions_and_joins_them(trained: MutualImplication) -> None:
    entailed, mutual = told(60, 3)
    assert isinstance(trained, Identifier)
    assert trained.definitions == ("implication",)
    found = trained.entailment(entailed.left, entailed.right)
    assert np.mean((found > 0.5) == (np.array(entailed.targets) > 0.5)) > 0.9
    scores = trained.score(mutual.left, mutual.right)
    assert np.mean((scores > 0.5) == (np.array(mutual.targets) > 0.5)) > 0.85


def test_both_directions_are_joined_as_asked(trained: MutualImplication) -> None:
    left, right = ["our team hit a prize"], ["our team struck"]
    there, back = trained.entailment(left, right)[0], trained.entailment(right, left)[0]
    assert abs(there - back) > 0.01
    chance = there * back if trained.joined_by == "product" else min(there, back)
    assert trained.logits(left, right)[0] == pytest.approx(np.log(chance / (1 - chance)))


def test_it_is_the_same_after_saving(trained: MutualImplication, tmp_path: Path) -> None:
    trained.save(tmp_path)
    again = load(tmp_path)
    _, mutual = told(20, 3)
    np.testing.assert_array_equal(again.score(mutual.left, mutual.right), trained.score(mutual.left, mutual.right))
    assert again.signature == trained.signature
    assert again.joined_by == trained.joined_by
    assert again.parameters == trained.parameters > 1000


@pytest.mark.parametrize("kind", ["roberta", "albert", "deberta-v2", "mpnet", "t5"])
def test_every_kind_of_base_can_be_trained(kind: str, tiny_transformer: Callable[[str], Path], tmp_path: Path) -> None:
    fresh = MutualImplication(base=str(tiny_transformer(kind)), plan=replace(PLAN, epochs=1))
    tuned = fresh.fit([told(40, 1)[0]], list(told(20, 2)))
    tuned.save(tmp_path)
    _, mutual = told(20, 3)
    scores = tuned.score(mutual.left, mutual.right)
    np.testing.assert_array_equal(load(tmp_path).score(mutual.left, mutual.right), scores)
    np.testing.assert_array_equal(tuned.score(mutual.right, mutual.left), scores)


def check_any_pair(identifier: MutualImplication, left: list[str], right: list[str]) -> None:
    scores = identifier.score(left, right)
    assert ((scores >= 0) & (scores <= 1)).all()
    np.testing.assert_array_equal(scores, identifier.score(right, left))
    alone = np.array([identifier.score([one], [other])[0] for one, other in zip(left, right, strict=True)])
    np.testing.assert_array_equal(scores, alone)
    assert identifier.score([], []).shape == (0,)


def test_any_pair_has_a_score_that_does_not_depend_on_order_or_company(
    trained: MutualImplication, pairs_of_any_kind: tuple[list[str], list[str]]
) -> None:
    check_any_pair(trained, *pairs_of_any_kind)


def test_the_shipped_model_scores_any_pair(pairs_of_any_kind: tuple[list[str], list[str]]) -> None:
    left, right = pairs_of_any_kind
    check_any_pair(MutualImplication(), left[:12], right[:12])


SAID = [
    ("The storm hit the coast on Monday.", "On Monday the coast was hit by the storm."),
    ("The storm hit the coast on Monday.", "The market fell by two percent."),
]


def test_without_a_base_it_is_the_shipped_model_and_needs_no_training() -> None:
    identifier = MutualImplication()
    left, right = [one for one, _ in SAID], [other for _, other in SAID]
    np.testing.assert_allclose(
        identifier.score(left, right), implication.load().answer(left, right).implication, atol=1e-6
    )
    assert identifier.score(left, right)[0] > 0.5 > identifier.score(left, right)[1]
    whole = read_int8(SHIPPED / FOLDER / WEIGHTS)
    assert identifier.parameters == sum(tensor.size for tensor in whole.values())


def test_fitting_the_shipped_model_moves_the_decision_point_alone(tmp_path: Path) -> None:
    pairs = Examples(
        left=[one for one, _ in SAID] * 2,
        right=[other for _, other in SAID] * 2,
        targets=[1.0, 0.0] * 2,
        definition="strict",
    )
    tuned = MutualImplication().fit([pairs], [pairs])
    assert tuned.definitions == ("strict",)
    assert (tuned.score(pairs.left, pairs.right, "strict") > 0.5).tolist() == [True, False] * 2
    tuned.save(tmp_path)
    again = load(tmp_path)
    assert again == tuned
    assert again.signature == tuned.signature
    assert sorted(file.name for file in tmp_path.iterdir()) == ["identifier.json"]


def test_the_shipped_model_needs_no_torch(child_environment: dict[str, str]) -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "from paraloom.models.identifiers import untrained\n"
        "assert untrained('mutual-implication').score(['it rains'], ['it rains'])[0] > 0.5"
    )
    subprocess.run([sys.executable, "-c", code], env=child_environment, check=True)


def test_the_slope_of_a_decision_point_is_signed(trained: MutualImplication) -> None:
    for identifier in (trained, MutualImplication(thresholds={"implication": Threshold(middle=0.1, slope=1.0)})):
        one = identifier.thresholds["implication"]
        steeper = replace(identifier, thresholds={"implication": replace(one, slope=2 * one.slope)})
        assert steeper.signature != identifier.signature


def test_a_base_learns_from_entailments_alone(
    trained: MutualImplication, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    _, mutual = told(20, 3)
    fresh = MutualImplication(base=str(tiny_transformer("bert")), plan=PLAN)
    with pytest.raises(InputError, match="learns from premises and hypotheses"):
        fresh.fit([mutual], [mutual])
    with pytest.raises(InputError, match="not been trained"):
        fresh.save(tmp_path)
    with pytest.raises(InputError, match="joined by 'sum'"):
        MutualImplication(joined_by="sum")
    assert fresh.definitions == ()
    strict = replace(mutual, definition="strict")
    again = trained.fit([strict], [strict])
    assert again.definitions == ("strict",)
    assert again.network is trained.network
