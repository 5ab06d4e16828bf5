"""The kept sentences of a group in, its proposed pairs out, with their scores."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from paraloom.engine.rows import Members
from paraloom.metrics.diversity.cosine import cosine_of_counts
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.pairs.options import PairOptions
from paraloom.pairs.propose import every_pair, first_pairs
from paraloom.pairs.rank import ranked
from paraloom.tables import Pair, pair_id_of
from paraloom.text.tokenise import words

PLACES = 6
"""Decimals that scores keep, so that both engines store the same."""


def pairs_of_group(group_id: str, sentences: Members, *, options: PairOptions) -> Iterator[Pair]:
    """The pairs proposed for one group, the seed on the left."""
    ids, texts, times = sentences["sentence_id"], sentences["text"], sentences["created_at"]
    if len(ids) < 2:
        return
    kind = sentences["kind"][0]
    tokens = [words(text) for text in texts]
    counts = [Counter(said) for said in tokens]
    order = ranked(ids, tokens)
    if options.all_pairs:
        chosen, proposed_by = every_pair(len(ids), options.max_pairs), "all-pairs"
    else:
        rng = random.Random(f"{options.pair_seed}:{group_id}")
        chosen, proposed_by = first_pairs(kind, len(ids), rng), f"{kind}:word-probability"
    for left_rank, right_rank in chosen:
        left, right = order[left_rank - 1], order[right_rank - 1]
        yield Pair(
            pair_id=pair_id_of(ids[left], ids[right]),
            group_id=group_id,
            left_id=ids[left],
            right_id=ids[right],
            left=texts[left],
            right=texts[right],
            created_at=max((time for time in (times[left], times[right]) if time is not None), default=None),
            proposed_by=proposed_by,
            rank=right_rank,
            pinc=round(pinc_of_tokens(tokens[left], tokens[right]), PLACES),
            jaccard=round(jaccard_of_tokens(tokens[left], tokens[right]), PLACES),
            similarity=round(cosine_of_counts(counts[left], counts[right]), PLACES),
            dropped_for=None,
        )


def merge_pairs(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A pair met in two groups belongs to the one with the smaller id."""
    return min(rows, key=lambda row: (row["group_id"], row["rank"], row["left_id"]))
