"""What experiments are run with. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError
from paraloom.labels.noise_options import LIMITS, check_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """What learns, how often, and from how much."""

    systems: tuple[str, ...] = ()
    """Systems that learn; by default `cross-encoder` where torch is installed, else `ngram-regression`."""
    base: str = ""
    """Model that transformer systems start from: a name or a folder. Empty: the system's own default."""
    seeds: tuple[int, ...] = (1,)
    """Every training is done once with each; figures are means with their deviation."""
    limit: int = 0
    """At most about so many pairs of each set, in whole groups, for a quick look. 0: all."""
    held_out_share: float = 0.1
    """Share of the groups of a training set that is held out where the corpus has no part of its own for it."""
    hub: bool = False
    """Let transformers ask the model hub for a base that is not on this machine."""

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise InputError(f"--seeds {' '.join(map(str, self.seeds))}: give at least one, each once.")
        if self.limit < 0:
            raise InputError(f"--limit {self.limit} makes no sense. Give a whole number from 0 on.")
        if not 0 < self.held_out_share <= 0.4:
            raise InputError(f"--held-out-share is {self.held_out_share}, but must be above 0 and at most .4.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseExperimentOptions:
    """Which labels are taken for noisy under which others."""

    loose: tuple[str, ...] = ("twitter-url", "pit2015")
    """Corpora with many labels of a looser definition."""
    strict: str = "multipit-expert"
    """Corpus with the labels that count."""
    lambdas: tuple[float, ...] = LIMITS
    """Values of λ that are tried; the one with the best F1 on held-out pairs is kept."""

    def __post_init__(self) -> None:
        if not self.loose or not self.lambdas:
            raise InputError("Give at least one corpus with --loose, and one value of λ with --lambdas.")
        if self.strict in self.loose:
            raise InputError(f"{self.strict} is given both with --loose and with --strict. Give it once.")
        for limit in self.lambdas:
            check_limit(limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionExperimentOptions:
    """Which definitions are held against each other."""

    corpora: tuple[str, ...] = ("twitter-url", "multipit-expert", "ap-h")
    """Corpora to train and test on, of several definitions."""

    def __post_init__(self) -> None:
        if len(set(self.corpora)) < 2:
            raise InputError("Give at least two corpora with --corpora, of different definitions.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeExperimentOptions:
    """How much is learned from."""

    corpus: str = "multipit-expert"
    """Corpus to train and test on."""
    groups: tuple[int, ...] = (10, 20, 40, 80, 120)
    """Numbers of groups to learn from, drawn anew with each seed; all of them come last."""

    def __post_init__(self) -> None:
        if any(count < 1 for count in self.groups):
            raise InputError(f"--groups {' '.join(map(str, self.groups))}: each must be 1 or more.")
