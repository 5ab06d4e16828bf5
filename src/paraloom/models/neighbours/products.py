"""Codes of candidates in, what multiplies codes of queries with them out: whole numbers, by the quickest way there is.

onnxruntime multiplies bytes, where a processor has instructions for it four times as fast as FAISS's BLAS multiplies
float32. Older processors have some that overflow: whether it is exact here is tried once, and FAISS is the other way.
Both give the same whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Multiply = Callable[[NDArray[np.int8], NDArray[np.int64]], NDArray[Any]]
"""Codes and which rows of them in, their products with all candidates out, as float32 or int32; the next call may
overwrite them."""
TURN = 128
"""What is added to a code so that it becomes a byte without a sign."""


def multiplier(candidates: NDArray[np.int8], room: NDArray[np.float32]) -> Multiply:
    """What multiplies with these candidates; `room` holds products where FAISS makes them."""
    return by_bytes(candidates) if bytes_are_exact() else by_floats(candidates, room)


def by_bytes(candidates: NDArray[np.int8]) -> Multiply:
    """Products by onnxruntime, in whole numbers all along."""
    from paraloom.models.neighbours.nearest_loops import gathered_bytes

    session = _multiplying()
    turned = _turning().run(None, {"met": candidates})[0]  # four times as fast as NumPy where rows are many

    def multiply(codes: NDArray[np.int8], rows: NDArray[np.int64]) -> NDArray[Any]:
        products: NDArray[np.int32] = session.run(None, {"queries": gathered_bytes(codes, rows), "met": turned})[0]
        return products

    return multiply


def by_floats(candidates: NDArray[np.int8], room: NDArray[np.float32]) -> Multiply:
    """Products by FAISS: a linear map of it is a product of matrices by the BLAS it brings, whose threads we set."""
    from paraloom.models.neighbours.nearest_loops import gathered

    faiss: Any = import_module("faiss")  # its types know but half of it
    count, dims = candidates.shape
    linear = faiss.LinearTransform(dims, count, False)
    faiss.copy_array_to_vector(candidates.astype(np.float32).ravel(), linear.A)
    linear.is_trained = True

    def multiply(codes: NDArray[np.int8], rows: NDArray[np.int64]) -> NDArray[Any]:
        queries = gathered(codes, rows)
        products = room[: len(queries) * count].reshape(len(queries), count)
        linear.apply_noalloc(len(queries), faiss.swig_ptr(queries), faiss.swig_ptr(products))
        return products

    return multiply


@cache
def bytes_are_exact() -> bool:
    """Whether this processor multiplies bytes without overflow: tried with the largest numbers there are."""
    random = np.random.default_rng(0)
    for dims in (64, 1040):
        codes = random.choice(np.array([-127, -126, 1, 126, 127], np.int8), (40, dims))
        codes[0], codes[1] = 127, -127
        rows = np.arange(len(codes))
        expected = codes.astype(np.int64) @ codes.astype(np.int64).T
        if not np.array_equal(by_bytes(codes)(codes, rows), expected):
            return False
    return True


@cache
def _multiplying() -> InferenceSession:
    """A product of matrices."""
    from onnx import TensorProto, helper

    given = [_matrix("queries", TensorProto.UINT8), _matrix("met", TensorProto.INT8)]
    zero = helper.make_tensor("zero", TensorProto.UINT8, [], [TURN])
    node = helper.make_node("MatMulInteger", ["queries", "met", "zero"], ["products"])
    made = [_matrix("products", TensorProto.INT32)]
    return _session(helper.make_graph([node], "products", given, made, [zero]))


@cache
def _turning() -> InferenceSession:
    """Rows become columns."""
    from onnx import TensorProto, helper

    node = helper.make_node("Transpose", ["met"], ["turned"], perm=[1, 0])
    given, made = [_matrix("met", TensorProto.INT8)], [_matrix("turned", TensorProto.INT8)]
    return _session(helper.make_graph([node], "turned", given, made))


def _matrix(name: str, kind: int) -> Any:
    from onnx import helper

    return helper.make_tensor_value_info(name, kind, [None, None])


def _session(graph: Any) -> InferenceSession:
    """What runs a graph by one thread: there is a task a core."""
    import onnxruntime
    from onnx import helper

    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
