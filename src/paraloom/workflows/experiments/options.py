"""What experiments are run with. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.labels.noise_options import LIMITS


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseExperimentOptions:
    """Which labels are taken for noisy under which others."""

    loose: tuple[str, ...] = ("twitter-url", "pit2015")
    """Corpora with many labels of a looser definition."""
    strict: str = "multipit-expert"
    """Corpus with the labels that count."""
    lambdas: tuple[float, ...] = LIMITS
    """Values of λ that are tried; the one with the best F1 on held-out pairs is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionExperimentOptions:
    """Which definitions are held against each other."""

    corpora: tuple[str, ...] = ("twitter-url", "multipit-expert", "ap-h")
    """Corpora to train and test on, of several definitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeExperimentOptions:
    """How much is learned from."""

    corpus: str = "multipit-expert"
    """Corpus to train and test on."""
    groups: tuple[int, ...] = (10, 20, 40, 80, 120)
    """Numbers of groups to learn from, drawn anew with each seed; all of them come last."""
