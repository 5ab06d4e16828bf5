"""A mined run and pairs that are known in, which of them were found out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import kept_sentences

Integers = NDArray[np.int64]
NOWHERE = -1


def numbers_of(run: Path, texts: Sequence[str]) -> Integers:
    """The number that each text has in a run, NOWHERE where it has none; the run's sentences are read part by part."""
    wanted = list(dict.fromkeys(texts))
    found = np.full(len(wanted), NOWHERE, np.int64)
    value_set = pa.array(wanted)
    starts = Numbers.of(run / "vectors").starts
    for part, start in enumerate(starts[:-1].tolist()):
        places = pc.index_in(kept_sentences(run, part, ("text",)).column("text"), value_set=value_set)
        places = pc.fill_null(places, NOWHERE).to_numpy()
        here = np.flatnonzero(places != NOWHERE)
        found[places[here]] = start + here
    place_of = {text: place for place, text in enumerate(wanted)}
    return found[[place_of[text] for text in texts]]


def texts_in_order(run: Path) -> list[str]:
    """All sentences of a run by their numbers."""
    parts = len(Numbers.of(run / "vectors").starts) - 1
    return [text for part in range(parts) for text in kept_sentences(run, part, ("text",)).column("text").to_pylist()]


def keys_of_pairs(left: Integers, right: Integers, count: int) -> NDArray[np.int64]:
    """One number for every pair of two numbers below `count`, in either order."""
    keys: NDArray[np.int64] = np.minimum(left, right) * count + np.maximum(left, right)
    return keys


def candidate_keys(run: Path) -> NDArray[np.int64]:
    """The keys of all pairs that a run found to be near enough, in order."""
    count = len(Numbers.of(run / "vectors"))
    keys = [np.zeros(0, np.int64)]
    for file in sorted((run / "candidates").glob("part-*.parquet")):
        rows = pq.read_table(file, columns=["low", "high"], partitioning=None)
        keys.append(keys_of_pairs(rows.column("low").to_numpy(), rows.column("high").to_numpy(), count))
    return np.sort(np.concatenate(keys))


def share_in(known: Integers, found: Integers) -> float:
    """The share of known keys that are among those found, which are in order; 1 where none are known.

    >>> share_in(np.array([1, 5, 9]), np.array([5, 9, 12]))
    0.6666666666666666
    """
    if not len(known):
        return 1.0
    places = np.searchsorted(found, known).clip(max=max(len(found) - 1, 0))
    return float((found[places] == known).mean()) if len(found) else 0.0


def recall_of_pairs(run: Path, pairs: Iterable[tuple[str, str]]) -> tuple[float, int]:
    """The share of known pairs whose sentences a run found to be near, and how many pairs it could find."""
    known = list(pairs)
    left, right = (numbers_of(run, [pair[side] for pair in known]) for side in (0, 1))
    there = (left != NOWHERE) & (right != NOWHERE) & (left != right)
    keys = keys_of_pairs(left[there], right[there], len(Numbers.of(run / "vectors")))
    return share_in(keys, candidate_keys(run)), int(there.sum())
