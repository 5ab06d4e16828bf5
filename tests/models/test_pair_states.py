"""One pair's token states in NumPy are those of the ONNX graph, for any texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from onnxruntime import InferenceSession

from paraloom.errors import InputError
from paraloom.models.encoders.bert_graph import BertShape, bert_graph, read_tensors
from paraloom.models.encoders.pair_states import PairStates
from paraloom.models.encoders.session import start_session
from paraloom.models.identifiers import SHIPPED
from paraloom.models.int8 import read_int8
from paraloom.models.pair_model import FOLDER

SHIPPED_FOLDER = SHIPPED / FOLDER
PAIRS = [
    ("The storm hit the coast.", "A gale struck the shore, they say!"),
    ("", "x"),
    ("[SEP] is a mark", "嵐 🙂"),
    ("storm " * 400, "gale " * 300),
]


@cache
def session_of(folder: Path, layer: int) -> InferenceSession:
    shape = BertShape.read(folder)
    assert shape is not None
    read = read_int8 if folder == SHIPPED_FOLDER else read_tensors
    return start_session(bert_graph(read(folder / "model.safetensors"), shape, layer, pairs=True))


def by_graph(folder: Path, layer: int, left: str, right: str) -> tuple[np.ndarray, list[int | None]]:
    encoding = PairStates(folder, 0).tokeniser.encode(left, right)
    ids, kinds = np.array([encoding.ids]), np.array([encoding.type_ids])
    inputs = {"ids": ids, "mask": np.ones_like(ids), "segments": kinds}
    (found,) = session_of(folder, layer).run(["states"], inputs)
    return found[0], encoding.sequence_ids


@pytest.mark.parametrize("layer", [0, 1, 3])
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_states_are_those_of_the_onnx_graph(layer: int, left: str, right: str) -> None:
    expected, sides = by_graph(SHIPPED_FOLDER, layer, left, right)
    found = PairStates(SHIPPED_FOLDER, layer)(left, right)
    for side, one in enumerate(found):
        rows = [place for place, owner in enumerate(sides) if owner == side]
        assert len(one.spans) == len(rows)
        np.testing.assert_allclose(one.states, expected[rows].reshape(one.states.shape), atol=2e-5)


def test_an_unrounded_model_is_read_too(tiny_bert: Path) -> None:
    expected, sides = by_graph(tiny_bert, 3, "the storm", "a coast")
    left, _ = PairStates(tiny_bert, 3, max_tokens=64)("the storm", "a coast")
    rows = [place for place, owner in enumerate(sides) if owner == 0]
    np.testing.assert_allclose(left.states, expected[rows], atol=2e-5)


def test_pieces_know_their_characters() -> None:
    left, right = PairStates(SHIPPED_FOLDER, 0)("Stormproof 5%", "the")
    assert ["Stormproof 5%"[first:last] for first, last in left.spans] == ["Storm", "proof", "5", "%"]
    assert right.spans == [(0, 3)]


def test_a_layer_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="layer 99"):
        PairStates(SHIPPED_FOLDER, 99)
