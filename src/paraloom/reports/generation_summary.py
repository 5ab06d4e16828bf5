"""What an evaluation of generators found: the numbers of its report, its JSON and its table, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from paraloom.engine.signatures import paraloom_version
from paraloom.reports.generation_parts import FactsFound, SideBySide, TypesFound
from paraloom.reports.pages import NOTHING, percent
from paraloom.reports.parrot_summary import SetSummary
from paraloom.reports.plain import plain_table
from paraloom.text.counted import counted

Level = Literal["alarm", "caution", "clear"]
"""`alarm`: nothing shows that the system paraphrases. `caution`: something speaks against it. `clear`: neither."""

LEVELS: tuple[Level, ...] = ("alarm", "caution", "clear")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One metric of two systems on the same sources, and whether the difference is more than chance."""

    metric: str
    about: str
    """What the metric tells: overlap with references, diversity, copying, meaning, or a balance."""
    against: str
    """What an output is compared with: references, source, both or outputs."""
    ours_name: str
    other_name: str
    ours: float
    other: float
    gain: float
    """How much better ours is, whichever way the metric points; negative where it is worse."""
    low: float | None
    high: float | None
    """Where `ours - other` lies in the middle 95% of resamples."""
    p_value: float
    adjusted_p_value: float
    """By Holm's correction over all the tests of its family."""
    is_significant: bool
    resamples: int

    @property
    def is_better(self) -> bool:
        """Significantly better."""
        return self.is_significant and self.gain > 0

    @property
    def is_worse(self) -> bool:
        """Significantly worse."""
        return self.is_significant and self.gain < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How close outputs stay to their sources."""

    copies: float
    """Share that are their source, but for case and punctuation."""
    small_changes: float
    """Share that differ by articles, tense, prepositions and the like alone."""
    near_copies: float
    """Share of which at most a fifth of the words or letters must be edited to get the source, or which hold four
    fifths of its words in their order; copies are among them."""
    empty: float
    """Share without any text."""
    distinct: float
    """Number of different outputs over the number of outputs with text."""
    new_words: float
    """Share of an output's words that its source does not have, averaged."""
    self_bleu: float
    share_replaced: float
    """The share of words that a parrot must replace at random to be as far from the sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningKept:
    """One metric of meaning, between sentences that have nothing to do with the source and people's references."""

    metric: str
    ours: float
    ours_at_most: float
    """The upper end of the interval of `ours`."""
    human: float
    stranger: float

    @property
    def share(self) -> float | None:
        """0 where the outputs mean no more than a stranger, 1 where they mean as much as people's references.

        None where references are no nearer to the source than strangers are.

        >>> MeaningKept(metric="sim", ours=0.5, ours_at_most=0.55, human=0.75, stranger=0.25).share
        0.5
        """
        return self._share_of(self.ours)

    @property
    def share_at_most(self) -> float | None:
        """The same for the upper end of the interval."""
        return self._share_of(self.ours_at_most)

    def _share_of(self, value: float) -> float | None:
        span = self.human - self.stranger
        return (value - self.stranger) / span if span > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a system does better than copying, in words."""

    level: Level
    headline: str
    """What the system does, to be read behind its name."""
    reasons: tuple[str, ...]
    """Why this level, and no lower one."""
    facts: tuple[str, ...]
    """What was found, whatever the level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One metric of one system or parrot."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Everything measured of one system, parrot, or people's references."""

    name: str
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One output with its source and the reference nearest to it."""

    kind: str
    """`copy`, `small change`, `near copy` or `changed`."""
    source: str
    output: str
    reference: str
    bleu: float
    self_bleu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSummary:
    """One system: what it scores, how close it stays to its sources, and what that means."""

    row: Row
    verdict: Verdict
    likeness: Likeness
    matched: Row
    """Of the parrots that stay as close to the sources as the system does, the best on each metric."""
    claims: Mapping[str, tuple[Claim, ...]]
    """By family: against the full parrot, against matched parrots, against strangers."""
    meaning: tuple[MeaningKept, ...]
    edit_ratios: tuple[int, ...]
    """Outputs by edit ratio to the source, in 20 bins from 0 to 1."""
    examples: tuple[Example, ...]
    facts: FactsFound
    types: TypesFound | None = None
    """None where types were not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanSelfBleu:
    """Self-BLEU of people's references, as in the last row of Table 4 of Dou et al. (2022)."""

    lowest: float
    mean: float
    deviation: float
    highest: float
    sources: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint:
    """A parrot's likeness to sources and references."""

    kind: str
    position: str
    ratio: float
    self_bleu: float
    bleu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSummary:
    """All that was measured of generators on one set, with the parrots beside them."""

    measured_on: SetSummary
    warnings: tuple[str, ...]
    metrics: Mapping[str, str]
    """Which way each metric points, in the order they are shown."""
    signatures: Mapping[str, str]
    not_run: Mapping[str, str]
    systems: tuple[SystemSummary, ...]
    parrots: tuple[Row, ...]
    human: Row
    """One reference a source, drawn at random, where a metric does not compare with references."""
    human_likeness: Likeness
    human_self_bleu: HumanSelfBleu | None
    """None where no source has several references."""
    human_edit_ratios: tuple[int, ...]
    stranger: Row
    """To every source a reference of another one: what sentences score that have nothing to do with it."""
    between_systems: tuple[Claim, ...]
    tests: Mapping[str, int]
    """How many tests each family has, over which p-values were corrected."""
    test_method: str
    frontier: tuple[FrontierPoint, ...]
    frontier_sources: int
    human_facts: FactsFound
    human_types: TypesFound | None
    side_by_side: tuple[SideBySide, ...]
    """Sources with what every system made of them; empty where there is one system."""
    seed: int

    def is_at_least(self, level: Level | None) -> bool:
        """Whether some system's verdict is of this level or a worse one."""
        return level is not None and any(
            LEVELS.index(system.verdict.level) <= LEVELS.index(level) for system in self.systems
        )

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics`, `signature` and `alarm`; under `systems`, by name, where there are several."""
        systems = {system.row.name: self._system_json(system) for system in self.systems}
        only = next(iter(systems.values())) if len(systems) == 1 else {"systems": systems}
        return {
            **only,
            "signature": dict(self.signatures),
            "parrots": {row.name: _values(row) for row in self.parrots},
            "human": _values(self.human)
            | {
                "likeness": asdict(self.human_likeness),
                "facts": self.human_facts.as_json(),
                "types": None if self.human_types is None else self.human_types.as_json(),
            },
            "human_self_bleu": None if self.human_self_bleu is None else asdict(self.human_self_bleu),
            "stranger": _values(self.stranger),
            "between_systems": [asdict(claim) for claim in self.between_systems],
            "tests": dict(self.tests),
            "test_method": self.test_method,
            "not_run": dict(self.not_run),
            "set": asdict(self.measured_on),
            "warnings": list(self.warnings),
            "seed": self.seed,
            "paraloom": paraloom_version(),
        }

    def _system_json(self, system: SystemSummary) -> dict[str, Any]:
        return {
            "alarm": asdict(system.verdict) | {"likeness": asdict(system.likeness)},
            "system": system.row.name,
            **_values(system.row),
            "signature": dict(self.signatures),
            "matched_parrots": _values(system.matched),
            "facts": system.facts.as_json(),
            "types": None if system.types is None else system.types.as_json(),
            "meaning": [asdict(kept) | {"share": kept.share} for kept in system.meaning],
            "claims": {family: [asdict(claim) for claim in claims] for family, claims in system.claims.items()},
        }

    def as_text(self) -> str:
        """The verdicts first, then every metric of every system beside the parrots."""
        parts = []
        for system in self.systems:
            verdict = system.verdict
            parts.append(
                "\n".join(
                    [
                        f"[{verdict.level.upper()}] {system.row.name} {verdict.headline}.",
                        *(f"  ! {reason}" for reason in verdict.reasons),
                        *(f"  - {fact}" for fact in verdict.facts),
                    ]
                )
            )
        told = self.measured_on
        parts.append(
            f"{counted(told.sources, 'source', 'sources')} with "
            f"{counted(told.references, 'reference', 'references')}; "
            f"{percent(told.single_reference_share)} of them have one reference."
        )
        parts += [f"WARNING: {warning}" for warning in self.warnings]
        if told.told:
            parts.append("\n".join(told.told))
        parts += [self._scores(), self._tests()]
        if self.not_run:
            parts.append("\n".join(f"{name} was not measured: {why}" for name, why in self.not_run.items()))
        return "\n\n".join(part for part in parts if part)

    def _scores(self) -> str:
        rows = [system.row for system in self.systems]
        others = [self.human, self.stranger, *self.parrots]
        return plain_table(
            [
                "",
                *(name for row in rows for name in (row.name, "95%")),
                *(row.name.removeprefix("parrot-") for row in others),
            ],
            [
                [
                    f"{metric}{' ↓' if better == 'lower' else ''}",
                    *(cell for row in rows for cell in (_value(row, metric), _bounds(row, metric))),
                    *(_value(row, metric) for row in others),
                ]
                for metric, better in self.metrics.items()
            ],
        )

    def _tests(self) -> str:
        of_each = "their number" if len(self.systems) == 1 else "the number of each system's own"
        lines = [
            f"{counted(count, f'test {family} was', f'tests {family} were')} made ({self.test_method}); p-values are "
            f"corrected for {'their number' if family == 'between systems' else of_each} (Holm)."
            for family, count in self.tests.items()
            if count
        ]
        between = [
            [
                f"{claim.ours_name} − {claim.other_name}",
                claim.metric,
                f"{claim.ours - claim.other:+.3f}",
                NOTHING if claim.low is None else f"{claim.low:+.3f} to {claim.high:+.3f}",
                f"{claim.adjusted_p_value:.3f}",
            ]
            for claim in self.between_systems
            if claim.is_significant
        ]
        if between:
            lines.append(plain_table(["systems", "metric", "difference", "95%", "p"], between, words=(0, 1)))
        if rest := len(self.between_systems) - len(between):
            lines.append(
                f"{counted(rest, 'difference', 'differences')} between systems "
                f"{'is' if rest == 1 else 'are'} not significant; --json and --out show all."
            )
        return "\n".join(lines)


def _values(row: Row) -> dict[str, Any]:
    return {
        "metrics": {name: score.value for name, score in row.scores.items()},
        "intervals": {name: [score.low, score.high] for name, score in row.scores.items() if score.low is not None},
    }


def shown_value(value: float) -> str:
    """Two decimals for what runs to 100, three for what runs to 1.

    >>> shown_value(41.5912), shown_value(0.41591)
    ('41.59', '0.416')
    """
    return f"{value:.2f}" if abs(value) > 1.5 else f"{value:.3f}"


def _value(row: Row, metric: str) -> str:
    return shown_value(row.scores[metric].value) if metric in row.scores else NOTHING


def _bounds(row: Row, metric: str) -> str:
    score = row.scores.get(metric)
    if score is None or score.low is None or score.high is None:
        return ""
    return f"{shown_value(score.low)}–{shown_value(score.high)}"
