"""Documents that tell the same in other words, two by two: the blocks of documents in, aligned pairs out.

After Kanerva et al. (2023, section 3). Likeness is the cosine of TF-IDF vectors of character n-grams within words; a
pair lies in a band of it, for below they tell different things and above they are the same text. What is particular:

- of a work with several versions (a film, a translated text), the least alike pairs are taken, at most so many; of a
  film some more are kept in reserve, for the times of two versions may not fit each other;
- of a series, at most so many works;
- the shorter of two messages must not be a part of the longer;
- headings of articles are pairs of their own, the more alike the articles and the less alike the headings the better:
  they are taken also where the articles are too alike to be read side by side. Of such a pair only the headings are
  meant: the part of each document that belongs to the group ends with its heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappushpop, nsmallest

from paraloom.engine.rows import Members
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.block_documents import Block, BlockDocument, Neighbours
from paraloom.groups.blocks import work_id
from paraloom.groups.near_documents import near_pairs
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.tables import make_id
from paraloom.text.containment import RunsOfWords

ALIGNED = "aligned"

TOO_ALIKE = "too alike"
TOO_DIFFERENT = "too different"
OTHER_LANGUAGE = "in different languages"
CONTAINED = "the shorter is a part of the longer"
ENOUGH_OF_WORK = "enough pairs of its work"
ENOUGH_OF_SERIES = "enough works of its series"

PART_OF_THE_LONGER = 0.9
"""A text is a part of another if this share of it stands there word for word."""
MOST_ALIKE_FIRST = ("thread",)
"""Kinds whose versions may have nothing to do with each other: of those, the more alike are the better pairs."""
IN_RESERVE: Mapping[str, int] = {"subtitle": 5}
"""So many more pairs of versions are kept, by kind, in case that better ones turn out not to fit."""

_WHOLE: Mapping[str, int | None] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """Two documents side by side, before parts of them are chosen."""

    group_id: str
    work_id: str
    """What the pairs of one work share; a pair of articles has its own."""
    family: str
    """What must not give too many works: the series; of articles, and of what is in none, just this pair."""
    document_kind: str
    key: str
    """The work, or of articles their headings."""
    left_id: str
    right_id: str
    created_at: datetime | None
    likeness: float
    left_end: int | None
    """Where the part that is meant ends: behind the heading, if only that is meant."""
    right_end: int | None
    rank: int
    """Among the pairs of its work that may be taken, the best has 0."""
    dropped_for: str | None


class Aligner:
    """Finds the pairs of a block."""

    def __init__(
        self,
        models: Mapping[str, CharacterTfidf],
        options: AlignmentOptions,
        neighbours: Neighbours = Neighbours(),
    ) -> None:
        self.models = models
        """What is common among the documents of a kind."""
        self.options = options
        self.neighbours = neighbours

    def __call__(self, block: str, documents: Members) -> Iterator[Aligned]:
        kind = documents["kind"][0]
        own = Block.of(documents, self.models[kind])
        if kind != "article":
            yield from self._of_work(kind, own)
            return
        yield from self._of_articles(own, own)
        for name in self.neighbours.meets.get(block, ()):
            if len(rows := self.neighbours.read(name)):
                yield from self._of_articles(own, Block.of(rows, self.models[kind]))

    def _of_articles(self, own: Block, other: Block) -> Iterator[Aligned]:
        """Articles of a block among each other, or with those of another block."""
        band = self.options.band("article")
        within = None if other is own else other.compared
        for near in near_pairs(own.compared, within, low=band.low, window_days=self.options.window_days):
            titles = own.title_likeness(other, near)
            pairs = zip(near.left.tolist(), near.right.tolist(), near.likeness.tolist(), titles, strict=True)
            for left, right, likeness, title_likeness in pairs:
                one, another = own.documents[left], other.documents[right]
                if self.options.different_sources and one.source == another.source:
                    continue
                yield self._articles(one, another, likeness, title_likeness, too_alike=likeness > band.high)

    def _articles(
        self, one: BlockDocument, other: BlockDocument, likeness: float, title_likeness: float, *, too_alike: bool
    ) -> Aligned:
        ends = _WHOLE
        if too_alike and title_likeness <= self.options.heading_most_alike:
            ends = {document.document_id: document.heading_end for document in (one, other)}
        headings_only = bool(ends) and None not in ends.values()
        return _aligned(
            one,
            other,
            likeness,
            ends=ends if headings_only else _WHOLE,
            dropped_for=TOO_ALIKE if too_alike and not headings_only else _other_language(one, other),
        )

    def _of_work(self, kind: str, block: Block) -> Iterator[Aligned]:
        """Versions of one work."""
        band = self.options.band(kind)
        documents = block.documents
        runs = RunsOfWords([document.text for document in documents])
        in_band: list[tuple[float, int, int]] = []
        for near in near_pairs(block.compared, low=-1.0):
            for left, right, likeness in zip(
                near.left.tolist(), near.right.tolist(), near.likeness.tolist(), strict=True
            ):
                reason = TOO_DIFFERENT if likeness < band.low else TOO_ALIKE if likeness > band.high else None
                reason = reason or _other_language(documents[left], documents[right])
                if reason is None and runs.contained(left, right) >= PART_OF_THE_LONGER:
                    reason = CONTAINED
                if reason is None:
                    in_band.append((-likeness if kind in MOST_ALIKE_FIRST else likeness, left, right))
                else:
                    yield _aligned(documents[left], documents[right], likeness, dropped_for=reason)
        ranks = _spread(in_band, self.options.most_pairs(kind) + IN_RESERVE.get(kind, 0))
        for likeness, left, right in in_band:
            rank = ranks.get((left, right))
            yield _aligned(
                documents[left],
                documents[right],
                abs(likeness),
                rank=rank or 0,
                dropped_for=ENOUGH_OF_WORK if rank is None else None,
            )


def _other_language(one: BlockDocument, other: BlockDocument) -> str | None:
    return OTHER_LANGUAGE if one.is_in_another_language(other) else None


def _aligned(
    one: BlockDocument,
    other: BlockDocument,
    likeness: float,
    *,
    ends: Mapping[str, int | None] = _WHOLE,
    rank: int = 0,
    dropped_for: str | None = None,
) -> Aligned:
    """The row of two documents, the older on the left; `ends`: where their headings end, if only these are meant."""
    left, right = sorted((one, other), key=lambda document: document.age)
    group_id = make_id(ALIGNED, left.document_id, right.document_id)
    is_article = left.kind == "article"
    series = None if is_article else left.series or right.series
    return Aligned(
        group_id=group_id,
        work_id=group_id if is_article else work_id(left.kind, left.work or ""),
        family=make_id("series", series) if series else group_id,
        document_kind=left.kind,
        key=f"{left.title or ''} / {right.title or ''}" if is_article else left.work or "",
        left_id=left.document_id,
        right_id=right.document_id,
        created_at=min((time for time in (left.created_at, right.created_at) if time is not None), default=None),
        likeness=likeness,
        left_end=ends.get(left.document_id),
        right_end=ends.get(right.document_id),
        rank=rank,
        dropped_for=dropped_for,
    )


def _spread(pairs: Sequence[tuple[float, int, int]], most: int) -> dict[tuple[int, int], int]:
    """The best pairs with their rank, each time one whose documents are in the fewest pairs already.

    >>> _spread([(0.1, 0, 1), (0.2, 0, 2), (0.3, 2, 3)], 2)
    {(0, 1): 0, (2, 3): 1}
    """
    used: Counter[int] = Counter()
    waiting = [(0, *pair) for pair in pairs]
    heapify(waiting)
    taken: dict[tuple[int, int], int] = {}
    while waiting and len(taken) < most:
        best = heappop(waiting)
        while (uses := used[best[2]] + used[best[3]]) > best[0]:  # it was put in its place when they had fewer
            best = heappushpop(waiting, (uses, *best[1:]))
        taken[best[2:]] = len(taken)
        used.update(best[2:])
    return taken


def works_of_family(family: str, pairs: Members, *, options: AlignmentOptions) -> Iterator[Aligned]:
    """The pairs of one series, of which not more works are kept than wanted: which ones is drawn by lot."""
    names = [name for name in Aligned.__dataclass_fields__ if name != "family"]
    rows = [dict(zip(names, values, strict=True)) for values in zip(*(pairs[name] for name in names), strict=True)]
    works = {row["key"] for row in rows if row["dropped_for"] is None}
    drawn = set(nsmallest(options.works_per_series, works, key=lambda work: make_id(options.alignment_seed, work)))
    for row in rows:
        if row["dropped_for"] is None and row["key"] not in drawn:
            row["dropped_for"] = ENOUGH_OF_SERIES
        yield Aligned(family=family, **row)
