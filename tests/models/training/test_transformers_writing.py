"""Language models of transformers learn to write, all of one or thin matrices alone, as they are asked later."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.generator_card import GeneratorCard, write_card
from paraloom.models.generators.transformers_lm import TransformersGenerator
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.transformers_writing import CAUSAL, T5, TransformersTask, usual_card
from paraloom.models.training.writing_training import TrainedWriter, train_writer
from tests.models.generators.tiny_language_models import make_tiny

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

KINDS = ("t5", "bart", "marian", "gpt2", "llama")
PAIRS = [("a storm hit", "the river rose"), ("the minister left", "our team won"), ("lost power", "the vote")] * 4
PLAN = TrainingPlan(epochs=6, batch_size=4, learning_rates=(3e-2,), max_tokens=64, device="cpu")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory):
    made: dict[str, Path] = {}

    def folder(kind: str) -> Path:
        if kind not in made:
            made[kind] = make_tiny(kind, tmp_path_factory.mktemp("tiny") / kind)
        return made[kind]

    return folder


def card_of(folder: Path) -> GeneratorCard:
    from transformers import AutoConfig

    return usual_card(AutoConfig.from_pretrained(folder))


def trained(folder: Path, plan: TrainingPlan = PLAN, pairs: list[tuple[str, str]] = PAIRS, **low: int) -> TrainedWriter:
    def fresh() -> TransformersTask:
        return TransformersTask(folder, card_of(folder), **low)

    return train_writer(fresh, pairs, pairs[:12], plan, made_by={"kind": "test"})


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_learned_is_written_once_it_is_saved(kind: str, tiny, tmp_path: Path) -> None:
    is_slow = kind in ("t5", "marian")  # to learn; so they learn one answer, whatever is asked
    pairs = [(source, "the river rose") for source, _ in PAIRS] if is_slow else PAIRS
    plan = replace(PLAN, epochs=6, batch_size=6, learning_rates=(0.05 if kind == "t5" else 0.02,))
    found = trained(tiny(kind), plan, pairs * 8)
    assert found.best.perplexity < 3 < found.curve[0].perplexity
    found.task.save(tmp_path / "out")
    write_card(tmp_path / "out", card_of(tiny(kind)))
    generator = TransformersGenerator(tmp_path / "out", decoding=Decoding(beams=2, longest=4))
    said = generator.generate([source for source, _ in PAIRS[:3]], 1, np.random.default_rng(1))
    assert [one[0].text for one in said] == [target for _, target in pairs[:3]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_of_an_untrained_network_is_that_of_transformers(kind: str, tiny) -> None:
    task = TransformersTask(tiny(kind), card_of(tiny(kind)))
    asked = task.prepare(PAIRS[:3])
    with torch.no_grad():
        losses, owners = task.losses(asked, "cpu")
        for row, one in enumerate(asked):
            if task.is_encoder_decoder:
                told = {"input_ids": torch.tensor([one.read]), "labels": torch.tensor([one.written])}
            else:
                ids = torch.tensor([[*one.read, *one.written]])
                told = {"input_ids": ids, "labels": ids.clone()}
                told["labels"][:, : len(one.read)] = -100
            assert losses[owners == row].mean() == pytest.approx(float(task.net(**told).loss), rel=1e-4)


@pytest.mark.parametrize("kind", ["t5", "gpt2"])
def test_thin_matrices_learn_alone_and_are_added_when_they_are_saved(kind: str, tiny, tmp_path: Path) -> None:
    found = trained(tiny(kind), rank=4, layers=1)
    assert found.best.perplexity < found.curve[0].perplexity
    task = found.task
    state = task.net.state_dict()
    assert state, "what is learned is kept"
    assert all(name.endswith((".left", ".right")) for name in state)
    assert not any(".0." in name and "layers.0" in name for name in state)
    with torch.no_grad():
        before = task.losses(task.prepare(PAIRS[:3]), "cpu")[0]
        task.save(tmp_path / "out")
        again = TransformersTask(tmp_path / "out", task.card)
        assert torch.allclose(again.losses(again.prepare(PAIRS[:3]), "cpu")[0], before, atol=1e-4)
        base = TransformersTask(tiny(kind), task.card)
        changed = [
            name
            for name, weight in again.net.state_dict().items()
            if not torch.equal(weight, base.net.state_dict()[name])
        ]
    assert changed, "what was learned is in the saved weights"
    assert all(".1." in name for name in changed), "only the last layer learned"


def test_a_fresh_low_rank_is_the_base_itself(tiny) -> None:
    low, whole = (TransformersTask(tiny("t5"), T5, rank=rank) for rank in (4, 0))
    with torch.no_grad():
        one, other = (task.losses(task.prepare(PAIRS[:3]), "cpu")[0] for task in (low, whole))
    assert torch.equal(one, other)


def test_a_batch_does_not_change_what_a_pair_loses(tiny) -> None:
    for kind in ("bart", "gpt2"):
        task = TransformersTask(tiny(kind), card_of(tiny(kind)))
        asked = task.prepare(PAIRS[:3])
        with torch.no_grad():
            together, owners = task.losses(asked, "cpu")
            for row, one in enumerate(asked):
                assert torch.allclose(together[owners == row], task.losses([one], "cpu")[0], atol=1e-5)


def test_marks_in_a_text_are_text(tiny) -> None:
    task = TransformersTask(tiny("t5"), T5)
    (asked,) = task.prepare([("a </s> storm", "</s> the river")])
    assert asked.read.count(2) == asked.written.count(2) == 1
    assert asked.read[-1] == asked.written[-1] == 2


def test_perplexity_is_that_of_the_mean_loss(tiny) -> None:
    found = trained(tiny("gpt2"), TrainingPlan(epochs=1, batch_size=12, learning_rates=(1e-3,), device="cpu"))
    task = TransformersTask(tiny("gpt2"), CAUSAL)
    with torch.no_grad():
        mean = task.losses(task.prepare(PAIRS), "cpu")[0].double().mean()
    assert found.curve[0].perplexity == pytest.approx(exp(float(mean)), rel=1e-5)
