"""What the students begin with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from .encoders import Pooled, vectors
from .pool import tokenised

POSITIONS = 128
RARE = 1e-3
"""Arora et al.'s a: a piece weighs a / (a + its share of all pieces)."""


def make_teacher_base(models: Path, work: Path) -> None:
    """all-mpnet-base-v2 in 16 bits, and BERT's word pieces, which are also its own."""
    from safetensors.numpy import load_file, save_file

    (work / "mpnet").mkdir(parents=True, exist_ok=True)
    tensors = load_file(models / "all-mpnet-base-v2" / "model.safetensors")
    halved = {name: tensor.astype(np.float16) for name, tensor in tensors.items() if tensor.dtype.kind == "f"}
    save_file(halved, work / "mpnet" / "model.safetensors")
    (work / "mpnet/config.json").write_bytes((models / "all-mpnet-base-v2/config.json").read_bytes())
    (work / "bert-tokenizer.json").write_bytes((models / "all-MiniLM-L6-v2/tokenizer.json").read_bytes())


def make_good_base(minilm: Path, pairs: Path, folder: Path) -> None:
    """all-MiniLM-L6-v2 with the word vectors and the tokeniser of the shipped network of pairs.

    Both descend from the same word vectors (their cosine is .75, as the median), so the shipped ones can serve twice.
    """
    from safetensors.numpy import load_file, save_file

    words = load_file(pairs / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    table = words[name].astype(np.float32) * words[f"{name}.scale"]
    tensors = {name.removeprefix("bert."): tensor for name, tensor in load_file(minilm / "model.safetensors").items()}
    config = json.loads((minilm / "config.json").read_text())
    written = {
        key: tensor.astype(np.float16)
        for key, tensor in tensors.items()
        if key.startswith(("embeddings.", "encoder.")) and tensor.dtype.kind == "f"
    }
    written[name] = table.astype(np.float16)
    written["embeddings.position_embeddings.weight"] = written["embeddings.position_embeddings.weight"][:POSITIONS]
    config |= {"vocab_size": len(table), "max_position_embeddings": POSITIONS}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (folder / "tokenizer.json").write_bytes((pairs / "tokenizer.json").read_bytes())
    save_file({key: np.ascontiguousarray(tensor) for key, tensor in written.items()}, folder / "model.safetensors")


def first_table(
    teacher: Pooled, bert_tokenizer: Path, tokenizer: Path, counts: Tensor, dims: int, device: str
) -> Tensor:
    """A vector for every piece: the teacher's of the piece alone, its first principal components, weighed by rarity."""
    vocabulary: dict[str, int] = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = [piece.removeprefix("##") for piece in sorted(vocabulary, key=vocabulary.__getitem__)]
    alone = vectors(teacher, tokenised(pieces, bert_tokenizer, "mpnet", device)).float()
    centred = alone - alone.mean(0)
    _, _, components = torch.linalg.svd(centred, full_matrices=False)
    table = nn.functional.normalize(centred @ components[:dims].T, dim=1)
    share = counts.to(device).float() / counts.sum()
    return table * (RARE / (RARE + share))[:, None]
