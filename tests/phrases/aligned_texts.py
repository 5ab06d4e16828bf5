"""Small aligned pairs drawn by hypothesis, and the same things as the stage computes, by the shortest of loops."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product

import pyarrow as pa
from hypothesis import strategies as st

from paraloom.engine.rows import from_rows
from paraloom.models.aligners import Links, written
from paraloom.phrases.aligned import alignment_of
from paraloom.tables import Alignment, schema
from paraloom.workflows.phrases.extract_input import AlignedPair

WORDS = ("storm", "The", "the", "hit", "coast", ",", "3", "@ann")
Pair = tuple[list[str], list[str], Links]
Places = tuple[int, int, int, int]


@st.composite
def pairs(draw: st.DrawFn, most: int = 6) -> Pair:
    left, right = (draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=most)) for _ in range(2))
    every = st.tuples(st.integers(0, len(left) - 1), st.integers(0, len(right) - 1))
    return left, right, tuple(sorted(draw(st.sets(every, max_size=most))))


def said(left: str, right: str, links: Links) -> Pair:
    """A pair of texts with a blank between tokens."""
    return left.split(), right.split(), links


def aligned(given: list[Pair], groups: int = 2) -> list[AlignedPair]:
    """The pairs with ids, in so many groups."""
    return [AlignedPair(*pair, f"p{number}", f"g{number % groups}") for number, pair in enumerate(given)]


def spans_by_definition(left: int, right: int, links: Links, most: int, extended: bool) -> set[Places]:
    """Every pair of stretches is tried."""
    found = set()
    for start, end, first, stop in product(range(left), range(1, left + 1), range(right), range(1, right + 1)):
        if not (0 < end - start <= most and 0 < stop - first <= most):
            continue
        crossing = [(i, j) for i, j in links if (start <= i < end) != (first <= j < stop)]
        inside = [(i, j) for i, j in links if start <= i < end and first <= j < stop]
        lefts, rights = {i for i, _ in inside}, {j for _, j in inside}
        ends_are_linked = {start, end - 1} <= lefts and {first, stop - 1} <= rights
        if inside and not crossing and (extended or ends_are_linked):
            found.add((start, end, first, stop))
    return found


def counts_by_definition(given: list[Pair], most: int = 7) -> Counter[tuple[str, str]]:
    """How often each two phrases were aligned, with every pair read in both directions."""
    counts: Counter[tuple[str, str]] = Counter()
    for left, right, links in given:
        for start, end, first, stop in spans_by_definition(len(left), len(right), links, most, extended=False):
            one, other = " ".join(left[start:end]).lower(), " ".join(right[first:stop]).lower()
            counts[one, other] += 1
            counts[other, one] += 1
    return counts


def words_by_definition(given: list[Pair]) -> dict[tuple[str | None, str], float]:
    """p(word | given word), None for no word."""
    counts: Counter[tuple[str | None, str]] = Counter()
    for left, right, links in given:
        lower = [word.lower() for word in left], [word.lower() for word in right]
        for i, j in links:
            counts[lower[0][i], lower[1][j]] += 1
            counts[lower[1][j], lower[0][i]] += 1
        for side in (0, 1):
            linked = {link[side] for link in links}
            counts.update((None, word) for place, word in enumerate(lower[side]) if place not in linked)
    totals: defaultdict[str | None, int] = defaultdict(int)
    for (word, _), count in counts.items():
        totals[word] += count
    return {pair: count / totals[pair[0]] for pair, count in counts.items()}


def alignments(given: list[Pair], groups: list[str] | None = None) -> pa.Table:
    """Rows of the table, in its order; equal pairs have ids of their own."""
    rows: list[Alignment] = []
    for number, (left, right, links) in enumerate(given):
        row = {"left": left, "right": right, "alignment": written(links), "pair_id": f"p{number}"}
        rows.append(alignment_of({**row, "group_id": groups[number]} if groups else row))
    return from_rows(rows, schema(Alignment)).sort_by([("group_id", "ascending"), ("alignment_id", "ascending")])
