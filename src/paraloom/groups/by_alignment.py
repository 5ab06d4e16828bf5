"""Documents that tell the same in other words, two by two: the blocks of documents in, aligned pairs out.

After Kanerva et al. (2023, section 3). Likeness is the cosine of TF-IDF vectors of character n-grams within words; a
pair lies in a band of it, for below they tell different things and above they are the same text. What is particular:

- of a work with several versions (a film, a translated text), the least alike pairs are taken, at most so many;
- of a series, at most so many works;
- the shorter of two messages must not be a part of the longer;
- headings of articles are pairs of their own, the more alike the articles and the less alike the headings the better:
  they are taken also where the articles are too alike to be read side by side. Of such a pair only the headings are
  meant: the part of each document that belongs to the group ends with its heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from paraloom.engine.rows import Members
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.near_documents import near_pairs
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.tables import make_id
from paraloom.text.containment import contained

ALIGNED = "aligned"

TOO_ALIKE = "too alike"
TOO_DIFFERENT = "too different"
CONTAINED = "the shorter is a part of the longer"
ENOUGH_OF_WORK = "enough pairs of its work"
ENOUGH_OF_SERIES = "enough works of its series"

PART_OF_THE_LONGER = 0.9
"""A text is a part of another if this share of it stands there word for word."""
MOST_ALIKE_FIRST = ("thread",)
"""Kinds whose versions may have nothing to do with each other: of those, the more alike are the better pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """Two documents side by side, before parts of them are chosen."""

    group_id: str
    family: str
    """What must not give too many works: the series, or just this work."""
    document_kind: str
    key: str
    """The work, or of articles their headings."""
    left_id: str
    right_id: str
    created_at: datetime | None
    likeness: float
    heading_likeness: float | None
    left_end: int | None
    """Where the part that is meant ends: behind the heading, if only that is meant."""
    right_end: int | None
    dropped_for: str | None


class Aligner:
    """Finds the pairs of a block."""

    def __init__(self, models: Mapping[str, CharacterTfidf], options: AlignmentOptions) -> None:
        self.models = models
        """What is common among the documents of a kind."""
        self.options = options

    def __call__(self, block: str, documents: Members) -> Iterator[Aligned]:
        kind = documents["kind"][0]
        if kind == "article":
            yield from self._of_window(documents)
        else:
            yield from self._of_work(kind, documents)

    def _of_window(self, given: Members) -> Iterator[Aligned]:
        """Articles of a window, those of the one before being guests."""
        band = self.options.band("article")
        block = _Block(given)
        vectors = self.models["article"].vectors(block.texts)
        found = list(
            near_pairs(
                vectors,
                low=band.low,
                guests=block.guests,
                times=block.seconds,
                window_days=self.options.window_days,
            )
        )
        headings = self._heading_likenesses(block, [(near.left, near.right) for near in found])
        for near, heading in zip(found, headings, strict=True):
            same_source = block.sources[near.left] == block.sources[near.right]
            if not self._may_meet(block, near.left, near.right) or (self.options.different_sources and same_source):
                continue
            too_alike = near.likeness > band.high
            headings_only = too_alike and heading is not None and heading <= self.options.heading_most_alike
            yield block.aligned(
                near.left,
                near.right,
                near.likeness,
                heading=heading,
                headings_only=headings_only,
                dropped_for=TOO_ALIKE if too_alike and not headings_only else None,
            )

    def _of_work(self, kind: str, given: Members) -> Iterator[Aligned]:
        """Versions of one work."""
        block = _Block(given, most=self.options.versions_per_work)
        if len(block.texts) < 2:
            return
        band = self.options.band(kind)
        vectors = self.models[kind].vectors(block.texts)
        in_band: list[tuple[float, int, int]] = []
        for near in near_pairs(vectors, low=-1.0):
            left, right, likeness = near.left, near.right, near.likeness
            if not self._may_meet(block, left, right):
                continue
            reason = TOO_DIFFERENT if likeness < band.low else TOO_ALIKE if likeness > band.high else None
            if reason is None and contained(block.texts[left], block.texts[right]) >= PART_OF_THE_LONGER:
                reason = CONTAINED
            if reason is None:
                in_band.append((-likeness if kind in MOST_ALIKE_FIRST else likeness, left, right))
            else:
                yield block.aligned(left, right, likeness, dropped_for=reason)
        taken = _spread(in_band, self.options.most_pairs(kind))
        for likeness, left, right in in_band:
            reason = None if (left, right) in taken else ENOUGH_OF_WORK
            yield block.aligned(left, right, abs(likeness), dropped_for=reason)

    def _may_meet(self, block: _Block, left: int, right: int) -> bool:
        one, other = block.languages[left], block.languages[right]
        return one is None or other is None or one == other

    def _heading_likenesses(self, block: _Block, pairs: list[tuple[int, int]]) -> list[float | None]:
        """How alike the headings of articles are; None where one has none."""
        if not pairs:
            return []
        vectors = CharacterTfidf(shortest=2, longest=4).vectors([title or "" for title in block.titles])
        left, right = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
        cosines = vectors.cosines_of_rows(vectors, left, right)
        return [
            round(float(cosine), 6) if block.has_heading(one) and block.has_heading(other) else None
            for (one, other), cosine in zip(pairs, cosines, strict=True)
        ]


