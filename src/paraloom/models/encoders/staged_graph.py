"""A BERT model with heads in, one ONNX graph a stage out: a pair that is clear after a few layers needs no more.

Every stage ends with heads of its own (Xin et al., 2020, *DeeBERT*): the first token's state and the mean of all, side
by side, go through one hidden layer a question.
"""

from __future__ import annotations

import numpy as np

from paraloom.models.encoders.bert_graph import BertGraph, BertShape
from paraloom.models.encoders.int8_graph import Int8Graph
from paraloom.models.encoders.session import OnnxModel
from paraloom.models.int8 import Int8File


def stage_graph(tensors: Int8File, shape: BertShape, first: int, last: int) -> OnnxModel:
    """The layers from one to another, the last left out, and the heads after them.

    In: the first stage takes `ids`, `mask` and `segments`, a later one `states` and `mask`. Out: `answers` (batch ×
    questions) and `states_out` (batch × length × width).
    """
    from onnx import TensorProto, helper

    graph = Int8Graph(tensors, shape)
    names = ("ids", "mask", "segments") if first == 0 else ("mask",)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]
    if first:
        inputs.append(helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "length", shape.width]))
    begun = graph.embeddings("ids", "segments") if first == 0 else "states"
    states = graph.add("Identity", [graph.layers(begun, first, last)], output="states_out")
    _add_heads(graph, states, f"heads.{last}")
    outputs = [
        helper.make_tensor_value_info("answers", TensorProto.FLOAT, ["batch", "questions"]),
        helper.make_tensor_value_info("states_out", TensorProto.FLOAT, ["batch", "length", shape.width]),
    ]
    return graph.model("stage", inputs, outputs)


def _add_heads(graph: BertGraph, states: str, name: str) -> None:
    from onnx import TensorProto

    answers = graph.tensor(f"{name}.answers")
    questions, hidden = answers.shape
    graph.constant("first", np.array([0], np.int64))
    graph.constant("along_tokens", np.array([1], np.int64))
    graph.constant("last_axis", np.array([2], np.int64))
    graph.constant("by_question", np.array([0, questions, hidden], np.int64))
    graph.constant("answers_of", answers[None])
    marks = graph.add("Squeeze", [graph.add("Gather", [states, "first"], axis=1), "along_tokens"])
    share = graph.add("Cast", ["mask"], to=TensorProto.FLOAT)
    count = graph.add("ReduceSum", [share, "along_tokens"], keepdims=1)
    weights = graph.add("Unsqueeze", [graph.add("Div", [share, count]), "last_axis"])
    mean = graph.add("ReduceSum", [graph.add("Mul", [states, weights]), "along_tokens"], keepdims=0)
    pooled = graph.add("Concat", [marks, mean], axis=-1)
    inner = graph.add("Gelu", [graph.linear(pooled, f"{name}.hidden")])
    told = graph.add("Mul", [graph.add("Reshape", [inner, "by_question"]), "answers_of"])
    summed = graph.add("ReduceSum", [told, "last_axis"], keepdims=0)
    graph.add("Add", [summed, graph.weight(f"{name}.biases")], output="answers")
