"""Pairs with their labels in, the rows of the released corpus out: groups, splits, rewrites, and twins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paraloom.corpus.graded.judged import JudgedPair, Place
from paraloom.corpus.graded.merge import ReleasedLabel
from paraloom.corpus.splits import CutDates
from paraloom.graphs import clusters
from paraloom.metrics.identification.graded import turned
from paraloom.tables import SPLITS, make_id

TWIN = "-turned"
"""Behind the id of a pair whose sides are swapped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedRow:
    """One row of a graded corpus. Fields are columns, in this order."""

    pair_id: str
    left: str
    right: str
    label: str
    grade: str | None
    is_paraphrase: bool
    votes_for: int | None
    votes: int | None
    said: str
    """Every label that people gave, by spaces, in the order of the labels."""
    labelled_by: str
    rewrite_of: str | None
    is_turned: bool
    group: str
    split: str
    source: str | None
    left_document_id: str | None
    left_start: int | None
    left_end: int | None
    right_document_id: str | None
    right_start: int | None
    right_end: int | None
    left_before: str | None = None
    left_after: str | None = None
    right_before: str | None = None
    right_after: str | None = None

    def swapped(self, scheme: str) -> GradedRow:
        """The same pair with its sides in the other order, and its labels turned."""
        sides = {
            f"{one}{of}": getattr(self, f"{other}{of}")
            for one, other in (("left", "right"), ("right", "left"))
            for of in ("", "_document_id", "_start", "_end", "_before", "_after")
        }
        return replace(
            self,
            **sides,
            pair_id=f"{self.pair_id}{TWIN}",
            label=self.label if scheme == "binary" else turned(self.label),
            grade=None if self.grade is None else turned(self.grade),
            said=" ".join(sorted(turned(label) for label in self.said.split())),
            is_turned=True,
        )


def families(pairs: Sequence[JudgedPair]) -> dict[str, str]:
    """By pair, the name of all that must stay together: what shares a document, a work or a group, and rewrites.

    >>> pairs = [JudgedPair(pair_id=name, left="a", right="b", links=links) for name, links in
    ...     [("1", ["document x"]), ("2", ["document y", "document x"]), ("3", [])]]
    >>> found = families([*pairs, JudgedPair(pair_id="4", left="c", right="d", rewrite_of="3")])
    >>> found["1"] == found["2"], found["3"] == found["4"], found["1"] == found["3"]
    (True, True, False)
    """
    node_of = {pair.pair_id: _node(pair) for pair in pairs}  # what was rewritten may be a rewrite itself
    edges = [(_node(pair), node_of.get(of := pair.rewrite_of or pair.pair_id, f"pair {of}")) for pair in pairs]
    edges += [(_node(pair), link) for pair in pairs for link in pair.links]
    found = clusters(edges)
    # Hashed anew, so that the first digits, which may decide a split, are of no pattern.
    return {pair.pair_id: make_id("family", found[_node(pair)]) for pair in pairs}


def _node(pair: JudgedPair) -> str:
    """What is smallest names a family: a document, a group or a pair before what was made of it."""
    return f"{'rewrite' if pair.is_rewrite else 'pair'} {pair.pair_id}"


def splits_of(
    pairs: Sequence[JudgedPair], family: Mapping[str, str], train_share: float, dev_share: float
) -> tuple[dict[str, str], int]:
    """The split of every pair, and how many families were given in several.

    A pair keeps the split it was given. What was given none is in that of its family, and where the family has none
    either the family's name decides, in these shares: so a family stays in its split when others are added.
    """
    cuts = CutDates(dev_from=None, test_from=None, train_share=train_share, dev_share=dev_share)
    given: dict[str, set[str]] = {}
    for pair in pairs:
        if pair.split is not None:
            given.setdefault(family[pair.pair_id], set()).add(pair.split)
    own = {pair.pair_id: pair.split for pair in pairs if pair.split is not None}
    found = {}
    for pair in pairs:
        name = family[pair.pair_id]
        of_family = next((split for split in SPLITS if split in given.get(name, ())), None)
        split = pair.split or own.get(pair.rewrite_of or "") or of_family
        found[pair.pair_id] = split or cuts.split_of(name, None)
    return found, sum(len(splits) > 1 for splits in given.values())


def in_order(pairs: Iterable[JudgedPair]) -> list[JudgedPair]:
    """Pairs as they came, each followed by what was made of it."""
    came = list(pairs)
    place = {pair.pair_id: number for number, pair in enumerate(came)}
    numbered = list(enumerate(came))
    numbered.sort(key=lambda one: (place.get(one[1].rewrite_of or "", one[0]), one[1].is_rewrite, one[0]))
    return [pair for _, pair in numbered]


def row_of(pair: JudgedPair, label: ReleasedLabel, group: str, split: str) -> GradedRow:
    """A pair and its label as they are released."""
    return GradedRow(
        pair_id=pair.pair_id,
        left=pair.left,
        right=pair.right,
        label=label.label,
        grade=label.grade,
        is_paraphrase=label.is_paraphrase,
        votes_for=label.votes_for,
        votes=label.votes,
        said=" ".join(sorted(pair.said.values())),
        labelled_by=label.labelled_by,
        rewrite_of=pair.rewrite_of,
        is_turned=False,
        group=group,
        split=split,
        source=pair.source,
        **_columns("left", pair.left_place),
        **_columns("right", pair.right_place),
    )


def with_texts_around(row: GradedRow, texts: Mapping[str, str], around: int) -> GradedRow:
    """The row with so many characters of its documents before and behind either side, where they are known."""
    found: dict[str, Any] = {}
    for side in ("left", "right"):
        document, start, end = (getattr(row, f"{side}_{name}") for name in ("document_id", "start", "end"))
        if document in texts and start is not None and end is not None:
            text = texts[document]
            found[f"{side}_before"] = text[max(0, start - around) : start]
            found[f"{side}_after"] = text[end : end + around]
    return replace(row, **found) if found else row


def both_ways(rows: Iterable[GradedRow], scheme: str) -> Iterator[GradedRow]:
    """Each row, and behind it the same with its sides swapped, in the same group and split."""
    for row in rows:
        yield row
        yield row.swapped(scheme)


def _columns(side: str, place: Place | None) -> dict[str, Any]:
    return {
        f"{side}_document_id": None if place is None else place.document_id,
        f"{side}_start": None if place is None else place.start,
        f"{side}_end": None if place is None else place.end,
    }
