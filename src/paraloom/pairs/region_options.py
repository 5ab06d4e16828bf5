"""How candidates are sampled, and which of them are safe. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """How many candidates are drawn, from which intervals of lexical similarity."""

    per_interval: int = 100
    """Pairs drawn from each interval; all of them where it holds fewer."""
    intervals: int = 20
    """Equal intervals of lexical similarity from 0 to 1; 20 are .05 wide each."""
    dev_share: float = 1 / 3
    """Share of each interval's pairs that is for choosing (`split` dev); the others are for checking (test)."""
    seed: int = 1
    """Decides which pairs are drawn, by their texts: the order of files does not matter."""

    def __post_init__(self) -> None:
        if self.per_interval < 1:
            raise InputError(f"--per-interval {self.per_interval} draws nothing. Give at least 1.")
        if not 0 <= self.dev_share <= 1:
            raise InputError(f"--dev-share is {self.dev_share:g}, but must be a share from 0 to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionOptions:
    """Where candidates are safely negative, and where safely positive (Kanerva et al., 2023, section 7.2)."""

    max_similarity: float = 0.1
    """Negative is a pair whose lexical similarity is lower than this …"""
    min_confidence: float = 0.4
    """… or of which the identifier says with more than this confidence that it is no paraphrase."""
    positive_similarity: float = 0.5
    """Positive is a pair whose lexical similarity is higher than this …"""
    positive_confidence: float = 0.998
    """… and of which the identifier says with at least this confidence that it is one (label 4, where it grades)."""

    def __post_init__(self) -> None:
        for name in ("max_similarity", "min_confidence", "positive_similarity", "positive_confidence"):
            if not 0 <= getattr(self, name) <= 1:
                option = "--" + name.replace("_", "-")
                raise InputError(f"{option} {getattr(self, name):g} bounds nothing. Give a number from 0 to 1.")


NOWHERE = RegionOptions(max_similarity=0.0, min_confidence=1.0, positive_similarity=1.0, positive_confidence=1.0)
"""Bounds within which nothing lies."""
