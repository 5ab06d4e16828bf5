"""What is known of a trained generator in, its card out: Markdown, lines of text, or one JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from paraloom.reports.model_card import rendered
from paraloom.reports.pages import number
from paraloom.reports.plain import plain_table


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenExample:
    """What the trained generator writes for a source that it has not seen."""

    source: str
    output: str
    """Empty where it has nothing to say."""
    reference: str
    """What a person, or the corpus, says there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedGeneratorCard:
    """All that a trained generator's README says."""

    name: str
    base: str
    start: str
    """Whose adapter it went on from; empty where it began with the base alone."""
    method: str
    signature: str
    """Of the generator with its usual decoding."""
    judge: str
    """Who was asked for strict paraphrases; empty where nobody was."""
    sources: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    given_examples: int
    left_out: Mapping[str, int]
    """Examples that are not learned from, by reason."""
    examples: int
    """That are learned from."""
    plan: Mapping[str, Any]
    learning_rate: float
    epoch: float
    """After how many the weights were taken that were kept; 0 where training brought nothing."""
    held_out_examples: int
    before: float
    """Perplexity of the base, or of base and start, on the held-out examples."""
    after: float
    """Of the weights that were kept."""
    written: tuple[WrittenExample, ...]
    seconds: float
    paraloom: str
    more: Mapping[str, Any] = field(default_factory=dict)
    """Beside all that, for programs: the training's curve, what decided it."""

    def as_markdown(self, folder: str) -> str:
        """The card as a README."""
        return rendered("generator_card.md", card=self, folder=folder)

    def as_json(self) -> dict[str, Any]:
        """`metrics` and `signature`, and all else."""
        told = asdict(self)
        more = told.pop("more")
        metrics = {"perplexity": self.after}
        return {"metrics": metrics, "signature": {"generator": told.pop("signature")}, **told, **more}

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        base = f"{self.base} as {self.start} has changed it" if self.start else self.base
        about = (
            f"{self.name}: {base}, {self.method}; {number(self.examples)} of {number(self.given_examples)} examples "
            "learned from."
        )
        rows = [[reason, number(count)] for reason, count in self.left_out.items()]
        parts = [about, *self.notes]
        if rows:
            parts.append(plain_table(["left out", "examples"], rows, words=(0,)))
        heads = ["held-out examples", "perplexity before", "after"]
        figures = [number(self.held_out_examples), f"{self.before:.3f}", f"{self.after:.3f}"]
        parts.append(plain_table(heads, [figures]))
        parts += [f"{one.source}\n→ {one.output or '(nothing)'}" for one in self.written]
        return "\n\n".join(parts)


def read_generator_card(told: Mapping[str, Any]) -> TrainedGeneratorCard:
    """The card that `as_json` wrote."""
    names = {one.name for one in fields(TrainedGeneratorCard)} - {"more", "signature", "written"}
    plain: dict[str, Any] = {name: tuple(told[name]) if isinstance(told[name], list) else told[name] for name in names}
    return TrainedGeneratorCard(
        **plain,
        signature=told["signature"]["generator"],
        written=tuple(WrittenExample(**one) for one in told["written"]),
        more={name: value for name, value in told.items() if name not in {*names, "signature", "metrics", "written"}},
    )
