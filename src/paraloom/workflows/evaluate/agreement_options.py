"""How answers are read and agreement is measured. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paraloom.metrics.agreement.levels import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFileOptions:
    """Where answers lie in the files."""

    columns: tuple[str, ...] = ()
    """Where our columns lie: `item=QID annotator=worker answer=label`, by name or number from 1."""
    wide: bool = False
    """One column an annotator, an empty cell where there is no answer; the first column, or `item`, names the item."""
    votes: Literal["for-against", "for-of"] | None = None
    """Column `votes` holds counts: (3, 2) is 3 for and 2 against, or 3 of 5 as in (3, 5). Items are rows, unless there
    is a column `item`."""
    where: tuple[str, ...] = ()
    """Only rows with these values, as in `task=strict` or `split=test`, by the file's column names."""
    field: str = ""
    """Which field counts where answers are JSON objects, as in a `judgments` table."""
    annotators: tuple[str, ...] = ()
    """Only these annotators; in wide files, these columns."""
    repeated: Literal["refuse", "last"] = "refuse"
    """What if someone answered an item twice: refuse, or let the last answer count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementOptions:
    """How agreement is measured."""

    level: Level = "nominal"
    """What answers are: names, an order, numbers with distances, or numbers with a true zero."""
    order: tuple[str, ...] = ()
    """All answers there are, the lowest first; needed for an ordinal level unless answers are numbers."""
    expert: str = ""
    """The annotator who is taken as right; the others are the crowd."""
    gold: Path | None = None
    """File with the right answers (`item`, `answer`), in the place of an expert."""
    positive: str = ""
    """Answer whose precision, recall and F1 are told; by default `1`, `yes`, `true` or `paraphrase`, if of two."""
    min_kappa: float = 0.4
    """Annotators below this kappa against the majority of the others are named."""
    resamples: int = 1000
    """Draws of the items for intervals."""
    seed: int = 1
    """Decides the draws."""
