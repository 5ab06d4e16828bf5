"""An ONNX graph in, a running session out, on the cores this process may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraloom.metrics.parts import cores

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import InferenceSession


def start_session(graph: ModelProto) -> InferenceSession:
    """A session whose threads sleep while they wait, so that other work has the cores."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = cores()
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(graph.SerializeToString(), settings, providers=["CPUExecutionProvider"])
