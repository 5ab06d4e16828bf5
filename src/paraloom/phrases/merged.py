"""What batches have of the phrase pairs of a bucket in, each pair once out, beside the count of its left phrase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from paraloom.engine.buckets import bucket_of
from paraloom.phrases import span_loops, text_loops
from paraloom.phrases.tokens import bytes_of, encode, lists_of, one_chunk, runs_of, sums_of
from paraloom.phrases.words import bucket_numbers

SUMMED = ("count", "pair_count", "group_count")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPhrase:
    """A phrase pair in this order."""

    bucket: int
    """Of the right phrase."""
    left_part: int
    """The part of the table that the left phrase belongs in."""
    left: str
    right: str
    links: int
    """Those it was met with most often."""
    reason: int
    count: int
    pair_count: int
    group_count: int
    left_count: int
    """Of all pairs with this left phrase."""
    left_partners: int
    """How many different right phrases it has."""
    contexts: list[str]


def merge_phrases(bucket: int, extracted: pa.Table, *, buckets: int, contexts: int) -> Iterator[pa.Table]:
    """All rows of the left phrases of a bucket → `MergedPhrase`."""
    if not len(extracted):
        return
    lefts, left = encode(extracted.column("left"))
    rights, right = encode(extracted.column("right"))
    links = extracted.column("links").to_numpy()
    order = np.lexsort((links, left * len(rights) + right))
    left, right, links = left[order], right[order], links[order]
    is_new, is_linking = runs_of(left, right), runs_of(left, right, links)
    run = (np.cumsum(is_new) - 1)[is_linking]
    counts = sums_of(extracted.column("count").to_numpy()[order], is_linking)
    best = np.lexsort((links[is_linking], -counts, run))  # of several that are as frequent, the smallest
    links = links[is_linking][best[runs_of(run[best])]]
    summed = {name: sums_of(extracted.column(name).to_numpy()[order], is_new) for name in SUMMED}
    texts, of_run = _contexts(extracted, order, is_new, contexts)
    first = order[is_new]
    left, right = left[is_new], right[is_new]
    left_count = np.zeros(len(lefts), np.int64)
    np.add.at(left_count, left, summed["count"])
    parts = np.array([bucket_of(phrase, buckets) for phrase in lefts.to_pylist()], np.int64)
    yield pa.table(
        {
            "bucket": bucket_numbers(text_loops.hash_texts(*bytes_of(rights)), buckets)[right],
            "left_part": parts[left],
            "left": lefts.take(pa.array(left)),
            "right": rights.take(pa.array(right)),
            "links": links,
            "reason": extracted.column("reason").to_numpy()[first],
            **summed,
            "left_count": left_count[left],
            "left_partners": np.bincount(left, minlength=len(lefts))[left],
            "contexts": lists_of(texts, of_run),
        }
    )


def _contexts(
    extracted: pa.Table,
    order: NDArray[np.int64],
    is_new: NDArray[np.bool_],
    most: int,
) -> tuple[pa.Array, NDArray[np.int64]]:
    """Those that are kept of the contexts of each run, and how many it has."""
    ordered = extracted.select(["context_keys", "contexts"]).take(pa.array(order))
    keys = one_chunk(ordered.column("context_keys"))
    bounds = np.concatenate([[0], np.cumsum(pc.list_value_length(keys).to_numpy())])
    places, counts = span_loops.first_of_each(is_new, bounds, keys.flatten().to_numpy(), most)
    return one_chunk(ordered.column("contexts")).flatten().take(pa.array(places)), counts
