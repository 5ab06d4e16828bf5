"""Groups and sentences in, what the filter of manual retweets and duplicates did to them out.

This is Table 6 of Lan et al. (2017).

Looked at are the kept groups with the smallest ids (ids are hashes, so this is a fair draw), and in them the
sentences that are worth comparing at all: those kept, and those left out as a copy (`retweet`, `duplicate`). What
is too short, in another language or spam is in neither column.

- Posts per group: the group's posts with at least one such sentence, the origin among them; after the filter, those
  with at least one kept sentence. The deviation is that of the whole sample.
- PINC and Jaccard: every such sentence of every post but the origin is compared with the sentence of the origin that
  it is most like (by Jaccard); the mean is over sentences. PINC takes the origin as its source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from pathlib import Path

from paraloom.engine.store import read_parts
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.reports.columns import PLACES, first_of_each, kept
from paraloom.reports.histograms import SizeBin, size_bins
from paraloom.text.tokenise import words

MOST_GROUPS = 2000
MOST_POSTS = 200_000
"""The sample ends with the group that reaches either, which bounds memory and time."""

COPIES = ("retweet", "duplicate")
"""Reasons, before their colon, that this filter gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterState:
    """Groups on one side of the filter."""

    mean_size: float | None
    deviation: float | None
    pinc: float | None
    jaccard: float | None
    posts: int
    compared: int
    """Sentences compared with their group's origin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindEffect:
    """The groups of one kind before and after the filter."""

    kind: str
    groups: int
    before: FilterState
    after: FilterState


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterEffect:
    """The same groups before and after the filter."""

    groups: int
    """Groups looked at."""
    of_groups: int
    """Kept groups there are."""
    without_origin: int
    """Groups looked at whose origin has no sentence to compare with."""
    before: FilterState
    after: FilterState
    by_kind: tuple[KindEffect, ...]
    sizes: tuple[SizeBin, ...]


@dataclass(slots=True)
class _Sampled:
    """The groups looked at: their documents, each one's kind and origin."""

    documents: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    of_groups: int = 0


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A sentence worth comparing; its words are found when its group is looked at: they take ten times the memory."""

    text: str
    is_kept: bool


def filter_effect(run: Path, most_groups: int = MOST_GROUPS, most_posts: int = MOST_POSTS) -> FilterEffect:
    """What the filter did to the sampled groups of a run."""
    sampled = _sample(run, most_groups, most_posts)
    spoken = _sentences(run, {document for documents in sampled.documents.values() for document in documents})
    both = _Sides()
    by_kind = {kind: _Sides() for kind in sorted(set(sampled.kinds.values()))}
    without_origin = 0
    for group_id, documents in sampled.documents.items():
        origin = sampled.origins.get(group_id, "")
        said = [words(sentence.text) for sentence in spoken.get(origin, [])]
        without_origin += not said
        present = {document: spoken[document] for document in documents if document in spoken}
        others = [sentence for document, sentences in present.items() if document != origin for sentence in sentences]
        compared = [(*_against_origin(said, words(one.text)), one.is_kept) for one in others] if said else []
        for sides in (both, by_kind[sampled.kinds[group_id]]):
            sides.add_group(list(present.values()), compared)
    return FilterEffect(
        groups=len(sampled.documents),
        of_groups=sampled.of_groups,
        without_origin=without_origin,
        before=both.before.state(),
        after=both.after.state(),
        by_kind=tuple(
            KindEffect(
                kind=kind, groups=len(sides.before.sizes), before=sides.before.state(), after=sides.after.state()
            )
            for kind, sides in by_kind.items()
        ),
        sizes=size_bins(both.before.sizes, both.after.sizes),
    )


@dataclass(slots=True)
class _Tally:
    """Sums of one side of the filter."""

    sizes: list[int] = field(default_factory=list)
    compared: int = 0
    pinc: float = 0.0
    jaccard: float = 0.0

    def add(self, pinc: float, jaccard: float) -> None:
        self.compared += 1
        self.pinc += pinc
        self.jaccard += jaccard

    def state(self) -> FilterState:
        count = len(self.sizes)
        mean = sum(self.sizes) / count if count else None
        spread = sqrt(sum((size - mean) ** 2 for size in self.sizes) / count) if mean is not None else None
        return FilterState(
            mean_size=_rounded(mean),
            deviation=_rounded(spread),
            pinc=_rounded(self.pinc / self.compared) if self.compared else None,
            jaccard=_rounded(self.jaccard / self.compared) if self.compared else None,
            posts=sum(self.sizes),
            compared=self.compared,
        )


@dataclass(slots=True)
class _Sides:
    """Both sides of the filter."""

    before: _Tally = field(default_factory=_Tally)
    after: _Tally = field(default_factory=_Tally)

    def add_group(self, present: list[list[_Spoken]], compared: list[tuple[float, float, bool]]) -> None:
        """Count a group: its posts' sentences, and PINC, Jaccard and whether it is kept for each one compared."""
        self.before.sizes.append(len(present))
        self.after.sizes.append(sum(1 for sentences in present if any(sentence.is_kept for sentence in sentences)))
        for pinc, jaccard, is_kept in compared:
            self.before.add(pinc, jaccard)
            if is_kept:
                self.after.add(pinc, jaccard)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


def _against_origin(said: list[list[str]], tokens: list[str]) -> tuple[float, float]:
    """PINC and Jaccard against the sentence of the origin that is most alike."""
    alike = [jaccard_of_tokens(origin, tokens) for origin in said]
    best = max(range(len(said)), key=lambda place: (alike[place], -place))
    return pinc_of_tokens(said[best], tokens), alike[best]


def _sample(run: Path, most_groups: int, most_posts: int) -> _Sampled:
    """The first kept groups, in the order of their ids, with all their documents."""
    sampled = _Sampled()
    posts = 0
    for part in read_parts(run, "groups", ("group_id", "document_id", "kind", "is_origin", "dropped_for")):
        rows = kept(part)
        starts = [int(start) for start in first_of_each(rows.column("group_id")).nonzero()[0]]
        sampled.of_groups += len(starts)
        for start, stop in pairwise([*starts, len(rows)]):
            if len(sampled.documents) == most_groups or posts >= most_posts:
                break
            members = rows.slice(start, stop - start)
            group_id = members.column("group_id")[0].as_py()
            documents = sampled.documents[group_id] = members.column("document_id").to_pylist()
            sampled.kinds[group_id] = members.column("kind")[0].as_py()
            posts += len(documents)
            for document_id, is_origin in zip(documents, members.column("is_origin").to_pylist(), strict=True):
                if is_origin:
                    sampled.origins[group_id] = document_id
    return sampled


def _sentences(run: Path, documents: set[str]) -> dict[str, list[_Spoken]]:
    """The sentences of these documents that are kept or were left out as copies."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(sorted(documents), pa.string())
    found: dict[str, list[_Spoken]] = {}
    for part in read_parts(run, "sentences", ("document_id", "text", "dropped_for")):
        rows = part.filter(pc.is_in(part.column("document_id"), value_set=wanted))
        for document_id, text, dropped_for in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            if dropped_for is None or dropped_for.split(":")[0] in COPIES:
                found.setdefault(document_id, []).append(_Spoken(text, dropped_for is None))
    return found
