"""Vectors of texts that are measured on in, how often the right one is found among strangers out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor


def write_measured(data: Path, work: Path) -> None:
    """The sets of `bench mining`, for a machine that has not the data."""
    from paraloom.workflows.bench.mining_sets import SETS

    sets: dict[str, Any] = {}
    for name, read in SETS.items():
        pairs = read(data)
        sets[name] = {"left": list(pairs.left), "right": list(pairs.right), "target": pairs.targets.tolist()}
    with gzip.open(work / "measured.json.gz", "wt", encoding="utf-8") as file:
        json.dump(sets, file)


def read_measured(work: Path) -> dict[str, Any]:
    with gzip.open(work / "measured.json.gz", "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def found_among(left: Tensor, right: Tensor, target: list[float], strangers: Tensor) -> dict[str, float]:
    """Share of paraphrases found first and among the first ten, and how well cosines part them from the rest (AUC)."""
    positive = torch.tensor([one is not None and one > 0.5 for one in target], device=left.device)
    cosine = (left.float() * right.float()).sum(1)
    candidates = torch.cat([right, strangers])
    ahead = []
    for start in range(0, len(left), 1024):
        some = slice(start, start + 1024)
        likeness = left[some].float() @ candidates.float().T
        same = likeness >= 0.99999  # itself, or a text with the same vector
        ahead.append(((likeness > cosine[some, None] + 1e-5) & ~same).sum(1))
    rank = torch.cat(ahead)[positive].float()
    figures = {"top1": (rank < 1).float().mean().item(), "top10": (rank < 10).float().mean().item()}
    negative = ~positive
    if bool(negative.any()):
        order = np.argsort(np.argsort(cosine.cpu().numpy()))
        ranks, chosen = order[positive.cpu().numpy()], positive.sum().item()
        figures["auc"] = float((ranks.sum() - chosen * (chosen - 1) / 2) / (chosen * negative.sum().item()))
    return {name: round(value, 4) for name, value in figures.items()}
