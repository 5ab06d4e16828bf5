"""Sentences that are much longer than what they go with in; the clauses of each that do out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np

from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.pairs.units import Span
from paraloom.text.clauses import clauses

TIMES_AS_LONG = 1.8
"""Only a sentence that is at least so much longer than the other side can say more than it."""
LEAST_WORDS = 2
LEAST_GAIN = 0.1
"""By so much better must a part go with the other side than the whole sentence does."""
AGAINST_SIZES = 0.1
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence of a text, and what it goes with."""

    text: str
    sentence: Span
    other: str


def phrases(asked: Sequence[Asked], model: CharacterTfidf) -> list[Span | None]:
    """For each, the clauses in a row that say what the other side does; None where the whole does it as well.

    >>> model = CharacterTfidf.of(["The storm came at night", "Nobody in town had slept"])
    >>> text = "As they told us later, the storm came at night, and nobody in town had slept."
    >>> (start, end), = phrases([Asked(text, (0, len(text)), "A storm came by night.")], model)
    >>> text[start:end]
    'the storm came at night'
    """
    stretches = [_stretches(one) for one in asked]
    ends = np.cumsum([0, *map(len, stretches)])
    owners = np.repeat(np.arange(len(asked)), np.diff(ends))
    parts = [one.text[slice(*span)] for one, spans in zip(asked, stretches, strict=True) for span in spans]
    vectors = model.vectors([*parts, *(one.other for one in asked)])
    alike = vectors.cosines_of_rows(vectors, np.arange(len(parts)), len(parts) + owners).tolist()
    return [
        _best(spans, alike[begin:end], len(one.other))
        for one, spans, (begin, end) in zip(asked, stretches, pairwise(ends.tolist()), strict=True)
    ]


def _stretches(asked: Asked) -> list[Span]:
    """The whole sentence, and all runs of its clauses; nothing where it cannot say more than the other side."""
    text, (start, end) = asked.text, asked.sentence
    if end - start > LONGEST or end - start < TIMES_AS_LONG * len(asked.other):
        return []
    parts = clauses(text, start, end)
    runs = [(first[0], last[1]) for place, first in enumerate(parts) for last in parts[place:]]
    whole = (parts[0][0], parts[-1][1])
    return [(start, end), *(run for run in runs if run != whole and len(text[slice(*run)].split()) >= LEAST_WORDS)]


def _best(stretches: Sequence[Span], alike: Sequence[float], size: int) -> Span | None:
    gains = [
        round(likeness - AGAINST_SIZES * abs(log((end - start + 5) / (size + 5))), 6)
        for likeness, (start, end) in zip(alike, stretches, strict=True)
    ]
    best = max(range(len(gains)), key=lambda place: (gains[place], -place), default=0)
    return stretches[best] if best and gains[best] >= gains[0] + LEAST_GAIN else None
