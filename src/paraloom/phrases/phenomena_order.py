"""Places of words that stand for each other in, out come the blocks of them that were moved.

Single crossings say little: one clause put in front of another of ten words crosses ten links, and is one reordering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Anchor(NamedTuple):
    """Words that stand for each other, as one point."""

    left: int
    right: int
    weight: int = 1
    """How many words of content these are."""


Block = tuple[Anchor, ...]


def moved_blocks(anchors: Sequence[Anchor]) -> tuple[Block, ...]:
    """The blocks that must be moved to bring both sides into one order, so that the fewest words move.

    A block is a run of anchors that follow each other on both sides.

    >>> swapped = [Anchor(0, 3), Anchor(1, 4), Anchor(2, 0), Anchor(3, 1), Anchor(4, 2)]
    >>> moved_blocks(swapped)
    ((Anchor(left=0, right=3, weight=1), Anchor(left=1, right=4, weight=1)),)
    """
    blocks = _blocks(sorted(anchors))
    staying = _heaviest_rise(blocks)
    return tuple(block for place, block in enumerate(blocks) if place not in staying)


def _blocks(anchors: Sequence[Anchor]) -> list[Block]:
    """Anchors in the order of the left side, cut wherever the next one is not the next on the right."""
    rank = {anchor: number for number, anchor in enumerate(sorted(anchors, key=lambda one: (one.right, one.left)))}
    found: list[list[Anchor]] = []
    for anchor in anchors:
        if found and rank[anchor] == rank[found[-1][-1]] + 1:
            found[-1].append(anchor)
        else:
            found.append([anchor])
    return [tuple(block) for block in found]


def _heaviest_rise(blocks: Sequence[Block]) -> frozenset[int]:
    """Numbers of the blocks that can stay: in one order on both sides, with the most words; of equals the first."""
    weights: list[int] = []
    before: list[int] = []
    for place, block in enumerate(blocks):
        earlier = [other for other in range(place) if blocks[other][-1].right < block[0].right]
        best = max(earlier, key=lambda other: (weights[other], -other), default=-1)
        before.append(best)
        weights.append(sum(anchor.weight for anchor in block) + (weights[best] if best >= 0 else 0))
    place = max(range(len(blocks)), key=lambda one: (weights[one], -one), default=-1)
    staying = set()
    while place >= 0:
        staying.add(place)
        place = before[place]
    return frozenset(staying)
