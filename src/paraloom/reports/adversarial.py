"""Sets of judged attempts in, the report of the adversarial game out: a page, and the same numbers as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.significance import Comparison, Interval
from paraloom.reports.adversarial_counts import PUBLISHED, AttemptCounts, SimilarityBins
from paraloom.reports.pages import NOTHING, number, percent, render, signed, write_page
from paraloom.reports.plain import plain_table
from paraloom.text.counted import counted

SUMMARY = "summary.json"
COLUMNS = {
    "attempts": "attempts",
    "passing": "APT",
    "mutual": "MI",
    "not_mutual": "non-MI",
    "sources": "sources",
    "passing_sources": "with APT",
    "mutual_sources": "with MI",
    "not_mutual_sources": "with non-MI",
}
"""The columns of Table 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCounts:
    """What a round of the game brought."""

    round: int
    top_k: int | None
    top_p: float | None
    sources: int
    """That were still played."""
    attempts: int
    passing_sources: int
    """That passed in it, and were done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAttempt:
    """An attempt to be read (Table 3)."""

    source: str
    attempt: str
    similarity: float
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptSet:
    """All attempts of one player."""

    counts: AttemptCounts
    given: int
    """Sources that were to be played, with those at which there was no attempt."""
    pass_rate: Interval | None
    """Where the share of given sources with a passing attempt lies."""
    mean_reward: float
    """Of the best attempt at each source."""
    bins: SimilarityBins | None
    rounds: tuple[RoundCounts, ...] = ()
    gain: Comparison | None = None
    """Of the share of sources with a passing attempt over the first set's, on the same sources."""
    examples: tuple[ShownAttempt, ...] = ()
    signature: Mapping[str, str] = field(default_factory=dict)
    """All that decides its attempts: generator, game, judge."""
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.counts.name

    @property
    def share_passing(self) -> float:
        """Of the given sources."""
        return self.counts.passing_sources / self.given if self.given else 0.0

    def as_json(self) -> dict[str, Any]:
        """Everything but the examples."""
        return {
            "counts": self.counts.as_json(),
            "given": self.given,
            "share_passing": round(self.share_passing, 6),
            "interval": None if self.pass_rate is None else asdict(self.pass_rate),
            "gain": None if self.gain is None else asdict(self.gain),
            "mean_reward": self.mean_reward,
            "similarity": None if self.bins is None else self.bins.as_json(),
            "rounds": [asdict(one) for one in self.rounds],
            "signature": dict(self.signature),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarialReport:
    """Sets of attempts beside the published ones."""

    sets: tuple[AttemptSet, ...]
    made_by: Mapping[str, Any] = field(default_factory=dict)
    """What the attempts of a game that was played here were made of; empty where they were read."""

    @property
    def headline(self) -> str:
        """The finding in one sentence."""
        told = [
            f"{one.name} passes for {percent(one.share_passing)} of {counted(one.given, 'source', 'sources')}"
            for one in self.sets
        ]
        return "; ".join(told) or "There are no attempts"

    def as_json(self) -> dict[str, Any]:
        """Pass rates and rewards under `metrics`, and all counts."""
        metrics, signature = {}, {}
        for one in self.sets:
            for name, value in (("apt-pass-per-source", one.share_passing), ("apt-best-reward", one.mean_reward)):
                metrics[f"{one.name}/{name}"] = round(value, 6)
                signature[f"{one.name}/{name}"] = "|".join((name, *one.signature.values()))
        return {
            "headline": self.headline,
            "metrics": metrics,
            "signature": signature,
            "sets": [one.as_json() for one in self.sets],
            "published": [one.as_json() for one in PUBLISHED],
            "made_by": dict(self.made_by),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables for a person to read."""
        counts = [*(one.counts for one in self.sets), *PUBLISHED]
        table = plain_table(["", *COLUMNS.values()], [[one.name, *_cells(one)] for one in counts], words=(0,))
        rates = plain_table(
            ["", "sources that pass", "95%", "gain over the first", "p", "mean best reward"],
            [_rates(one) for one in self.sets],
            words=(0,),
        )
        notes = [f"{one.name}: {note}" for one in self.sets for note in one.notes]
        return "\n\n".join([f"{self.headline}.", table, rates, *notes])


def _cells(counts: AttemptCounts) -> list[str]:
    shares = counts.shares()
    return [number(getattr(counts, name)) + (f" {percent(shares[name])}" if name in shares else "") for name in COLUMNS]


def _rates(one: AttemptSet) -> list[str]:
    low_high = NOTHING if one.pass_rate is None else f"{percent(one.pass_rate.low)} to {percent(one.pass_rate.high)}"
    gain, p_value = NOTHING, NOTHING
    if one.gain is not None:
        gain, p_value = f"{signed(100 * one.gain.difference, 1)} points", f"{one.gain.p_value:.3f}"
    return [one.name, percent(one.share_passing), low_high, gain, p_value, f"{one.mean_reward:.3f}"]


def write_adversarial_report(report: AdversarialReport, folder: Path) -> Path:
    """Write report.html and summary.json into a folder; gives the page's path."""
    return write_page(folder, render_adversarial(report), SUMMARY, report.as_json())


def render_adversarial(report: AdversarialReport) -> str:
    """The page of a game."""
    from markupsafe import Markup

    from paraloom.reports.adversarial_charts import similarity_chart, told

    charts = [
        (one, Markup(similarity_chart(f"similarity-{place}", one.name, one.bins)), told(one.bins))
        for place, one in enumerate(report.sets)
        if one.bins is not None
    ]
    return render(
        "adversarial.html",
        {
            "report": report,
            "published": PUBLISHED,
            "columns": COLUMNS,
            "cells": _cells,
            "rates": _rates,
            "charts": charts,
            "version": paraloom_version(),
        },
    )
