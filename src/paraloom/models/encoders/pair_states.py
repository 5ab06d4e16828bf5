"""One pair of texts in, the states of its tokens at one layer out, by a BERT model that reads both at once, in NumPy.

For a single pair, at once: only the vectors of its own word pieces and the layers up to the one asked for are read
from the file, and no session is started. `PairModel` reads many pairs, and is far quicker at it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.encoders.batches import readable
from paraloom.models.encoders.bert_graph import BertShape
from paraloom.models.int8 import SCALE

Floats = NDArray[np.float32]

WEIGHTS = "model.safetensors"
CHARACTERS_A_TOKEN = 16
"""Of each text at most so many characters a token are looked at: a tokeniser that must leave out most of two long texts
first makes every combination of their parts."""


@dataclass(frozen=True, slots=True, eq=False)
class SideStates:
    """The word pieces of one of the two texts, in their order."""

    states: Floats
    """Pieces × width."""
    spans: list[tuple[int, int]]
    """The characters of the text that each piece stands for."""


class PairStates:
    """Reads `[CLS] left [SEP] right [SEP]` up to one layer; 0 is the embeddings."""

    def __init__(self, folder: Path, layer: int, *, max_tokens: int = 256) -> None:
        from safetensors import safe_open
        from tokenizers import Tokenizer

        shape = BertShape.read(folder)
        if shape is None or not 0 <= layer <= shape.layers:
            raise InputError(f"{folder} holds no BERT model with a layer {layer}. Name another folder or layer.")
        self.shape = shape
        self.layer = layer
        self.tokeniser = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokeniser.no_padding()
        self.max_tokens = min(max_tokens, shape.positions)
        self.tokeniser.enable_truncation(self.max_tokens, strategy="longest_first")
        self.tokeniser.encode_special_tokens = True
        opened: Any = safe_open
        self._file = opened(folder / WEIGHTS, framework="numpy")
        self._names = frozenset(self._file.keys())
        self._tensor: Callable[[str], Floats] = lru_cache(maxsize=None)(self._read)

    def __call__(self, left: str, right: str) -> tuple[SideStates, SideStates]:
        """The states of both texts, each without the model's own marks."""
        first, second = readable([text[: CHARACTERS_A_TOKEN * self.max_tokens] for text in (left, right)])
        encoding = self.tokeniser.encode(first, second)
        states = self._embedded(np.array(encoding.ids), np.array(encoding.type_ids))
        for number in range(self.layer):
            states = self._layer(states, f"encoder.layer.{number}")
        sides = []
        for side in (0, 1):
            places = [place for place, owner in enumerate(encoding.sequence_ids) if owner == side]
            sides.append(SideStates(states[places], [encoding.offsets[place] for place in places]))
        return sides[0], sides[1]

    def _read(self, name: str, rows: tuple[int, ...] | None = None) -> Floats:
        """A tensor in 32 bits, or some of its rows."""
        if name not in self._names:
            raise InputError(f"The model has no tensor {name}, which BERT needs. Get the model again.")
        tensor = self._part(name, rows)
        if name + SCALE in self._names:
            return np.asarray(tensor * self._part(name + SCALE, rows), np.float32)
        return tensor.astype(np.float32, copy=False)

    def _part(self, name: str, rows: tuple[int, ...] | None) -> NDArray[Any]:
        if rows is None:
            return np.asarray(self._file.get_tensor(name))
        opened = self._file.get_slice(name)
        return np.concatenate([opened[row : row + 1] for row in rows])

    def _embedded(self, ids: NDArray[np.int64], segments: NDArray[np.int64]) -> Floats:
        distinct, places = np.unique(ids, return_inverse=True)
        words = self._read("embeddings.word_embeddings.weight", tuple(distinct.tolist()))[places]
        positions = self._read("embeddings.position_embeddings.weight", tuple(range(len(ids))))
        kinds = self._tensor("embeddings.token_type_embeddings.weight")[segments]
        return self._normalised(words + positions + kinds, "embeddings.LayerNorm")

    def _layer(self, states: Floats, name: str) -> Floats:
        attended = self._linear(self._attention(states, f"{name}.attention.self"), f"{name}.attention.output.dense")
        states = self._normalised(attended + states, f"{name}.attention.output.LayerNorm")
        inner = _ACTIVATIONS[self.shape.activation](self._linear(states, f"{name}.intermediate.dense"))
        return self._normalised(self._linear(inner, f"{name}.output.dense") + states, f"{name}.output.LayerNorm")

    def _attention(self, states: Floats, name: str) -> Floats:
        """Scaled dot products of every token with every other, by head (Vaswani et al., 2017)."""
        length, heads = len(states), self.shape.heads
        query, key, value = (
            self._linear(states, f"{name}.{part}").reshape(length, heads, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32((self.shape.width // heads) ** 0.5)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.asarray((weights @ value).transpose(1, 0, 2).reshape(length, -1))

    def _linear(self, states: Floats, name: str) -> Floats:
        return np.asarray(states @ self._tensor(f"{name}.weight").T + self._tensor(f"{name}.bias"))

    def _normalised(self, states: Floats, name: str) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + np.float32(self.shape.epsilon))
        return np.asarray(scaled * self._tensor(f"{name}.weight") + self._tensor(f"{name}.bias"))


def error_function(numbers: Floats) -> Floats:
    """Gauss's error function to seven digits (Abramowitz and Stegun, 1964, 7.1.26), which NumPy does not have.

    >>> error_function(np.array([-1.0, 0.0, 0.5], np.float32)).round(4).tolist()
    [-0.8427000045776367, 0.0, 0.5205000042915344]
    """
    size = np.abs(numbers)
    part = 1 / (1 + 0.3275911 * size)
    series = part * (
        0.254829592 + part * (-0.284496736 + part * (1.421413741 + part * (-1.453152027 + part * 1.061405429)))
    )
    return np.asarray(np.sign(numbers) * (1 - series * np.exp(-size * size)), np.float32)


def _gelu(numbers: Floats) -> Floats:
    return np.asarray(numbers * (1 + error_function(numbers * np.float32(0.5**0.5))) / 2, np.float32)


def _gelu_by_tanh(numbers: Floats) -> Floats:
    inner = np.float32((2 / np.pi) ** 0.5) * (numbers + np.float32(0.044715) * numbers**3)
    return np.asarray(numbers * (1 + np.tanh(inner)) / 2, np.float32)


_ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "gelu": _gelu,
    "gelu_new": _gelu_by_tanh,
    "gelu_pytorch_tanh": _gelu_by_tanh,
    "relu": lambda numbers: np.maximum(numbers, np.float32(0)),
}
