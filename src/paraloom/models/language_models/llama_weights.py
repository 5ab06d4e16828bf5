"""A GGUF file and perhaps an adapter in, a Llama's shape and its weights out, in blocks of 8-bit numbers."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.parts import cores
from paraloom.models.language_models.adapter import Update
from paraloom.models.language_models.blocks import Blocks, read_blocks
from paraloom.models.language_models.gguf import BLOCK, Floats, GgufFile

PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The matrices of a layer, by GGUF's names."""
NORMS = ("attn_norm", "ffn_norm")
UNSCALED = "none"
"""GGUF's word for positions that are turned as they were in training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaShape:
    """How large each part is."""

    layers: int
    width: int
    inner: int
    heads: int
    shared_heads: int
    """Of keys and values: several heads of queries share one."""
    rope_base: float
    tolerance: float
    """Added to the mean square when states are brought to one length."""
    pieces: int
    positions: int

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    @classmethod
    def of(cls, file: GgufFile) -> LlamaShape:
        """As the file's settings say."""
        if (kind := file.text("general.architecture")) != "llama":
            raise InputError(
                f"{file.path} is a model of the kind {kind}; only llama is run here. Let a server run it "
                f"(--generator server)."
            )
        heads = file.count("llama.attention.head_count")
        shape = cls(
            layers=file.count("llama.block_count"),
            width=file.count("llama.embedding_length"),
            inner=file.count("llama.feed_forward_length"),
            heads=heads,
            shared_heads=file.count("llama.attention.head_count_kv", heads),
            rope_base=file.positive("llama.rope.freq_base", 10_000.0),
            tolerance=file.positive("llama.attention.layer_norm_rms_epsilon"),
            pieces=sum(file.shape("token_embd.weight")[:1]),
            positions=file.count("llama.context_length"),
        )
        shape._check(file)
        return shape

    def _check(self, file: GgufFile) -> None:
        """Refuse what cannot be run, before anything large is made."""
        if self.width % self.heads or self.heads % self.shared_heads or self.head_width % 16:
            raise InputError(
                f"{file.path} has {self.heads} heads, {self.shared_heads} of them for keys, in a width of "
                f"{self.width}, which is not run here. Let a server run it (--generator server)."
            )
        if self.rope_base < 1:
            raise InputError(f"{file.path} turns positions by a base of {self.rope_base}. Download the file again.")
        if self.width % BLOCK or self.inner % BLOCK:
            raise InputError(
                f"The widths {self.width} and {self.inner} of {file.path} are no multiples of {BLOCK}, so it is not "
                f"run here. Let a server run it (--generator server)."
            )
        turned = file.count("llama.rope.dimension_count", self.head_width)
        scaled = file.text("llama.rope.scaling.type", UNSCALED)
        if turned != self.head_width or scaled != UNSCALED or "llama.rope.scale_linear" in file.settings:
            raise InputError(
                f"{file.path} turns positions in a way that is not run here ({turned} of {self.head_width} numbers, "
                f"scaling: {scaled}). Let a server run it (--generator server)."
            )
        known = {f"{name}.weight" for name in ("token_embd", "output_norm", "output")}
        for layer in range(self.layers):
            for name, expected in self.shapes(layer).items():
                _expect(file, name, expected)
                known.add(f"{name}.weight")
        if unknown := next((name for name in file if name not in known), None):
            raise InputError(
                f"{file.path} has weights that are not used here ({unknown}), so it would write something else than it "
                f"was trained to. Let a server run it (--generator server)."
            )
        _expect(file, "token_embd", (self.pieces, self.width))
        _expect(file, "output_norm", (self.width,))
        if "output.weight" in file:
            _expect(file, "output", (self.pieces, self.width))

    def shapes(self, layer: int) -> dict[str, tuple[int, ...]]:
        """Of a layer's matrices and norms, by name."""
        at, width, inner, shared = f"blk.{layer}.", self.width, self.inner, self.shared_heads * self.head_width
        rows_columns = ((width, width), (shared, width), (shared, width), (width, width))
        matrices = (*rows_columns, (inner, width), (inner, width), (width, inner))
        return {at + part: one for part, one in zip(PARTS, matrices, strict=True)} | {
            at + norm: (width,) for norm in NORMS
        }


def _expect(file: GgufFile, name: str, shape: tuple[int, ...]) -> None:
    if (found := file.shape(name + ".weight")) != shape:
        raise InputError(
            f"{name} of {file.path} has the shape {found}, not {shape} as its settings say. Download the file again."
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LlamaWeights:
    """All a Llama has learned."""

    shape: LlamaShape
    matrices: Mapping[str, Blocks]
    """`blk.3.attn_q` and so on."""
    vectors: Mapping[str, Floats]
    """The norms: `blk.3.attn_norm` and so on, and `output_norm`."""
    embedding: Blocks
    output: Blocks

    @classmethod
    def of(cls, file: GgufFile, update: Update | None = None) -> LlamaWeights:
        """Of a file, with an adapter's two thin matrices (rows × rank, rank × columns) added where it has some."""
        shape = LlamaShape.of(file)
        names = [f"blk.{layer}.{part}" for layer in range(shape.layers) for part in PARTS]
        norms = [f"blk.{layer}.{norm}" for layer in range(shape.layers) for norm in NORMS]
        changed = dict(update or {})
        check_update(file, changed, shape)
        with ThreadPoolExecutor(cores()) as threads:  # NumPy computes without Python's lock
            read = threads.map(lambda name: read_blocks(file, name + ".weight", changed.get(name)), names)
            matrices = dict(zip(names, read, strict=True))
        embedding = read_blocks(file, "token_embd.weight")
        return cls(
            shape=shape,
            matrices=matrices,
            vectors={name: _numbers(file, name) for name in (*norms, "output_norm")},
            embedding=embedding,
            output=read_blocks(file, "output.weight") if "output.weight" in file else embedding,
        )


def check_update(file: GgufFile, update: Update, shape: LlamaShape) -> None:
    """Refuse an adapter that is for another base."""
    names = {f"blk.{layer}.{part}" for layer in range(shape.layers) for part in PARTS}
    for name, (left, right) in update.items():
        if name not in names:
            raise InputError(f"The adapter changes {name}, which {file.path} does not have. Choose the base it is for.")
        if (len(left), right.shape[1]) != file.shape(name + ".weight") or left.shape[1] != len(right):
            raise InputError(
                f"The adapter changes {name} by {left.shape} times {right.shape}, and {file.path} has "
                f"{file.shape(name + '.weight')}. Choose the base it is for."
            )


def _numbers(file: GgufFile, name: str) -> Floats:
    vector = file.tensor(name + ".weight")
    if not np.isfinite(vector).all():
        raise InputError(f"{name} of {file.path} holds what is no number. Download the file again.")
    return vector
