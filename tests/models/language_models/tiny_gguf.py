"""Llamas of a few thousand random weights as GGUF files, written here byte by byte, with tokenisers to match."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
"""The first pieces, which stand for no text; the second begins a text and the third ends it."""
WORDS = ("the", "storm", "hit", "coast", "tempest", "struck", "shore", "monday", "a", "river", "rose", "town", "left")
"""Each is a piece of its own, with and without a blank before it."""
PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
ALIGNMENT = 32
BLOCK = 32


def write_tiny_llama(
    path: Path,
    *,
    layers: int = 2,
    width: int = 64,
    inner: int = 128,
    heads: int = 4,
    shared_heads: int = 2,
    words: Sequence[str] = WORDS,
    kind: str = "F32",
    seed: int = 1,
    own_output: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> Path:
    """A whole model; matrices are stored as `kind` (F32, F16, Q8_0, Q4_0, Q4_1), norms always as F32.

    Widths are multiples of 32. `own_output`: what foretells pieces is a matrix of its own, not the embedding.
    `settings` go before the file's own; one that is None is left out.
    """
    pieces, joins = vocabulary(words)
    rng = np.random.default_rng(seed)
    head = width // heads

    def matrix(rows: int, columns: int, strength: float = 1.0) -> np.ndarray:
        return (rng.standard_normal((rows, columns)) * strength / columns**0.5).astype(np.float32)

    tensors: dict[str, tuple[str, np.ndarray]] = {"token_embd": (kind, matrix(len(pieces), width, 2.0))}
    shapes = {
        "attn_q": (width, width),
        "attn_k": (shared_heads * head, width),
        "attn_v": (shared_heads * head, width),
        "attn_output": (width, width),
        "ffn_gate": (inner, width),
        "ffn_up": (inner, width),
        "ffn_down": (width, inner),
    }
    for layer in range(layers):
        for norm in ("attn_norm", "ffn_norm"):
            tensors[f"blk.{layer}.{norm}"] = ("F32", 1 + matrix(1, width)[0])
        for part in PARTS:
            tensors[f"blk.{layer}.{part}"] = (kind, matrix(*shapes[part], strength=2.0))
    tensors["output_norm"] = ("F32", 1 + matrix(1, width)[0])
    if own_output:
        tensors["output"] = (kind, matrix(len(pieces), width, 2.0))
    said: dict[str, Any] = {
        "general.architecture": "llama",
        "general.name": "tiny",
        "llama.block_count": layers,
        "llama.embedding_length": width,
        "llama.feed_forward_length": inner,
        "llama.attention.head_count": heads,
        "llama.attention.head_count_kv": shared_heads,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.freq_base": 10_000.0,
        "llama.rope.dimension_count": head,
        "llama.context_length": 4096,
        "llama.vocab_size": len(pieces),
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.token_type": [3] * len(CONTROL) + [1] * (len(pieces) - len(CONTROL)),
        "tokenizer.ggml.merges": joins,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_bos_token": False,
    }
    said = {name: value for name, value in (said | dict(settings or {})).items() if value is not None}
    path.write_bytes(gguf_bytes(said, {f"{name}.weight": one for name, one in tensors.items()}))
    return path


def vocabulary(words: Sequence[str] = WORDS) -> tuple[list[str], list[str]]:
    """Pieces (control pieces, one for each byte, and whole words) and the joins that make the words."""
    joins: dict[str, None] = {}
    pieces = dict.fromkeys((*CONTROL, *byte_pieces()))
    for word in words:
        steps = [(word[:end], word[end]) for end in range(1, len(word))] + [("Ġ", word)]
        for left, right in steps:
            if left + right not in pieces:
                joins[f"{left} {right}"] = None
                pieces[left + right] = None
    return list(pieces), list(joins)


def byte_pieces() -> list[str]:
    """GPT-2's letter for every byte: itself where it can be seen, else one of those from 256 on."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    unseen = [byte for byte in range(256) if byte not in seen]
    letters = {byte: chr(byte) for byte in seen} | {byte: chr(256 + place) for place, byte in enumerate(unseen)}
    return [letters[byte] for byte in range(256)]


def gguf_bytes(settings: Mapping[str, Any], tensors: Mapping[str, tuple[str, np.ndarray]], version: int = 3) -> bytes:
    """A GGUF file: header, settings, descriptions of tensors, their numbers."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(settings))
    for name, value in settings.items():
        number, stored = _value(value)
        head += _text(name) + struct.pack("<I", number) + stored
    numbers = b""
    for name, (kind, tensor) in tensors.items():
        dimensions = tensor.shape[::-1]
        code, store = KINDS[kind]
        head += _text(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions), *dimensions, code, len(numbers))
        numbers += _filled(store(tensor))
    return _filled(head) + numbers


def _filled(given: bytes) -> bytes:
    return given + b"\0" * (-len(given) % ALIGNMENT)


def _text(text: str) -> bytes:
    stored = text.encode("utf-8")
    return struct.pack("<Q", len(stored)) + stored


def _value(value: Any) -> tuple[int, bytes]:
    """GGUF's number for a value's type, and its bytes."""
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, str):
        return 8, _text(value)
    inner = [_value(one) for one in value]
    kind = inner[0][0] if inner else 8
    return 9, struct.pack("<IQ", kind, len(inner)) + b"".join(stored for _, stored in inner)


def _blocks(tensor: np.ndarray) -> np.ndarray:
    return tensor.astype(np.float32).reshape(-1, BLOCK)


def _stored(*columns: np.ndarray) -> bytes:
    """Columns of bytes side by side."""
    return np.concatenate([np.ascontiguousarray(one).view(np.uint8) for one in columns], axis=1).tobytes()


def _nibbles(numbers: np.ndarray) -> np.ndarray:
    numbers = numbers.astype(np.uint8)
    return numbers[:, : BLOCK // 2] | numbers[:, BLOCK // 2 :] << 4


def _q8_0(tensor: np.ndarray) -> bytes:
    blocks = _blocks(tensor)
    scales = np.maximum(np.abs(blocks).max(1, keepdims=True) / 127, 1e-4).astype(np.float16)
    return _stored(scales, np.clip(np.rint(blocks / scales), -127, 127).astype(np.int8))


def _q4_0(tensor: np.ndarray) -> bytes:
    blocks = _blocks(tensor)
    scales = np.maximum(np.abs(blocks).max(1, keepdims=True) / 7, 1e-4).astype(np.float16)
    return _stored(scales, _nibbles(np.clip(np.rint(blocks / scales), -8, 7) + 8))


def _q4_1(tensor: np.ndarray) -> bytes:
    blocks = _blocks(tensor)
    least = blocks.min(1, keepdims=True).astype(np.float16)
    scales = np.maximum((blocks.max(1, keepdims=True) - least) / 15, 1e-4).astype(np.float16)
    return _stored(scales, least, _nibbles(np.clip(np.rint((blocks - least) / scales), 0, 15)))


KINDS = {
    "F32": (0, lambda tensor: tensor.astype("<f4").tobytes()),
    "F16": (1, lambda tensor: tensor.astype("<f2").tobytes()),
    "Q4_0": (2, _q4_0),
    "Q4_1": (3, _q4_1),
    "Q8_0": (8, _q8_0),
}
"""Formats: the number that stands for each in a file, and how a tensor is stored in it."""
