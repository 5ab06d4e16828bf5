"""Linked words in, out come the stretches in which two texts differ: said otherwise, left out, or added.

A stretch is a run of words of content without a link, with the function words between them. Two stretches stand for
each other where their vectors are near, or where they have the same neighbours; what has no counterpart was left out or
added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from paraloom.metrics.types.alignment import Likeness, Link, TextVectors
from paraloom.metrics.types.words import Word, listed

Kind = Literal["word", "phrase", "left_out", "added"]

INSTEAD = 0.2
"""What the cosine of two stretches, and the next number for each side with the same neighbour, must add up to."""
SAME_NEIGHBOUR = 0.2
LONGEST_INSTEAD = 8
"""A longer stretch says something of its own."""

PRONOUNS = listed("he she it they him her them we us this that these those i me you")
"""May stand for words of content in the same place; alone they are neither left out nor added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Words, by their numbers, that stand for each other; one side is empty where they are left out or added."""

    kind: Kind
    left: tuple[int, ...]
    right: tuple[int, ...]
    likeness: float = 0.0
    """Cosine of both sides; 0 where there is no embedder."""


def stretches(
    left: Sequence[Word], right: Sequence[Word], links: Sequence[Link], likeness: Likeness = Likeness()
) -> tuple[Stretch, ...]:
    """Where two texts differ, in the order of the left one; what was added comes last.

    >>> from paraloom.metrics.types.alignment import align
    >>> from paraloom.metrics.types.words import words_of
    >>> left, right = words_of("The old dog ran home at noon"), words_of("The old dog hurried home")
    >>> for found in stretches(left, right, align(left, right)):
    ...     print(found.kind, [left[place].text for place in found.left], [right[place].text for place in found.right])
    word ['ran'] ['hurried']
    left_out ['noon'] []
    """
    to_right = {link.left: link.right for link in links}
    to_left = {link.right: link.left for link in links}
    said = [
        Stretch(kind="word", left=(link.left,), right=(link.right,), likeness=1.0)
        for link in links
        if link.kind in ("synonym", "near") and left[link.left].is_content
    ]
    ours, theirs = list(_runs(left, to_right)), list(_runs(right, to_left))
    found = _absorbed(said, ours, theirs, left, right, likeness.vectors)
    taken_left, taken_right = set[int](), set[int]()
    for score, cosine, one, other in _scored(ours, theirs, left, right, to_right, likeness.vectors):
        if score >= INSTEAD and one not in taken_left and other not in taken_right:
            taken_left.add(one)
            taken_right.add(other)
            kind: Kind = "word" if max(_contents(left, ours[one]), _contents(right, theirs[other])) < 2 else "phrase"
            found.append(Stretch(kind=kind, left=ours[one], right=theirs[other], likeness=cosine))
    found += [
        Stretch(kind="left_out", left=run, right=())
        for at, run in enumerate(ours)
        if at not in taken_left and _contents(left, run)
    ]
    added = [
        Stretch(kind="added", left=(), right=run)
        for at, run in enumerate(theirs)
        if at not in taken_right and _contents(right, run)
    ]
    return (*sorted(found, key=lambda one: one.left), *added)


def _runs(words: Sequence[Word], linked: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Unlinked words of content that no linked one stands between, with the function words inside."""
    run: list[int] = []
    for place, word in enumerate(words):
        if run and (word.after_mark or (word.is_content and place in linked)):
            yield tuple(range(run[0], run[-1] + 1))
            run = []
        if place not in linked and (word.is_content or (not run and word.plain in PRONOUNS)):
            run.append(place)
    if run:
        yield tuple(range(run[0], run[-1] + 1))


def _contents(words: Sequence[Word], run: Sequence[int]) -> int:
    return sum(words[place].is_content for place in run)


def _text(words: Sequence[Word], run: Sequence[int]) -> str:
    return " ".join(words[place].plain for place in run)


def _absorbed(
    said: Sequence[Stretch],
    ours: list[tuple[int, ...]],
    theirs: list[tuple[int, ...]],
    left: Sequence[Word],
    right: Sequence[Word],
    vectors: TextVectors | None,
) -> list[Stretch]:
    """A word that stands for another takes the run beside it along where both are nearer together: "moved higher"."""
    found = []
    for one in said:
        grown = one
        if vectors is not None:
            grown = _with_run(grown, ours, left, right, vectors, "left")
            if grown is one:
                grown = _with_run(grown, theirs, right, left, vectors, "right")
        found.append(grown)
    return found


def _with_run(
    one: Stretch,
    runs: list[tuple[int, ...]],
    words: Sequence[Word],
    others: Sequence[Word],
    vectors: TextVectors,
    side: Literal["left", "right"],
) -> Stretch:
    mine, theirs = (one.left, one.right) if side == "left" else (one.right, one.left)
    for run in runs:
        if (run[-1] + 1 == mine[0] or mine[-1] + 1 == run[0]) and _contents(words, run) < 3:
            both = tuple(sorted((*run, *mine)))
            alone, together, other = vectors.embed([_text(words, mine), _text(words, both), _text(others, theirs)])
            if float(together @ other) > float(alone @ other):
                runs.remove(run)
                sides = (both, theirs) if side == "left" else (theirs, both)
                return Stretch(kind="phrase", left=sides[0], right=sides[1], likeness=float(together @ other))
    return one


def _scored(
    ours: Sequence[tuple[int, ...]],
    theirs: Sequence[tuple[int, ...]],
    left: Sequence[Word],
    right: Sequence[Word],
    to_right: dict[int, int],
    vectors: TextVectors | None,
) -> list[tuple[float, float, int, int]]:
    """Every two runs that may stand for each other, the likeliest first."""
    if not ours or not theirs:
        return []
    rows = None
    if vectors is not None:
        rows = vectors.embed([_text(left, run) for run in ours] + [_text(right, run) for run in theirs])
    found = []
    for one, run in enumerate(ours):
        for other, their in enumerate(theirs):
            if not 0 < max(_contents(left, run), _contents(right, their)) <= LONGEST_INSTEAD:
                continue
            cosine = 0.0 if rows is None else float(rows[one] @ rows[len(ours) + other])
            score = cosine + SAME_NEIGHBOUR * _same_neighbours(run, their, left, right, to_right)
            found.append((round(score, 6), round(cosine, 6), one, other))
    return sorted(found, key=lambda row: (-row[0], row[2], row[3]))


def _same_neighbours(
    run: Sequence[int],
    their: Sequence[int],
    left: Sequence[Word],
    right: Sequence[Word],
    to_right: dict[int, int],
) -> int:
    """On how many sides the next words of content are linked with each other; the edge of a text is a neighbour too."""
    count = 0
    for ours_at, theirs_at, step in ((run[0], their[0], -1), (run[-1], their[-1], 1)):
        mine, other = _next_content(left, ours_at, step), _next_content(right, theirs_at, step)
        count += (mine is None and other is None) or (
            mine is not None and other is not None and to_right.get(mine) == other
        )
    return count


def _next_content(words: Sequence[Word], place: int, step: int) -> int | None:
    place += step
    while 0 <= place < len(words):
        if words[place].is_content:
            return place
        place += step
    return None
