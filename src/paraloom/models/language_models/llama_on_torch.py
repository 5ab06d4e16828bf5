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
        """What is remembered of so many texts before they are read: of each, the keys and values of all layers."""
        shape = self.shape
        size = (texts, 2 * shape.layers, shape.shared_heads, 0, shape.head_width)
        return (self.torch.zeros(size, device=self.device),)

    def run(
        self, ids: NDArray[np.int64], past: Sequence[Any], wanted: NDArray[np.int64], last: NDArray[np.int64]
    ) -> tuple[Floats, tuple[Any, ...]]:
        """Read on: the log-probabilities at the wanted places, and what is remembered now.

        Where texts are filled up to the longest, nothing of a text looks at what stands behind it: `last` says no more.
        """
        torch = self.torch
        with torch.inference_mode():
            (before,) = past
            length = before.shape[3]
            places = torch.arange(length + ids.shape[1], device=self.device)
            cosines, sines = turns_of(torch, self.shape, len(places), before)
            states, new = self._through(
                ids, before, (cosines[length:], sines[length:]), places <= places[length:, None]
            )
            flat = states.reshape(-1, self.shape.width)[torch.from_numpy(wanted).to(self.device)]
            return self._foretold(flat), (torch.cat([before, new], 3),)

    def steps(
        self, pasts: Sequence[tuple[Any, ...]], pieces: Sequence[NDArray[np.int64]]
    ) -> list[tuple[Floats, tuple[Any, ...]]]:
        """One piece more of the texts of several readings of any lengths, all at once; as `run` answers for each."""
        torch = self.torch
        with torch.inference_mode():
            lengths = [past[0].shape[3] for past in pasts]
            counts = [len(some) for some in pieces]
            width = max(lengths)
            filled = [
                torch.nn.functional.pad(past[0], (0, 0, width - length, 0))
                for past, length in zip(pasts, lengths, strict=True)
            ]
            before = torch.cat(filled, 0)
            own = torch.tensor(np.repeat(lengths, counts), device=self.device)
            cosines, sines = (one[own][:, None, None] for one in turns_of(torch, self.shape, width + 1, before))
            # What fills a text up stands before its beginning.
            seen = torch.arange(width + 1, device=self.device) >= (width - own)[:, None]
            states, new = self._through(np.concatenate(pieces)[:, None], before, (cosines, sines), seen[:, None, None])
            found = np.split(self._foretold(states[:, 0]), np.cumsum(counts)[:-1])
            remembered = torch.cat([before, new], 3).split(counts)
            return [
                (some, (kept[:, :, :, width - length :],))
                for some, kept, length in zip(found, remembered, lengths, strict=True)
            ]

    def _through(self, ids: NDArray[np.int64], before: Any, turns: tuple[Any, ...], seen: Any) -> tuple[Any, Any]:
        """The states after the last layer, and the keys and values of what was read."""
        states = self._weights["token_embd"][self.torch.from_numpy(ids).to(self.device)]
        new: list[Any] = []
        for layer in range(self.shape.layers):
            past = (before[:, 2 * layer], before[:, 2 * layer + 1])
            states, own = self._layer(states, layer, past, turns, seen)
            new += own
        return states, self.torch.stack(new, 1)

    def _foretold(self, states: Any) -> Floats:
        functional, width = self.torch.nn.functional, self.shape.width
        normed = functional.rms_norm(states, (width,), self._weights["output_norm"], self.shape.tolerance)
        found = functional.log_softmax(functional.linear(normed, self._foretelling), -1)
        return np.asarray(found.cpu().numpy())

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
        keys = turned(torch, keys, turns)
        found = functional.scaled_dot_product_attention(
            turned(torch, asked, turns),
            torch.cat([past[0], keys], 2),
            torch.cat([past[1], values], 2),
            attn_mask=seen,
            enable_gqa=True,
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
