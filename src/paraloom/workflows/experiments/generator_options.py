"""What experiments with generators are run with. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from paraloom.errors import InputError
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.train.generator_options import TrainGeneratorOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingExperimentOptions:
    """What is written for, and how it is measured."""

    most_sources: int = 200
    """Each generator writes for at most so many held-out sources, drawn by --split-seed."""
    beams: int = 4
    """Beginnings that are kept at each step of writing."""
    encoder: str = "all-MiniLM-L6-v2"
    """Encoder behind BERTScore and BERT-iBLEU: a name, or a folder that holds one."""

    def __post_init__(self) -> None:
        for name in ("most_sources", "beams"):
            if getattr(self, name) < 1:
                raise InputError(f"--{name.replace('_', '-')} {getattr(self, name)} is too few. Give 1 or more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingStudy:
    """What every training of an experiment with generators shares, but for what the experiment changes."""

    training: TrainGeneratorOptions = field(default_factory=TrainGeneratorOptions)
    fit: FitOptions = field(default_factory=FitOptions)
    plan: PlanOptions = field(default_factory=PlanOptions)
    writing: WritingExperimentOptions = field(default_factory=WritingExperimentOptions)

    def __post_init__(self) -> None:
        if self.training.filtered is not None:
            raise InputError("--filtered is for one training: paraloom train generator. Leave it out.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuFilterOptions:
    """Which thresholds are tried."""

    thresholds: tuple[float | Literal["none"], ...] = (6, 10, 14, 20, 30, "none")
    """Pairs with a higher BLEU are left out; `none` leaves out none for it."""

    def __post_init__(self) -> None:
        if not self.thresholds or len(set(self.thresholds)) < len(self.thresholds):
            raise InputError(f"--thresholds {' '.join(map(str, self.thresholds))}: give at least one, each once.")
        if any(one != "none" and not 0 <= one <= 100 for one in self.thresholds):
            raise InputError(f"--thresholds {' '.join(map(str, self.thresholds))}: give BLEUs from 0 to 100, or none.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorSizeOptions:
    """How much is learned from."""

    sizes: tuple[int, ...] = (1_000, 4_000, 16_000, 64_000)
    """Numbers of pairs to learn from; all of them come last."""

    def __post_init__(self) -> None:
        if any(size < 1 for size in self.sizes) or len(set(self.sizes)) < len(self.sizes):
            raise InputError(f"--sizes {' '.join(map(str, self.sizes))}: give numbers of 1 or more, each once.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorDataOptions:
    """Which training sets are not filtered as the others are."""

    unfiltered: tuple[str, ...] = ()
    """Names of sets of which no pair is left out for its BLEU."""
    loose: tuple[str, ...] = ()
    """Names of sets that the identifier (--judge) is not asked about."""
