"""Word pieces in, how likely each piece comes next out, by a Llama in torch: on a GPU, where there is one.

The same weights as on the cores of a processor, in 32 bits, with no product in 8: log-probabilities differ by what
rounding does, so what is written on a GPU need not be what is written without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.errors import InputError
from paraloom.models.language_models.adapter import Update
from paraloom.models.language_models.gguf import Floats, GgufFile
from paraloom.models.language_models.llama_graph import LONGEST
from paraloom.models.language_models.llama_weights import NORMS, PARTS, LlamaShape, check_update

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

LIKELIEST = 1024
"""Pieces that go on to the cores where many texts are written side by side: all fifty thousand of each text would take
longer to move and to look at than to compute, and the others are written once in a thousand times at most."""
SPARE = 32
"""Places that are kept free behind what is remembered, so that it is copied once a step and not twice."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Remembered:
    """Keys and values of some texts of one length, which stand among those of others."""

    memory: Any
    """Texts × (keys and values of each layer) × heads × places × width, on the device."""
    rows: Ids
    """Which texts there."""
    length: int
    end: int
    """The place behind the last piece of every text there; a shorter one begins later."""

    @property
    def texts(self) -> int:
        return len(self.rows)

    def chosen(self, rows: Ids) -> Remembered:
        """Some of the texts, each as often as it is named; nothing is copied before they go on."""
        return replace(self, rows=self.rows[rows])


