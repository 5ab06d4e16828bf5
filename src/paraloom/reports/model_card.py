"""What is known of a trained identifier in, its card out: Markdown, lines of text, or one JSON object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from paraloom.metrics.identification.figures import SystemFigures
from paraloom.metrics.identification.graded_figures import GradedFigures
from paraloom.reports.pages import NOTHING, TEMPLATES, flattened, number
from paraloom.reports.plain import plain_table

SHOWN = ("f1", "precision", "recall", "mcc", "max-f1", "average-precision", "ece")
"""Metrics of the card, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFigure:
    """One metric with the bounds of its interval."""

    value: float
    low: float | None
    high: float | None

    @property
    def interval_shown(self) -> str:
        return NOTHING if self.low is None or self.high is None else f"{self.low:.3f} to {self.high:.3f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutFigures:
    """What was measured under one definition."""

    definition: str
    pairs: int
    paraphrases: int
    floor: float
    """F1 of calling every pair a paraphrase."""
    metrics: Mapping[str, CardFigure]

    @classmethod
    def of(cls, definition: str, measured: SystemFigures) -> HeldOutFigures:
        """The figures that a card shows."""
        found = {}
        for name in SHOWN:
            if name in measured.figures:
                one = measured.figures[name]
                low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
                found[name] = CardFigure(value=one.value, low=low, high=high)
        return cls(
            definition=definition,
            pairs=measured.pairs,
            paraphrases=measured.paraphrases,
            floor=measured.floor,
            metrics=found,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """All that a trained identifier's README says."""

    title: str
    system: str
    signature: str
    parameters: int
    definitions: tuple[str, ...]
    sources: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    plan: Mapping[str, Any] | None
    """None where the system is fitted in one go."""
    learning_rate: float | None
    seeds: Mapping[str, Mapping[str, float]]
    """F1 on held-out pairs by seed and definition."""
    kept_seed: str
    figures: tuple[HeldOutFigures, ...]
    graded: GradedFigures | None
    seconds: float
    pairs_per_second: float
    paraloom: str
    more: Mapping[str, Any] = field(default_factory=dict)
    """Beside all that, for programs: the training's curve, what decided it."""

    @property
    def is_neural(self) -> bool:
        """Whether it was trained step by step."""
        return self.plan is not None

    def as_markdown(self, about: str, folder: str) -> str:
        """The model card as a README."""
        return rendered("model_card.md", card=self, about=about, folder=folder)

    def as_json(self) -> dict[str, Any]:
        """`metrics` and `signature`, by definition where there are several, and all else."""
        told = asdict(self)
        more = told.pop("more")
        metrics = {one.definition: {name: figure.value for name, figure in one.metrics.items()} for one in self.figures}
        first = metrics[self.definitions[0]] if len(metrics) == 1 else metrics
        return {"metrics": first, "signature": {"identifier": told.pop("signature")}, **told, **more}

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        parts = [f"{self.title}: {number(self.parameters)} parameters, {number(round(self.pairs_per_second))} pairs/s."]
        parts += list(self.notes)
        rows = [
            [one.definition, number(one.pairs), name, f"{figure.value:.3f}", figure.interval_shown]
            for one in self.figures
            for name, figure in one.metrics.items()
        ]
        parts.append(plain_table(["definition", "held-out pairs", "metric", "", "95%"], rows, words=(0, 2, 4)))
        if len(self.seeds) > 1:
            rows = [
                [
                    f"{seed}{' (kept)' if seed == self.kept_seed else ''}",
                    *(f"{found[one]:.3f}" for one in self.definitions),
                ]
                for seed, found in self.seeds.items()
            ]
            parts.append(plain_table(["seed", *(f"F1, {one}" for one in self.definitions)], rows))
        if self.graded is not None:
            parts.append(_graded_text(self.graded))
        return "\n\n".join(parts)


def rendered(template: str, **given: Any) -> str:
    """A card as Markdown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=False,  # Markdown, not a page
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"number": number, "flattened": flattened}
    return environment.get_template(template).render(**given)


def read_model_card(told: Mapping[str, Any]) -> ModelCard:
    """The card that `as_json` wrote."""
    names = {one.name for one in fields(ModelCard)} - {"more", "signature", "figures", "graded"}
    figures = tuple(
        HeldOutFigures(**{**one, "metrics": {name: CardFigure(**figure) for name, figure in one["metrics"].items()}})
        for one in told["figures"]
    )
    plain: dict[str, Any] = {name: tuple(told[name]) if isinstance(told[name], list) else told[name] for name in names}
    graded = told["graded"]
    return ModelCard(
        **plain,
        signature=told["signature"]["identifier"],
        figures=figures,
        graded=None if graded is None else _graded(graded),
        more={
            name: value
            for name, value in told.items()
            if name not in {*names, "signature", "figures", "graded", "metrics"}
        },
    )


def _graded(told: Mapping[str, Any]) -> GradedFigures:
    from paraloom.metrics.identification.graded_figures import LabelFigures

    return GradedFigures(**{**told, "labels": tuple(LabelFigures(**one) for one in told["labels"])})


def _graded_text(graded: GradedFigures) -> str:
    rows: Sequence[Sequence[str]] = [
        [one.label, f"{one.precision:.3f}", f"{one.recall:.3f}", f"{one.f1:.3f}", number(one.support)]
        for one in graded.labels
    ]
    table = plain_table(["label", "precision", "recall", "F1", "pairs"], rows)
    return f"{table}\ncomplete labels: accuracy {graded.accuracy:.3f}, weighted F1 {graded.f1:.3f}"
