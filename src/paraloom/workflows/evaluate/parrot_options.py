"""How parrots are measured. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PublishedDataset = Literal["quora", "twitter", "mscoco"]
"""Datasets whose parrots Mao and Lee (2019) state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParrotOptions:
    """What is measured of the parrots of a set."""

    dataset: PublishedDataset | None = None
    """Show what Mao and Lee (2019) state for this dataset beside ours."""
    append: str = ""
    """Written behind every text, source and reference alike: `--append " ?"` shows what a final mark alone is worth."""
    ratios: tuple[float, ...] = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    """Shares of the words that are cut or replaced."""
    sweep_sample: int = 10_000
    """Sources on which cutting and replacing are measured, drawn at random; 0: all."""
    slow_sample: int = 2000
    """The same for slow metrics such as METEOR; 0: all."""
    samples: int = 250
    """Test sets drawn at random, as in Table 4; 0: none."""
    sample_size: int = 5000
    """Sources in each of them."""
    strangers: int = 100
    """Random other sentences to whose BLEU that of true references is held, for each input shown; 0: none."""
    inputs: int = 4
    """Inputs shown with them."""
    seed: int = 1
    """Decides random positions, samples and the other sentences."""
