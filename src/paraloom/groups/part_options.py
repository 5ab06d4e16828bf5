"""Which parts of films are read. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOptions:
    """Which parts of which films are read: some of each, so that many films are, and later more of the best."""

    part_minutes: float = 15.0
    """Films are cut into parts of about so many minutes."""
    parts_per_work: int = 1
    """So many parts of each film are read in a round, drawn by `--part-seed`; it must be the same in all rounds."""
    round: int = 1
    """In round 2, others of the parts are read than in round 1, and so on."""
    yields: Path | None = None
    """Table (CSV, TSV, JSONL, Parquet) of what earlier rounds gave, with the columns `work` and `pairs`: the films are
    taken in the order of their yield, and those that are not in it are left to an earlier round."""
    most_works: int | None = None
    """At most so many films are read in this round, of those that have a part left the ones with the highest yield;
    `--yields` must be given."""
    part_seed: int = 1
    """Decides which parts are drawn."""

    def __post_init__(self) -> None:
        if not 0 < self.part_minutes < float("inf"):
            raise InputError(f"--part-minutes is {self.part_minutes}, but a part must last some time. Try 15.")
        for name, value in (("parts-per-work", self.parts_per_work), ("round", self.round)):
            if value < 1:
                raise InputError(f"--{name} is {value}, but must be at least 1.")
        if self.most_works is not None and self.most_works < 1:
            raise InputError(f"--most-works is {self.most_works}, but must be at least 1.")
        if self.most_works is not None and self.yields is None:
            raise InputError("--most-works takes the films with the highest yield. Say with --yields what they gave.")
        if self.yields is not None and self.round == 1:
            raise InputError(
                "--yields tells what earlier rounds gave, but this is round 1. Say --round 2, or leave it."
            )
