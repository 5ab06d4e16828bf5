"""Learning to write: a tiny Llama learns a few paraphrases, goes on where it was stopped, and is what is shipped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.generators.llama_generator import LlamaGenerator
from paraloom.models.language_models.adapter import write_adapter
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.training.llama_network import llama_network
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.writing_task import LlamaTask
from paraloom.models.training.writing_training import TrainedWriter, train_writer
from tests.models.language_models.oracle import foretold, transformers_llama
from tests.models.language_models.tiny_gguf import KINDS, write_tiny_llama

PAIRS = [
    ("the storm hit the coast", "the tempest struck the shore"),
    ("the river rose", "a river rose"),
    ("the storm left", "the tempest left"),
    ("a storm hit the town", "a tempest struck the town"),
]
PLAN = TrainingPlan(epochs=20, batch_size=16, learning_rates=(3e-2,), device="cpu", warm_up=0.1)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("writing") / "tiny.gguf", kind="Q8_0")


@pytest.fixture(scope="module")
def make_task(path: Path) -> Callable[[], LlamaTask]:
    file = GgufFile(path)
    tokeniser = GgufTokeniser(file)
    return lambda: LlamaTask(llama_network(file, rank=8, layers=2, dtype="float32"), tokeniser)


def train(make_task, plan: TrainingPlan = PLAN, folder: Path | None = None, **given) -> TrainedWriter:
    return train_writer(make_task, PAIRS * 4, PAIRS, plan, made_by={"base": "tiny"}, folder=folder, **given)


def test_the_paraphrases_are_learned_and_written_by_what_is_shipped(make_task, path: Path, tmp_path: Path) -> None:
    trained = train(make_task)
    before, *_, after = trained.curve
    assert before.loss is None
    assert before.perplexity > 100
    assert after.perplexity < 1.1
    assert trained.best.perplexity == min(point.perplexity for point in trained.curve)
    write_adapter(trained.task.net.update(), tmp_path / "adapter.safetensors")
    taught = LlamaGenerator(path, tmp_path / "adapter.safetensors")
    found = taught.generate([source for source, _ in PAIRS], 2, np.random.default_rng(1))
    assert [candidates[0].text for candidates in found] == [target for _, target in PAIRS]
    assert (taught.likelihoods(PAIRS) > -0.5).all()
    assert (LlamaGenerator(path, None).likelihoods(PAIRS) < -2).all()


class Stopped(Exception):
    pass


def test_a_training_that_was_stopped_ends_with_the_same_weights(make_task, tmp_path: Path) -> None:
    plan = TrainingPlan(epochs=3, batch_size=4, learning_rates=(1e-2, 3e-2), device="cpu")
    whole = train(make_task, plan)
    told: list[str] = []

    def stop(after: int) -> Callable[[str], None]:
        def tell(line: str) -> None:
            told.append(line)
            if len(told) == after:
                raise Stopped

        return tell

    for after in (3, 7):
        with pytest.raises(Stopped):
            train(make_task, plan, tmp_path / "training", tell=stop(after))
    resumed = train(make_task, plan, tmp_path / "training", tell=told.append)
    assert sum(line.startswith("going on") for line in told) == 2
    assert resumed.curve == whole.curve
    assert resumed.best == whole.best
    for name, tensor in whole.task.net.state_dict().items():
        assert torch.equal(tensor, resumed.task.net.state_dict()[name])
    again = train(make_task, plan, tmp_path / "training", tell=lambda line: pytest.fail("nothing is left to do"))
    assert again.curve == whole.curve
    with pytest.raises(TargetTaken):
        train_writer(make_task, PAIRS, PAIRS, plan, made_by={"base": "other"}, folder=tmp_path / "training")


def test_pairs_without_weight_teach_nothing(make_task) -> None:
    plan = TrainingPlan(epochs=10, batch_size=16, learning_rates=(3e-2,), device="cpu")
    other = [(source, "monday monday monday") for source, _ in PAIRS]
    kept = train_writer(make_task, PAIRS + other, PAIRS, plan, weights=[1.0] * 4 + [0.0] * 4, made_by={})
    mixed = train_writer(make_task, PAIRS + other, PAIRS, plan, made_by={})
    assert kept.best.perplexity < mixed.best.perplexity / 1.2


def test_nothing_to_learn_from_is_an_error(make_task) -> None:
    long = [("storm " * 100, "tempest " * 100)]
    cases = [([], PAIRS), (PAIRS, []), (long, PAIRS), (PAIRS, long)]
    for pairs, held_out in cases:
        with pytest.raises(InputError, match="Give"):
            train_writer(make_task, pairs, held_out, PLAN, made_by={})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("own_output", [False, True])
def test_the_network_is_transformers_llama(tmp_path: Path, kind: str, own_output: bool) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", kind=kind, own_output=own_output)
    network = llama_network(GgufFile(path), rank=4, layers=1, dtype="float32")
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) / parameter.shape[-1] ** 0.5)
    update = network.update()
    assert {name.partition(".attn")[0].partition(".ffn")[0] for name in update} == {"blk.1"}, "the last layer learns"
    ids = [5, 260, 17, 33, 100, 2, 64]
    with torch.no_grad():
        ours = torch.log_softmax(network.logits(network.states(torch.tensor([ids])))[0], -1).numpy()
    assert ours == pytest.approx(foretold(transformers_llama(path, update), ids), abs=1e-3)


def test_slopes_are_those_of_the_plain_formula(make_task) -> None:
    net = make_task().net
    layer = net.layers[0].ffn_down
    with torch.no_grad():
        layer.left.copy_(torch.randn(layer.left.shape, generator=torch.Generator().manual_seed(3)))
    states = torch.randn(2, 5, 128, generator=torch.Generator().manual_seed(4), requires_grad=True)
    given = (states, layer.left, layer.right)
    ours = torch.autograd.grad(layer(states).square().sum(), given)
    plain = torch.nn.functional.linear(states, layer.weight + layer.left @ layer.right)
    for one, other in zip(ours, torch.autograd.grad(plain.square().sum(), given), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-3)


def test_only_what_is_to_be_written_is_lost_on_and_neighbours_do_not_matter(make_task) -> None:
    task = make_task()
    asked = task.prepare(PAIRS)
    assert asked[0].read[0] == task.tokeniser.begin
    assert asked[0].read[-1] == asked[0].written[-1] == task.tokeniser.end
    with torch.no_grad():
        losses, owners = task.losses(asked, "cpu")
        assert owners.tolist() == [row for row, one in enumerate(asked) for _ in one.written]
        for row, one in enumerate(asked):
            alone, _ = task.losses([one], "cpu")
            torch.testing.assert_close(losses[owners == row], alone, rtol=1e-4, atol=1e-4)
