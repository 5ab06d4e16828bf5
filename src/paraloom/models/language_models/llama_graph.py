"""A Llama's weights in, an ONNX graph out that reads word pieces after those it has read already.

Products are of 8-bit numbers with a scale for every 32 of them, on both sides (`MatMulNBits`, accuracy level 4): as
exact as the stored weights, and a small model writes a few hundred pieces a second on two cores.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.models.encoders.session import OnnxModel
from paraloom.models.language_models.blocks import Blocks
from paraloom.models.language_models.gguf import BLOCK
from paraloom.models.language_models.llama_weights import LlamaShape, LlamaWeights

CONTRIB = "com.microsoft"
OPSET, CONTRIB_OPSET, IR = 17, 1, 9
LONGEST = 4096
"""Positions whose turns are tabled."""

ACCURACY = 4
"""States too are brought to 8-bit numbers before a product; 1 would leave them as they are, which is slower."""

KINDS = ("key", "value")


def past_names(shape: LlamaShape) -> list[str]:
    """Inputs that hold what was read: two a layer."""
    return [f"past.{layer}.{kind}" for layer in range(shape.layers) for kind in KINDS]


def llama_graph(weights: LlamaWeights) -> OnnxModel:
    """States of pieces in, logarithms of the next piece's probabilities out, at the wanted places.

    Inputs: `states` (texts × pieces × width), `last` (of each text, how many pieces it has, those read before
    included, less one), `total` (the largest number of pieces of a text), `wanted` (places among all texts' pieces)
    and the past. Outputs: `log_probabilities` and the new past.
    """
    from onnx import TensorProto, helper

    building = _Building(weights.shape)
    shape = weights.shape
    building.turns()
    states = "states"
    for layer in range(shape.layers):
        states = building.layer(states, layer, weights)
    last = building.norm(states, "output_norm", weights.vectors["output_norm"])
    flat = building.node("Reshape", [last, building.constant("flat", np.array([-1, shape.width]))], "flattened")
    chosen = building.node("Gather", [flat, "wanted"], "chosen", axis=0)
    logits = building.product(chosen, "output", weights.output)
    building.node("LogSoftmax", [logits], "log_probabilities", axis=-1)
    past = [f"past.{layer}.{kind}" for layer in range(shape.layers) for kind in KINDS]
    cached: list[str | int] = ["texts", shape.shared_heads, "read", shape.head_width]
    renewed: list[str | int] = ["texts", shape.shared_heads, "all", shape.head_width]
    graph = helper.make_graph(
        building.nodes,
        "llama",
        [
            helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "pieces", shape.width]),
            helper.make_tensor_value_info("last", TensorProto.INT32, ["texts"]),
            helper.make_tensor_value_info("total", TensorProto.INT32, []),
            helper.make_tensor_value_info("wanted", TensorProto.INT64, ["wanted"]),
            *(helper.make_tensor_value_info(name, TensorProto.FLOAT, cached) for name in past),
        ],
        [
            helper.make_tensor_value_info("log_probabilities", TensorProto.FLOAT, ["wanted", shape.pieces]),
            *(helper.make_tensor_value_info("new." + name, TensorProto.FLOAT, renewed) for name in past),
        ],
        building.small,
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, CONTRIB_OPSET)],
        ir_version=IR,
    )
    return OnnxModel(graph=model.SerializeToString(), weights=building.large)


class _Building:
    """Nodes and weights as they are put together."""

    def __init__(self, shape: LlamaShape) -> None:
        self.shape = shape
        self.nodes: list[Any] = []
        self.small: list[Any] = []
        self.large: dict[str, NDArray[Any]] = {}

    def node(self, kind: str, inputs: list[str], output: str, *, domain: str = "", **settings: Any) -> str:
        return self.nodes_with(kind, inputs, [output], domain=domain, **settings)

    def nodes_with(self, kind: str, inputs: list[str], outputs: list[str], *, domain: str, **settings: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, outputs, domain=domain, **settings))
        return outputs[0]

    def constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.small.append(numpy_helper.from_array(value, name))
        return name

    def weight(self, name: str, value: NDArray[Any]) -> str:
        """A large array, which the session takes as it lies in memory."""
        from onnx import TensorProto, helper

        self.large[name] = np.ascontiguousarray(value)
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        told = TensorProto(name=name, data_type=kind, dims=value.shape, data_location=TensorProto.EXTERNAL)
        told.external_data.add(key="location", value="memory")
        self.small.append(told)
        return name

    def turns(self) -> None:
        """Cosines and sines by which queries and keys of each position are turned."""
        width = self.shape.head_width
        speeds = self.shape.rope_base ** (-np.arange(0, width, 2, dtype=np.float64) / width)
        angles = np.outer(np.arange(min(LONGEST, self.shape.positions)), speeds)
        self.constant("cosines", np.cos(angles).astype(np.float32))
        self.constant("sines", np.sin(angles).astype(np.float32))

    def norm(self, states: str, name: str, gains: NDArray[np.float32]) -> str:
        told = self.constant(name + ".gains", gains)
        return self.node("SimplifiedLayerNormalization", [states, told], name, axis=-1, epsilon=self.shape.tolerance)

    def product(self, states: str, name: str, matrix: Blocks) -> str:
        rows, blocks, _ = matrix.numbers.shape
        return self.node(
            "MatMulNBits",
            [
                states,
                self.weight(name + ".numbers", matrix.numbers),
                self.weight(name + ".scales", matrix.scales),
            ],
            name,
            domain=CONTRIB,
            K=blocks * BLOCK,
            N=rows,
            bits=8,
            block_size=BLOCK,
            accuracy_level=ACCURACY,
        )

    def layer(self, states: str, layer: int, weights: LlamaWeights) -> str:
        at = f"blk.{layer}."

        def product(given: str, part: str) -> str:
            return self.product(given, at + part, weights.matrices[at + part])

        read = self.norm(states, at + "attn_norm", weights.vectors[at + "attn_norm"])
        asked, keys, values = (product(read, part) for part in ("attn_q", "attn_k", "attn_v"))
        past = [f"past.{layer}.{kind}" for kind in KINDS]
        seen = self.nodes_with(
            "GroupQueryAttention",
            [asked, keys, values, *past, "last", "total", "cosines", "sines"],
            [at + "seen", *("new." + name for name in past)],
            domain=CONTRIB,
            num_heads=self.shape.heads,
            kv_num_heads=self.shape.shared_heads,
            do_rotary=1,
            rotary_interleaved=1,  # GGUF stores queries and keys so that neighbours turn together
        )
        states = self.node("Add", [states, product(seen, "attn_output")], at + "after_attention")
        read = self.norm(states, at + "ffn_norm", weights.vectors[at + "ffn_norm"])
        gate = product(read, "ffn_gate")
        open_ = self.node("Sigmoid", [gate], at + "open")
        passed = self.node("Mul", [gate, open_], at + "passed")
        inner = self.node("Mul", [passed, product(read, "ffn_up")], at + "inner")
        return self.node("Add", [states, product(inner, "ffn_down")], at + "states")
