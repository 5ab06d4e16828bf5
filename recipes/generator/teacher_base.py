"""A language model and the recipe's texts in, the same model with no pieces but theirs out, and the texts as pieces.

The teacher never writes a piece that none of the texts has, so it need not foretell it: of 152,000 a third is left. Its
matrices are stored in 8 bits with a scale a row, which what follows, training of all weights, makes good.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.models.int8 import write_int8

from .examples import DEV, TEACHER_EXAMPLES
from .sources import SOURCES

Array = np.ndarray[Any, Any]

BASE, PIECES = "teacher_base.safetensors", "pieces.npz"
BEGIN, END = "<|im_start|>", "<|im_end|>"
"""A row that is learned from: begin, source, end, paraphrase, end."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of pieces, one after the other."""

    pieces: Array
    starts: Array

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Rows:
        starts = np.cumsum([0, *map(len, rows)])
        return cls(np.concatenate([np.asarray(row, np.int32) for row in rows]), starts.astype(np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> list[int]:
        found: list[int] = self.pieces[self.starts[row] : self.starts[row + 1]].tolist()
        return found


def prepare_teacher(folder: Path, work: Path) -> None:
    """Write the model's weights and the texts as pieces; the folder is one that transformers reads."""
    from tokenizers import Tokenizer

    tokeniser = Tokenizer.from_file(str(folder / "tokenizer.json"))
    texts = {
        "sources": (work / SOURCES).read_text(encoding="utf-8").splitlines(),
        **{f"{name}_{side}": [row[side] for row in _rows(work / file)] for name, file in FILES for side in SIDES},
    }
    as_pieces = {name: Rows.of([one.ids for one in tokeniser.encode_batch(found)]) for name, found in texts.items()}
    marks = [tokeniser.token_to_id(mark) for mark in (BEGIN, END)]
    kept = np.unique(np.concatenate([marks, *(rows.pieces for rows in as_pieces.values())]))
    stored: dict[str, Array] = {"kept": kept, "marks": np.searchsorted(kept, marks)}
    for name, rows in as_pieces.items():
        stored[name] = np.searchsorted(kept, rows.pieces).astype(np.int32)
        stored[f"{name}_starts"] = rows.starts
    np.savez_compressed(work / PIECES, **stored)
    (work / "teacher_tokeniser.json").write_bytes((folder / "tokenizer.json").read_bytes())
    (work / "teacher_config.json").write_bytes((folder / "config.json").read_bytes())
    _write_base(folder, kept, work / BASE)
    print(f"{len(kept):,} pieces are left; {', '.join(f'{name}: {len(rows):,}' for name, rows in as_pieces.items())}")


FILES = (("examples", TEACHER_EXAMPLES), ("dev", DEV))
SIDES = ("left", "right")


def _rows(file: Path) -> Iterable[dict[str, str]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _write_base(folder: Path, kept: Array, out: Path) -> None:
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        # Where the matrix that foretells pieces is stored beside that which reads them, it is the finer one of the two.
        finer = "lm_head.weight" if "lm_head.weight" in file.keys() else "model.embed_tokens.weight"  # noqa: SIM118
        tensors = {
            name.removeprefix("model."): file.get_tensor(name).astype(np.float32)
            for name in file.keys()  # noqa: SIM118
            if name not in ("lm_head.weight", "model.embed_tokens.weight")
        }
        tensors["embed_tokens.weight"] = file.get_tensor(finer)[kept].astype(np.float32)
    write_int8(tensors, out)
