"""A text-to-text transformer answers yes or no, and is told which definition is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, Identifier, untrained
from paraloom.models.identifiers.text_to_text import TextToText
from paraloom.models.training.plan import TrainingPlan

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

PLAN = TrainingPlan(epochs=10, batch_size=8, learning_rates=(0.01,), max_tokens=64, device="cpu")


@pytest.fixture(scope="module")
def trained(tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples]) -> TextToText:
    fresh = untrained("text-to-text", base=str(tiny_transformer("t5")), plan=PLAN)
    return fresh.fit(
        [invented_pairs(80), invented_pairs(40, 4, "strict")],
        [invented_pairs(40, seed=2), invented_pairs(40, 5, "strict")],
        seed=1,
    )


def test_it_learns_each_definition_that_the_question_names(
    trained: TextToText, invented_pairs: Callable[..., Examples]
) -> None:
    unseen = invented_pairs(60, seed=3)
    truth = np.array(unseen.targets) > 0.5
    assert isinstance(trained, Identifier)
    assert trained.definitions == ("loose", "strict")
    loose, strict = (trained.score(unseen.left, unseen.right, name) for name in trained.definitions)
    assert np.mean((loose > 0.5) == truth) > 0.85
    assert np.mean((strict > 0.5) == truth) > 0.85
    assert np.abs(loose - strict).max() > 0.001


def test_the_logit_is_the_difference_of_two_words_at_the_first_step(trained: TextToText) -> None:
    """The whole question as one text, through the model as transformers documents it."""
    task = trained.fitted.task
    left, right = "the storm hit the coast", "a river left the town"
    tokeniser = task.base.tokeniser
    differences = []
    for one, other in ((left, right), (right, left)):
        ids = tokeniser(f"paraphrase strict sentence1: {one} sentence2: {other}", return_tensors="pt").input_ids
        with torch.no_grad():
            logits = task.base.network(input_ids=ids, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
        yes, no = (tokeniser(word, add_special_tokens=False).input_ids[0] for word in ("yes", "no"))
        differences.append((logits[yes] - logits[no]).item())
    threshold = trained.fitted.thresholds["strict"]
    expected = 1 / (1 + np.exp(-(np.mean(differences) - threshold.middle) * threshold.slope))
    assert trained.score([left], [right], "strict")[0] == pytest.approx(expected, abs=1e-5)


def test_words_and_questions_that_cannot_work_are_refused(
    tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples]
) -> None:
    sets = [invented_pairs(20)], [invented_pairs(20, seed=2)]
    base = str(tiny_transformer("t5"))
    with pytest.raises(InputError, match="begin with the same token"):
        TextToText(base=base, words=("yes", "yes"), plan=PLAN).fit(*sets)
    with pytest.raises(InputError, match="The question alone takes"):
        TextToText(base=base, plan=replace(PLAN, max_tokens=8)).fit(*sets)
    with pytest.raises(InputError, match="no model that transformers can load"):
        TextToText(base=str(tiny_transformer("bert")), plan=PLAN).fit(*sets)
