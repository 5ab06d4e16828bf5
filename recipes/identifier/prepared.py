"""What `prepare` wrote in, rows on the device out, by kind and by whether they are held out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from paraloom.models.pair_model import QUESTIONS

from .folds import HELD_OUT
from .tokens import Texts
from .training import Data

Array = np.ndarray[Any, Any]


class Prepared:
    """What `prepare` wrote, on the device."""

    def __init__(self, work: Path, kind: str, device: str, few: int = 0, left_out: int | None = None) -> None:
        with np.load(work / "rows.npz") as stored:
            self.rows: dict[str, Array] = {name: stored[name] for name in stored.files}
        self.kinds: list[str] = json.loads((work / "kinds.json").read_text())
        self.kind = np.array(self.kinds)[self.rows["kind"]]
        self.held_out = self.rows["fold"] == HELD_OUT
        self.device = device
        if kind == "student":
            with np.load(work / "pieces-small.npz") as stored:
                self.rows |= {name: stored[name] for name in stored.files}
        self.texts = Texts(self.rows["pieces"], self.rows["starts"], kind, device)
        self.left = torch.from_numpy(self.rows["left"].astype(np.int64)).to(device)
        self.right = torch.from_numpy(self.rows["right"].astype(np.int64)).to(device)
        self.few = few
        self.there = ~self.held_out if left_out is None else ~self.held_out & (self.rows["part"] != left_out)
        columns = [self.rows.get(name, np.full(len(self.left), np.nan)) for name in QUESTIONS]
        self.gold = torch.tensor(np.stack(columns, 1).astype(np.float32), device=device)

    def places(self, kinds: tuple[str, ...]) -> Array:
        """The rows of these kinds that may be learned from."""
        numbers = [self.kinds.index(kind) for kind in kinds if kind in self.kinds]
        found = np.flatnonzero(np.isin(self.rows["kind"], numbers) & self.there)
        return found[: self.few] if self.few else found

    def sampled(self, kinds: tuple[str, ...], wanted: int, rng: np.random.Generator) -> Array:
        """So many of them at most."""
        found = self.places(kinds)
        return rng.choice(found, min(wanted, len(found)), replace=False)

    def data(self, places: Array, weight: Array | float = 1.0, targets: torch.Tensor | None = None) -> Data:
        chosen = torch.from_numpy(places).to(self.device)
        own = torch.from_numpy(self.rows["weight"][places].astype(np.float32)).to(self.device)
        found = (self.gold if targets is None else targets)[chosen]
        return Data(
            left=self.left[chosen],
            right=self.right[chosen],
            targets=found,
            weights=(own * weight)[:, None].expand_as(found).contiguous(),
        )
