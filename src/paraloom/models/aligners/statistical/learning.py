"""Pairs of token lists in, what a statistical aligner learns from them out: IBM model 1, then an HMM, both directions.

Model 1 (Brown et al., 1993) takes any source word for as near as any other. The HMM (Vogel et al., 1996; Och and Ney,
2003) also learns how far one link lies from the one before: distances in buckets, mixed with any distance; a word that
stands for none leaves the place where it was. Both are learned by expectation maximisation, which makes the pairs,
under the prior, likelier in every round.

Memory, beside the pairs themselves: 4 bytes for each pair of tokens that stand in one pair of texts, and about 32 for
each two different words that meet in any; of tweets 160 and 25 a pair of texts. So 250,000 pairs take less than half a
gigabyte, and it grows with them. Two different words that are hardly expected to stand for each other are forgotten at
the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.aligners import TokenPair
from paraloom.models.aligners.statistical.cells import find_meetings
from paraloom.models.aligners.statistical.direction_learning import MOST_TOKENS, DirectionLearner, LearningPairs
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.spelling import spelling_likenesses
from paraloom.models.aligners.statistical.vocabulary import begins, code_pairs
from paraloom.models.aligners.statistical.word_table import Direction, WordTable

LEAST_COUNT = 1e-3
"""Two words that are expected to stand for each other less often, both ways, are forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A model, and how likely the pairs were in each round under what was known before it, forward and backward."""

    table: WordTable
    log_likelihoods: tuple[tuple[float, ...], tuple[float, ...]]


def learn_words(pairs: Sequence[TokenPair], options: StatisticalOptions, threads: int) -> Learned:
    """Learn both directions; the order of the pairs and the number of threads change not a bit of it."""
    together = meeting_words(pairs, options, threads)
    forward, forward_curve = _learn_direction(together, options, is_turned=False, threads=threads)
    backward, backward_curve = _learn_direction(together, options, is_turned=True, threads=threads)
    return Learned(table=_table(together, forward, backward), log_likelihoods=(forward_curve, backward_curve))


def meeting_words(pairs: Sequence[TokenPair], options: StatisticalOptions, threads: int) -> LearningPairs:
    """The pairs as numbers, with all words that meet in any of them."""
    coded = code_pairs(pairs, lower_case=options.lower_case, most_words=options.most_words)
    if max(len(coded.left), len(coded.right)) > MOST_TOKENS:
        raise InputError(f"At most {MOST_TOKENS:,} tokens a side can be counted. Learn from fewer pairs.")
    cells = find_meetings(coded, threads)
    if options.alike_words:
        alike = spelling_likenesses(coded.words, cells.rows(), cells.columns, options.least_spelling, threads)
    else:
        alike = np.zeros(len(cells), np.float32)
    return LearningPairs(coded=coded, cells=cells, alike=alike)


def _learn_direction(
    pairs: LearningPairs, options: StatisticalOptions, *, is_turned: bool, threads: int
) -> tuple[Direction, tuple[float, ...]]:
    learner = DirectionLearner(pairs, options, is_turned=is_turned, threads=threads)
    curve = learner.learn()
    return learner.learned(), curve


def _table(pairs: LearningPairs, forward: Direction, backward: Direction) -> WordTable:
    """What was learned of words that are expected to stand for each other at all."""
    is_kept = (forward.counts >= LEAST_COUNT) | (backward.counts >= LEAST_COUNT)
    kept_before = begins(is_kept.astype(np.int64))
    words = pairs.coded.words
    return WordTable(
        words=words,
        row_starts=kept_before[pairs.cells.row_starts],
        columns=pairs.cells.columns[is_kept],
        left_counts=np.bincount(pairs.coded.left, minlength=len(words)),
        right_counts=np.bincount(pairs.coded.right, minlength=len(words)),
        forward=_cut(forward, is_kept),
        backward=_cut(backward, is_kept),
    )


def _cut(direction: Direction, is_kept: NDArray[np.bool_]) -> Direction:
    return replace(direction, counts=direction.counts[is_kept])
