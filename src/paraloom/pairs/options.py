"""Which pairs of a group are proposed. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOptions:
    """Which pairs of a group are proposed (Dou et al., 2022, §2.3)."""

    all_pairs: bool = False
    """Propose every pair of a group, best ranked first, instead of the paper's choice."""
    max_pairs: int = 200
    """With --all-pairs: at most this many pairs a group."""
    pair_seed: int = 1
    """Decides which of the ranked sentences of a trend are drawn."""
