"""Blocks of documents in, how many pairs of them lie in which band of likeness out, with the beginnings of some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.rows import Members
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.block_documents import Block, Neighbours
from paraloom.groups.blocks import Plan
from paraloom.groups.near_documents import Near, near_pairs
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.tables import make_id

FLOOR = 0.05
"""Pairs less alike are not counted: nearly all pairs of documents are."""
STEP = 0.05
EXAMPLES = 2
SHOWN = 90
"""Characters that are shown of a document."""
MOST_PAIRS = 20_000_000
"""Blocks that meet are compared, drawn by lot, until so many pairs of articles have been, and so many of versions."""

Meetings = frozenset[tuple[str, str]]
"""Blocks that are compared with each other; a block with itself, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessCount:
    """The pairs of two blocks, or within one, that lie in one band."""

    kind: str
    band: int
    """Its lower end is so many steps from 0."""
    pairs: int
    same_source: int
    length_ratios: float
    """The sum over the pairs: how long the shorter document is in relation to the longer."""
    lefts: list[str]
    """How the documents of some pairs begin."""
    rights: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Which of the blocks that meet are compared."""

    drawn: Meetings
    of: int


def sample_meetings(plan: Plan) -> Sample:
    """Draw blocks that meet, by lot, until they have so many pairs; at least one of articles and one of versions."""
    every = [(block, block) for block in plan.documents]
    every += [(block, other) for block, others in plan.meets.items() for other in others]
    room = {True: MOST_PAIRS, False: MOST_PAIRS}
    drawn = set()
    for one, other in sorted(every, key=lambda both: make_id("meeting", *both)):
        are_articles = one in plan.meets
        if room[are_articles] > 0:
            drawn.add((one, other))
            room[are_articles] -= plan.documents[one] * plan.documents[other] // (2 if one == other else 1)
    return Sample(drawn=frozenset(drawn), of=len(every))


class LikenessCounter:
    """Counts the pairs of a block."""

    def __init__(
        self,
        models: Mapping[str, CharacterTfidf],
        options: AlignmentOptions,
        neighbours: Neighbours,
        meetings: Meetings,
    ) -> None:
        self.models = models
        self.options = options
        self.neighbours = neighbours
        self.meetings = meetings

    def __call__(self, block: str, documents: Members) -> Iterator[LikenessCount]:
        others = [name for name in self.neighbours.meets.get(block, ()) if (block, name) in self.meetings]
        is_met = (block, block) in self.meetings
        if not is_met and not others:
            return
        kind = documents["kind"][0]
        own = Block.of(documents, self.models[kind])
        if is_met:
            yield from self._counted(kind, own, own)
        for name in others:
            if len(rows := self.neighbours.read(name)):
                yield from self._counted(kind, own, Block.of(rows, self.models[kind]))

    def _counted(self, kind: str, own: Block, other: Block) -> Iterator[LikenessCount]:
        numbers: dict[str | None, int] = {None: 0}
        one, another = _columns(own, numbers), _columns(other, numbers)
        is_article = kind == "article"
        window = self.options.window_days if is_article else 0.0
        within = None if other is own else other.compared
        for near in near_pairs(own.compared, within, low=FLOOR, window_days=window):
            left, right = one[:, near.left], another[:, near.right]
            same_source = left[SOURCE] == right[SOURCE]
            kept = (left[LANGUAGE] == right[LANGUAGE]) | (left[LANGUAGE] == 0) | (right[LANGUAGE] == 0)
            for place in np.flatnonzero(~kept).tolist():
                documents = own.documents[near.left[place]], other.documents[near.right[place]]
                kept[place] = not documents[0].is_in_another_language(documents[1])
            if is_article and self.options.different_sources:
                kept &= ~same_source
            ratios = np.minimum(left[LENGTH], right[LENGTH]) / np.maximum(left[LENGTH], right[LENGTH]).clip(min=1)
            bands = np.floor(near.likeness / STEP + 1e-9).astype(np.int64)
            for band in np.unique(bands[kept]).tolist():
                inside = np.flatnonzero(kept & (bands == band))
                shown = _examples(own, other, near, inside)
                yield LikenessCount(
                    kind=kind,
                    band=band,
                    pairs=len(inside),
                    same_source=int(same_source[inside].sum()),
                    length_ratios=round(float(ratios[inside].sum()), 6),
                    lefts=[older for older, _ in shown],
                    rights=[newer for _, newer in shown],
                )


SOURCE, LANGUAGE, LENGTH = range(3)


def _columns(block: Block, numbers: dict[str | None, int]) -> NDArray[np.int64]:
    """Source and language of every document as numbers, 0 where it has none, and how long it is."""

    def number(name: str | None) -> int:
        return numbers.setdefault(name, len(numbers))

    rows = [(number(each.source), number(each.language), len(each.text)) for each in block.documents]
    return np.array(rows, np.int64).T


def _examples(own: Block, other: Block, near: Near, inside: NDArray[np.int64]) -> list[tuple[str, str]]:
    """How some pairs begin, evenly from the least alike to the most alike, the older document first."""
    order = inside[np.lexsort((near.right[inside], near.left[inside], near.likeness[inside]))]
    chosen = [order[len(order) * (2 * place + 1) // (2 * EXAMPLES)] for place in range(min(EXAMPLES, len(order)))]
    found = []
    for place in chosen:
        pair = own.documents[near.left[place]], other.documents[near.right[place]]
        older, newer = sorted(pair, key=lambda document: document.age)
        found.append((_beginning(older.text), _beginning(newer.text)))
    return found


def _beginning(text: str) -> str:
    return " ".join(text[: 2 * SHOWN].split())[:SHOWN]
