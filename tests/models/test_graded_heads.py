"""Four heads learn base label and flags, and a grade turns with its texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.metrics.identification.graded import read_grade
from paraloom.metrics.identification.graded_figures import graded_figures
from paraloom.models.identifiers import Examples, Identifier, load, untrained
from paraloom.models.identifiers.confidences import WITH_CHANCES, HasChances, confidences, has_two_scales
from paraloom.models.identifiers.graded_heads import GradedExamples, GradedHeads, GradedTask, likeliest
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.identifiers.transformer_base import open_base
from paraloom.models.training.plan import TrainingPlan

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=20, batch_size=8, learning_rates=(0.01,), max_tokens=40, device="cpu")


def invented(pairs: int, seed: int) -> GradedExamples:
    """`a prize` stands where a text says more, `the vote` where the pair is no paraphrase."""
    draw = random.Random(seed)
    made = {
        "2": lambda subject: (f"{subject} won", f"{subject} won the vote"),
        "3": lambda subject: (f"{subject} saw the town", f"{subject} saw the harbour"),
        "4": lambda subject: (f"{subject} hit", f"{subject} struck"),
        "4>": lambda subject: (f"{subject} hit a prize", f"{subject} struck"),
        "4<": lambda subject: (f"{subject} hit", f"{subject} struck a prize"),
    }
    grades = [draw.choice(list(made)) for _ in range(pairs)]
    texts = [made[grade](draw.choice(["the storm", "a river", "our team"])) for grade in grades]
    return GradedExamples.of([one for one, _ in texts], [other for _, other in texts], grades)


@pytest.fixture(scope="module")
def trained(tiny_transformer: Callable[[str], Path]) -> GradedHeads:
    fresh = untrained("graded-heads", base=str(tiny_transformer("bert")), plan=PLAN)
    return fresh.fit([invented(120, 1)], [invented(40, 2)], seed=1)


def test_it_learns_labels_with_their_direction(trained: GradedHeads) -> None:
    unseen = invented(80, 3)
    figures = graded_figures(unseen.grades, trained.grades(unseen.left, unseen.right))
    assert isinstance(trained, Identifier)
    assert figures.accuracy > 0.8
    assert trained.definitions == ("graded",)
    scores = trained.score(unseen.left, unseen.right)
    assert np.mean((scores > 0.5) == (np.array(unseen.targets) > 0.5)) > 0.9


def test_a_grade_turns_with_its_texts_and_a_text_says_no_more_than_itself(
    trained: GradedHeads, pairs_of_any_kind: tuple[list[str], list[str]]
) -> None:
    unseen = invented(80, 3)
    there, back = trained.grades(unseen.left, unseen.right), trained.grades(unseen.right, unseen.left)
    assert {"4<", "4>"} <= set(there)
    assert [read_grade(grade).turned().label for grade in there] == back
    left, right = pairs_of_any_kind
    there, back = trained.grades(left, right), trained.grades(right, left)
    assert [read_grade(grade).turned().label for grade in there] == back
    assert not {"<", ">"} & set("".join(trained.grades(left, left)))


def test_base_labels_have_probabilities_that_either_order_shares(
    trained: GradedHeads, pairs_of_any_kind: tuple[list[str], list[str]]
) -> None:
    unseen = invented(80, 3)
    chances = trained.base_chances(unseen.left, unseen.right)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(chances, trained.base_chances(unseen.right, unseen.left))
    likeliest_base = [("2", "3", "4")[place] for place in chances.argmax(axis=1)]
    assert likeliest_base == [grade[0] for grade in trained.grades(unseen.left, unseen.right)]
    assert trained.base_chances(*pairs_of_any_kind).shape == (len(pairs_of_any_kind[0]), 3)
    assert trained.base_chances([], []).shape == (0, 3)


def test_confidences_are_the_probabilities_of_the_negative_label_and_of_four(trained: GradedHeads) -> None:
    unseen = invented(30, 3)
    negative, positive = confidences(trained, unseen.left, unseen.right, "graded")
    chances = trained.base_chances(unseen.left, unseen.right).round(6)
    assert (negative.tolist(), positive.tolist()) == (chances[:, 0].tolist(), chances[:, 2].tolist())
    plain = load("ngram-regression")
    negative, positive = confidences(plain, unseen.left, unseen.right, "loose")
    assert positive.tolist() == plain.score(unseen.left, unseen.right).tolist()
    np.testing.assert_allclose(negative, 1 - positive, atol=1e-6)


def test_systems_with_probabilities_of_their_own_are_known_by_the_beginning_of_a_signature(
    trained: GradedHeads,
) -> None:
    assert {name for name, system in SYSTEMS.items() if issubclass(system.kind_of(), HasChances)} == set(WITH_CHANCES)
    assert has_two_scales(trained.signature, "graded")
    assert not has_two_scales(load("ngram-regression").signature, "loose")


def test_grades_are_the_same_after_saving(trained: GradedHeads, tmp_path: Path) -> None:
    trained.save(tmp_path)
    again, unseen = load(tmp_path), invented(20, 3)
    assert again.grades(unseen.left, unseen.right) == trained.grades(unseen.left, unseen.right)
    np.testing.assert_array_equal(again.score(unseen.left, unseen.right), trained.score(unseen.left, unseen.right))
    assert again.grades([], []) == []


def test_the_five_states_are_those_of_the_paper(tiny_transformer: Callable[[str], Path]) -> None:
    """Of a pair with as many special tokens as RoBERTa has, found by hand."""
    torch.manual_seed(1)
    task = GradedTask(GradedHeads(plan=PLAN), open_base(str(tiny_transformer("roberta"))))
    task.net.eval()
    left, right = "the storm hit", "our team won"
    tokeniser = task.base.tokeniser
    given = tokeniser(left, right, return_tensors="pt")
    ends = [place for place, token in enumerate(given.input_ids[0].tolist()) if token == tokeniser.sep_token_id]
    first, second, third = ends
    with torch.no_grad():
        states = task.net.encoder(**given).last_hidden_state[0]
        five = [states[0], states[first], states[third], states[1:first].mean(0), states[second + 1 : third].mean(0)]
        expected = task.net.heads(torch.cat(five))
        inputs, _, _ = task.batch(task.prepare([GradedExamples.of([left], [right], ["4"])]), [0], "cpu")
        found = torch.cat(list(task.net(*inputs).values()), dim=1)[0].float()
    torch.testing.assert_close(found, expected)


def test_flags_learn_from_pairs_with_the_base_label_four_alone(tiny_transformer: Callable[[str], Path]) -> None:
    torch.manual_seed(1)
    task = GradedTask(GradedHeads(plan=PLAN), open_base(str(tiny_transformer("bert"))))
    for grades, is_masked in ((["2", "3"], True), (["2", "4"], False)):
        pairs = GradedExamples.of(["the storm", "our team"], ["a river", "the vote"], grades)
        task.net.zero_grad()
        task.loss(task.batch(task.prepare([pairs]), [0, 1], "cpu")).backward()
        of_heads = task.net.heads.weight.grad
        assert of_heads[:3].abs().sum() > 0
        assert (float(of_heads[3:].abs().sum()) == 0) is is_masked


LIKELIEST = [
    ([0.5, 0.3, 0.2, 0, 1, 0, 0, 1, 0, 1], "2"),
    ([0.1, 0.5, 0.4, 0, 1, 0, 0, 1, 0, 1], "3"),
    ([0.1, 0.2, 0.7, 0.1, 0.7, 0.2, 0.6, 0.4, 0.6, 0.4], "4<"),
    ([0.1, 0.2, 0.7, 0.1, 0.45, 0.45, 0.4, 0.6, 0.3, 0.7], "4is"),
]


@pytest.mark.parametrize(("chances", "label"), LIKELIEST)
def test_probabilities_become_a_label(chances: list[float], label: str) -> None:
    assert likeliest(np.array(chances)).label == label


def test_what_cannot_be_learned_from_is_refused(invented_pairs: Callable[..., Examples]) -> None:
    with pytest.raises(InputError, match="learns from graded labels"):
        GradedHeads().fit([invented_pairs(9)], [invented(9, 1)])
    with pytest.raises(InputError, match="1 pairs and 0 grades"):
        GradedExamples(left=["a"], right=["b"], targets=[1.0])
    with pytest.raises(InputError, match="no graded label"):
        GradedExamples.of(["a"], ["b"], ["x"])
    with pytest.raises(InputError, match=r"Every pair held out .* is a paraphrase"):
        GradedHeads().fit([invented(9, 1)], [GradedExamples.of(["a", "b"], ["c", "d"], ["4", "3"])])
    assert invented(9, 1).chosen([2]).grades == [invented(9, 1).grades[2]]
