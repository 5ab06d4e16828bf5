"""A BERT model's tensors in, an ONNX graph out that turns token ids into the hidden states of one layer.

The graph is put together from the weights themselves, layer after layer (Devlin et al., 2019), so neither torch nor
a converter is needed, and layers above the one asked for are not computed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.encoders.session import OnnxModel

if TYPE_CHECKING:
    from onnx import NodeProto, TensorProto, ValueInfoProto

Tensors = Mapping[str, NDArray[np.float32]]

ACTIVATIONS: dict[str, tuple[str, dict[str, str]]] = {
    "gelu": ("Gelu", {}),
    "gelu_new": ("Gelu", {"approximate": "tanh"}),
    "gelu_pytorch_tanh": ("Gelu", {"approximate": "tanh"}),
    "relu": ("Relu", {}),
}
"""A configuration's `hidden_act`, and the ONNX operator that computes it."""

OPSET = 20
"""The oldest set of ONNX operators that has both LayerNormalization and Gelu."""
RUNTIMES_OWN = "com.microsoft"
"""Operators that onnxruntime has beside ONNX's."""
IR_VERSION = 9

LARGE = 1024
"""Bytes from which a weight is given to onnxruntime as it lies in memory: copies of all weights would take most of the
time that loading takes."""

ROOTS = ("", "bert.")
"""What tensor names begin with: nothing in a bare model, `bert.` where it was saved with a head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BertShape:
    """What a BERT model's config.json says that decides its hidden states."""

    layers: int
    heads: int
    width: int
    positions: int
    activation: str
    epsilon: float

    @classmethod
    def read(cls, folder: Path) -> BertShape | None:
        """The shape of the model in a folder; None where it is not a BERT model that can be put together here."""
        file = folder / "config.json"
        try:
            config: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{folder} has no config.json, so it is no model folder. Check the path.") from None
        except ValueError as error:
            raise InputError(f"{file} is not JSON: {error}. Get the model again.") from error
        plain = (
            config.get("model_type") == "bert"
            and config.get("position_embedding_type", "absolute") == "absolute"
            and config.get("hidden_act", "gelu") in ACTIVATIONS
            and not config.get("is_decoder", False)
        )
        if not plain:
            return None
        return cls(
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            width=config["hidden_size"],
            positions=config["max_position_embeddings"],
            activation=config.get("hidden_act", "gelu"),
            epsilon=config.get("layer_norm_eps", 1e-12),
        )


def read_tensors(file: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors of a BERT model's safetensors file as 32-bit numbers, by their names in a bare model."""
    from safetensors import SafetensorError, safe_open

    tensors = {}
    try:
        with safe_open(file, framework="numpy") as opened:
            names = list(opened.keys())
            root = next((root for root in ROOTS if f"{root}embeddings.word_embeddings.weight" in names), None)
            if root is None:
                raise InputError(f"{file} holds no BERT model: word_embeddings are missing. Get the model again.")
            for name in names:
                if name.startswith((f"{root}embeddings.", f"{root}encoder.")) and not name.endswith("position_ids"):
                    tensor = opened.get_tensor(name)
                    if tensor.dtype.kind != "f":
                        raise InputError(
                            f"{file} is quantised: {name} holds whole numbers. Name the unquantised model."
                        )
                    tensors[name.removeprefix(root)] = tensor.astype(np.float32, copy=False)
    except (SafetensorError, TypeError) as error:  # a TypeError: numbers of a kind NumPy does not have (bfloat16)
        raise InputError(f"{file} cannot be read as a BERT model: {error}. Get the model again.") from error
    return tensors


def bert_graph(tensors: Tensors, shape: BertShape, layer: int, *, pairs: bool = False) -> OnnxModel:
    """The graph up to one layer: 0 is the sum of the embeddings, `shape.layers` the last hidden state.

    In: `ids` and `mask` (1 for a token, 0 for padding), batch × length; for pairs of texts `segments` as well (0 for
    the first text, 1 for the second). Out: `states`, batch × length × width.
    """
    return states_graph(BertGraph(tensors, shape), layer, pairs=pairs)


def states_graph(graph: BertGraph, layer: int, *, pairs: bool = False) -> OnnxModel:
    """The same from an empty graph, whatever numbers it multiplies in."""
    from onnx import TensorProto, helper

    inputs = ("ids", "mask", "segments") if pairs else ("ids", "mask")
    states = graph.layers(graph.embeddings(*inputs[::2]), 0, layer)
    graph.add("Identity", [states], output="states")
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in inputs]
    told = helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "length", graph.shape.width])
    return graph.model("bert", given, [told])


