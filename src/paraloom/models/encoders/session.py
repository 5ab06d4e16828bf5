"""An ONNX model in, a running session out, on the cores this process may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from paraloom.metrics.parts import cores

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import InferenceSession


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OnnxModel:
    """A graph, and its large weights beside it, as they lie in memory."""

    graph: bytes
    weights: Mapping[str, NDArray[Any]]


def start_session(model: OnnxModel | ModelProto) -> InferenceSession:
    """A session whose threads sleep while they wait, so that other work has the cores."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = cores()
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if not isinstance(model, OnnxModel):
        return onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in model.weights.values()]
    settings.add_external_initializers(list(model.weights), values)
    return onnxruntime.InferenceSession(model.graph, settings, providers=["CPUExecutionProvider"])
