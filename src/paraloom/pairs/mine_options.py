"""Which neighbours are proposed as pairs. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedPairOptions:
    """Which of a sentence's neighbours are proposed as its paraphrases, and which proposals are kept."""

    min_similarity: float = 0.6
    """Neighbours whose vectors have a smaller cosine are no candidates."""
    min_margin: float = 0.0
    """Least ratio margin: the similarity over the mean similarity of both sentences to their nearest neighbours
    (Artetxe and Schwenk, 2019; CCMatrix takes 1.06). A text that is like very many others has low margins."""
    mutual: bool = False
    """Only sentences that are each among the nearest of the other."""
    lexical_band: tuple[float, float] = (0.0, 1.0)
    """Keep pairs whose lexical similarity (cosine of the counts of character n-grams of lengths 2 to 4) is at least
    the first and at most the second number."""
    keep_trivial: bool = False
    """Keep pairs that differ in case, punctuation, digits or the order of words alone."""
    most: int | None = None
    """Keep so many pairs, those of the highest margin; by default all."""
