"""What people said of generations in, their report out: a page, a JSON object, or lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.measured import Better
from paraloom.metrics.overlap.reference_diversity import ReferenceSelfBleu
from paraloom.metrics.ratings.metric_correlations import MetricCorrelation
from paraloom.metrics.ratings.rated_outputs import AspectSummary
from paraloom.metrics.significance import Comparison, Interval
from paraloom.reports.pages import NOTHING, number, render, write_page
from paraloom.reports.plain import plain_table


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetric:
    """An automatic metric that was held against people."""

    name: str
    better: Better
    signature: str
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDifference:
    """One aspect of two systems, on the sources that both were rated on."""

    ours: str
    other: str
    sources: int
    comparison: Comparison

    def as_json(self) -> dict[str, Any]:
        """The difference as plain values."""
        return {
            "ours": self.ours,
            "other": self.other,
            "aspect": self.comparison.name,
            "sources": self.sources,
            "difference": self.comparison.difference,
            "low": self.comparison.low,
            "high": self.comparison.high,
            "p_bootstrap": self.comparison.p_value,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEvaluation:
    """Ratings of generations: summaries, differences between systems, and metrics held against people."""

    files: tuple[str, ...]
    items: int
    sources: int
    systems: tuple[str, ...]
    aspects: tuple[str, ...]
    """With `overall`, where there are several."""
    summaries: tuple[AspectSummary, ...]
    differences: tuple[SystemDifference, ...]
    metrics: tuple[RunMetric, ...]
    correlations: tuple[MetricCorrelation, ...]
    not_run: Mapping[str, str]
    human: ReferenceSelfBleu | None
    """Self-BLEU of people's references, where sources have several."""
    resamples: int
    seed: int
    notes: tuple[str, ...]

    def summaries_of(self, system: str | None) -> list[AspectSummary]:
        """One a rated aspect, of one system or of all."""
        return [summary for summary in self.summaries if summary.system == system]

    def correlation(self, metric: str, aspect: str, system: str | None = None) -> MetricCorrelation | None:
        """How one metric goes with one aspect; None where no item has both."""
        wanted = (metric, aspect, system)
        return next((one for one in self.correlations if (one.metric, one.aspect, one.system) == wanted), None)

    @property
    def sources_within(self) -> int:
        """How many sources have several outputs that people told apart, at most."""
        return max((one.within_sources for one in self.correlations), default=0)

    @property
    def looks_within(self) -> bool:
        """Whether some source has several outputs, so that metrics can be held against people inside sources."""
        return any(one.within is not None for one in self.correlations)

    def as_json(self) -> dict[str, Any]:
        """`metrics` and `signature` of all outputs together, and by system where there are several."""
        written = self._of_system(None)
        if len(self.systems) > 1:
            written["systems"] = {system: self._of_system(system) for system in self.systems}
            written["differences"] = [one.as_json() for one in self.differences]
        return written | {
            "items": self.items,
            "sources": self.sources,
            "not_run": dict(self.not_run),
            "human_references": None if self.human is None else asdict(self.human),
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def _of_system(self, system: str | None) -> dict[str, Any]:
        summaries = self.summaries_of(system)
        drawn = f"bootstrap:{self.resamples}|seed:{self.seed}"
        correlated = [one for one in self.correlations if one.system == system]
        alphas = {f"{one.aspect}-alpha": one.alpha for one in summaries if one.alpha is not None}
        return {
            "metrics": {summary.aspect: summary.mean for summary in summaries}
            | {name: alpha.value for name, alpha in alphas.items()},
            "signature": {one.aspect: f"{one.aspect}|mean:ratings|items:{one.items}|{drawn}" for one in summaries}
            | dict.fromkeys(alphas, f"krippendorff-alpha|level:ordinal|{drawn}")
            | {metric.name: metric.signature for metric in self.metrics},
            "summaries": {summary.aspect: asdict(summary) for summary in summaries},
            "correlations": {
                metric.name: {one.aspect: _correlation_json(one) for one in correlated if one.metric == metric.name}
                for metric in self.metrics
            },
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        counted = f"{number(self.items)} outputs for {number(self.sources)} sources"
        parts = [f"{counted} by {len(self.systems)} systems." if len(self.systems) > 1 else f"{counted}."]
        parts += list(self.notes)
        for system in self.shown_systems:
            parts.append(_summary_table(self.summaries_of(system), system))
        parts += [f"{one.aspect}: {one.note}." for one in self.summaries_of(None) if one.note]
        parts += list(self.why_none)
        if self.differences:
            parts.append(_difference_table(self.differences))
        for system in self.shown_systems:
            parts.append(self._correlation_table(system))
        parts += [f"not run: {name}: {why}" for name, why in self.not_run.items()]
        if self.human is not None:
            parts.append(human_told(self.human))
        return "\n\n".join(part for part in parts if part)

    @property
    def why_none(self) -> list[str]:
        """Why a cell of the tables is empty, in sentences."""
        told = [
            f"alpha of {one.aspect}: none, since {one.alpha.why_none}."
            for one in self.summaries_of(None)
            if one.alpha is not None and one.alpha.value is None
        ]
        flat = [one for one in self.correlations if one.system is None and one.value is None]
        for metric in dict.fromkeys(one.metric for one in flat):
            aspects = ", ".join(one.aspect for one in flat if one.metric == metric)
            told.append(
                f"{metric} with {aspects}: no correlation, since there is one output alone, or the metric or people "
                "gave all outputs the same value."
            )
        return told

    @property
    def shown_systems(self) -> tuple[str | None, ...]:
        """All together, then each alone where there are several."""
        return (None, *self.systems) if len(self.systems) > 1 else (None,)

    def _correlation_table(self, system: str | None) -> str:
        header = [f"Spearman{'' if system is None else f', {system}'}"]
        header += [text for aspect in self.aspects for text in (aspect, "95%")]
        header += [f"{aspect} within" for aspect in self.aspects] if self.looks_within else []
        rows = []
        for metric in self.metrics:
            found = [self.correlation(metric.name, aspect, system) for aspect in self.aspects]
            row = [f"{metric.name} ↓" if metric.better == "lower" else metric.name]
            row += [text for one in found for text in (starred(one), interval_shown(one.interval if one else None))]
            row += [within_shown(one) for one in found] if self.looks_within else []
            rows.append(row)
        return plain_table(header, rows) if rows else ""


def write_rating_report(evaluation: RatingEvaluation, folder: Path) -> Path:
    """Write report.html and rating.json into a folder; gives the page's path."""
    return write_page(folder, render_rating(evaluation), "rating.json", evaluation.as_json())


def render_rating(evaluation: RatingEvaluation) -> str:
    """The page of an evaluation."""
    from markupsafe import Markup

    from paraloom.reports.rating_charts import distribution

    rated = [summary for summary in evaluation.summaries if summary.points]
    charts = {}
    for place, aspect in enumerate(dict.fromkeys(summary.aspect for summary in rated)):
        of_aspect = [one for one in rated if one.aspect == aspect and one.system in evaluation.shown_systems[-8:]]
        # Altair's drawing went through an XML writer, which escapes every text in it.
        charts[aspect] = Markup(distribution(f"points-{place}", of_aspect, _described(aspect, of_aspect)))
    return render(
        "rating.html",
        {
            "evaluation": evaluation,
            "headline": headline(evaluation),
            "charts": charts,
            "alphas": [one for one in evaluation.summaries_of(None) if one.alpha is not None],
            "starred": starred,
            "bounds": interval_shown,
            "within": within_shown,
            "human": None if evaluation.human is None else human_told(evaluation.human),
            "version": paraloom_version(),
        },
    )


def headline(evaluation: RatingEvaluation) -> str:
    """What came of it, in one line: the metric that goes with people best, in the direction it claims."""
    if not evaluation.metrics:
        return f"{number(evaluation.items)} rated outputs"
    aspect = evaluation.aspects[-1]
    claimed = {metric.name: -1 if metric.better == "lower" else 1 for metric in evaluation.metrics}
    found = [
        (claimed[one.metric] * one.value, one.metric, one.value)
        for one in evaluation.correlations
        if one.system is None and one.aspect == aspect and one.value is not None and one.stars
    ]
    if not [claim for claim, _, _ in found if claim > 0]:
        return f"No metric goes with people’s {aspect}"
    _, name, value = max(found)
    return f"{name} goes best with people’s {aspect}: {shown(value, 2)}"


def shown(value: float, places: int) -> str:
    """A number with a real minus sign."""
    return f"{value:.{places}f}".replace("-", "\u2212")


def starred(one: MetricCorrelation | None) -> str:
    """A correlation with its stars."""
    return NOTHING if one is None or one.value is None else f"{shown(one.value, 3)}{one.stars}"


def within_shown(one: MetricCorrelation | None) -> str:
    """The mean correlation inside sources."""
    return NOTHING if one is None or one.within is None else shown(one.within, 3)


def interval_shown(interval: Interval | None) -> str:
    """An interval's two ends."""
    return NOTHING if interval is None else f"{shown(interval.low, 2)} to {shown(interval.high, 2)}"


def human_told(human: ReferenceSelfBleu) -> str:
    """The row "Human Reference" in words."""
    return (
        f"People’s references: self-BLEU from {human.lowest:.2f} (lowest of a source) over {human.mean:.2f} "
        f"±{human.deviation:.2f} (mean) to {human.highest:.2f} (highest), averaged over {number(human.sources)} "
        f"sources with {number(human.references)} references."
    )


def _summary_table(summaries: Sequence[AspectSummary], system: str | None) -> str:
    rows = [
        [
            one.aspect,
            number(one.ratings),
            f"{one.mean:.2f}",
            interval_shown(one.interval),
            f"{one.deviation:.2f}",
            alpha_shown(one),
            NOTHING if one.alpha is None else interval_shown(one.alpha.interval),
            "  ".join(f"{point.name}: {point.share:.1%}" for point in one.points),
        ]
        for one in summaries
    ]
    title = "all" if system is None else system
    return plain_table(
        [title, "ratings", "mean", "95%", "deviation", "alpha", "95%", "ratings given"], rows, words=(0, 7)
    )


def alpha_shown(summary: AspectSummary) -> str:
    """Krippendorff's alpha of an aspect."""
    alpha = summary.alpha
    return NOTHING if alpha is None or alpha.value is None else shown(alpha.value, 2)


def _difference_table(differences: Sequence[SystemDifference]) -> str:
    rows = [
        [
            f"{one.ours} − {one.other}",
            one.comparison.name,
            number(one.sources),
            f"{one.comparison.difference:+.3f}",
            NOTHING if one.comparison.low is None else f"{one.comparison.low:+.3f} to {one.comparison.high:+.3f}",
            f"{one.comparison.p_value:.3f}",
        ]
        for one in differences
    ]
    return plain_table(["difference", "aspect", "sources", "", "95%", "p"], rows, words=(0, 1))


def _correlation_json(one: MetricCorrelation) -> dict[str, Any]:
    return {
        "spearman": one.value,
        "p_value": one.p_value,
        "stars": one.stars,
        "interval": None if one.interval is None else [one.interval.low, one.interval.high],
        "items": one.items,
        "within_sources": one.within,
        "within_sources_interval": None
        if one.within_interval is None
        else [one.within_interval.low, one.within_interval.high],
        "sources_with_several": one.within_sources,
    }


def _described(aspect: str, summaries: Sequence[AspectSummary]) -> str:
    parts = (
        f"{one.system or 'all'}: " + ", ".join(f"{point.name} {point.share:.1%}" for point in one.points)
        for one in summaries
    )
    return f"Ratings of {aspect}. {'; '.join(parts)}."
