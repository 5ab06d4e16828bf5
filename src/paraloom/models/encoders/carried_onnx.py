"""A BERT model as an ONNX file in, its weights out under the names that transformers gives them, as safetensors.

An exported graph keeps the names of most tensors; only the matrices of its linear layers lose theirs, and are turned.
Each is found again by the bias that is added to its product. What comes out must give the hidden states that the ONNX
file itself gives, or it is not kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.encoders.bert_graph import BertShape, bert_graph
from paraloom.models.encoders.session import start_session

if TYPE_CHECKING:
    from onnx import ModelProto

ONNX = "onnx/model.onnx"
WEIGHTS = "model.safetensors"
CLOSE = 1e-4
"""Hidden states may differ by so much: both add up many 32-bit numbers, in another order."""


def convert(folder: Path) -> None:
    """`onnx/model.onnx` becomes `model.safetensors`; what else lies in the folder stays."""
    import onnx
    from safetensors.numpy import save

    shape = BertShape.read(folder)
    if shape is None:
        raise InputError(f"{folder / 'config.json'} describes no plain BERT model, so {ONNX} cannot be converted.")
    model = onnx.load(folder / ONNX)
    tensors = bert_tensors(model)
    _compare(model, tensors, shape)
    (folder / WEIGHTS).write_bytes(save(tensors, metadata={"format": "pt"}))
    (folder / ONNX).unlink()
    (folder / ONNX).parent.rmdir()


def bert_tensors(model: ModelProto) -> dict[str, NDArray[np.float32]]:
    """The tensors of an exported BERT graph, by their names in a bare model."""
    from onnx import numpy_helper

    given = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    named = {name: tensor for name, tensor in given.items() if name.startswith(("embeddings.", "encoder."))}
    product_of = {node.output[0]: node.input[1] for node in model.graph.node if node.op_type == "MatMul"}
    for node in model.graph.node:
        biases = [name for name in node.input if name in named and name.endswith(".bias")]
        matrices = [product_of[name] for name in node.input if product_of.get(name) in given]
        if node.op_type == "Add" and biases and matrices:
            named[f"{biases[0].removesuffix('bias')}weight"] = given[matrices[0]].T
    return {
        name: np.ascontiguousarray(tensor, np.float32)
        for name, tensor in named.items()
        if not name.endswith("position_ids")
    }


def _compare(model: ModelProto, tensors: dict[str, NDArray[np.float32]], shape: BertShape) -> None:
    """Refuse tensors that give other hidden states than the graph they were taken from."""
    words = len(tensors["embeddings.word_embeddings.weight"])
    ids = np.random.default_rng(1).integers(0, words, (2, 12))
    mask = np.ones_like(ids)
    mask[1, 7:] = 0
    (ours,) = start_session(bert_graph(tensors, shape, shape.layers)).run(["states"], {"ids": ids, "mask": mask})
    theirs_in = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    wanted = [given.name for given in model.graph.input]
    (theirs, *_) = start_session(model).run(None, {name: theirs_in[name] for name in wanted})
    apart = float(np.abs(ours - theirs)[mask == 1].max())
    if apart > CLOSE:
        raise InputError(
            f"The weights taken from {ONNX} give other hidden states than the file itself (by {apart:.2g}). "
            "They are not kept. Report this, please."
        )
