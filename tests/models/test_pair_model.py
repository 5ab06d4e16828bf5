"""The shipped network in stages: the same answers as in one piece, early exits, either order."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load as deserialise
from safetensors.numpy import save as serialise

from paraloom.errors import InputError
from paraloom.models.encoders.bert_graph import BertGraph, BertShape
from paraloom.models.encoders.int8_graph import Int8Graph
from paraloom.models.encoders.pair_states import error_function
from paraloom.models.encoders.session import start_session
from paraloom.models.identifiers import SHIPPED
from paraloom.models.implication import load
from paraloom.models.int8 import Int8File
from paraloom.models.pair_model import FOLDER, QUESTIONS, TURNED, PairModel, card, load_pair_model

SHIPPED_FOLDER = SHIPPED / FOLDER
LEFT = ["The storm destroyed hundreds of houses.", "He was arrested on Monday.", "x", "storm " * 300]
RIGHT = ["Hundreds of houses were lost in the storm.", "Police took him into custody.", "a longer one", "gale " * 90]


@pytest.fixture(scope="module")
def model() -> PairModel:
    return load_pair_model()


def in_one_piece(model: PairModel, left: str, right: str, layer: int, graph: type[BertGraph]) -> np.ndarray:
    """The answers after a layer, by the whole graph up to it and the heads in NumPy."""
    from onnx import TensorProto, helper

    shape = BertShape.read(SHIPPED_FOLDER)
    assert shape is not None
    tensors = Int8File(SHIPPED_FOLDER / "model.safetensors")
    whole = graph(tensors, shape)
    whole.add("Identity", [whole.layers(whole.embeddings("ids", "segments"), 0, layer)], output="states")
    session = start_session(
        whole.model(
            "whole",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
                for name in ("ids", "mask", "segments")
            ],
            [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "length", shape.width])],
        )
    )
    first, second = sorted((left, right), key=lambda text: (len(text), text), reverse=True)
    encoding = model.tokeniser.encode(first, second)
    ids = np.array([encoding.ids])
    given = {"ids": ids, "mask": np.ones_like(ids), "segments": np.array([encoding.type_ids])}
    (states,) = session.run(["states"], given)
    pooled = np.concatenate([states[0, 0], states[0].mean(axis=0)])
    inner = tensors[f"heads.{layer}.hidden.weight"] @ pooled + tensors[f"heads.{layer}.hidden.bias"]
    inner = inner * (1 + error_function(inner / np.float32(2**0.5))) / 2
    answers = tensors[f"heads.{layer}.answers"]
    return (inner.reshape(answers.shape) * answers).sum(axis=1) + tensors[f"heads.{layer}.biases"]


@pytest.mark.parametrize("place", range(len(LEFT)))
def test_stages_answer_as_the_whole_network_does(model: PairModel, place: int) -> None:
    left, right = LEFT[place], RIGHT[place]
    turned = (len(left), left) < (len(right), right)
    names = [TURNED.get(name, name) if turned else name for name in QUESTIONS]
    for exit_at in model.exits:
        sure = {layer: lambda answers, last=exit_at: np.full(len(answers), True) for layer in (exit_at,)}
        found, layers = model.answers([left], [right], names, sure)
        assert layers.tolist() == [exit_at]
        whole = in_one_piece(model, left, right, exit_at, Int8Graph)
        # Filling and 32-bit sums over other lengths move last digits, and rounding magnifies them.
        np.testing.assert_allclose(found[0], whole, atol=0.2)
        assert np.abs(found[0] - whole).mean() < 0.05


def test_rounding_to_8_bits_moves_answers_little(model: PairModel) -> None:
    moved = [
        in_one_piece(model, left, right, layer, Int8Graph) - in_one_piece(model, left, right, layer, BertGraph)
        for left, right in zip(LEFT, RIGHT, strict=True)
        for layer in model.exits
    ]
    assert np.abs(moved).mean() < 0.15


def test_either_order_gives_the_same_answers_with_directions_turned(model: PairModel) -> None:
    one, _ = model.answers(LEFT, RIGHT, QUESTIONS)
    other, _ = model.answers(RIGHT, LEFT, [TURNED.get(name, name) for name in QUESTIONS])
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_pair_is_answered_alike_alone_and_among_others(model: PairModel, size: int) -> None:
    """To the last digit: a build that is killed and resumed reads pairs in other batches and must end the same."""
    left = [f"{text} {number}" for number in range(6) for text in LEFT]
    right = [f"{text} {number} or so" for number in range(6) for text in RIGHT]
    first = model.exits[0]
    sure = {first: lambda answers: answers[:, 0] < 0.5}
    together, layers = model.answers(left, right, QUESTIONS, sure)
    for start in range(0, len(left), size):
        part = slice(start, start + size)
        found, there = model.answers(left[part], right[part], QUESTIONS, sure)
        np.testing.assert_array_equal(found, together[part])
        np.testing.assert_array_equal(there, layers[part])


def test_a_clear_pair_ends_early_and_the_others_go_on(model: PairModel) -> None:
    first = model.exits[0]
    at_first, _ = model.answers(LEFT, RIGHT, ["loose"], {first: lambda answers: np.full(len(answers), True)})
    border = float(np.median(at_first))
    found, layers = model.answers(LEFT, RIGHT, ["loose"], {first: lambda answers: answers[:, 0] > border})
    to_the_end, _ = model.answers(LEFT, RIGHT, ["loose"])
    ended = at_first[:, 0] > border
    assert ended.any()
    assert not ended.all()
    assert layers.tolist() == [first if one else model.exits[-1] for one in ended]
    np.testing.assert_allclose(found[ended], at_first[ended], atol=1e-4)
    np.testing.assert_allclose(found[~ended], to_the_end[~ended], atol=1e-4)


def test_every_exit_says_what_a_pair_that_ends_there_is_told(model: PairModel) -> None:
    at_exits = model.every_exit(LEFT, RIGHT, QUESTIONS)
    assert tuple(at_exits) == model.exits
    for layer, answers in at_exits.items():
        ended, layers = model.answers(LEFT, RIGHT, QUESTIONS, {layer: lambda found: np.full(len(found), True)})
        assert layers.tolist() == [layer] * len(LEFT)
        np.testing.assert_array_equal(answers, ended)


def test_no_pairs_give_no_answers_and_unequal_lists_are_refused(model: PairModel) -> None:
    found, layers = model.answers([], [], QUESTIONS)
    assert found.shape == (0, len(QUESTIONS))
    assert len(layers) == 0
    with pytest.raises(InputError, match="2 left texts and 1 right"):
        model.answers(["a", "b"], ["c"], QUESTIONS)


BROKEN = [
    (lambda folder: (folder / "tokenizer.json").unlink(), "There is no .*tokenizer.json"),
    (lambda folder: (folder / "model.safetensors").unlink(), "no weights"),
    (lambda folder: edit(folder, num_hidden_layers=9), "heads after its last layer"),
    (lambda folder: edit(folder, model_type="mpnet"), "holds no model of pairs"),
]


def edit(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))


@pytest.mark.parametrize(("broken", "message"), BROKEN)
def test_a_folder_that_is_no_such_model_is_an_error(tmp_path: Path, broken, message: str) -> None:  # type: ignore[no-untyped-def]
    shutil.copytree(SHIPPED_FOLDER, tmp_path / "model")
    broken(tmp_path / "model")
    with pytest.raises(InputError, match=message):
        PairModel(tmp_path / "model")


def rewrite(file: Path, content: bytes) -> None:
    """As another program does it: a new file in the old one's place."""
    beside = file.with_suffix(".new")
    beside.write_bytes(content)
    beside.replace(file)


