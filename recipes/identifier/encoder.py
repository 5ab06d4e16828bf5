"""A BERT or MPNet folder in, the same encoder in plain torch out: few kernels a layer, hidden states of every layer.

Both are Devlin et al.'s encoder; MPNet (Song et al., 2020) counts positions from 2, has no segments, and adds a bias
by relative position to attention, which is kept as it is here.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


class Layer(nn.Module):
    """Attention and the feed-forward part, each added to what came in and normalised."""

    def __init__(self, width: int, inner: int, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.mixed = nn.Linear(width, width)
        self.first_norm = nn.LayerNorm(width, eps=epsilon)
        self.widened = nn.Linear(width, inner)
        self.narrowed = nn.Linear(inner, width)
        self.second_norm = nn.LayerNorm(width, eps=epsilon)

    def forward(self, states: Tensor, bias: Tensor, dropout: float) -> Tensor:
        batch, length, width = states.shape
        query, key, value = (
            self.qkv(states).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        )
        attended = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, dropout_p=dropout)
        attended = self.mixed(attended.transpose(1, 2).reshape(batch, length, width))
        states = self.first_norm(states + functional.dropout(attended, dropout, self.training))
        inner = self.narrowed(functional.gelu(self.widened(states)))
        return self.second_norm(states + functional.dropout(inner, dropout, self.training))


class Encoder(nn.Module):
    """Token ids, mask and segments in, the states after each layer asked for out."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        config: dict[str, Any] = json.loads((folder / "config.json").read_text())
        self.config = config
        self.kind = config["model_type"]
        self.width, self.layers_there = config["hidden_size"], config["num_hidden_layers"]
        self.first_position = 2 if self.kind == "mpnet" else 0
        self.dropout = 0.1
        heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
        self.words = nn.Embedding(config["vocab_size"], self.width)
        self.positions = nn.Embedding(config["max_position_embeddings"], self.width)
        self.segments = nn.Embedding(2, self.width)
        self.norm = nn.LayerNorm(self.width, eps=epsilon)
        self.layers = nn.ModuleList(
            Layer(self.width, config["intermediate_size"], heads, epsilon) for _ in range(self.layers_there)
        )
        self.register_buffer("relative", torch.zeros(32, heads))
        self.load(folder)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, wanted: tuple[int, ...]) -> list[Tensor]:
        length = ids.shape[1]
        dropout = self.dropout if self.training else 0.0
        places = torch.arange(self.first_position, self.first_position + length, device=ids.device)
        states = self.words(ids) + self.positions(places)
        if self.kind == "bert":
            states = states + self.segments(segments)
        states = functional.dropout(self.norm(states), dropout, self.training)
        bias = torch.zeros(mask.shape, dtype=states.dtype, device=ids.device).masked_fill(mask == 0, -1e4)
        bias = bias[:, None, None, :]
        if self.kind == "mpnet":
            bias = bias + self.relative_bias(length).to(states.dtype)
        bias = bias.expand(-1, self.relative.shape[1], length, -1).contiguous()
        found = []
        for number, layer in enumerate(self.layers[: max(wanted)], start=1):
            states = layer(states, bias, dropout)
            if number in wanted:
                found.append(states)
        return found

    def relative_bias(self, length: int) -> Tensor:
        """T5's buckets: 8 near distances and 8 ever wider ones, up to 128, either way."""
        places = torch.arange(length, device=self.relative.device)
        distance = places[:, None] - places[None, :]
        far = distance.abs()
        widening = 8 + (torch.log(far.clamp(min=1).float() / 8) / math.log(128 / 8) * 8).long()
        bucket = (distance < 0).long() * 16 + torch.where(far < 8, far, widening.clamp(max=15))
        return self.relative[bucket].permute(2, 0, 1).unsqueeze(0)

    def load(self, folder: Path) -> None:
        """Take the weights of a folder in transformers' form."""
        from safetensors.torch import load_file

        given = {
            name.removeprefix("bert.").removeprefix("mpnet."): tensor.float()
            for name, tensor in load_file(folder / "model.safetensors").items()
        }
        with torch.no_grad():
            for name, theirs in self.names().items():
                tensor = torch.cat([given[one] for one in theirs]) if len(theirs) > 1 else given[theirs[0]]
                self.get_parameter(name).copy_(tensor)
            if self.kind == "mpnet":
                self.relative.copy_(given["encoder.relative_attention_bias.weight"])

    def names(self) -> dict[str, list[str]]:
        """Our parameters, and theirs that lie in each."""
        found = {
            "words.weight": ["embeddings.word_embeddings.weight"],
            "positions.weight": ["embeddings.position_embeddings.weight"],
            "norm.weight": ["embeddings.LayerNorm.weight"],
            "norm.bias": ["embeddings.LayerNorm.bias"],
        }
        if self.kind == "bert":
            found["segments.weight"] = ["embeddings.token_type_embeddings.weight"]
        inside = (
            ("attn.q", "attn.k", "attn.v", "attn.o", "LayerNorm")
            if self.kind == "mpnet"
            else ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm")
        )
        for number in range(self.layers_there):
            theirs, ours = f"encoder.layer.{number}", f"layers.{number}"
            for part in ("weight", "bias"):
                found[f"{ours}.qkv.{part}"] = [f"{theirs}.attention.{name}.{part}" for name in inside[:3]]
                found[f"{ours}.mixed.{part}"] = [f"{theirs}.attention.{inside[3]}.{part}"]
                found[f"{ours}.first_norm.{part}"] = [f"{theirs}.attention.{inside[4]}.{part}"]
                found[f"{ours}.widened.{part}"] = [f"{theirs}.intermediate.dense.{part}"]
                found[f"{ours}.narrowed.{part}"] = [f"{theirs}.output.dense.{part}"]
                found[f"{ours}.second_norm.{part}"] = [f"{theirs}.output.LayerNorm.{part}"]
        return found

    def exported(self) -> dict[str, Tensor]:
        """The weights by transformers' names."""
        tensors = {}
        for name, theirs in self.names().items():
            parts = self.get_parameter(name).detach().float().cpu().chunk(len(theirs))
            tensors |= dict(zip(theirs, parts, strict=True))
        return tensors

    def write(self, source: Path, folder: Path) -> None:
        """Write a folder like the one the weights came from, with these in half precision instead."""
        from safetensors.torch import load_file, save_file

        names = load_file(source / "model.safetensors")
        ours = self.exported()
        kept = {
            name: ours.get(name.removeprefix("bert.").removeprefix("mpnet."), given) for name, given in names.items()
        }
        folder.mkdir(parents=True, exist_ok=True)
        save_file({name: tensor.half().contiguous() for name, tensor in kept.items()}, folder / "model.safetensors")
        (folder / "config.json").write_text((source / "config.json").read_text())
