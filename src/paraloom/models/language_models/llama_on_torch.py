"""Word pieces in, how likely each piece comes next out, by a Llama in torch: on a GPU, where there is one.

The same weights as on the cores of a processor, in 32 bits, with no product in 8: log-probabilities differ by what
rounding does, so what is written on a GPU need not be what is written without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.errors import InputError
from paraloom.models.language_models.adapter import Update
from paraloom.models.language_models.gguf import Floats, GgufFile
from paraloom.models.language_models.llama_weights import NORMS, PARTS, LlamaShape, check_update

if TYPE_CHECKING:
    from numpy.typing import NDArray


class OnTorch:
    """What runs a `Llama` on a device that torch knows."""

    def __init__(self, file: GgufFile, update: Update | None, device: str) -> None:
        self.torch = _torch_with(device)
        self.shape = LlamaShape.of(file)
        self.device = device
        changed = dict(update or {})
        check_update(file, changed, self.shape)
        layers = range(self.shape.layers)
        self._weights = {
            name: self._weight(file, name, changed)
            for name in (
                *(f"blk.{layer}.{part}" for layer in layers for part in (*PARTS, *NORMS)),
                "token_embd",
                "output_norm",
            )
        }
        has_own = "output.weight" in file
        self._foretelling = self._weight(file, "output", {}) if has_own else self._weights["token_embd"]

    def nothing(self, texts: int) -> tuple[Any, ...]:
        """What is remembered of so many texts before they are read."""
        empty = self.torch.zeros(texts, self.shape.shared_heads, 0, self.shape.head_width, device=self.device)
        return (empty,) * (2 * self.shape.layers)

    def run(
        self, ids: NDArray[np.int64], past: Sequence[Any], wanted: NDArray[np.int64], last: NDArray[np.int64]
    ) -> tuple[Floats, tuple[Any, ...]]:
        """Read on: the log-probabilities at the wanted places, and what is remembered now.

        Where texts are filled up to the longest, nothing of a text looks at what stands behind it: `last` says no more.
        """
        torch, functional = self.torch, self.torch.nn.functional
        with torch.inference_mode():
            states = self._weights["token_embd"][torch.from_numpy(ids).to(self.device)]
            before, length = past[0].shape[2], ids.shape[1]
            turns = tuple(one[before:] for one in turns_of(torch, self.shape, before + length, states))
            places = torch.arange(before + length, device=self.device)
            seen = places <= places[before:, None]
            remembered: list[Any] = []
            for layer in range(self.shape.layers):
                states, own = self._layer(states, layer, (past[2 * layer], past[2 * layer + 1]), turns, seen)
                remembered += own
            flat = states.reshape(-1, self.shape.width)[torch.from_numpy(wanted).to(self.device)]
            flat = functional.rms_norm(flat, (self.shape.width,), self._weights["output_norm"], self.shape.tolerance)
            found = functional.log_softmax(functional.linear(flat, self._foretelling), -1)
            return np.asarray(found.cpu().numpy()), tuple(remembered)

    def _layer(
        self, states: Any, layer: int, past: tuple[Any, Any], turns: tuple[Any, ...], seen: Any
    ) -> tuple[Any, tuple[Any, Any]]:
        torch, functional, shape = self.torch, self.torch.nn.functional, self.shape
        texts, length, _ = states.shape

        def times(given: Any, part: str) -> Any:
            return functional.linear(given, self._weights[f"blk.{layer}.{part}"])

        def normed(part: str) -> Any:
            return functional.rms_norm(states, (shape.width,), self._weights[f"blk.{layer}.{part}"], shape.tolerance)

        read = normed("attn_norm")
        asked, keys, values = (
            times(read, part).view(texts, length, -1, shape.head_width).transpose(1, 2)
            for part in ("attn_q", "attn_k", "attn_v")
        )
        keys = torch.cat([past[0], turned(torch, keys, turns)], 2)
        values = torch.cat([past[1], values], 2)
        found = functional.scaled_dot_product_attention(
            turned(torch, asked, turns), keys, values, attn_mask=seen, enable_gqa=True
        )
        states = states + times(found.transpose(1, 2).reshape(texts, length, shape.width), "attn_output")
        read = normed("ffn_norm")
        states = states + times(functional.silu(times(read, "ffn_gate")) * times(read, "ffn_up"), "ffn_down")
        return states, (keys, values)

    def _weight(self, file: GgufFile, name: str, update: Update) -> Any:
        weight = np.array(file.tensor(name + ".weight"), np.float32)
        if not np.isfinite(weight).all():
            raise InputError(f"{name} of {file.path} holds what is no number. Download the file again.")
        if name in update:
            left, right = update[name]
            weight += left @ right
        return self.torch.from_numpy(weight).to(self.device)


def _torch_with(device: str) -> Any:
    """Torch, where it is installed and knows the device."""
    try:
        import torch
    except ImportError as error:
        raise InputError(
            f"--device {device} needs torch, which is not installed. Install it: pip install 'paraloom[train]', or "
            "leave --device out."
        ) from error
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:  # the latter where torch was built without a GPU's libraries
        raise InputError(
            f"Torch cannot use --device {device} here: {str(error).splitlines()[0]} Leave --device out, or choose cpu."
        ) from error
    return torch


def turns_of(torch: Any, shape: LlamaShape, length: int, like: Any) -> tuple[Any, Any]:
    """The cosines and sines by which each of so many places is turned."""
    width = shape.head_width
    speeds = shape.rope_base ** (-torch.arange(0, width, 2, device=like.device) / width)
    angles = torch.outer(torch.arange(length, device=like.device), speeds)
    return angles.cos().to(like.dtype), angles.sin().to(like.dtype)


def turned(torch: Any, states: Any, turns: tuple[Any, ...]) -> Any:
    """Neighbouring numbers turn together, as GGUF stores them."""
    cosines, sines = turns
    one, other = states[..., 0::2], states[..., 1::2]
    return torch.stack([one * cosines - other * sines, other * cosines + one * sines], -1).flatten(-2)
