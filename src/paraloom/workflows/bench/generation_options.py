"""How generation is benchmarked. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError
from paraloom.models.generators.loading_options import JUDGED_BY, UNJUDGED

USUAL = ("paraloom", "lexical", "back-translation")
"""Generators that are run unless others are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationBenchOptions:
    """Which generators write on which sets, and how that is measured."""

    generators: tuple[str, ...] = USUAL
    """By name or folder, or NAME=FOLDER to say what it is called in the tables; differences are tested against the
    first. `none` runs no generator, for files of --outputs alone."""
    outputs: tuple[str, ...] = ()
    """Files that were written before, as NAME=FILE in the form of `generate`: measured on each set that they hold all
    sources of."""
    sets: tuple[str, ...] = ()
    """Sets by their names; those of the tables unless given. One of your own is NAME=FILE, with a column `source` and
    one `references`, or pairs."""
    limit: int = 500
    """At most so many sources of each set, by the hash of their text; 0 takes all."""
    n: int = 1
    """Outputs for each source; the first is measured."""
    max_candidates: int = 16
    """So many candidates a generator is asked for, to choose the outputs of."""
    rank_by: str = UNJUDGED
    """What puts candidates in order, as in `generate`; here unjudged unless said: the shipped identifier has learned
    from corpora that generators are measured on."""
    rank_judge: str = JUDGED_BY
    """Identifier that is asked for the parts strict, loose and implication."""
    batch: int = 16
    """Sources that are generated and kept at a time. It decides how much a kill can cost, and no output."""
    resamples: int = 1000
    """Draws of the sources for intervals and tests."""
    seed: int = 1
    """Decides what generators draw, which reference stands for people, and the draws."""
    encoder: str = "all-MiniLM-L6-v2"
    """Encoder behind BERTScore: a name, or a folder that holds one."""
    layer: int | None = None
    """Layer of the encoder to match tokens at; needed where Paraloom does not know the encoder, as with a folder."""
    device: str = "cpu"
    """Where networks of generators run: `cpu` or `cuda`."""
    hub: bool = False
    """Ask the model hub for a generator that is not on this machine."""

    def __post_init__(self) -> None:
        for name, least in (("limit", 0), ("n", 1), ("batch", 1), ("resamples", 1), ("seed", 0)):
            if getattr(self, name) < least:
                flag = name.replace("_", "-")
                raise InputError(f"--{flag} {getattr(self, name)} makes no sense. Give a whole number from {least} on.")
        if self.max_candidates < self.n:
            raise InputError(f"--max-candidates {self.max_candidates} are too few to choose --n {self.n} outputs of.")
        if len(set(self.generators)) < len(self.generators):
            raise InputError(f"--generators {' '.join(self.generators)}: give each once.")
