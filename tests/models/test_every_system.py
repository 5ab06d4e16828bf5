"""What holds for every system there is: which sets it takes, which it refuses, and what can be set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, Identifier, joined, score_examples, untrained
from paraloom.models.identifiers.graded_heads import GradedExamples
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.word_vectors import WordVectors

torch.set_num_threads(1)  # tiny networks; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=1, batch_size=8, learning_rates=(0.01,), max_tokens=40, device="cpu")
SMALL: dict[str, dict[str, Any]] = {
    "latent_vectors": {"dimensions": 8, "iterations": 2},
    "latent_similarity": {"dimensions": 8, "iterations": 2},
    "multip": {"rounds": 2},
    "cascade": {"vectors": "none", "hidden": 2, "epochs": 1},
    "esim": {"hidden": 4},
    "infersent": {"hidden": 4, "classifier": 4},
    "deep_pairwise_word": {"hidden": 4},
}
GRADES = {0.0: "2", 1.0: "4"}


@pytest.fixture(params=sorted(SYSTEMS))
def fresh(request: pytest.FixtureRequest, tiny_transformer: Callable[[str], Path]) -> Identifier:
    """Each system, small and untrained."""
    system = SYSTEMS[request.param]
    settings = dict(SMALL.get(system.module, {}))
    kinds = system.setting_kinds()
    if "base" in kinds and request.param != "mutual-implication":
        settings["base"] = str(tiny_transformer("t5" if request.param == "text-to-text" else "bert"))
    if "plan" in kinds:
        settings["plan"] = PLAN
    found = untrained(request.param, **settings)
    words = WordVectors.of(["storm", "river", "town", "struck"], np.eye(4, 5), "invented")
    return replace(found, table=words) if "table" in {field.name for field in fields(found)} else found


@pytest.fixture
def some(fresh: Identifier, invented_pairs: Callable[..., Examples]) -> Callable[[int, int], Examples]:
    """Invented pairs by number and seed; with grades, where that is what the system learns."""

    def made(pairs: int, seed: int) -> Examples:
        found = invented_pairs(pairs, seed)
        if fresh.name != "graded-heads":
            return found
        return GradedExamples.of(found.left, found.right, [GRADES[target] for target in found.targets])

    return made


def told(identifier: Identifier, pairs: Examples) -> tuple[str, list[float]]:
    return identifier.signature, score_examples(identifier, pairs).tolist()


def test_several_sets_of_one_definition_are_one_set(fresh: Identifier, some: Callable[[int, int], Examples]) -> None:
    examples, held_out = [some(24, 1), some(24, 2)], [some(16, 3), some(16, 4)]
    apart = fresh.fit(examples, held_out)
    together = fresh.fit([joined(examples)], [joined(held_out)])
    assert told(apart, some(10, 5)) == told(together, some(10, 5))
    if fresh.name != "random":
        assert apart.signature != fresh.fit(examples[1:], held_out[1:]).signature


def test_a_definition_without_examples_is_not_learned(fresh: Identifier, some: Callable[[int, int], Examples]) -> None:
    none = replace(some(0, 1), definition="strict")
    fitted = fresh.fit([some(24, 1), none], [some(16, 2), none])
    alone = fresh.fit([some(24, 1)], [some(16, 2)])
    assert fitted.definitions == alone.definitions
    assert told(fitted, some(10, 5)) == told(alone, some(10, 5))


def only(pairs: Examples, target: float) -> Examples:
    return pairs.chosen([row for row, one in enumerate(pairs.targets) if one == target])


REFUSED: list[tuple[str, Callable[[Examples], tuple[Sequence[Examples], Sequence[Examples]]], str]] = [
    ("none", lambda pairs: ([], [pairs]), "There are no examples to learn from"),
    ("empty", lambda pairs: ([pairs.chosen([])], [pairs]), "There are no examples to learn from"),
    ("not held out", lambda pairs: ([pairs], []), "No examples are held out for the definition"),
    ("held out empty", lambda pairs: ([pairs], [pairs.chosen([])]), "No examples are held out for the definition"),
    ("one kind", lambda pairs: ([pairs], [only(pairs, 1.0)]), "Every pair held out for .* is a paraphrase"),
    ("other kind", lambda pairs: ([pairs], [only(pairs, 0.0)]), "Every pair held out for .* is no paraphrase"),
]


@pytest.mark.parametrize(("sets", "complaint"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_nothing_can_be_learned_from_is_refused_in_the_same_words(
    fresh: Identifier,
    some: Callable[[int, int], Examples],
    sets: Callable[[Examples], tuple[Sequence[Examples], Sequence[Examples]]],
    complaint: str,
) -> None:
    with pytest.raises(InputError, match=complaint):
        fresh.fit(*sets(some(20, 1)))


NOT_SET = {"fitted", "trained", "thresholds", "network", "table", "seen", "latent", "look", "encoder", "readings"}
"""What was learned, or is at hand."""


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_what_was_learned_is_no_setting(name: str) -> None:
    settings = set(SYSTEMS[name].setting_kinds())
    learned = {field.name for field in fields(SYSTEMS[name].kind_of())} - settings
    assert learned == {field.name for field in fields(SYSTEMS[name].kind_of())} & NOT_SET
    for field in learned:
        with pytest.raises(InputError, match=f"{name} has no setting {field!r}") as refused:
            untrained(name, **{field: None})
        assert field not in str(refused.value).partition("It has:")[2].replace(".", "").split(", ")
