"""Ranked sentences of a group in, pairs of ranks out: the paper's choice for URLs and trends, and its adaptive rounds.

Ranks count from 1. Everything is a function of the group alone and a seed, so the annotation service can ask for
the next round of a group at any time and gets the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

URL_TOP = 11
"""A URL's seed sentence is paired with the other ten of its eleven best."""
TREND_SEEDS = 2
TREND_TOP = 20
TREND_DRAWN = 10
"""A trend's two best sentences are each paired with ten drawn from its twenty best."""
ROUND_SEEDS = 5
ROUND_FROM, ROUND_TO = 6, 50
"""Later rounds pair one of the five best with ten drawn from ranks 6 to 50."""

MORE_PAIRS = ((13, 50), (10, 40), (7, 30), (4, 20))
"""Paraphrases found among the first twenty pairs, and how many more pairs that is worth."""

LEAST_PARAPHRASES = {"url": 3, "trend": 4}
"""A group with fewer paraphrases than this is not worth going on with."""

RankPair = tuple[int, int]


def url_pairs(count: int, seed_rank: int = 1) -> list[RankPair]:
    """The seed against the other ten of the eleven best; a person may choose another seed than the first.

    >>> url_pairs(4)
    [(1, 2), (1, 3), (1, 4)]
    >>> url_pairs(3, seed_rank=2)
    [(2, 1), (2, 3)]
    """
    top = min(count, URL_TOP)
    if not 1 <= seed_rank <= max(top, 1):
        raise ValueError(f"The seed must be one of the {top} best sentences, and rank {seed_rank} is not.")
    return [(seed_rank, rank) for rank in range(1, top + 1) if rank != seed_rank]


def trend_pairs(count: int, rng: random.Random) -> list[RankPair]:
    """The two best, each against ten drawn from the twenty best.

    >>> trend_pairs(3, random.Random(1))
    [(1, 2), (1, 3), (2, 3)]
    """
    pairs: list[RankPair] = []
    for seed_rank in range(1, min(count, TREND_SEEDS) + 1):
        others = [
            rank
            for rank in range(1, min(count, TREND_TOP) + 1)
            if rank != seed_rank and not _taken((seed_rank, rank), pairs)
        ]
        pairs.extend((seed_rank, rank) for rank in sorted(rng.sample(others, min(TREND_DRAWN, len(others)))))
    return pairs


def more_pairs(paraphrases: int) -> int:
    """How many more pairs of a trend to judge, given the paraphrases among its first twenty.

    >>> [more_pairs(found) for found in (3, 4, 6, 7, 9, 10, 12, 13, 20)]
    [0, 20, 20, 30, 30, 40, 40, 50, 50]
    """
    return next((more for least, more in MORE_PAIRS if paraphrases >= least), 0)


def next_pairs(count: int, paraphrases: int, before: Iterable[RankPair], rng: random.Random) -> list[RankPair]:
    """The adaptive round: pairs of a trend to judge next, given what the judges found in the first.

    `before` are the pairs already proposed; none of them comes again. Each of the best gives ten pairs until there are
    enough, so a small group asks more of them.
    """
    wanted = more_pairs(paraphrases)
    pairs: list[RankPair] = []
    done = list(before)
    for seed_rank in range(1, min(ROUND_SEEDS, count) + 1):
        others = [rank for rank in range(ROUND_FROM, min(count, ROUND_TO) + 1) if not _taken((seed_rank, rank), done)]
        drawn = rng.sample(others, min(TREND_DRAWN, len(others), wanted - len(pairs)))
        pairs.extend((seed_rank, rank) for rank in sorted(drawn))
    return pairs


def worth_judging(kind: str, paraphrases: int) -> bool:
    """Whether a group has enough paraphrases to be gone on with: three for a URL, four of the first twenty for a trend.

    >>> worth_judging("url", 3), worth_judging("trend", 3)
    (True, False)
    """
    return paraphrases >= LEAST_PARAPHRASES.get(kind, 1)


def every_pair(count: int, most: int) -> list[RankPair]:
    """All pairs, the best ranked first, up to a cap.

    >>> every_pair(4, 4)
    [(1, 2), (1, 3), (1, 4), (2, 3)]
    """
    result: list[RankPair] = []
    for total in range(3, 2 * count):  # pairs in the order of the sum of their ranks
        for left in range(max(1, total - count), (total + 1) // 2):
            if len(result) >= most:
                return result
            result.append((left, total - left))
    return result


def _taken(pair: RankPair, pairs: Sequence[RankPair]) -> bool:
    return pair in pairs or pair[::-1] in pairs


def first_pairs(kind: str, count: int, rng: random.Random) -> list[RankPair]:
    """The first round of a group of this kind."""
    return trend_pairs(count, rng) if kind == "trend" else url_pairs(count)
