"""What the report of a benchmark is made of: the papers' tables, their rows, and figures of ours beside theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Group = Literal["paper", "ours", "shipped"]
"""Which part of a table a row stands in: the paper's own rows, others of ours, or weights that come trained."""

YARDSTICK = "ngram-regression"
"""The system that all others on the same pairs are compared with: LR in the papers' tables."""

NEAR = 0.03
"""A figure that is further from the published one than this is explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchFigure:
    """One metric of one row."""

    value: float
    """The mean over seeds."""
    low: float | None = None
    high: float | None = None
    """The middle 95% of draws of the groups of pairs; None for what has no interval."""
    seeds: tuple[float, ...]
    """Of each seed alone."""
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchCost:
    """What a row costs, and where that was measured."""

    parameters: int
    pairs_per_second: float
    """Scored, after a warm-up, over all measured pairs."""
    fit_seconds: float
    """Of one training, the mean over folds and seeds; 0 where nothing was fitted."""
    fit_pairs: int
    device: str
    processor: str
    cores: int

    @property
    def timed_on(self) -> str:
        """The device, in a word or two: what a speed must be read with."""
        return self._cores if self.device == "cpu" else self.device

    @property
    def _cores(self) -> str:
        return f"{self.cores} core{'' if self.cores == 1 else 's'}"

    @property
    def where(self) -> str:
        """The device and the machine, in words."""
        machine = f"{self._cores}, {self.processor}"
        return machine if self.device == "cpu" else f"{self.device}; {machine}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Max F1 less that of the n-gram regression, on the same draws of the same pairs."""

    difference: float
    p_value: float
    low: float | None = None
    high: float | None = None
    """The middle 95% of draws of the difference; None where there is nothing to draw."""

    @property
    def is_below(self) -> bool:
        """Whether it is worse by more than chance: the whole interval lies below 0."""
        return self.high is not None and self.high < 0

    @property
    def is_above(self) -> bool:
        """Whether it is better by more than chance."""
        return self.low is not None and self.low > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRow:
    """One system on one corpus: what was published, what we measured, or why nothing was."""

    name: str
    """System, base, what it learned from: what tells it from the table's other rows."""
    title: str
    group: Group
    system: str
    corpus: str
    is_trained_elsewhere: bool = False
    """It learned from other corpora than the one that it is measured on."""
    published: Mapping[str, float] = field(default_factory=dict)
    """By metric; empty where the paper has no such row."""
    published_parameters: str = ""
    published_learning_rate: str = ""
    figures: Mapping[str, BenchFigure] = field(default_factory=dict)
    """By metric; empty where it was not run."""
    not_run: str = ""
    """Why there are no figures."""
    measured_on: str = ""
    pairs: int = 0
    base_rate: float = 0.0
    by_fold: tuple[float, ...] = ()
    """Max F1 of each fold alone."""
    at_test_rate: float | None = None
    """Max F1 as if the pairs held as large a share of paraphrases as the corpus's test split."""
    test_rate: float | None = None
    against: Against | None = None
    """None for the n-gram regression itself, and where that was not measured on the same pairs."""
    why: str = ""
    """Why it is further than `NEAR` from what was published."""
    cost: BenchCost | None = None
    learning_rate: float | None = None
    identifier: str = ""
    """The first fitted identifier's signature."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    curve: Sequence[Mapping[str, float]] = ()
    """How the first training went."""

    @property
    def state(self) -> str:
        """What is said of it where it has no figures: *not run*, or, of what is never fitted, *not measured*."""
        return "not measured" if self.group == "shipped" else "not run"

    @property
    def is_historical(self) -> bool:
        """Below the n-gram regression on the same pairs, by more than chance."""
        return self.against is not None and self.against.is_below

    @property
    def is_no_different(self) -> bool:
        """Neither below nor above the n-gram regression by more than chance."""
        return self.against is not None and not (self.against.is_below or self.against.is_above)

    def difference(self, metric: str) -> float | None:
        """Ours less the published figure; None where one of them is missing."""
        if metric not in self.figures or metric not in self.published:
            return None
        return self.figures[metric].value - self.published[metric]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTable:
    """Systems on one corpus, in the layout of a paper's table where there is one."""

    name: str
    heading: str
    """The corpus, or what is asked of it."""
    paper: str
    """Empty where no paper has this table."""
    number: int
    caption: str
    metrics: tuple[str, ...]
    """The first decides; where accuracy comes last, F1."""
    is_in_per_cent: bool
    rows: tuple[BenchRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def main(self) -> str:
        """The metric that a row is judged by."""
        return "f1" if self.metrics[-1] == "accuracy" else self.metrics[0]

    @property
    def title(self) -> str:
        """What it is of, and where it was printed."""
        return f"{self.heading}: {self.paper}, Table {self.number}" if self.paper else self.heading


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """How well one label of a graded scheme is predicted."""

    label: str
    published: tuple[float, ...]
    """Precision, recall and F1; of accuracy the last alone."""
    published_support: int | None
    ours: tuple[float, ...] = ()
    support: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTable:
    """One half of a table of the Turku scheme: published and ours, label by label."""

    paper: str
    number: int
    test_set: str
    rows: tuple[LabelRow, ...]
    system: str
    measured_on: str = ""
    not_run: str = ""
    cost: BenchCost | None = None

    @property
    def title(self) -> str:
        """As the paper numbers it."""
        return f"{self.paper}, Table {self.number}: {self.test_set}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseRow:
    """One way to use the loose labels for the strict definition."""

    method: str
    data: str
    """What the paper learned from; empty where it has no such row."""
    published: tuple[float, ...]
    """Precision, recall, F1 and accuracy."""
    ours: tuple[float, ...] = ()
    learned_from: str = ""
    """What ours learned from."""

    @property
    def gap(self) -> float | None:
        """Our F1 less the published one; None where one of them is missing."""
        return self.ours[2] - self.published[2] if self.ours and self.published else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseTable:
    """Table 3 of Dou et al. (2022), and our experiment beside it."""

    rows: tuple[NoiseRow, ...]
    told: str
    """What our figures are of, or why there are none."""
    why: str = ""
    """What differs from the paper, where a gap is larger than `NEAR`."""
    signature: str = ""
    """All that decides our figures."""
