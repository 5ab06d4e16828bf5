"""What is known of a trained embedder in, its card out: Markdown, lines of text, or one JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from paraloom.reports.model_card import rendered
from paraloom.reports.pages import NOTHING, number
from paraloom.reports.plain import plain_table


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderCard:
    """All that a trained embedder's README says."""

    name: str
    system: str
    base: str
    signature: str
    dims: int
    objective: tuple[str, ...]
    teacher: str
    sources: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    plan: Mapping[str, Any]
    chosen_by: str
    learning_rate: float
    epoch: float
    """After how many the weights were taken that were kept; 0 where training brought nothing."""
    held_out_texts: int
    held_out_pairs: int
    held_out_paraphrases: int
    before: Mapping[str, float]
    """Figures of the base on the held-out pairs."""
    after: Mapping[str, float]
    """Of what was saved."""
    by_size: Mapping[str, Mapping[str, float]]
    """Of what was saved, vectors cut to so many numbers."""
    seconds: float
    texts_per_second: float
    packed: bool
    paraloom: str
    more: Mapping[str, Any] = field(default_factory=dict)
    """Beside all that, for programs: the training's curve, what decided it."""

    def as_markdown(self, folder: str) -> str:
        """The card as a README."""
        return rendered("embedder_card.md", card=self, folder=folder)

    def as_json(self) -> dict[str, Any]:
        """`metrics` and `signature`, and all else."""
        told = asdict(self)
        more = told.pop("more")
        return {"metrics": dict(self.after), "signature": {"embedder": told.pop("signature")}, **told, **more}

    def as_text(self) -> str:
        """A table and sentences for a person to read."""
        rows = [
            [name, _shown(self.before.get(name)), _shown(value), *(_shown(one[name]) for one in self.by_size.values())]
            for name, value in self.after.items()
        ]
        heads = ["held-out figure", "before", "after", *(f"{size} dims" for size in self.by_size)]
        about = (
            f"{self.name}: {self.system} from {self.base}, {self.dims} dims, "
            f"{number(round(self.texts_per_second))} texts/s; {number(self.held_out_paraphrases)} paraphrases looked "
            f"for among {number(self.held_out_texts)} held-out texts."
        )
        return "\n\n".join([about, *self.notes, plain_table(heads, rows, words=(0,))])


def read_embedder_card(told: Mapping[str, Any]) -> EmbedderCard:
    """The card that `as_json` wrote."""
    names = {one.name for one in fields(EmbedderCard)} - {"more", "signature"}
    plain: dict[str, Any] = {name: tuple(told[name]) if isinstance(told[name], list) else told[name] for name in names}
    return EmbedderCard(
        **plain,
        signature=told["signature"]["embedder"],
        more={name: value for name, value in told.items() if name not in {*names, "signature", "metrics"}},
    )


def _shown(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"
