"""Who plays the adversarial game, and what it learns from it. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paraloom.errors import InputError
from paraloom.models.generators.loading_options import DEFAULT_GENERATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOptions:
    """The generator that makes attempts."""

    generator: str = DEFAULT_GENERATOR
    """Who plays: a generator's name (paraloom, lexical, back-translation, server, parrot), `smollm2-135m` for the
    shipped one's base as it is, the folder of a trained generator or adapter, or a model of the hub that is here."""
    settings: tuple[str, ...] = ()
    """What that generator alone is told, as in `pivots=fr,de`."""
    base: Path | None = None
    """GGUF file that an adapter in a folder belongs to; SmolLM2-135M unless said."""
    device: str = "cpu"
    """Where networks run: `cpu` or `cuda`."""
    hub: bool = False
    """Ask the model hub for a generator that is not on this machine; else nothing is downloaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFileOptions:
    """Where the sources lie in a file, and how many are played."""

    column: str | None = None
    """Where sources lie in a table, by name or number from 1; else `text`, `source`, `sentence`, `left` … is taken."""
    format: Literal["auto", "text", "tsv", "csv", "jsonl", "json", "parquet"] = "auto"
    """What the file is taken for; `auto`: what its ending says, or else what it looks like."""
    skip: int = 0
    """Leave out so many different sources at the beginning: those that were learned from, say."""
    limit: int = 0
    """Play so many different sources at most; 0 is all."""
    batch: int = 8
    """Sources that are played and noted at a time. It decides how much a kill can cost, and no attempt."""

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise InputError(f"--batch {self.batch} makes no progress. Give a number such as 8.")
        if self.skip < 0 or self.limit < 0:
            raise InputError(f"--skip {self.skip} and --limit {self.limit}: give whole numbers from 0 on.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTrainingOptions:
    """How a generator learns to play better."""

    method: Literal["preferred", "rewarded", "rejection"] = "preferred"
    """How it learns. `preferred`: direct preference optimisation on pairs of attempts. `rejection`: to write the
    attempts that passed. `rewarded`: the paper's way, on given pairs, with a loss that is divided by what its own
    paraphrases earn."""
    start: str = DEFAULT_GENERATOR
    """What it starts from: `paraloom`, `smollm2-135m` (without an adapter), a folder with an adapter, or a folder of
    transformers."""
    base: Path | None = None
    """GGUF file that the adapter belongs to; SmolLM2-135M unless said."""
    rank: int | None = None
    """Of the two thin matrices that learn beside each matrix; unless said that of the adapter, or else 16. 0 lets all
    of a network of transformers learn."""
    layers: int = 0
    """Only so many of the last layers learn; 0 is all."""
    beta: float = 0.1
    """For `preferred`: how far the network may go from where it started; the smaller, the farther."""
    anchor: float = 0.0
    """For `preferred`: how much it is also to write the better attempt, beside preferring it."""
    never: tuple[Path, ...] = ()
    """Files of tests: what shares a text with one of them is not learned from. Pair files, or one text a line
    (.txt)."""
    seed: int = 1
    """Of all that is drawn by chance."""

    def __post_init__(self) -> None:
        if (self.rank or 0) < 0 or self.layers < 0:
            raise InputError(f"--rank {self.rank} and --layers {self.layers}: give whole numbers from 0 on.")
        if self.beta <= 0 or self.anchor < 0:
            raise InputError(f"--beta {self.beta:g} must be above 0, and --anchor {self.anchor:g} 0 or more.")
