"""What `regions` found in, how pairs are selected by it out: within which bounds, by whose confidence, how surely.

Bounds hold for the identifier that they were measured with: another one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from paraloom.engine.given import read_json
from paraloom.errors import InputError
from paraloom.metrics.regions.estimates import Share
from paraloom.pairs.region_options import NOWHERE, RegionOptions
from paraloom.reports.regions import ScoredBy, told_share
from paraloom.workflows.mine.region_options import ScoringOptions, SelectOptions

FILE = "regions.json"
UNKNOWN_SCORES = "Regions were measured by scores of which nothing tells whose they are: they hold for these alone."

Kind = Literal["negatives", "positives"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How many of the pairs that are taken for one kind are right, as judged pairs tell."""

    share: Share
    measured_on: str
    """all, dev or test."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        share = {name: getattr(self.share, name) for name in ("value", "low", "high", "judged")}
        return {**share, "measured_on": self.measured_on}

    def told(self, kind: str) -> str:
        """In words."""
        if self.share.value is None:
            return f"No judged pair lies where {kind} are taken: nobody knows how many of them are right."
        return (
            f"Of the {kind} about {told_share(self.share)} are right, by {self.share.judged:,} judged pairs "
            f"({self.measured_on}) that lie there."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """How candidates are selected."""

    bounds: RegionOptions
    scoring: ScoringOptions
    take: tuple[Kind, ...]
    precision: Mapping[str, Precision] = field(default_factory=dict)
    """By what pairs are taken for, where regions were measured."""
    scored_by: ScoredBy | None = None
    """Whose confidence the bounds are about, likewise."""
    notes: tuple[str, ...] = ()

    def check_identifier(self, signature: str) -> None:
        """Refuse an identifier that bounds were not measured with."""
        if self.scored_by is not None and signature != self.scored_by.signature:
            raise InputError(
                f"{self.scoring.model} is another identifier than regions were measured with: {signature}, not "
                f"{self.scored_by.signature}. Give that one, or measure regions anew: `paraloom mine regions --model`."
            )

    def check_scores(self, labelled_by: Sequence[Any]) -> None:
        """Refuse scores by another identifier, where candidates say whose they are."""
        ours = "" if self.scored_by is None else self.scored_by.signature
        other = next((who for who in labelled_by if ours and who not in (None, "", ours)), None)
        if other is not None:
            raise InputError(
                f"The candidates' scores are by another identifier than regions were measured with: {other}, not "
                f"{ours}. Measure regions by these scores: draw a sample of these candidates."
            )


def selection_of(bounds: RegionOptions, scoring: ScoringOptions, options: SelectOptions) -> Selection:
    """How to select: as the options say, or as the regions found that they name."""
    if options.regions is None:
        return Selection(bounds=bounds, scoring=scoring, take=options.take)
    if changed := [one.name for one in fields(bounds) if getattr(bounds, one.name) != one.default]:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in changed)
        raise InputError(f"--regions says where the bounds lie, and so does {names}. Give one of them.")
    path = options.regions / FILE if options.regions.is_dir() else options.regions
    scored_by, rules = _read(path)
    scoring = _scoring(path, scoring, scored_by)
    chosen = {kind: rule for kind in options.take if (rule := _rule(rules, kind, options.rule)) is not None}
    missing = [kind for kind in options.take if kind not in chosen]
    if not chosen:
        raise InputError(
            f"{path} has no bounds for {' or '.join(missing)} that surely have the wanted precision. Judge more pairs, "
            "ask `paraloom mine regions` for a lower --wanted-precision, or take the bounds that were given to it: "
            "--rule given."
        )
    # A pair of both regions is a negative, also where only positives are taken: so they were measured.
    both = [rule for kind in ("negatives", "positives") if (rule := _rule(rules, kind, options.rule)) is not None]
    notes = [f"No bounds for {kind} surely have the wanted precision, so none are taken." for kind in missing]
    if not scored_by.model and not scored_by.signature:
        notes.append(UNKNOWN_SCORES)
    return Selection(
        bounds=replace(NOWHERE, **{name: float(value) for rule in both for name, value in rule["bounds"].items()}),
        scoring=scoring,
        take=tuple(chosen),
        precision={kind: _precision(rule) for kind, rule in chosen.items()},
        scored_by=scored_by,
        notes=tuple(notes),
    )


def _read(path: Path) -> tuple[ScoredBy, list[Mapping[str, Any]]]:
    found = read_json(path)
    if not isinstance(found, dict) or not {"scored_by", "rules"} <= found.keys():
        raise InputError(f"{path} is no {FILE} that `paraloom mine regions --out` wrote. Measure regions (again).")
    return ScoredBy(**found["scored_by"]), list(found["rules"])


def _rule(rules: Sequence[Mapping[str, Any]], kind: str, which: str) -> Mapping[str, Any] | None:
    """The bounds of a kind that were sought, with what test pairs say of them, or those that were given."""
    wanted = (True, "test") if which == "sought" else (False, "all")
    return next(
        (rule for rule in rules if rule["kind"] == kind and (rule["chosen"], rule["measured_on"]) == wanted), None
    )


def _precision(rule: Mapping[str, Any]) -> Precision:
    return Precision(share=Share(**rule["precision"]), measured_on=rule["measured_on"])


def _scoring(path: Path, asked: ScoringOptions, scored_by: ScoredBy) -> ScoringOptions:
    """Who is asked, by which definition: as regions were measured."""
    if asked.model and not scored_by.model:
        raise InputError(
            f"{path} tells of scores that the pairs came with, not of an identifier that is asked. Leave out --model "
            f"{asked.model}, or measure regions with it."
        )
    if asked.definition and asked.definition != (scored_by.definition or asked.definition):
        raise InputError(
            f"{path} tells of the definition {scored_by.definition!r}. Leave out --definition {asked.definition}, or "
            "measure regions by it."
        )
    definition: Any = asked.definition or scored_by.definition or None
    return replace(asked, model=asked.model or scored_by.model, definition=definition)
