"""The index of a larger sample in; how many lists and neighbours more sentences will have out.

A small run cannot tell these: the more sentences there are, the more of them are near each other, and the more lists
hold what is near one. What is seen in the sample and in a quarter of it is carried on to the size that is planned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from paraloom.models.neighbours.codes import Coder
    from paraloom.models.neighbours.search import Part
    from paraloom.workflows.mine.plan_options import PlanOptions

PROBES_GROWTH = 1 / 6
"""Lists looked into grow with sentences to this power: links lead to what is missed, and lists grow longer. Of made-up
sentences 96 were needed for 250,000, and 192 for ten million."""
PROPOSED = 0.65
"""Pairs a near neighbour: two sentences that are each other's neighbour are one pair. .645 to .664 in three runs."""
QUERIES = 1000
AT_ONCE = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a sample of sentences showed."""

    sentences: int
    probes: int
    """Lists that a sentence had to look into."""
    unevenness: float
    """Sentences met there, of what would be met if lists were of equal length."""
    nearby: float
    """Neighbours a sentence has that are alike enough to become a pair, at most as many as are looked for."""
    nearby_in_quarter: float
    """The same among a quarter of the sample."""


def look_at(run: Path, neighbours: int, min_similarity: float) -> Look:
    """What the vectors and lists of a run show, by the sentences with the highest ids: a sample by lot."""
    from paraloom.models.neighbours.index import Index
    from paraloom.models.neighbours.nearest import threads
    from paraloom.models.neighbours.search import Part
    from paraloom.workflows.mine.index_step import LISTS, read_probes
    from paraloom.workflows.mine.numbers import Numbers
    from paraloom.workflows.mine.vectors_step import Vectors, read_coder

    vectors, coder = Vectors(run / "vectors", Numbers.of(run / "vectors").starts), read_coder(run / "vectors")
    count, index = int(vectors.starts[-1]), Index.open(run / "index" / LISTS)
    queries = vectors.read(max(count - QUERIES, 0), count)
    probes = min(int(read_probes(run)["probes"]), index.finder.most_probes)
    lengths = np.concatenate([np.diff(index.cells[cell].offsets) for cell in range(index.lists.cells)])
    with threads(1):
        met = lengths[index.finder.probed(queries, probes)].sum(axis=1).mean() if len(queries) else 0.0

    def parts(size: int) -> Iterator[Part]:
        for start, stop in pairwise(vectors.starts.tolist()):
            if start < size:
                yield Part(start, vectors.read(start, min(stop, size)))

    least = _least(coder, min_similarity)
    return Look(
        sentences=count,
        probes=probes,
        unevenness=max(float(met) / max(probes * count / len(index.lists), 1.0), 1.0),
        nearby=_nearby(queries, count, parts(count), neighbours, least),
        nearby_in_quarter=_nearby(queries, count, parts(count // 4), neighbours, least),
    )


def look_at_size(texts: Sequence[str], embedder: str, dims: int, look: Look, options: PlanOptions) -> Look:
    """What the same sentences show with vectors of another size, but for the lists they would have to look into."""
    from paraloom.models.embedders import learned, load_embedder
    from paraloom.models.neighbours.codes import LEARNED_ON, learn_coder
    from paraloom.models.neighbours.search import Part

    by_lot = [texts[place] for place in np.random.default_rng(0).permutation(len(texts)).tolist()]
    model = learned(load_embedder(embedder, dims=dims), by_lot)
    coder = learn_coder(model.embed(by_lot[:LEARNED_ON]))
    codes = np.concatenate(
        [coder.encode(model.embed(by_lot[start : start + AT_ONCE])) for start in range(0, len(by_lot), AT_ONCE)]
    )
    count, queries, least = len(codes), codes[-QUERIES:], _least(coder, options.min_similarity)
    nearby, in_quarter = (
        _nearby(queries, count, [Part(0, codes[:size])], options.neighbours, least) for size in (count, count // 4)
    )
    return replace(look, nearby=nearby, nearby_in_quarter=in_quarter)


def _least(coder: Coder, min_similarity: float) -> int:
    """The least product of codes that are alike enough."""
    from paraloom.models.neighbours.nearest import LEAST

    return max(round(min_similarity * coder.scale**2), LEAST)


def _nearby(queries: NDArray[np.int8], count: int, parts: Iterable[Part], neighbours: int, least: int) -> float:
    """Neighbours alike enough that the last of so many sentences have among these, on average."""
    from paraloom.models.neighbours.nearest import threads
    from paraloom.models.neighbours.search import search_block

    if not len(queries):
        return 0.0
    with threads(1):
        found = search_block(queries, np.arange(count - len(queries), count), parts, neighbours)
    return float((found.dots >= least).sum(axis=1).mean())


def probes_at(look: Look, sentences: int) -> int:
    """Lists that each of so many sentences will look into.

    >>> look = Look(sentences=250_000, probes=115, unevenness=1.1, nearby=1.131, nearby_in_quarter=0.468)
    >>> [probes_at(look, sentences) for sentences in (250_000, 1_000_000, 10_000_000)]
    [115, 145, 213]
    """
    times = float((sentences / max(look.sentences, 1)) ** PROBES_GROWTH)
    return max(round(look.probes * times), 1)


def candidates_at(look: Look, sentences: int, neighbours: int) -> float:
    """Candidate pairs that each of so many sentences will have.

    Neighbours that are near fill the places there are for them: what is left of the places falls as exp(-(n/a)^b) with
    n sentences, and the sample and its quarter tell a and b.

    >>> look = Look(sentences=250_000, probes=115, unevenness=1.1, nearby=1.131, nearby_in_quarter=0.468)
    >>> [round(candidates_at(look, sentences, 8), 2) for sentences in (250_000, 1_000_000, 10_000_000)]
    [0.74, 1.66, 4.34]
    """
    filled, before = (_filling(nearby, neighbours) for nearby in (look.nearby, look.nearby_in_quarter))
    if not filled:
        return 0.0
    power = min(math.log(filled / before) / math.log(4), 1.0) if 0 < before < filled else 1.0 if not before else 0.0
    at_size = filled * (sentences / max(look.sentences, 1)) ** power
    return PROPOSED * neighbours * -math.expm1(-at_size)


def _filling(nearby: float, neighbours: int) -> float:
    return -math.log1p(-min(nearby / neighbours, 0.99))
