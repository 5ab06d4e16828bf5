"""Which corpora phenomena are counted in, and how. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError

USUAL_CORPORA = ("msrp", "pit2015", "twitter-url")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhenomenaOptions:
    """Which pairs are looked at, and who aligns their words."""

    data: Path | None = None
    """Folder of published corpora; without it, files of pairs alone are counted."""
    corpora: tuple[str, ...] = USUAL_CORPORA
    """Published corpora in --data whose training pairs are counted: those of Table 7 of Lan et al. (2017)."""
    names_from: tuple[str, ...] = ()
    """Published corpora in --data whose texts have capitals: words that these write with one are names in lower-cased
    texts, too. The texts that are counted are looked at anyway."""
    reference: str = ""
    """Corpus whose length of sentences the adjusted figures are for; empty: twitter-url if there, else the last."""
    limit: int = 0
    """At most so many paraphrases of each corpus, by the hash of their texts; 0 takes all."""
    columns: tuple[str, ...] = ()
    """Where left, right and label lie in files with other names for them: `label=gold left=text1`."""
    examples: int = 2
    """Phenomena of each kind that are shown for each corpus."""
    resamples: int = 1000
    """Draws of the pairs, or of groups of pairs that share a source, for intervals."""
    seed: int = 1
    """Of the draws."""

    def __post_init__(self) -> None:
        for name, least in (("limit", 0), ("examples", 0), ("resamples", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise InputError(f"--{name} {getattr(self, name)} makes no sense. Give a whole number from {least} on.")
        if self.data is None and self.names_from:
            raise InputError("--names-from names published corpora, which lie in --data. Give --data.")
        if self.data is None and self.corpora != USUAL_CORPORA:
            raise InputError("--corpora names published corpora, which lie in --data. Give --data.")
