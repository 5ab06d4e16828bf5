"""What `prepare` wrote in, texts and pairs on the device out."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from recipes.identifier.tokens import Texts

LONGEST = 64
"""Word pieces that are read of a text, marks included."""


def tokenised(texts: Sequence[str], tokenizer: Path, kind: str, device: str) -> Texts:
    """Texts as word pieces on the device; `mpnet` has those of BERT, four places on."""
    from tokenizers import Tokenizer

    cut = Tokenizer.from_file(str(tokenizer))
    cut.no_padding()
    cut.no_truncation()
    pieces: list[np.ndarray[Any, Any]] = []
    for start in range(0, len(texts), 50_000):
        some = cut.encode_batch(texts[start : start + 50_000], add_special_tokens=False)
        pieces += [np.array(one.ids[: LONGEST * 2], np.int32) for one in some]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in pieces])])
    return Texts(np.concatenate(pieces), starts, kind, device)


class Pool:
    """All texts, by number, and the pairs of them."""

    def __init__(self, work: Path, device: str, few: int = 0) -> None:
        with gzip.open(work / "texts.jsonl.gz", "rt", encoding="utf-8") as file:
            self.texts: list[str] = [json.loads(line) for line in file]
        with np.load(work / "pairs.npz") as stored:
            rows = {name: stored[name] for name in stored.files}
        self.sources: list[str] = json.loads((work / "sources.json").read_text())
        if few:
            kept = np.concatenate([np.flatnonzero(rows["source"] == one)[:few] for one in range(len(self.sources))])
            rows = {name: values[kept] for name, values in rows.items()}
            used = sorted({*rows["left"].tolist(), *rows["right"].tolist()})
            place = {old: new for new, old in enumerate(used)}
            self.texts = [self.texts[old] for old in used]
            for side in ("left", "right"):
                rows[side] = np.array([place[old] for old in rows[side].tolist()], np.int32)
        self.left, self.right = (torch.from_numpy(rows[side].astype(np.int64)).to(device) for side in ("left", "right"))
        self.source = torch.from_numpy(rows["source"].astype(np.int64)).to(device)
        self.target = torch.from_numpy(rows["target"]).to(device)
        self.group = torch.from_numpy(rows["group"].astype(np.int64)).to(device)
        self.device = device

    def from_sources(self, *names: str) -> Tensor:
        """The pairs of these sources."""
        wanted = torch.tensor([self.sources.index(name) for name in names if name in self.sources], device=self.device)
        return torch.isin(self.source, wanted).nonzero()[:, 0]
