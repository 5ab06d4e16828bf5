"""How a generator is evaluated by use. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Negatives = Literal["repeat", "overlap", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UseOptions:
    """What is trained with and without a generator's pairs, and how often."""

    identifier: str = "ngram-regression"
    """Identifier to train anew: a name, or the folder of a trained one (its settings count, not what it learned)."""
    definition: str = "loose"
    """What counts as a paraphrase in the training and test pairs."""
    negatives: Negatives = "repeat"
    """What is added beside generated pairs, so that the share of paraphrases stays: `repeat`, training pairs that are
    none, drawn again; `overlap`, sources paired with the most similar text of another source; `none`."""
    runs: int = 5
    """How often to train: each with another part of the training pairs held out."""
    held_out_share: float = 0.2
    """Share of the training pairs that decides where .5 lies; generated pairs are never among them."""
    train_pairs: int | None = None
    """Learn from so many training pairs only, drawn anew in each run; a generator helps most where there are few."""
    resamples: int = 1000
    """Draws of the test pairs, those that share a text together, for intervals and p-values."""
    seed: int = 1
    """Decides parts, draws and what an identifier draws itself."""
    generated_columns: tuple[str, ...] = ()
    """Where `left` and `right` lie in the generated file: `left=prompt right=text`, by name or number from 1."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the training and test files: `left=sentence1 right=sentence2 label=3`, by
    name or number from 1."""
