"""Rows and what teachers say of them in, what a student learns from out: both people's word and theirs."""

from __future__ import annotations

import torch

from paraloom.models.pair_model import QUESTIONS

from .prepared import Array, Prepared
from .training import NUMBERS, Data, joined

QUESTION_WEIGHTS = {
    "loose": 1.5,
    "strict": 1.5,
    "implication": 1.0,
    "similarity": 0.5,
    "likeness": 0.3,
    "forwards": 0.3,
    "backwards": 0.3,
    "duplicate": 0.1,
}
REPEATS = {
    "twitter-url": 2,
    "pit": 2,
    "msrp": 5,
    "multipit-train": 4,
    "people": 5,
    "more-people": 2,
    "near-msrp": 2,
}
"""How often a kind of row is seen in an epoch, where not once."""


def mixed_targets(prepared: Prepared, told: Array, gold_share: float) -> torch.Tensor:
    """What teachers said, mixed with what people said where they did."""
    soft = torch.tensor(told, device=prepared.device)
    probabilities = [place for place in range(len(QUESTIONS)) if place not in NUMBERS]
    soft[:, probabilities] = torch.sigmoid(soft[:, probabilities])
    known = ~torch.isnan(prepared.gold)
    return torch.where(known, gold_share * torch.nan_to_num(prepared.gold) + (1 - gold_share) * soft, soft)


def everything(prepared: Prepared, targets: torch.Tensor) -> Data:
    """All rows that may be learned from, some kinds more than once."""
    parts = [
        prepared.data(places, 1.0, targets)
        for kind in prepared.kinds
        for places in [prepared.places((kind,))] * REPEATS.get(kind, 1)
        if len(places)
    ]
    return joined(parts)


def weighed(data: Data, weights: dict[str, float]) -> Data:
    """The same rows, each question with its own weight."""
    importance = torch.tensor([weights[one] for one in QUESTIONS], device=data.left.device)
    data.weights = importance[None, :].expand(len(data), -1).contiguous()
    return data