class OnTorch:
    """What runs a `Llama` on a device that torch knows."""

    at_once = 4096

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
        longest = min(LONGEST, self.shape.positions)
        self._turns = turns_of(self.torch, self.shape, longest, self._weights["output_norm"])

    def nothing(self, texts: int) -> Remembered:
        """What is remembered of so many texts before they are read."""
        return Remembered(memory=self._room(texts, 0), rows=np.arange(texts), length=0, end=0)

    def run(self, ids: Ids, past: Remembered, wanted: Ids, last: Ids) -> tuple[Any, Remembered]:
        """Read on: the log-probabilities at the wanted places, on the device, and what is remembered now.

        Where texts are filled up to the longest, nothing of a text looks at what stands behind it: `last` says no more.
        """
        with self.torch.inference_mode():
            memory, end = self._side_by_side([past], ids.shape[1])
            states = self._through(ids, memory, end, self.torch.zeros(1, dtype=int, device=self.device))
            found = self._foretold(states.reshape(-1, self.shape.width)[self._there(wanted)])
        length = past.length + ids.shape[1]
        return found, Remembered(memory=memory, rows=np.arange(len(ids)), length=length, end=end + ids.shape[1])

    def rows(self, found: Any) -> Floats:
        """What `run` has found, of all pieces."""
        return np.asarray(found.cpu().numpy())

    def of(self, found: Any, pieces: Ids) -> Floats:
        """What `run` has found, of one piece a row."""
        return np.asarray(found.gather(1, self._there(pieces)[:, None])[:, 0].cpu().numpy())

    def reads(self, texts: Sequence[Sequence[int]]) -> list[tuple[tuple[Ids, Floats], Remembered]]:
        """Texts of any lengths from their beginnings, all at once: the likeliest pieces that follow, as of `steps`."""
        lengths = [len(text) for text in texts]
        width = max(lengths)
        ids = np.zeros((len(texts), width), np.int64)
        for row, text in zip(ids, texts, strict=True):
            row[width - len(text) :] = text
        with self.torch.inference_mode():
            return self._read_on(ids, self._room(len(texts), width + SPARE), 0, lengths, [1] * len(texts))

    def steps(self, pasts: Sequence[Remembered], pieces: Sequence[Ids]) -> list[tuple[tuple[Ids, Floats], Remembered]]:
        """One piece more of the texts of several readings of any lengths, all at once.

        For each reading: the likeliest pieces that follow each of its texts, best first, and their log-probabilities;
        and what is remembered now.
        """
        counts = [past.texts for past in pasts]
        with self.torch.inference_mode():
            memory, end = self._side_by_side(pasts, 1)
            return self._read_on(
                np.concatenate(pieces)[:, None], memory, end, [past.length + 1 for past in pasts], counts
            )

    def _read_on(
        self, ids: Ids, memory: Any, end: int, lengths: Sequence[int], counts: Sequence[int]
    ) -> list[tuple[tuple[Ids, Floats], Remembered]]:
        """Texts that all end at one place: so many of each length that they have then."""
        end_now = end + ids.shape[1]
        starts = self._there(end_now - np.repeat(lengths, counts))
        states = self._through(ids, memory, end, starts)
        found, pieces = self._foretold(states[:, -1]).topk(min(LIKELIEST, self.shape.pieces))
        bounds = np.cumsum([0, *counts])
        both = pieces.cpu().numpy(), found.cpu().numpy()
        return [
            (
                (both[0][first:after], both[1][first:after]),
                Remembered(memory=memory, rows=np.arange(first, after), length=length, end=end_now),
            )
            for first, after, length in zip(bounds, bounds[1:], lengths, strict=False)
        ]

    def _room(self, texts: int, places: int) -> Any:
        shape = self.shape
        return self.torch.zeros(
            (texts, 2 * shape.layers, shape.shared_heads, places, shape.head_width), device=self.device
        )

    def _side_by_side(self, pasts: Sequence[Remembered], more: int) -> tuple[Any, int]:
        """A memory of these texts alone with room for so many pieces more, and the place where all of them end."""
        width = max(past.length for past in pasts)
        together = [list(some) for _, some in groupby(pasts, lambda past: id(past.memory))]
        first = pasts[0]
        if len(together) == 1 and first.memory.shape[3] - first.end >= more:
            rows = np.concatenate([past.rows for past in pasts])
            return first.memory[:, :, :, first.end - width :].index_select(0, self._there(rows)), width
        memory = self._room(sum(past.texts for past in pasts), width + more + SPARE)
        begun = 0
        for some in together:
            rows, longest = np.concatenate([past.rows for past in some]), max(past.length for past in some)
            old, end = some[0].memory, some[0].end
            kept = old[:, :, :, end - longest : end].index_select(0, self._there(rows))
            memory[begun : begun + len(rows), :, :, width - longest : width] = kept
            begun += len(rows)
        return memory, width

    def _through(self, ids: Ids, memory: Any, end: int, starts: Any) -> Any:
        """The states after the last layer. What was read is written into the memory, from `end` on.

        `starts` says where each text begins, or all of them: what fills it up stands before that.
        """
        torch = self.torch
        slots = torch.arange(end + ids.shape[1], device=self.device)
        places = slots[end:, None]
        hidden = (slots > places) | (slots < starts[:, None, None])
        hidden &= slots != places  # what fills a text up sees itself: to see nothing gives no numbers
        # Heads that share keys and values look side by side, as if they were places.
        sharing = self.shape.heads // self.shape.shared_heads
        mask = torch.zeros(hidden.shape, device=self.device).masked_fill_(hidden, -torch.inf).repeat(1, sharing, 1)
        at = (places[:, 0] - starts[:, None]).clamp(0)
        turns = tuple(one[at][:, None] for one in self._turns)
        states = self._weights["token_embd"][self._there(ids)]
        for layer in range(self.shape.layers):
            states = self._layer(states, layer, memory[:, 2 * layer : 2 * layer + 2], turns, mask[:, None])
        return states

    def _foretold(self, states: Any) -> Any:
        functional, width = self.torch.nn.functional, self.shape.width
        normed = functional.rms_norm(states, (width,), self._weights["output_norm"], self.shape.tolerance)
        return functional.log_softmax(functional.linear(normed, self._foretelling), -1)

    def _layer(self, states: Any, layer: int, memory: Any, turns: tuple[Any, ...], mask: Any) -> Any:
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
        upto = mask.shape[3]
        memory[:, 0, :, upto - length : upto] = turned(torch, keys, turns)
        memory[:, 1, :, upto - length : upto] = values
        found = functional.scaled_dot_product_attention(
            turned(torch, asked, turns).reshape(texts, shape.shared_heads, -1, shape.head_width),
            memory[:, 0, :, :upto],
            memory[:, 1, :, :upto],
            attn_mask=mask,
        )
        found = found.reshape(texts, shape.heads, length, shape.head_width).transpose(1, 2)
        states = states + times(found.reshape(texts, length, shape.width), "attn_output")
        read = normed("ffn_norm")
        return states + times(functional.silu(times(read, "ffn_gate")) * times(read, "ffn_up"), "ffn_down")

    def _there(self, numbers: NDArray[Any]) -> Any:
        return self.torch.from_numpy(numbers).to(self.device)

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
