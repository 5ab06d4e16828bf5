"""The folder of a dense layer of sentence-transformers in, what it makes of pooled vectors out: A(W x + b)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError

CONFIGURATION, SAFE, PICKLED = "config.json", "model.safetensors", "pytorch_model.bin"
POOLED = "sentence_embedding"
"""What sentence-transformers calls a text's vector."""

Floats = NDArray[np.float64]
Activation = Callable[[Floats], Floats]


def _normal_share(values: Floats) -> Floats:
    """The share of the normal distribution that lies below each value."""
    return np.asarray([(1 + math.erf(value / math.sqrt(2))) / 2 for value in values.flat]).reshape(values.shape)


ACTIVATIONS: dict[str, Activation] = {
    "Identity": lambda values: values,
    "Tanh": np.tanh,
    "ReLU": lambda values: np.maximum(values, 0.0),
    "Sigmoid": lambda values: (1 + np.tanh(values / 2)) / 2,  # which does not overflow
    "SiLU": lambda values: values * (1 + np.tanh(values / 2)) / 2,
    "GELU": lambda values: values * _normal_share(values),
}
"""By the last part of torch's name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dense:
    """One layer: a matrix, and what is done to each number behind it."""

    weight: Floats
    """A row an outgoing number."""
    bias: Floats | None
    activation: str
    passed_on: Floats | None
    """What the vector itself is multiplied by and added; None where it is not."""
    digest: str
    """Eight letters for all that decides what it makes."""

    @property
    def dims(self) -> int:
        """How many numbers come out."""
        return len(self.weight)

    def __call__(self, vectors: NDArray[Any]) -> NDArray[np.float32]:
        """One row a vector."""
        given = vectors.astype(np.float64)  # what the order of additions changes is gone when it is rounded to 32 bits
        made = given @ self.weight.T
        made = ACTIVATIONS[self.activation](made if self.bias is None else made + self.bias)
        if self.passed_on is not None:
            made = made + given @ self.passed_on.T
        return np.asarray(made, np.float32)

    @classmethod
    def read(cls, folder: Path, told: Mapping[str, Any]) -> Dense:
        """As sentence-transformers saved it; `told` is what its config.json says."""
        activation = str(told.get("activation_function", "Tanh")).rpartition(".")[2]
        if activation not in ACTIVATIONS:
            raise InputError(
                f"{folder} has the activation {activation}, which is not computed here. Known are "
                f"{', '.join(ACTIVATIONS)}."
            )
        if {told.get("module_input_name") or POOLED, told.get("module_output_name") or POOLED} != {POOLED}:
            raise InputError(f"{folder} is a layer of something else than a text's vector, which is not computed here.")
        file = next((folder / name for name in (SAFE, PICKLED) if (folder / name).is_file()), None)
        if file is None:
            raise InputError(f"{folder} has neither {SAFE} nor {PICKLED}. Get the model again.")
        tensors = _tensors(file)
        if "linear.weight" not in tensors:
            raise InputError(f"{file} has no tensor 'linear.weight'. Get the model again.")
        weight = np.asarray(tensors["linear.weight"], np.float64)
        hashes = "".join(hash_of_file(one) for one in (folder / CONFIGURATION, file))
        return cls(
            weight=weight,
            bias=_as_floats(tensors.get("linear.bias")),
            activation=activation,
            passed_on=_passed_on(tensors, weight) if told.get("use_residual") else None,
            digest=blake2b(hashes.encode(), digest_size=4).hexdigest(),
        )


def _passed_on(tensors: Mapping[str, NDArray[Any]], weight: Floats) -> Floats:
    """A matrix of its own, or none where as many numbers come out as in."""
    own = _as_floats(tensors.get("residual.weight"))
    return np.eye(len(weight)) if own is None else own


def _as_floats(tensor: NDArray[Any] | None) -> Floats | None:
    return None if tensor is None else np.asarray(tensor, np.float64)


def _tensors(file: Path) -> Mapping[str, NDArray[Any]]:
    """What a file of weights holds: of one that torch pickled, nothing but tensors is read."""
    from pickle import UnpicklingError

    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        if file.name == SAFE:
            return load_file(file)
        from paraloom.models.encoders.transformers_encoder import transformer_libraries

        torch, _ = transformer_libraries()
        saved = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, UnpicklingError, SafetensorError, TypeError) as error:  # TypeError: bfloat16
        raise InputError(f"{file} cannot be read: {error}. Get the model again.") from error
    return {name: tensor.float().numpy() for name, tensor in saved.items()}