def with_case(tokeniser: bytes) -> bytes:
    told = json.loads(tokeniser)
    told["normalizer"]["lowercase"] = False
    return json.dumps(told).encode()


def with_epsilon(config: bytes) -> bytes:
    return json.dumps(json.loads(config) | {"layer_norm_eps": 0.5}).encode()


def with_bias(weights: bytes) -> bytes:
    """Every answer one higher, in a file of the same size."""
    tensors = deserialise(weights)
    return serialise({name: tensor + 1 if name.endswith(".biases") else tensor for name, tensor in tensors.items()})


@pytest.mark.parametrize(
    ("file", "changed"),
    [("tokenizer.json", with_case), ("config.json", with_epsilon), ("model.safetensors", with_bias)],
)
def test_a_changed_file_is_another_model(tmp_path: Path, file: str, changed: Callable[[bytes], bytes]) -> None:
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED_FOLDER, folder)
    before = load_pair_model(folder)
    signature, (answers, _) = before.signature, before.answers(LEFT, RIGHT, QUESTIONS)
    assert load_pair_model(str(folder)) is before
    assert load(folder) is load(folder)
    said = load(folder).answer(LEFT, RIGHT)
    rewrite(folder / file, changed((folder / file).read_bytes()))
    after = load_pair_model(folder)
    assert after.signature != signature
    assert load(folder).signature == after.signature
    assert not np.array_equal(after.answers(LEFT, RIGHT, QUESTIONS)[0], answers)
    assert not np.array_equal(load(folder).answer(LEFT, RIGHT).similarity, said.similarity)


def test_the_model_is_as_small_as_it_is_said_to_be(model: PairModel) -> None:
    assert model.parameters <= 25_000_000
    assert model.parameters == card()["parameters"]
    shipped = sum(file.stat().st_size for file in SHIPPED.rglob("*") if file.is_file())
    assert shipped <= 45_000_000
