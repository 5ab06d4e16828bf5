"""How labelled pairs become a corpus. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusOptions:
    """How labelled pairs become a corpus."""

    train_share: float = 0.8
    """Share of the pairs, those of the oldest groups, that are for training."""
    dev_share: float = 0.1
    """Share of the pairs after those that are for development; those of the youngest groups are for testing."""
    keep_poor_groups: bool = False
    """Keep URL groups with fewer than 3 paraphrases, trends with fewer than 4 and aligned documents without any; else
    they are `few_paraphrases`."""
    min_references: int = 8
    """A sentence with at least this many paraphrases becomes a multi-reference set."""
