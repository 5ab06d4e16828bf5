"""A folder of word-piece vectors that others saved in, its table and weights out.

model2vec and the static embeddings of sentence-transformers are the same thing under two names: one vector a word
piece, and a text's vector is their mean. (The latter average in the unknown word, which is left out here.)
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders.cards import read_tensors

WEIGHTS, TOKENISER = "model.safetensors", "tokenizer.json"
NAMES = ("embeddings", "embedding.weight")
"""What the table is called by model2vec and by sentence-transformers."""
BESIDE = {"mapping", "weights"}
"""What model2vec may have beside it: the row of each piece, and what it weighs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticFolder:
    """Where a table lies, and under which name."""

    weights: Path
    tokeniser: Path
    table: str

    def read(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The table, a row a word piece, and the weight of each."""
        tensors = read_tensors(self.weights, (self.table,))
        table = tensors[self.table]
        if "mapping" in tensors:  # several pieces share a row
            table = table[tensors["mapping"]]
        weights = tensors.get("weights", np.ones(len(table)))
        return np.ascontiguousarray(table, np.float32), np.ascontiguousarray(weights, np.float32)


def find_static(folder: Path) -> StaticFolder | None:
    """The table of a folder; None where it holds something else."""
    for place in (folder, folder / _first_module(folder)):
        names = _tensor_names(place / WEIGHTS)
        table = next((name for name in NAMES if name in names), None)
        if table is not None and names <= {table, *BESIDE}:
            return StaticFolder(weights=place / WEIGHTS, tokeniser=place / TOKENISER, table=table)
    return None


def read_static(folder: Path) -> StaticFolder:
    """The table of a folder that must hold one."""
    found = find_static(folder)
    if found is None:
        raise InputError(f"{folder} holds no word-piece vectors of model2vec or sentence-transformers. Check the path.")
    return found


def _first_module(folder: Path) -> str:
    """Where sentence-transformers has put a model's first part, within its folder."""
    try:
        modules: Any = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        return str(modules[0]["path"])
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return ""


def _tensor_names(file: Path) -> set[str]:
    from safetensors import SafetensorError, safe_open

    if not file.is_file():
        return set()
    try:
        with safe_open(file, framework="numpy") as opened:
            return set(opened.keys())
    except SafetensorError:
        return set()
