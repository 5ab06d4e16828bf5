"""A parallel corpus in, pairs out: the foreign side translated into the language of the other (ParaNMT's way).

Wieting and Gimpel (2018, ParaNMT-50M) paired the English side of a Czech and English corpus with what a system makes of
the Czech side. As they do, pairs are told apart by length, by the trigrams both sides share, and by how probable the
translator holds its sentence to be. Where the bounds lie here is our choice. A row is never lost: what is not wanted
has a reason in `dropped_for`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from paraloom.models.generators import Generator
from paraloom.models.generators.parallel_rows import ParallelRow
from paraloom.models.generators.translation_options import TranslatedCorpusOptions
from paraloom.text.ngrams import ngrams
from paraloom.text.tokenise import words

ROWS_AT_ONCE = 64
"""Rows that are handed to the translator together; no row's translation depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedPair:
    """One sentence of a parallel corpus beside a translation of its foreign side."""

    left: str
    """The sentence of the corpus."""
    right: str
    """What the translator makes of the foreign side; empty where it was not asked."""
    foreign: str
    score: float
    """The translation's log-probability for each of its tokens; 0 where there is none."""
    overlap: float
    """Share of the trigrams of the side that has fewer of them that the other side has too."""
    dropped_for: str | None
    """Why the pair is not wanted; None where it is."""


def translate_corpus(
    rows: Iterable[ParallelRow],
    translator: Generator,
    options: TranslatedCorpusOptions = TranslatedCorpusOptions(),
) -> Iterator[TranslatedPair]:
    """One pair for each row, or several with several translations, in the rows' order.

    `translator` makes a sentence of a foreign one: any `Generator`, as `TransformersGenerator("opus-mt-fr-en")`.
    """
    coming = iter(rows)
    while batch := list(islice(coming, ROWS_AT_ONCE)):
        reasons = [row.dropped_for or _length_reason(row.text, options) for row in batch]
        asked = list(dict.fromkeys(row.foreign for row, reason in zip(batch, reasons, strict=True) if not reason))
        rng = np.random.default_rng(options.seed)  # anew, so that no row depends on how many were before it
        translated = dict(zip(asked, translator.generate(asked, options.translations, rng), strict=True))
        for row, reason in zip(batch, reasons, strict=True):
            candidates = translated[row.foreign] if not reason else []
            for candidate in candidates:
                yield _pair(row, candidate.text, candidate.score, options)
            if not candidates:
                yield TranslatedPair(
                    left=row.text,
                    right="",
                    foreign=row.foreign,
                    score=0.0,
                    overlap=0.0,
                    dropped_for=reason or "not_translated",
                )


def _pair(row: ParallelRow, right: str, score: float, options: TranslatedCorpusOptions) -> TranslatedPair:
    overlap = round(trigram_overlap(row.text, right), 6)
    return TranslatedPair(
        left=row.text,
        right=right,
        foreign=row.foreign,
        score=score,
        overlap=overlap,
        dropped_for=_reason(row.text, right, score, overlap, options),
    )


def _reason(left: str, right: str, score: float, overlap: float, options: TranslatedCorpusOptions) -> str | None:
    one, other = words(left), words(right)
    if one == other:
        return "copy"
    if reason := _length_reason(right, options):
        return reason
    if max(len(one), len(other)) > options.length_ratio * min(len(one), len(other)):
        return "lengths_differ"
    if overlap > options.most_overlap:
        return "overlaps"
    return "poor_translation" if score < options.lowest_score else None


def _length_reason(text: str, options: TranslatedCorpusOptions) -> str | None:
    length = len(words(text))
    return "too_short" if length < options.fewest_words else "too_long" if length > options.most_words else None


def trigram_overlap(left: str, right: str) -> float:
    """Share of the different trigrams of the side that has fewer that the other side has too; 0 where one has none.

    >>> trigram_overlap("a storm hit the coast", "the storm hit the coast on Monday")
    0.6666666666666666
    """
    one, other = set(ngrams(words(left), 3)), set(ngrams(words(right), 3))
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
