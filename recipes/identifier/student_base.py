"""A small encoder in, a smaller one out: fewer layers, and only the word pieces that English posts and news use."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LAYERS = 10
PIECES = 17_000
POSITIONS = 256


def kept_pieces(vocabulary: dict[str, int], counts: Counter[int], wanted: int) -> list[str]:
    """Special tokens, every single letter, then the most frequent pieces, in the old order."""
    letters = {piece for piece in vocabulary if len(piece.removeprefix("##")) == 1}
    chosen = set(SPECIAL) | letters
    by_count = sorted(vocabulary, key=lambda piece: (-counts[vocabulary[piece]], vocabulary[piece]))
    for piece in by_count:
        if len(chosen) >= wanted:
            break
        if not piece.startswith("[unused"):
            chosen.add(piece)
    return sorted(chosen, key=lambda piece: (piece not in SPECIAL, vocabulary[piece]))


def make_student_base(
    source: Path, counts: Counter[int], folder: Path, *, layers: int = LAYERS, pieces: int = PIECES
) -> int:
    """Write config, tokeniser and weights of the smaller encoder; gives how many parameters it has."""
    from safetensors.numpy import load_file, save_file

    tokenizer: dict[str, Any] = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    config: dict[str, Any] = json.loads((source / "config.json").read_text(encoding="utf-8"))
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    kept = kept_pieces(vocabulary, counts, pieces)
    place = {piece: number for number, piece in enumerate(kept)}
    tokenizer["model"]["vocab"] = place
    tokenizer["truncation"] = tokenizer["padding"] = None
    for token in tokenizer["added_tokens"]:
        token["id"] = place[token["content"]]
    tokenizer["added_tokens"].sort(key=lambda token: token["id"])
    for special in tokenizer["post_processor"].get("special_tokens", {}).values():
        special["ids"] = [place[token] for token in special["tokens"]]
    for mark in ("sep", "cls"):
        if mark in tokenizer["post_processor"]:
            tokenizer["post_processor"][mark][1] = place[tokenizer["post_processor"][mark][0]]
    tensors = {name.removeprefix("bert."): tensor for name, tensor in load_file(source / "model.safetensors").items()}
    words = tensors["embeddings.word_embeddings.weight"][[vocabulary[piece] for piece in kept]]
    written = {
        name: tensor.astype(np.float16)
        for name, tensor in tensors.items()
        if (name.startswith("embeddings.") and tensor.dtype.kind == "f")
        or (name.startswith("encoder.layer.") and int(name.split(".")[2]) < layers)
    }
    written["embeddings.word_embeddings.weight"] = words.astype(np.float16)
    written["embeddings.position_embeddings.weight"] = written["embeddings.position_embeddings.weight"][:POSITIONS]
    config |= {"num_hidden_layers": layers, "vocab_size": len(kept), "max_position_embeddings": POSITIONS}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n", encoding="utf-8")
    save_file({name: np.ascontiguousarray(tensor) for name, tensor in written.items()}, folder / "model.safetensors")
    return sum(tensor.size for tensor in written.values())
