"""A loss that is divided by what is earned: the paper's rule, the network of the moment, and going on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.training.llama_network import llama_network
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.rewarded_writing import divided, train_rewarded_writer
from paraloom.models.training.writing_task import LlamaTask
from paraloom.models.training.writing_training import train_writer
from tests.models.language_models.tiny_gguf import write_tiny_llama

PAIRS = [
    ("the storm hit the coast", "the tempest struck the shore"),
    ("the river rose", "a river rose"),
    ("the storm left", "the tempest left"),
    ("a storm hit the town", "a tempest struck the town"),
]
PLAN = TrainingPlan(epochs=2, batch_size=2, learning_rates=(1e-2,), device="cpu")


@pytest.fixture(scope="module")
def make_task(tmp_path_factory: pytest.TempPathFactory):
    file = GgufFile(write_tiny_llama(tmp_path_factory.mktemp("rewarded") / "tiny.gguf"))
    tokeniser = GgufTokeniser(file)
    return lambda: LlamaTask(llama_network(file, rank=4, layers=2, dtype="float32"), tokeniser)


class Listens:
    """Says the source again, and notes what it was asked for and with which weights."""

    def __init__(self, stop_at: int = 10**9) -> None:
        self.asked: list[tuple[tuple[str, ...], float, int]] = []
        self.stop_at = stop_at

    def __call__(self, task, sources: Sequence[str], rng: np.random.Generator) -> list[str]:
        if len(self.asked) == self.stop_at:
            raise KeyboardInterrupt
        learned = sum(
            float(one.detach().abs().sum()) for name, one in task.net.named_parameters() if name.endswith("left")
        )
        assert not task.net.training
        self.asked.append((tuple(sources), learned, int(rng.integers(10**9))))
        return list(sources)


def train(make_task, says, reward, folder: Path | None = None, told: list[str] | None = None):
    return train_rewarded_writer(
        make_task,
        PAIRS,
        PAIRS,
        says,
        reward,
        PLAN,
        made_by={"base": "tiny"},
        folder=folder,
        tell=None if told is None else told.append,
    )


def weights(trained) -> dict[str, torch.Tensor]:
    return trained.task.net.state_dict()


def test_a_loss_is_divided_only_where_a_batch_earns_one_or_more() -> None:
    assert divided(torch.tensor(3.0), 1.5) == 2.0
    assert divided(torch.tensor(3.0), 0.99) == 3.0


def test_without_a_reward_it_is_plain_training(make_task) -> None:
    plain = train_writer(make_task, PAIRS, PAIRS, PLAN, made_by={"base": "tiny"})
    poor = train(make_task, Listens(), lambda sources, said: [0.4] * len(said))  # .8 of a batch of two
    assert [point.loss for point in poor.curve] == [point.loss for point in plain.curve]
    rich = train(make_task, Listens(), lambda sources, said: [2.0] * len(said))
    assert rich.curve[1].loss < plain.curve[1].loss / 3


def test_the_network_is_asked_at_every_step_as_it_is_then_about_that_batch(make_task) -> None:
    says, told = Listens(), []

    def reward(sources, said):
        return [float(one == other) for one, other in zip(sources, said, strict=True)]

    train(make_task, says, reward, told=told)
    assert len(says.asked) == 4
    first_epoch = {source for sources, *_ in says.asked[:2] for source in sources}
    assert first_epoch == {source for source, _ in PAIRS}
    learned = [one for _, one, _ in says.asked]
    assert learned[0] == 0.0
    assert len(set(learned[1:])) == 3  # the rate is 0 at the first step; then every step changes it
    assert any("earned 1.0000 on average" in line for line in told)


def test_a_training_that_was_stopped_draws_the_same_as_one_that_was_not(make_task, tmp_path: Path) -> None:
    def reward(sources, said):
        return [1.0] * len(said)

    whole = Listens()
    undisturbed = train(make_task, whole, reward)
    with pytest.raises(KeyboardInterrupt):
        train(make_task, Listens(stop_at=3), reward, tmp_path / "training")
    rest = Listens()
    resumed = train(make_task, rest, reward, tmp_path / "training")
    assert rest.asked == whole.asked[2:]  # what was reached was noted after the first epoch
    assert resumed.curve == undisturbed.curve
    assert all(torch.equal(one, weights(undisturbed)[name]) for name, one in weights(resumed).items())
