"""What an evaluation of parrots found: the numbers of its report, its JSON and its table, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.reports.pages import NOTHING, decimal, number, percent
from paraloom.reports.papers import PublishedParrot
from paraloom.reports.plain import plain_table
from paraloom.text.counted import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSummary:
    """The sources and references that were measured."""

    files: tuple[str, ...]
    shape: str
    rows: int
    sources: int
    references: int
    words: int
    """Words of the sources, as white space separates them."""
    single_reference_share: float
    reference_counts: Mapping[int, int]
    """Sources by their number of references (appendix A of Mao and Lee, 2019)."""
    told: tuple[str, ...]
    """What was merged or left out, in sentences."""
    final_marks: float
    """Share of the sources that end in a full stop, question or exclamation mark: a word that is easy to copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One metric of the full parrot over the whole set."""

    name: str
    value: float
    better: str
    signature: str
    low: float | None
    high: float | None
    """Where it lies in the middle 95% of resamples; None where its items cannot be resampled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One metric of one parrot (figures 3 to 17)."""

    metric: str
    kind: str
    position: str
    ratio: float
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CountBin:
    """The full parrot on the sources with so many references (figures 1 and 2)."""

    name: str
    least: int
    most: int
    sources: int
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMetric:
    """One metric of the full parrot over many test sets drawn at random (Table 4)."""

    name: str
    mean: float
    deviation: float
    smallest: float
    largest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSentence:
    """A sentence with its BLEU against an input."""

    text: str
    is_reference: bool
    bleu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuBin:
    """Sentences whose BLEU against one input lies between two bounds; the last bin shows some of many."""

    low: float
    high: float
    sentences: tuple[ScoredSentence, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownInput:
    """One input with its references and random other sentences, binned by BLEU (appendix C)."""

    source: str
    bins: tuple[BleuBin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """How well BLEU tells references from other sentences, over many inputs."""

    inputs: int
    reference_counts: tuple[int, ...]
    """References by their sentence BLEU with the input, in bins of .05."""
    stranger_counts: tuple[int, ...]
    reference_mean: float
    stranger_mean: float
    area: float
    """Chance that a random reference scores above a random other sentence (the area under the ROC curve)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParrotSummary:
    """All that was measured of the parrots of one set."""

    measured_on: SetSummary
    warnings: tuple[str, ...]
    metrics: tuple[MetricSummary, ...]
    not_run: Mapping[str, str]
    """Metrics that could not run here, and why."""
    by_reference_count: tuple[CountBin, ...]
    curves: tuple[CurvePoint, ...]
    curve_sources: Mapping[str, int]
    """On how many sources each metric of the curves was measured."""
    replacement: str
    """The word that stands for words that were replaced; it is in no text of the set."""
    samples: int
    sample_size: int
    sampled: tuple[SampledMetric, ...]
    inputs: tuple[ShownInput, ...]
    separation: Separation | None
    published: PublishedParrot | None
    seed: int

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics` and `signature` of the full parrot, and all the rest by name."""
        whole = asdict(self)
        shown = {name: whole[name] for name in whole if name not in ("metrics", "measured_on")}
        return {
            "metrics": {metric.name: metric.value for metric in self.metrics},
            "signature": {metric.name: metric.signature for metric in self.metrics},
            "intervals": {metric.name: [metric.low, metric.high] for metric in self.metrics if metric.low is not None},
            "set": whole["measured_on"],
            **shown,
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        told = self.measured_on
        parts = [
            f"{counted(told.sources, 'source', 'sources')} with "
            f"{counted(told.references, 'reference', 'references')}; "
            f"{percent(told.single_reference_share)} of them have one reference.",
            *(f"WARNING: {warning}" for warning in self.warnings),
        ]
        if told.told:
            parts.append("\n".join(told.told))
        parts.append(self._full_parrot())
        if self.published:
            parts += ["\n".join(self.reasons_to_differ())]
        if self.not_run:
            parts.append("\n".join(f"{name} was not measured: {why}" for name, why in self.not_run.items()))
        if self.curves:
            parts.append(self._changed_words())
        if self.sampled:
            parts.append(
                plain_table(
                    [f"{self.samples:,} sets of {self.sample_size:,}", "mean", "deviation", "smallest", "largest"],
                    [
                        [one.name, *(f"{value:.2f}" for value in (one.mean, one.deviation, one.smallest, one.largest))]
                        for one in self.sampled
                    ],
                )
            )
        if self.separation:
            parts.append(
                f"Sentence BLEU tells references (mean {self.separation.reference_mean:.2f}) from random other "
                f"sentences (mean {self.separation.stranger_mean:.2f}) with an area under the curve of "
                f"{self.separation.area:.3f}."
            )
        return "\n\n".join(parts)

    def reasons_to_differ(self) -> list[str]:
        """Why the figures are not those of the paper, as far as the two sets' own numbers tell."""
        if self.published is None:
            return []
        here, paper = self.measured_on, self.published
        told = [
            f"{paper.stated_in} measured {paper.data_told}; here are {number(here.sources)} sources, "
            f"{percent(here.final_marks)} of which end in a final mark, which a parrot always gets right."
        ]
        if paper.single_reference_share is not None:
            told.append(
                f"There over {paper.single_reference_share:.0%} of the sources have one reference, here "
                f"{percent(here.single_reference_share)}: with more references a parrot scores higher."
            )
        told.append(
            "The paper does not say how BLEU and TER were tokenised; ours are sacrebleu's, with the signatures given."
        )
        return told

    def _full_parrot(self) -> str:
        published = {score.metric: score for score in self.published.scores} if self.published else {}
        rows = []
        for metric in self.metrics:
            stated = published.get(metric.name)
            row = [
                f"{metric.name} {'↓' if metric.better == 'lower' else ''}".strip(),
                f"{metric.value:.2f}",
                NOTHING if metric.low is None else f"{metric.low:.2f}–{metric.high:.2f}",
            ]
            if self.published:
                row += [
                    decimal(stated.parrot if stated else None, 2),
                    decimal(stated.best if stated else None, 2),
                    (stated.best_by or "") if stated else "",
                ]
            rows.append(row)
        header = ["full parrot", "here", "95%"]
        if self.published:
            header += [f"{self.published.name} 2019", "best generator", "by"]
        return plain_table(header, rows, words=(0, 5))

    def _changed_words(self) -> str:
        ratios = sorted({point.ratio for point in self.curves})
        shown = [ratio for ratio in ratios if ratio in (0, 0.1, 0.2, 0.3, 0.5, 0.7)] or ratios[:6]
        values = {(point.metric, point.kind, point.position, point.ratio): point.value for point in self.curves}
        curves = dict.fromkeys((point.metric, point.kind, point.position) for point in self.curves)
        return plain_table(
            ["share of words", "", "", *(f"{ratio:.0%}" for ratio in shown), "sources"],
            [
                [*curve, *(f"{values[*curve, ratio]:.2f}" for ratio in shown), number(self.curve_sources[curve[0]])]
                for curve in curves
            ],
            words=(0, 1, 2),
        )
