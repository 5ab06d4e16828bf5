"""A language model in plain torch: Qwen2 (Yang et al., 2024), trained whole and then asked for many texts at once.

Sources are read once and written for many times: what the layers remember of a source is copied for each of its
candidates. Candidates of thousands of sources go on side by side, and nothing waits for the device but a look now and
then whether all have ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from paraloom.models.int8 import Int8File

Turns = tuple[Tensor, ...]
LOOK_EVERY = 8
"""Steps after which it is looked whether all candidates have ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How large each part is."""

    layers: int
    width: int
    inner: int
    heads: int
    shared_heads: int
    rope_base: float
    tolerance: float
    pieces: int

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    @classmethod
    def of(cls, config: dict[str, Any], pieces: int) -> Shape:
        return cls(
            layers=config["num_hidden_layers"],
            width=config["hidden_size"],
            inner=config["intermediate_size"],
            heads=config["num_attention_heads"],
            shared_heads=config["num_key_value_heads"],
            rope_base=(config.get("rope_parameters") or config)["rope_theta"],
            tolerance=config["rms_norm_eps"],
            pieces=pieces,
        )


class Past:
    """What a layer remembers of texts that are being written: keys and values, with room for all that may come."""

    def __init__(self, keys: Tensor, values: Tensor, more: int) -> None:
        rows, heads, self.width, size = keys.shape
        self.keys = keys.new_zeros(rows, heads, self.width + more, size)
        self.values = torch.zeros_like(self.keys)
        self.keys[:, :, : self.width], self.values[:, :, : self.width] = keys, values

    def seen(self, asked: Tensor, keys: Tensor, values: Tensor, step: int, mask: Tensor) -> Tensor:
        """One piece more of each text. Heads that share keys stand beside each other as if they were places."""
        slot = self.width + step
        self.keys[:, :, slot : slot + 1], self.values[:, :, slot : slot + 1] = keys, values
        rows, heads, _, size = asked.shape
        together = asked.view(rows, keys.shape[1], heads // keys.shape[1], size)
        found = functional.scaled_dot_product_attention(
            together, self.keys[:, :, : slot + 1], self.values[:, :, : slot + 1], attn_mask=mask
        )
        return found.reshape(rows, 1, heads * size)


class Layer(nn.Module):
    """Attention and the gated part, each added to what came in."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        shared = shape.shared_heads * shape.head_width
        self.q_proj = nn.Linear(shape.width, shape.width)
        self.k_proj = nn.Linear(shape.width, shared)
        self.v_proj = nn.Linear(shape.width, shared)
        self.o_proj = nn.Linear(shape.width, shape.width, bias=False)
        self.gate_proj = nn.Linear(shape.width, shape.inner, bias=False)
        self.up_proj = nn.Linear(shape.width, shape.inner, bias=False)
        self.down_proj = nn.Linear(shape.inner, shape.width, bias=False)
        self.input_layernorm = nn.RMSNorm(shape.width, shape.tolerance)
        self.post_attention_layernorm = nn.RMSNorm(shape.width, shape.tolerance)

    def asked(self, states: Tensor, turns: Turns) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values."""
        rows, length, _ = states.shape
        read = self.input_layernorm(states)
        asked, keys, values = (
            one(read).view(rows, length, -1, self.shape.head_width).transpose(1, 2)
            for one in (self.q_proj, self.k_proj, self.v_proj)
        )
        return turned(asked, turns), turned(keys, turns), values

    def after(self, states: Tensor, found: Tensor) -> Tensor:
        states = states + self.o_proj(found)
        read = self.post_attention_layernorm(states)
        return states + self.down_proj(functional.silu(self.gate_proj(read)) * self.up_proj(read))

    def forward(self, states: Tensor, turns: Turns) -> tuple[Tensor, Tensor, Tensor]:
        """Whole texts: the states, and the keys and values to remember."""
        asked, keys, values = self.asked(states, turns)
        found = functional.scaled_dot_product_attention(asked, keys, values, is_causal=True, enable_gqa=True)
        return self.after(states, found.transpose(1, 2).flatten(2)), keys, values


class Teacher(nn.Module):
    """Reads pieces and foretells the next."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed_tokens = nn.Embedding(shape.pieces, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width, shape.tolerance)

    @classmethod
    def read(cls, base: Path, config: Path, pieces: int) -> Teacher:
        """The base that `prepare_teacher` has written."""
        net = cls(Shape.of(json.loads(config.read_text(encoding="utf-8")), pieces))
        file = Int8File(base)
        with torch.no_grad():
            for name, parameter in net.named_parameters():
                parameter.copy_(torch.from_numpy(file[_theirs(name)]))
        return net

    def turns(self, places: Tensor) -> Turns:
        """By which each place is turned."""
        size = self.shape.head_width
        speeds = self.shape.rope_base ** (-torch.arange(0, size, 2, device=places.device) / size)
        angles = places[..., None] * speeds
        return angles.cos(), angles.sin()

    def states(self, ids: Tensor, remember: list[tuple[Tensor, Tensor]] | None = None) -> Tensor:
        """After the last layer, of every piece of whole texts."""
        states = self.embed_tokens(ids)
        turns = self.turns(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            states, keys, values = layer(states, turns)
            if remember is not None:
                remember.append((keys, values))
        found: Tensor = self.norm(states)
        return found

    def logits(self, states: Tensor) -> Tensor:
        return functional.linear(states, self.embed_tokens.weight)


def turned(states: Tensor, turns: Turns) -> Tensor:
    """A number of the first half and one of the second turn together."""
    cosines, sines = (angles.to(states.dtype) for angles in turns)
    one, other = states.chunk(2, dim=-1)
    return torch.cat([one * cosines - other * sines, other * cosines + one * sines], dim=-1)


def _theirs(name: str) -> str:
    """What a parameter is called in transformers' files."""
    parts = name.split(".")
    if parts[0] != "layers":
        return name
    inside = {"q": "self_attn", "k": "self_attn", "v": "self_attn", "o": "self_attn"} | dict.fromkeys(
        ("gate", "up", "down"), "mlp"
    )
    place = inside.get(parts[2].removesuffix("_proj")) if parts[2].endswith("_proj") else None
    return ".".join(part for part in (*parts[:2], place, *parts[2:]) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Candidates of each source, one source's after the other."""

    pieces: list[list[int]]
    own: list[float]
    """The mean log-probability of a piece."""


@torch.inference_mode()
def write(
    net: Teacher,
    asked: Sequence[Sequence[int]],
    temperatures: Sequence[float],
    *,
    end: int,
    top_k: int,
    top_p: float,
    longest: float,
    chance: torch.Generator,
) -> Written:
    """For each source as many candidates as there are temperatures, drawn piece by piece."""
    device, copies = net.embed_tokens.weight.device, len(temperatures)
    lengths = torch.tensor([len(one) for one in asked], device=device)
    width = int(max(len(one) for one in asked))
    ids = torch.full((len(asked), width), end)
    for row, one in enumerate(asked):
        ids[row, : len(one)] = torch.tensor(one)
    remembered: list[tuple[Tensor, Tensor]] = []
    states = net.states(ids.to(device), remembered)
    states = states[torch.arange(len(asked), device=device), lengths - 1].repeat_interleave(copies, 0)
    most = int(width * longest) + LOOK_EVERY
    past = [
        Past(keys.repeat_interleave(copies, 0), values.repeat_interleave(copies, 0), most)
        for keys, values in remembered
    ]
    remembered.clear()
    lengths = lengths.repeat_interleave(copies)
    heat = torch.tensor(temperatures, device=device).repeat(len(asked))[:, None]
    slots = torch.arange(width + most, device=device)
    seen = (slots < lengths[:, None]) | (slots >= width)
    written = torch.full((len(lengths), most), end, device=device)
    own = torch.zeros(len(lengths), device=device)
    alive = torch.ones(len(lengths), dtype=torch.bool, device=device)
    count = torch.zeros(len(lengths), device=device)
    for step in range(most):
        logits = net.logits(states)
        best, places = logits.topk(top_k)
        chances = torch.softmax(best.float() / heat, -1)
        chances = chances.masked_fill(chances.cumsum(-1) - chances >= top_p, 0.0)
        drawn = torch.multinomial(chances, 1, generator=chance)
        pieces = torch.where(alive, places.gather(1, drawn)[:, 0], end)
        likely = best.gather(1, drawn)[:, 0].float() - torch.logsumexp(logits.float(), -1)
        own += torch.where(alive, likely, 0.0)
        count += alive
        written[:, step] = pieces
        alive &= pieces != end
        if step + 1 == most or (step % LOOK_EVERY == LOOK_EVERY - 1 and not bool(alive.any())):
            break
        states = _step(net, past, pieces, lengths + step, step, seen[:, None, None, : width + step + 1])
    rows = written.cpu().tolist()
    ended = (~alive).cpu().tolist()
    texts = [row[: row.index(end)] if done else [] for row, done in zip(rows, ended, strict=True)]
    return Written(pieces=texts, own=(own / count).cpu().tolist())


def _step(net: Teacher, past: Sequence[Past], pieces: Tensor, places: Tensor, step: int, mask: Tensor) -> Tensor:
    states = net.embed_tokens(pieces)[:, None]
    turns = tuple(angles.to(states.dtype) for angles in net.turns(places[:, None, None]))
    for layer, own in zip(net.layers, past, strict=True):
        asked, keys, values = layer.asked(states, turns)
        states = layer.after(states, own.seen(asked, keys, values, step, mask))
    found: Tensor = net.norm(states)[:, 0]
    return found