class _Block:
    """The documents of a block in the order of their time, then of their id."""

    def __init__(self, given: Members, most: int | None = None) -> None:
        ids, times = given["document_id"], given["created_at"]
        order = sorted(range(len(ids)), key=ids.__getitem__)[:most]
        far = float("inf")
        seconds = [far if time is None else time.timestamp() for time in times]
        order.sort(key=lambda place: (seconds[place], ids[place]))
        self.ids, self.times = [ids[place] for place in order], [times[place] for place in order]
        self.seconds = np.array([seconds[place] for place in order])
        guests = given["is_guest"]
        self.guests = np.array([guests[place] for place in order], bool)
        names = ("text", "title", "work", "series", "kind", "source", "language")
        columns = (given[name] for name in names)
        self.texts, self.titles, self.works, self.series, self.kinds, self.sources, self.languages = (
            [column[place] for place in order] for column in columns
        )

    def has_heading(self, place: int) -> bool:
        """Whether a document's text begins with its title."""
        title = self.titles[place]
        return bool(title) and self.texts[place].startswith(title)

    def aligned(
        self,
        left: int,
        right: int,
        likeness: float,
        *,
        heading: float | None = None,
        headings_only: bool = False,
        dropped_for: str | None = None,
    ) -> Aligned:
        """The row of two documents of this block, the older on the left."""
        work = self.works[left]
        known = [time for time in (self.times[left], self.times[right]) if time is not None]
        group_id = make_id(ALIGNED, self.ids[left], self.ids[right])
        key = " / ".join(self.titles[side] or "" for side in (left, right))
        if self.kinds[left] != "article":
            key = work or ""
        return Aligned(
            group_id=group_id,
            family=make_id("series", self.series[left]) if self.series[left] else group_id,
            document_kind=self.kinds[left],
            key=key,
            left_id=self.ids[left],
            right_id=self.ids[right],
            created_at=min(known, default=None),
            likeness=likeness,
            heading_likeness=heading,
            left_end=len(self.titles[left]) if headings_only else None,
            right_end=len(self.titles[right]) if headings_only else None,
            dropped_for=dropped_for,
        )


def _spread(pairs: list[tuple[float, int, int]], most: int) -> set[tuple[int, int]]:
    """The best pairs, each time one whose documents are in the fewest pairs already.

    >>> sorted(_spread([(0.1, 0, 1), (0.2, 0, 2), (0.3, 2, 3)], 2))
    [(0, 1), (2, 3)]
    """
    if len(pairs) <= most:
        return {pair[1:] for pair in pairs}
    used: Counter[int] = Counter()
    left = sorted(pairs)
    taken: set[tuple[int, int]] = set()
    while left and len(taken) < most:
        best = min(left, key=lambda pair: (used[pair[1]] + used[pair[2]], pair))
        left.remove(best)
        taken.add(best[1:])
        used.update(best[1:])
    return taken


def works_of_family(family: str, pairs: Members, *, options: AlignmentOptions) -> Iterator[Aligned]:
    """The pairs of one series, of which not more works are kept than wanted: which ones is drawn by lot."""
    names = [name for name in Aligned.__dataclass_fields__ if name != "family"]
    rows = [dict(zip(names, values, strict=True)) for values in zip(*(pairs[name] for name in names), strict=True)]
    works = {row["key"] for row in rows if row["dropped_for"] is None}
    drawn = sorted(works, key=lambda work: make_id(options.alignment_seed, work))[: options.works_per_series]
    for row in rows:
        if row["dropped_for"] is None and row["document_kind"] != "article" and row["key"] not in drawn:
            row["dropped_for"] = ENOUGH_OF_SERIES
        yield Aligned(family=family, **row)
