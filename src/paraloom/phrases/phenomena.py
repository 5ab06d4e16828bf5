"""Two texts as tokens and their links in, the paraphrase phenomena between them out (Lan et al., 2017, section 4.1).

What is linked and is another word, or other words, was said otherwise: by a variant in spelling, a synonym, a phrase,
or another way to name the same thing. So were unlinked words of both sides that stand in the same place. Words of
content that are left over make an elaboration, and blocks of links that cross others a reordering.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from paraloom.metrics.types.alignment import Link
from paraloom.metrics.types.spans import Stretch, stretches
from paraloom.metrics.types.words import listed
from paraloom.models.aligners import Links, Tokens
from paraloom.models.aligners.lexical_groups import groups_of
from paraloom.models.aligners.lexical_words import read_token
from paraloom.phrases.phenomena_difference import KINDS, Kind, kind_of_difference
from paraloom.phrases.phenomena_names import is_shortened_name
from paraloom.phrases.phenomena_order import Anchor, moved_blocks
from paraloom.phrases.phenomena_words import IsName, Words, words_of_tokens

MOVED = 2
"""Words of content from which on a block that crosses others is a reordering."""
CROSSED = 3
"""A single word is one where it crosses so many links of words of content."""

BEHIND = listed(
    "up out off over down away back in on to for of at with into about through around from by as himself herself "
    "itself themselves"
)
"""Function words that go along with the word before them, where they have no link: `take over`."""
AHEAD = listed("is are was were be been being has have had will would to in on at by for")
"""The same with the word behind them: `was off`."""

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Phenomenon:
    """One way in which two texts differ, and the tokens it is about, by their places from 0.

    One side is empty where the other text has no counterpart.
    """

    left: Numbers
    right: Numbers
    kind: Kind


def phenomena(
    left: Tokens, right: Tokens, links: Links, *, is_known_name: IsName | None = None
) -> tuple[Phenomenon, ...]:
    """All phenomena of a pair, in the order of the left text; what the right one adds comes first.

    `is_known_name` is asked of lower-cased words where letter case tells no names.

    >>> left, right = "On Monday Jane Lee said the storm struck".split(), "She told us the storm hit on Monday".split()
    >>> links = ((0, 6), (1, 7), (2, 0), (3, 0), (4, 1), (5, 3), (6, 4), (7, 5))
    >>> for found in phenomena(left, right, links):
    ...     print(found.kind, [left[place] for place in found.left], [right[place] for place in found.right])
    reordering ['Monday'] ['Monday']
    anaphora ['Jane', 'Lee'] ['She']
    synonym ['said'] ['told']
    synonym ['struck'] ['hit']
    """
    is_turned = (len(left), list(left)) > (len(right), list(right))  # which text stands left changes nothing
    if is_turned:
        left, right, links = right, left, tuple((one, other) for other, one in links)
    found = set(_Pair(words_of_tokens(left, is_known_name), words_of_tokens(right, is_known_name), links).phenomena())
    return tuple(sorted(Phenomenon(one.right, one.left, one.kind) if is_turned else one for one in found))


class _Pair:
    """The words of two texts, and which of them stand for each other."""

    def __init__(self, left: Words, right: Words, links: Links) -> None:
        self.left, self.right = left, right
        self.links = _with_names(left, right, links)
        self.linked_left = {one for one, _ in self.links}
        self.linked_right = {other for _, other in self.links}
        self.groups = _groups(self.links)

    def phenomena(self) -> Iterator[Phenomenon]:
        """All there are."""
        words_for_words: list[tuple[int, int]] = []
        for ours, theirs in self.groups:
            kind = kind_of_difference(self.left, self.right, ours, theirs)
            if kind == "synonym" and len(ours) == len(theirs) == 1:
                words_for_words.append((ours[0], theirs[0]))
            elif kind is not None:
                yield self._told(kind, ours, theirs)
        links = [
            Link(left=one, right=other, kind="near" if (one, other) in words_for_words else "same")
            for one, other in self.links
        ]
        for stretch in stretches(self.left.words, self.right.words, links):
            yield from self._of_stretch(stretch)
        yield from self._moved()

    def _of_stretch(self, stretch: Stretch) -> Iterator[Phenomenon]:
        """What stands for something else, or for nothing."""
        ours, theirs = stretch.left, stretch.right
        if not theirs:
            is_name = is_shortened_name(self.left, ours, self.linked_left)
            yield self._told("anaphora" if is_name else "elaboration", ours, theirs)
        elif not ours:
            is_name = is_shortened_name(self.right, theirs, self.linked_right)
            yield self._told("anaphora" if is_name else "elaboration", ours, theirs)
        else:
            kind = kind_of_difference(self.left, self.right, ours, theirs)
            if kind == "synonym":
                along = _along(self.left, ours, self.linked_left), _along(self.right, theirs, self.linked_right)
                if (along[0] == ours) != (along[1] == theirs):
                    kind, (ours, theirs) = "phrasal", along
            if kind is not None:
                yield self._told(kind, ours, theirs)

    def _moved(self) -> Iterator[Phenomenon]:
        """Blocks of words that stand elsewhere in the other text."""
        anchors: dict[Anchor, tuple[Numbers, Numbers]] = {}
        for ours, theirs in self.groups:
            weight = sum(self.left.words[one].is_content for one in ours)
            if weight and any(self.right.words[other].is_content for other in theirs):
                anchors[Anchor(ours[0], theirs[0], weight)] = ours, theirs
        for block in moved_blocks(list(anchors)):
            crossed = sum((one.left < block[0].left) != (one.right < block[0].right) for one in anchors)
            if sum(anchor.weight for anchor in block) >= MOVED or crossed >= CROSSED:
                ours = tuple(sorted(one for anchor in block for one in anchors[anchor][0]))
                theirs = tuple(sorted(other for anchor in block for other in anchors[anchor][1]))
                yield self._told("reordering", ours, theirs)

    def _told(self, kind: Kind, ours: Numbers, theirs: Numbers) -> Phenomenon:
        places, their_places = self.left.places, self.right.places
        return Phenomenon(tuple(places[one] for one in ours), tuple(their_places[other] for other in theirs), kind)


def _with_names(left: Words, right: Words, links: Links) -> list[tuple[int, int]]:
    """Links between words, where an acronym or a hashtag is linked with all the words it stands for and no others."""
    ours, theirs = ({place: number for number, place in enumerate(side.places)} for side in (left, right))
    found = [(ours[one], theirs[other]) for one, other in links if one in ours and other in theirs]
    sides = ([read_token(word.text) for word in side.words] for side in (left, right))
    for group, other_group in groups_of(*sides):
        found = [(one, other) for one, other in found if one not in group and other not in other_group]
        found += [(one, other) for one in group for other in other_group]
    return sorted(set(found))


def _groups(links: Sequence[tuple[int, int]]) -> list[tuple[Numbers, Numbers]]:
    """Words that are linked with each other, directly or by others, in the order of the left text.

    >>> _groups([(0, 1), (1, 1), (2, 0)])
    [((0, 1), (1,)), ((2,), (0,))]
    """
    groups: list[tuple[set[int], set[int]]] = []
    for one, other in links:
        joined = [group for group in groups if one in group[0] or other in group[1]]
        groups = [group for group in groups if group not in joined]
        groups.append(({one}.union(*(ours for ours, _ in joined)), {other}.union(*(theirs for _, theirs in joined))))
    return sorted((tuple(sorted(ours)), tuple(sorted(theirs))) for ours, theirs in groups)


def _along(side: Words, run: Numbers, linked: Set[int]) -> Numbers:
    """A word that stands for another, with the unlinked function word that goes along with it.

    >>> side = words_of_tokens("Storms took over".split())
    >>> _along(side, (1,), {0, 1}), _along(side, (0,), {0, 1})
    ((1, 2), (0,))
    """
    behind, ahead = run[-1] + 1, run[0] - 1
    words = side.words
    if behind < len(side) and behind not in linked and not words[behind].after_mark and words[behind].plain in BEHIND:
        return (*run, behind)
    if ahead >= 0 and ahead not in linked and not words[run[0]].after_mark and words[ahead].plain in AHEAD:
        return (ahead, *run)
    return run


__all__ = ["CROSSED", "KINDS", "MOVED", "Kind", "Phenomenon", "phenomena"]
