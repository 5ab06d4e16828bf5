"""Rows of item, annotator and answer in, ratings out: who gave which answer to which item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.agreement.counts import AnswerCounts
from paraloom.metrics.agreement.levels import Level
from paraloom.metrics.agreement.scale import Scale

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Items by annotators, with gaps: an answer is a row, and what nobody answered is not held at all."""

    scale: Scale
    items: tuple[str, ...]
    annotators: tuple[str, ...]
    item: Integers
    """Of each answer, ascending."""
    annotator: Integers
    """Of each answer, ascending within an item."""
    answer: Integers
    """Of each answer: its place on the scale."""

    @classmethod
    def of(
        cls,
        items: Sequence[str],
        annotators: Sequence[str],
        answers: Sequence[str | None],
        *,
        level: Level = "nominal",
        order: Sequence[str] = (),
        last_counts: bool = False,
        place: Callable[[int], str] = lambda row: f"row {row + 1}",
    ) -> Ratings:
        """From one row an answer. None or blank is no answer, and leaves the item and the annotator known.

        Whoever answered an item twice is an error, or the last answer counts. `place` says where a row stands.

        >>> ratings = Ratings.of(["a", "a", "b"], ["ann", "bob", "ann"], ["yes", "no", None])
        >>> ratings.items, ratings.annotators, ratings.scale.answers, len(ratings.answer)
        (('a', 'b'), ('ann', 'bob'), ('no', 'yes'), 2)
        """
        if not len(items) == len(annotators) == len(answers):
            raise InputError(
                f"There are {len(items)} items, {len(annotators)} annotators and {len(answers)} answers. Give one of "
                "each a row."
            )
        item_of, item_names = _coded(items)
        annotator_of, annotator_names = _coded(annotators)
        stripped = ["" if answer is None else answer.strip() for answer in answers]
        rows = np.flatnonzero([bool(answer) for answer in stripped])
        rows = _one_a_person(rows, item_of, annotator_of, item_names, annotator_names, stripped, last_counts, place)
        rows = rows[np.lexsort((annotator_of[rows], item_of[rows]))]
        given = [stripped[row] for row in rows]
        scale = Scale.of(given, level, order)
        return cls(
            scale=scale,
            items=item_names,
            annotators=annotator_names,
            item=item_of[rows],
            annotator=annotator_of[rows],
            answer=scale.codes(given),
        )

    def counts(self) -> AnswerCounts:
        """How often each answer was given to each item."""
        return AnswerCounts.of_codes(self.scale, self.item, self.answer, len(self.items))

    def without(self, *annotators: str) -> Ratings:
        """The ratings of everybody else; items and scale stay."""
        return self._of_rows(~np.isin(self.annotator, [self._place(name) for name in annotators]))

    def only(self, annotator: str) -> Ratings:
        """The ratings of one annotator alone."""
        return self._of_rows(self.annotator == self._place(annotator))

    def seen_as(self, views: Mapping[str, str | None], *, order: Sequence[str] = ()) -> Ratings:
        """The same with another answer for each; None leaves an answer out. Items and annotators stay.

        >>> ratings = Ratings.of(["a", "b"], ["ann", "ann"], ["4>", "x"])
        >>> found = ratings.seen_as({"4>": "4", "x": None})
        >>> found.items, found.scale.answers, found.answer.tolist()
        (('a', 'b'), ('4',), [0])
        """
        met = {int(place): views[self.scale.answers[place]] for place in np.unique(self.answer)}
        seen = {place: answer for place, answer in met.items() if answer is not None}
        scale = Scale.of(seen.values(), self.scale.level, order)
        codes = np.full(len(self.scale.answers), -1, np.int64)
        codes[list(seen)] = scale.codes(seen.values())
        kept = codes[self.answer] >= 0
        return replace(self._of_rows(kept), scale=scale, answer=codes[self.answer[kept]])

    def narrowed(self) -> Ratings:
        """The same on the scale of the answers in it: what somebody else said, who was left out, does not count."""
        scale, answer = self.scale.narrowed(self.answer)
        return replace(self, scale=scale, answer=answer)

    def _of_rows(self, kept: NDArray[np.bool_]) -> Ratings:
        return Ratings(
            scale=self.scale,
            items=self.items,
            annotators=self.annotators,
            item=self.item[kept],
            annotator=self.annotator[kept],
            answer=self.answer[kept],
        )

    def _place(self, annotator: str) -> int:
        if annotator not in self.annotators:
            some = ", ".join(self.annotators[:10]) + (" …" if len(self.annotators) > 10 else "")
            raise InputError(f"There is no annotator {annotator!r}; there are {some}.")
        return self.annotators.index(annotator)


def _coded(names: Sequence[str]) -> tuple[Integers, tuple[str, ...]]:
    places: dict[str, int] = {}
    codes = np.fromiter((places.setdefault(name, len(places)) for name in names), dtype=np.int64, count=len(names))
    return codes, tuple(places)


def _one_a_person(
    rows: Integers,
    item_of: Integers,
    annotator_of: Integers,
    items: tuple[str, ...],
    annotators: tuple[str, ...],
    answers: Sequence[str],
    last_counts: bool,
    place_of: Callable[[int], str],
) -> Integers:
    keys = item_of[rows] * max(1, len(annotators)) + annotator_of[rows]
    _, last_from_behind = np.unique(keys[::-1], return_index=True)
    kept: Integers = np.sort(len(keys) - 1 - last_from_behind)
    if len(kept) < len(keys) and not last_counts:
        place = int(np.setdiff1d(np.arange(len(keys)), kept)[0])
        first = int(rows[place])
        later = int(rows[np.flatnonzero(keys == keys[place])[1]])
        raise InputError(
            f"{annotators[annotator_of[first]]} answered item {items[item_of[first]]} twice: {answers[first]!r} in "
            f"{place_of(first)} and {answers[later]!r} in {place_of(later)}. Leave one out, or let the last answer "
            "count (--repeated last)."
        )
    return np.asarray(rows[kept])