class BertGraph:
    """Nodes and weights as they are added, one BERT piece after the other."""

    def __init__(self, tensors: Tensors, shape: BertShape) -> None:
        self.tensors = tensors
        self.shape = shape
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []
        self.held: dict[str, NDArray[Any]] = {}
        """Large weights, which the graph only names."""
        self.hidden = ""
        """What is added to attention before its softmax: 0 for tokens, the lowest number for padding."""

    def constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import TensorProto, helper, numpy_helper

        value = np.ascontiguousarray(value)
        if value.nbytes < LARGE:
            self.weights.append(numpy_helper.from_array(value, name))
            return name
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        described = TensorProto(name=name, data_type=kind, dims=value.shape, data_location=TensorProto.EXTERNAL)
        described.external_data.add(key="location", value="memory")
        self.weights.append(described)
        self.held[name] = value
        return name

    def model(self, name: str, inputs: list[ValueInfoProto], outputs: list[ValueInfoProto]) -> OnnxModel:
        """All that was added, as one model."""
        from onnx import helper

        described = helper.make_graph(self.nodes, name, inputs, outputs, self.weights)
        opset = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIMES_OWN, 1)]
        model = helper.make_model(described, opset_imports=opset, ir_version=IR_VERSION)
        return OnnxModel(graph=model.SerializeToString(), weights=self.held)

    def add(self, operator: str, inputs: list[str], output: str = "", **settings: Any) -> str:
        from onnx import helper

        name = output or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **settings))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.tensor(name))

    def tensor(self, name: str) -> NDArray[np.float32]:
        if name not in self.tensors:
            raise InputError(f"The model has no tensor {name}, which BERT needs. Get the model again.")
        return self.tensors[name]

    def linear(self, states: str, name: str, scale: float = 1.0) -> str:
        """Weights times states plus a bias; scaling both once spares scaling what comes out."""
        factor = np.float32(scale)
        bias = self.constant(f"{name}.bias", self.tensor(f"{name}.bias") * factor)
        return self.add("Add", [self.product(states, f"{name}.weight", factor), bias])

    def product(self, states: str, name: str, factor: np.float32) -> str:
        """States times a matrix of weights, those multiplied by a factor."""
        return self.add("MatMul", [states, self.constant(name, self.tensor(name).T * factor)])

    def normalised(self, states: str, name: str) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", [states, scale, shift], axis=-1, epsilon=self.shape.epsilon)

    def embeddings(self, ids: str, segments: str | None = None) -> str:
        """Words, positions and segments (the first everywhere, unless given), summed and normalised."""
        words = self.add("Gather", [self.weight("embeddings.word_embeddings.weight"), ids])
        kinds = self.tensor("embeddings.token_type_embeddings.weight")
        if segments is not None:
            beyond = self.add("Gather", [self.constant("segment_vectors", kinds - kinds[0]), segments])
            words = self.add("Add", [words, beyond])
        positions = self.constant("positions", self.tensor("embeddings.position_embeddings.weight") + kinds[0])
        for name, value in (("zero", 0), ("one", 1), ("two", 2)):
            self.constant(name, np.array([value], np.int64))
        length = self.add("Slice", [self.add("Shape", [ids]), "one", "two"])
        places = self.add("Slice", [positions, "zero", length])
        return self.normalised(self.add("Add", [words, places]), "embeddings.LayerNorm")

    def layers(self, states: str, first: int, last: int) -> str:
        """The layers from one to another, the last left out, by the mask that is an input."""
        from onnx import TensorProto

        if first < last:
            self.constant("no", np.array(0.0, np.float32))
            self.constant("never", np.array(np.finfo(np.float32).min, np.float32))
            heads, width = self.shape.heads, self.shape.width
            self.constant("heads_of", np.array([0, 0, heads, width // heads], np.int64))
            self.constant("whole_of", np.array([0, 0, width], np.int64))
            self.constant("over_heads_and_tokens", np.array([1, 2], np.int64))
            real = self.add("Cast", ["mask"], to=TensorProto.BOOL)
            kept = self.add("Where", [real, "no", "never"])
            self.hidden = self.add("Unsqueeze", [kept, "over_heads_and_tokens"])
        for number in range(first, last):
            states = self.layer(states, number)
        return states

    def layer(self, states: str, number: int) -> str:
        """Attention and the feed-forward part of one layer, each added to what came in and normalised."""
        name = f"encoder.layer.{number}"
        attended = self.linear(self.attention(states, f"{name}.attention.self"), f"{name}.attention.output.dense")
        states = self.normalised(self.add("Add", [attended, states]), f"{name}.attention.output.LayerNorm")
        operator, settings = ACTIVATIONS[self.shape.activation]
        inner = self.add(operator, [self.linear(states, f"{name}.intermediate.dense")], **settings)
        outer = self.linear(inner, f"{name}.output.dense")
        return self.normalised(self.add("Add", [outer, states]), f"{name}.output.LayerNorm")

    def attention(self, states: str, name: str) -> str:
        """Scaled dot products of every token with every other, by head (Vaswani et al., 2017)."""
        query = self.heads(states, f"{name}.query", scale=(self.shape.width // self.shape.heads) ** -0.5)
        key = self.heads(states, f"{name}.key", order=(0, 2, 3, 1))
        value = self.heads(states, f"{name}.value")
        scores = self.add("Add", [self.add("MatMul", [query, key]), self.hidden])
        mixed = self.add("MatMul", [self.add("Softmax", [scores], axis=-1), value])
        return self.add("Reshape", [self.add("Transpose", [mixed], perm=[0, 2, 1, 3]), "whole_of"])

    def heads(self, states: str, name: str, order: tuple[int, ...] = (0, 2, 1, 3), scale: float = 1.0) -> str:
        """One projection, cut into heads."""
        cut = self.add("Reshape", [self.linear(states, name, scale), "heads_of"])
        return self.add("Transpose", [cut], perm=list(order))
