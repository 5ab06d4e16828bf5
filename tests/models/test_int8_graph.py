"""Layers that multiply in 8 bits: exactly what rounding every token by its own largest number gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paraloom.errors import InputError
from paraloom.models.encoders.bert_graph import BertShape
from paraloom.models.encoders.int8_graph import LEVELS, Int8Graph
from paraloom.models.encoders.session import start_session
from paraloom.models.int8 import Int8File, write_int8

SHAPE = BertShape(layers=1, heads=1, width=4, positions=8, activation="gelu", epsilon=1e-12)
NAME = "encoder.layer.0.output.dense"
WEIGHTS = np.random.default_rng(1).normal(size=(6, 4)).astype(np.float32)
BIAS = np.linspace(-1, 1, 6, dtype=np.float32)


@pytest.fixture(scope="module")
def tensors(tmp_path_factory: pytest.TempPathFactory) -> Int8File:
    file: Path = tmp_path_factory.mktemp("int8") / "w.safetensors"
    write_int8({f"{NAME}.weight": WEIGHTS, f"{NAME}.bias": BIAS, "heads.1.weight": WEIGHTS, "heads.1.bias": BIAS}, file)
    return Int8File(file)


def computed(tensors: Int8File, name: str, states: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """One linear layer, by a graph of its own."""
    from onnx import TensorProto, helper

    graph = Int8Graph(tensors, SHAPE)
    graph.add("Identity", [graph.linear("states", name, scale)], output="out")
    model = graph.model(
        "one",
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["tokens", 4])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["tokens", 6])],
    )
    (found,) = start_session(model).run(["out"], {"states": states.astype(np.float32)})
    return np.asarray(found)


STATES = arrays(np.float32, st.tuples(st.integers(1, 9), st.just(4)), elements=st.floats(-50, 50, width=32))


@settings(max_examples=60, deadline=None)
@given(states=STATES)
def test_it_is_what_rounding_by_hand_gives(tensors: Int8File, states: np.ndarray) -> None:
    numbers, scales = tensors.whole_numbers(f"{NAME}.weight")
    steps = np.maximum(np.abs(states).max(axis=1, keepdims=True), np.float32(1e-12)) * np.float32(1 / LEVELS)
    whole = np.rint(states / steps).astype(np.int64)
    assert np.abs(whole).max() <= LEVELS
    by_hand = (whole @ numbers.T.astype(np.int64)) * scales[:, 0] * steps + BIAS
    np.testing.assert_allclose(computed(tensors, NAME, states), by_hand, rtol=1e-5, atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(states=STATES)
def test_it_is_near_what_32_bits_give(tensors: Int8File, states: np.ndarray) -> None:
    exact = states @ tensors[f"{NAME}.weight"].T + BIAS
    half_a_step = np.abs(states).max(axis=1, keepdims=True) / LEVELS / 2
    allowed = half_a_step * np.abs(tensors[f"{NAME}.weight"]).sum(axis=1) + 1e-4
    assert (np.abs(computed(tensors, NAME, states) - exact) <= allowed).all()


def test_a_token_is_computed_alike_whatever_its_company(tensors: Int8File) -> None:
    states = np.random.default_rng(2).normal(size=(40, 4)) * np.logspace(-3, 3, 40)[:, None]
    together = computed(tensors, NAME, states)
    for first in range(0, 40, 7):
        np.testing.assert_array_equal(computed(tensors, NAME, states[first : first + 3]), together[first : first + 3])


def test_heads_are_not_rounded_and_a_scale_is_part_of_the_weights(tensors: Int8File) -> None:
    states = np.random.default_rng(3).normal(size=(5, 4)).astype(np.float32)
    exact = states @ tensors["heads.1.weight"].T + BIAS
    np.testing.assert_allclose(computed(tensors, "heads.1", states), exact, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(
        computed(tensors, NAME, states, scale=0.25), computed(tensors, NAME, states) / 4, rtol=1e-5, atol=1e-6
    )


def test_weights_that_are_not_in_8_bits_are_an_error(tensors: Int8File) -> None:
    with pytest.raises(InputError, match=f"no tensor {NAME}.bias in 8 bits"):
        tensors.whole_numbers(f"{NAME}.bias")
