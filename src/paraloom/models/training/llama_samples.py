"""A Llama that is learning in, what it says to sources right now out: many sources at once, drawn token by token.

What training has just changed is what is asked; nothing is written to disk or converted. Sources of different lengths
stand side by side, each with its own places and its own source of chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.models.encoders.batches import readable
from paraloom.models.generators import streams
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.scores import log_probabilities
from paraloom.models.generators.search import draw
from paraloom.models.language_models.llama_on_torch import turned, turns_of
from paraloom.models.language_models.llama_weights import PARTS, LlamaShape
from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
    from paraloom.models.training.writing_task import WritingTask


class LlamaSampler:
    """Draws one paraphrase a source from the network of a task."""

    def __init__(self, shape: LlamaShape, tokeniser: GgufTokeniser, decoding: Decoding) -> None:
        self.shape, self.tokeniser, self.decoding = shape, tokeniser, decoding
        self._never = [*sorted(tokeniser.control - {tokeniser.end}), *range(tokeniser.pieces, shape.pieces)]

    def __call__(self, task: WritingTask, sources: Sequence[str], rng: np.random.Generator) -> list[str]:
        """The text for each source; empty where the network has nothing to say."""
        if not sources:
            return []
        torch = torch_library()
        with torch.no_grad():
            return self._drawn(_Running(torch, task.net, self.shape), sources, streams(sources, rng))

    def _drawn(self, running: _Running, sources: Sequence[str], chance: Sequence[np.random.Generator]) -> list[str]:
        begin, end, encode = self.tokeniser.begin, self.tokeniser.end, self.tokeniser.encode
        asked = [[begin, *encode(text), end] for text in readable(sources)]
        limits = [self.decoding.token_limits(len(one) - 2) for one in asked]
        written: list[list[int]] = [[] for _ in asked]
        alive = set(range(len(asked)))
        logits = running.read(asked, end, max(most for _, most in limits))
        while True:
            scores = log_probabilities(logits)
            scores[:, self._never] = -np.inf
            for row in sorted(alive):
                fewest, most = limits[row]
                if len(written[row]) + 1 < fewest:
                    scores[row, end] = -np.inf
                token = draw(scores[row], self.decoding, chance[row])
                if token is None or token == end:
                    alive.discard(row)
                    continue
                written[row].append(token)
                if len(written[row]) >= most:
                    alive.discard(row)
            if not alive:
                return [" ".join(self.tokeniser.decode(one).split()) for one in written]
            logits = running.step([one[-1] if one else end for one in written])


class _Running:
    """One network with its matrices made whole, and what it remembers of the texts it reads."""

    def __init__(self, torch: Any, net: Any, shape: LlamaShape) -> None:
        self.torch, self.net, self.shape = torch, net, shape
        self.device = net.embedding.device
        self._whole = {
            (number, part): _whole(torch, getattr(layer, part))
            for number, layer in enumerate(net.layers)
            for part in PARTS
        }

    def read(self, asked: Sequence[Sequence[int]], filler: int, more: int) -> Any:
        """Texts from their beginnings: what comes next to each; there is room for so many tokens more."""
        torch, shape = self.torch, self.shape
        self.lengths = torch.tensor([len(one) for one in asked], device=self.device)
        self.width = max(len(one) for one in asked)
        self.steps = 0
        ids = torch.full((len(asked), self.width), filler)
        for row, one in enumerate(asked):
            ids[row, : len(one)] = torch.tensor(one)
        states = self.net.embedding[ids.to(self.device)]
        self.turns = turns_of(torch, shape, self.width + more, states)
        size = (len(asked), shape.shared_heads, self.width + more, shape.head_width)
        self.past = [(states.new_zeros(size), states.new_zeros(size)) for _ in self.net.layers]
        turns = tuple(one[: self.width] for one in self.turns)
        states = self._through(states, turns, 0, None)
        return self._logits(states[torch.arange(len(asked), device=self.device), self.lengths - 1])

    def step(self, tokens: Sequence[int]) -> Any:
        """One token more of each text."""
        torch = self.torch
        states = self.net.embedding[torch.tensor(tokens, device=self.device)[:, None]]
        places = self.lengths + self.steps
        turns = tuple(one[places][:, None, None] for one in self.turns)
        slots = torch.arange(self.turns[0].shape[0], device=self.device)
        # A text's own beginning, and what has been written since: it lies behind the longest beginning.
        seen = (slots < self.lengths[:, None]) | ((slots >= self.width) & (slots <= self.width + self.steps))
        states = self._through(states, turns, self.width + self.steps, seen[:, None, None])
        self.steps += 1
        return self._logits(states[:, -1])

    def _through(self, states: Any, turns: tuple[Any, ...], start: int, seen: Any | None) -> Any:
        functional, shape = self.torch.nn.functional, self.shape
        texts, length, _ = states.shape
        for number, layer in enumerate(self.net.layers):
            read = layer.normed(states, layer.attn_norm)
            asked, keys, values = (
                self._times(read, number, part).view(texts, length, -1, shape.head_width).transpose(1, 2)
                for part in ("attn_q", "attn_k", "attn_v")
            )
            both = turned(self.torch, self.torch.cat([asked, keys], 1), turns)
            own_keys, own_values = self.past[number]
            own_keys[:, :, start : start + length] = both[:, shape.heads :]
            own_values[:, :, start : start + length] = values
            upto = start + length if seen is None else own_keys.shape[2]
            found = functional.scaled_dot_product_attention(
                both[:, : shape.heads],
                own_keys[:, :, :upto],
                own_values[:, :, :upto],
                attn_mask=seen,
                is_causal=seen is None,
                enable_gqa=True,
            )
            found = found.transpose(1, 2).reshape(texts, length, shape.width)
            states = states + self._times(found, number, "attn_output")
            read = layer.normed(states, layer.ffn_norm)
            opened = functional.silu(self._times(read, number, "ffn_gate")) * self._times(read, number, "ffn_up")
            states = states + self._times(opened, number, "ffn_down")
        return functional.rms_norm(states, (shape.width,), self.net.output_norm, shape.tolerance)

    def _times(self, states: Any, number: int, part: str) -> Any:
        return self.torch.nn.functional.linear(states, self._whole[number, part])

    def _logits(self, states: Any) -> Any:
        return self.net.logits(states).cpu().numpy()


def _whole(torch: Any, linear: Any) -> Any:
    if not linear.rank:
        return linear.weight
    return torch.addmm(linear.weight, linear.left.to(linear.weight.dtype), linear.right.to(linear.weight.dtype))
