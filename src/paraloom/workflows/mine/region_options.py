"""How regions are measured and pairs selected. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paraloom.errors import InputError

Definition = Literal["loose", "strict", "implication", "graded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """Who says how sure it is."""

    model: str = ""
    """Identifier: the name of a shipped one, or the folder of a trained one. Empty: the scores the pairs come with."""
    definition: Definition | None = None
    """What the identifier counts as a paraphrase (by default `graded`, or what it knows), or whose scores are taken
    from a run's labels (by default the run's own)."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `left=sentence1 right=sentence2 label=3`, by name or number from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureOptions:
    """What is told of regions."""

    drawn: Path | None = None
    """The drawn sample, where the judged file has only labels by `pair_id`."""
    steps: int = 5
    """Tiles of the map in each direction; 5 are .2 wide each."""
    wanted_precision: float = 0.95
    """Bounds are sought that take most candidates while surely so many of them are right."""
    dev_share: float = 1 / 3
    """Share of the pairs that bounds are chosen by, where the file has no `split`."""

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= 20:
            raise InputError(f"--steps {self.steps} makes no map that can be read. Give a number from 1 to 20.")
        if not 0 < self.wanted_precision <= 1:
            raise InputError(f"--wanted-precision is {self.wanted_precision:g}, but must be above 0 and at most 1.")
        if not 0 <= self.dev_share < 1:
            raise InputError(f"--dev-share is {self.dev_share:g}, but must be from 0 to less than 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectOptions:
    """What is taken of the candidates."""

    regions: Path | None = None
    """`regions.json` of `paraloom mine regions`, or its folder: bounds, identifier and definition are taken from there,
    and how many of the pairs are right is told."""
    rule: Literal["sought", "given"] = "sought"
    """Which bounds of --regions: those that were sought, or those that were given to it."""
    take: tuple[Literal["negatives", "positives"], ...] = ("negatives", "positives")
    """What is taken: safe negatives, safe positives, or both."""
    most: int = 0
    """At most so many of each kind, drawn by their texts. 0: all."""
    seed: int = 1
    """Decides which are drawn."""
    leave_out: tuple[Path, ...] = ()
    """Files of pairs that were judged or are to be measured on later: candidates with one of their texts are left out.
    Their texts are in the columns that --columns names, or in those of a usual name."""
    overwrite: bool = False
    """Replace the file that --out names."""

    def __post_init__(self) -> None:
        if not self.take:
            raise InputError("Nothing is to be taken. Give --take negatives, positives or both.")
        if self.most < 0:
            raise InputError(f"--most {self.most} makes no sense. Give a whole number from 0 on.")
        if self.rule != "sought" and self.regions is None:
            raise InputError(f"--rule {self.rule} is about the bounds of --regions. Give its file, or leave it out.")
