"""Direct preference optimisation: against the formula, on networks of both kinds, stopped and gone on."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.generators.generator_card import GeneratorCard
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.training.llama_network import llama_network
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.preferred_writing import train_preferring
from paraloom.models.training.transformers_writing import TransformersTask
from paraloom.models.training.writing_task import LlamaTask
from tests.models.generators.tiny_language_models import make_tiny
from tests.models.language_models.tiny_gguf import write_tiny_llama

PREFERENCES = [
    ("the storm hit the coast", "the tempest struck the shore", "the storm hit the coast"),
    ("the river rose", "a river rose", "the town left"),
    ("the storm left", "the tempest left", "the storm left"),
    ("a storm hit the town", "a tempest struck the town", "a storm hit the town"),
]
PLAN = TrainingPlan(epochs=12, batch_size=4, learning_rates=(1e-2,), device="cpu")


RATES = {"llama": PLAN, "t5": TrainingPlan(epochs=20, batch_size=4, learning_rates=(2e-3,), device="cpu")}


@pytest.fixture(scope="module")
def make_llama(tmp_path_factory: pytest.TempPathFactory):
    file = GgufFile(write_tiny_llama(tmp_path_factory.mktemp("preferred") / "tiny.gguf"))
    tokeniser = GgufTokeniser(file)
    return lambda: LlamaTask(llama_network(file, rank=4, layers=2, dtype="float32"), tokeniser)


@pytest.fixture(scope="module")
def make_t5(tmp_path_factory: pytest.TempPathFactory):
    folder = make_tiny("t5", tmp_path_factory.mktemp("preferred") / "t5")
    return lambda: TransformersTask(folder, GeneratorCard(prompt="paraphrase: "), rank=4)


def train(make_task, plan: TrainingPlan = PLAN, folder: Path | None = None, **given):
    return train_preferring(make_task, PREFERENCES, PREFERENCES, plan, made_by={"base": "tiny"}, folder=folder, **given)


def log_probabilities(task, place: int) -> torch.Tensor:
    """Of each preference's better (1) or worse (2) text as a whole."""
    asked = task.prepare([(one[0], one[place]) for one in PREFERENCES])
    with torch.no_grad():
        losses, owners = task.losses(asked, "cpu")
    return torch.zeros(len(asked)).index_add(0, owners, -losses)


@pytest.mark.parametrize("kind", ["llama", "t5"])
def test_better_texts_gain_over_worse_ones(kind: str, request: pytest.FixtureRequest) -> None:
    make_task = request.getfixturevalue(f"make_{kind}")
    trained = train(make_task, RATES[kind])
    before, *_ = trained.curve
    assert before.held_out_loss == pytest.approx(0.693147, abs=1e-5)  # nothing has been gained yet
    assert before.right == 0.5
    assert trained.best.held_out_loss < 0.5
    assert trained.best.right == 1.0


def test_the_loss_is_that_of_the_paper(make_llama) -> None:
    trained = train(make_llama, beta=0.3)
    start = make_llama()
    gained = [log_probabilities(trained.task, place) - log_probabilities(start, place) for place in (1, 2)]
    expected = -torch.log(torch.sigmoid(0.3 * (gained[0] - gained[1]))).mean()
    assert trained.best.held_out_loss == pytest.approx(float(expected), abs=1e-4)


def test_an_anchor_keeps_better_texts_likely(make_llama) -> None:
    free, held = train(make_llama), train(make_llama, anchor=1.0)
    assert log_probabilities(held.task, 1).sum() > log_probabilities(free.task, 1).sum()


def test_a_training_that_was_stopped_goes_on_to_the_same_end(make_llama, tmp_path: Path) -> None:
    plan = TrainingPlan(epochs=4, batch_size=2, learning_rates=(1e-2, 1e-3), device="cpu")
    undisturbed = train(make_llama, plan)
    lines: list[str] = []

    def stop(line: str) -> None:
        lines.append(line)
        if len(lines) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(make_llama, plan, tmp_path / "training", tell=stop)
    told: list[str] = []
    resumed = train(make_llama, plan, tmp_path / "training", tell=told.append)
    assert told[0].startswith("going on at learning rate 0.01, step 4")
    assert resumed.curve == undisturbed.curve
    states = (resumed.task.net.state_dict(), undisturbed.task.net.state_dict())
    assert all(torch.equal(one, states[1][name]) for name, one in states[0].items())
    assert train(make_llama, plan, tmp_path / "training").curve == undisturbed.curve
    with pytest.raises(TargetTaken):
        train_preferring(make_llama, PREFERENCES, PREFERENCES, plan, made_by={"x": 1}, folder=tmp_path / "training")


def test_nothing_to_learn_from_is_refused(make_llama) -> None:
    with pytest.raises(InputError, match="Play more sources"):
        train_preferring(make_llama, PREFERENCES, [], PLAN, made_by={})
    with pytest.raises(InputError, match="--max-tokens"):
        train(make_llama, TrainingPlan(epochs=1, learning_rates=(1e-3,), max_tokens=8, device="cpu"))
