"""Identifiers trained with and without a generator's pairs in, the report of what it was good for out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.significance import Comparison
from paraloom.reports.pages import NOTHING, number, percent, render, signed, write_page
from paraloom.reports.plain import plain_table

WITHOUT, CONTROL, WITH = "without", "control", "with"

ARMS = {
    WITHOUT: "the training pairs alone",
    CONTROL: "with as many training paraphrases drawn again in place of the generated ones",
    WITH: "with the generated pairs",
}
"""What each identifier learned from."""

FIGURES = ("f1", "mcc", "max-f1", "average-precision")
NAMES = {"average-precision": "average precision", "max-f1": "max F1", "f1": "F1", "mcc": "MCC"}
"""Metrics as a sentence calls them, the one that no threshold decides first."""

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigure:
    """One metric over several trainings."""

    mean: float
    deviation: float
    runs: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """How much one way of training is better than another by one metric, over all runs together."""

    ours: str
    other: str
    comparison: Comparison
    p_holm: float
    """The p-value, allowing for as many tests as there are metrics (Holm, 1979)."""

    @property
    def is_significant(self) -> bool:
        """Whether it is hardly chance, however many metrics were looked at."""
        return self.p_holm < SIGNIFICANT

    @property
    def told(self) -> str:
        """The metric and its gain."""
        return f"{NAMES[self.comparison.name]} {signed(self.comparison.difference, 3)}"

    def as_json(self) -> dict[str, Any]:
        """The gain as plain values."""
        return {
            "ours": self.ours,
            "other": self.other,
            "metric": self.comparison.name,
            "difference": self.comparison.difference,
            "low": self.comparison.low,
            "high": self.comparison.high,
            "p_bootstrap": self.comparison.p_value,
            "p_holm": self.p_holm,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class UseEvaluation:
    """What an identifier gains from a generator's pairs."""

    files: tuple[str, ...]
    """Training, generated and test pairs."""
    identifier: str
    definition: str
    negatives: str
    runs: int
    train_pairs: int
    learned: int
    """Training pairs that a run learned from, on average."""
    generated: int
    """Generated pairs that a run used, on average."""
    added_negatives: int
    test_pairs: int
    base_rate: float
    """Share of paraphrases among the test pairs."""
    figures: Mapping[str, Mapping[str, RunFigure]]
    """By way of training, then by metric."""
    gains: tuple[Gain, ...]
    signature: str
    notes: tuple[str, ...]

    def gain(self, metric: str, other: str = WITHOUT) -> Gain:
        """What the generated pairs gain over one of the other ways of training."""
        return next(one for one in self.gains if one.other == other and one.comparison.name == metric)

    def as_json(self) -> dict[str, Any]:
        """`metrics` and `signature` of every way of training under `systems`, and the gains."""
        return {
            "systems": {
                arm: {
                    "metrics": {name: figure.mean for name, figure in figures.items()},
                    "deviations": {name: figure.deviation for name, figure in figures.items()},
                    "runs": {name: list(figure.runs) for name, figure in figures.items()},
                    "signature": {name: f"{name}|learned:{arm}|{self.signature}" for name in figures},
                }
                for arm, figures in self.figures.items()
            },
            "gains": [one.as_json() for one in self.gains],
            "learned_pairs": self.learned,
            "generated_pairs": self.generated,
            "added_negatives": self.added_negatives,
            "test_pairs": self.test_pairs,
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        arms = list(self.figures)
        parts = [
            verdict(self),
            plain_table(
                [f"mean of {self.runs} runs", *arms],
                [
                    [
                        name,
                        *(
                            f"{self.figures[arm][name].mean:.3f} ±{self.figures[arm][name].deviation:.3f}"
                            for arm in arms
                        ),
                    ]
                    for name in FIGURES
                ],
            ),
            plain_table(
                ["gain", "metric", "", "95%", "p", "p, Holm"],
                [
                    [
                        f"{one.ours} − {one.other}",
                        one.comparison.name,
                        signed(one.comparison.difference, 3),
                        bounds(one.comparison),
                        f"{one.comparison.p_value:.3f}",
                        f"{one.p_holm:.3f}",
                    ]
                    for one in self.gains
                ],
                words=(0, 1),
            ),
            counted(self),
            *self.notes,
        ]
        return "\n\n".join(parts)


def verdict(evaluation: UseEvaluation) -> str:
    """What the generated pairs were good for, in one sentence: by every metric that changes by more than chance."""
    gains = [evaluation.gain(name) for name in NAMES]
    better = [one for one in gains if one.is_significant and one.comparison.difference > 0]
    worse = [one for one in gains if one.is_significant and one.comparison.difference < 0]
    if not better and not worse:
        return f"The generated pairs change nothing that could not be chance ({gains[0].told})."
    if not better:
        return f"The generated pairs do harm ({_listed(worse)})."
    if worse:
        return f"The generated pairs help by some metrics ({_listed(better)}) and do harm by others ({_listed(worse)})."
    own = [one for one in better if _is_own(evaluation.gain(one.comparison.name, CONTROL))]
    if not own:
        return f"The generated pairs help ({_listed(better)}), but training paraphrases drawn again help as much."
    if len(own) < len(better):
        only = " and ".join(NAMES[one.comparison.name] for one in own)
        return (
            f"The generated pairs help ({_listed(better)}); only by {only} more than training paraphrases drawn again."
        )
    return f"The generated pairs help ({_listed(better)})."


def _listed(gains: Sequence[Gain]) -> str:
    return ", ".join(one.told for one in gains)


def _is_own(gain: Gain) -> bool:
    return gain.is_significant and gain.comparison.difference > 0


def counted(evaluation: UseEvaluation) -> str:
    """What was learned from and measured on."""
    return (
        f"Each run learned from {number(evaluation.learned)} training pairs, beside them "
        f"{number(evaluation.generated)} generated ones and {number(evaluation.added_negatives)} added pairs that are "
        "none; measured on "
        f"{number(evaluation.test_pairs)} test pairs, {percent(evaluation.base_rate)} of them paraphrases."
    )


def bounds(comparison: Comparison) -> str:
    """Where a gain lies in the middle 95% of draws of the test pairs."""
    if comparison.low is None or comparison.high is None:
        return NOTHING
    return f"{signed(comparison.low, 3)} to {signed(comparison.high, 3)}"


def write_use_report(evaluation: UseEvaluation, folder: Path) -> Path:
    """Write report.html and use.json into a folder; gives the page's path."""
    return write_page(folder, render_use(evaluation), "use.json", evaluation.as_json())


def render_use(evaluation: UseEvaluation) -> str:
    """The page of an evaluation."""
    return render(
        "use.html",
        {
            "evaluation": evaluation,
            "headline": verdict(evaluation).rstrip("."),
            "counted": counted(evaluation),
            "arms": ARMS,
            "metrics": FIGURES,
            "bounds": bounds,
            "version": paraloom_version(),
        },
    )
