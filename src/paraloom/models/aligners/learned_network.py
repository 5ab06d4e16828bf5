"""Features of token pairs in, how probably the two tokens stand for each other out: small networks, in NumPy.

Two passes. The networks of the second see, beside the features, what the first said of the neighbours and rivals of
two tokens (stacking; Wolpert, 1992). Each pass is the mean of a few networks that began at different random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.aligners.learned_features import Features, Floats, second_features

Tensors = Mapping[str, NDArray[np.generic]]
PASSES = ("first", "second")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """Layers of weights and biases, with rectifiers between them."""

    layers: tuple[tuple[Features, Features], ...]
    """The weights of a layer (out × in) and its biases."""

    def __call__(self, inputs: Features) -> Floats:
        """One probability a row."""
        states = inputs
        for weights, biases in self.layers[:-1]:
            states = np.maximum(states @ weights.T + biases, 0)
        weights, biases = self.layers[-1]
        logits = (states @ weights.T + biases)[:, 0].astype(np.float64)
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pass:
    """Networks that look at the same features, brought to one scale."""

    mean: Features
    scale: Features
    networks: tuple[Network, ...]

    def __call__(self, features: Features) -> Floats:
        """The mean of all networks, left × right."""
        rows = (features.reshape(-1, features.shape[-1]) - self.mean) / self.scale
        return np.asarray(np.mean([network(rows) for network in self.networks], axis=0).reshape(features.shape[:-1]))

    def tensors(self, name: str) -> dict[str, NDArray[np.generic]]:
        """By name, as they are stored: weights in 16 bits."""
        found: dict[str, NDArray[np.generic]] = {f"{name}.mean": self.mean, f"{name}.scale": self.scale}
        for number, network in enumerate(self.networks):
            for layer, (weights, biases) in enumerate(network.layers):
                found[f"{name}.{number}.{layer}.weight"] = weights.astype(np.float16)
                found[f"{name}.{number}.{layer}.bias"] = biases.astype(np.float16)
        return found

    @classmethod
    def of(cls, tensors: Tensors, name: str) -> Pass:
        """What `tensors` gave."""
        numbers = sorted({tuple(map(int, key.split(".")[1:3])) for key in tensors if key.startswith(f"{name}.0.")})
        members = sorted({key.split(".")[1] for key in tensors if key.startswith(f"{name}.") and key.count(".") == 3})
        if not members or f"{name}.mean" not in tensors:
            raise InputError(f"The aligner has no networks for its {name} pass. Install Paraloom again, or train anew.")
        layers = [layer for _, layer in numbers]
        networks = tuple(
            Network(
                layers=tuple(
                    (_single(tensors[f"{name}.{one}.{layer}.weight"]), _single(tensors[f"{name}.{one}.{layer}.bias"]))
                    for layer in layers
                )
            )
            for one in members
        )
        return cls(mean=_single(tensors[f"{name}.mean"]), scale=_single(tensors[f"{name}.scale"]), networks=networks)


def _single(tensor: NDArray[np.generic]) -> Features:
    return np.asarray(tensor, np.float32)


def probabilities(passes: Sequence[Pass], features: Features) -> Floats:
    """What the second pass says, left × right."""
    first, second = passes
    return second(second_features(features, first(features)))


def write_passes(passes: Sequence[Pass], file: Path) -> None:
    """Both passes as a safetensors file."""
    from safetensors.numpy import save

    tensors = {key: value for name, one in zip(PASSES, passes, strict=True) for key, value in one.tensors(name).items()}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(save(tensors))


def read_passes(file: Path) -> tuple[Pass, ...]:
    """What `write_passes` wrote."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    if not file.is_file():
        raise InputError(f"There are no weights {file}. Install Paraloom again, or name a folder that has them.")
    try:
        tensors = load_file(file)
    except SafetensorError as error:
        raise InputError(
            f"{file} cannot be read: {error}. Install Paraloom again, or train the aligner anew."
        ) from error
    return tuple(Pass.of(tensors, name) for name in PASSES)
