"""An index in; how much a disk is read because memory does not hold all of it, out.

While memory holds the files that are searched, they are read once. Beyond, everything that is asked for comes from the
disk each time: the system forgets what was read longest ago, and that is what the next task reads first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from paraloom.models.neighbours.choice import Choice, rooms_of
from paraloom.models.neighbours.links import LOOKS, wide
from paraloom.models.neighbours.search import LOOKED_AT, rows_at_once
from paraloom.workflows.mine.neighbours_step import block_size
from paraloom.workflows.mine.plan_machine import PAGE

PAGES_LOOKING_AGAIN = 40
"""Pages that a look reads for a sentence. 4,096 sentences of a million ask for 72 rows each; of 190,000 rows that
sentences near each other asked for, two lay on a page in an index of three million: the more there are, the fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Bytes that come from the disk because memory does not hold them."""

    through: float = 0.0
    """Whole lists, or parts: as fast as the disk is."""
    pages: float = 0.0
    """A page at a time, from anywhere: every worker waits for its own."""


def reading_of(choice: Choice, k: int, probes: int, cache: float) -> Reading:
    """What is read of the disk where memory holds so many bytes of files.

    >>> choice = Choice(kind="ivf", sentences=400_000_000, dims=256, width=256, lists=131_072, cells=3052)
    >>> for cache in (120e9, 60e9):
    ...     reading = reading_of(choice, 8, 1340, cache)
    ...     print(f"{reading.through / 1e12:,.0f} TB and {reading.pages / 1e12:,.0f} TB")
    0 TB and 0 TB
    1,687 TB and 131 TB
    """
    count, vectors = choice.sentences, choice.sentences * choice.dims
    if choice.kind == "exact":
        return Reading(through=math.ceil(count / block_size(count)) * vectors if vectors > cache else 0.0)
    index = rooms_of(choice, k)["index"].kept
    is_packed = choice.codes == "pq"
    through = pages = 0.0
    if index > cache:
        # The sentences that are searched for together, few as they are, look into lists everywhere: 8,192 of a cell
        # look into all of 8,192 lists of a million sentences, and into all of 16,384 of three million.
        through = max(choice.cells, math.ceil(count / rows_at_once(probes))) * index
    if (vectors if is_packed else index) > cache:
        pages = count * LOOKS * PAGES_LOOKING_AGAIN + (count * LOOKED_AT * wide(k) if is_packed else 0.0)
    return Reading(through=through, pages=pages * PAGE)
