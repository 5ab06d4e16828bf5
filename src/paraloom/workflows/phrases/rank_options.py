"""What phrase pairs are ranked by. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

RankBy = Literal["rating", "translation", "lexical", "language-model", "cosine"]
Effort = Literal["quick", "usual", "thorough"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankOptions:
    """What decides the order of phrase pairs."""

    rank_by: RankBy = "rating"
    """`rating`: what people would say of the pair, from all that is known of it, as learned from such ratings. Or one
    score alone: `translation` and `lexical` are geometric means of the probabilities both ways, of the phrases and of
    their words; `language-model`: how well the right phrase reads in the places of the left one; `cosine`: of their
    vectors."""
    effort: Effort = "quick"
    """Which shipped models are asked: `quick`: word-piece vectors; `usual`: a small network's vectors too; `thorough`:
    and the identifier."""
    language_model: str = "ngrams"
    """Who says what reads well: `ngrams`, which learns from the run's own sentences or from those of `sentences_from`;
    `smollm2-135m`, where it was fetched (slow); or `none`."""
    sentences_from: Path | None = None
    """A file of sentences, one a line, for `ngrams` to learn from, in place of the run's own."""
    language: str = "en"
    """Whose function words and lemmas are looked at, by its code. Ratings were learned from English alone."""
    columns: tuple[str, ...] = ()
    """Where the phrases lie in a file: `left=source right=target`, by name or number from 1."""
    overwrite: bool = False
    """Replace the file that is to be written; else one that is there is refused."""
