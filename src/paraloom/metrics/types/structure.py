"""Two texts and their links in, out comes how their structure differs: order, voice, clauses, speech, mood.

Patterns over English words, no parser: they find that something moved, not which branch of a tree it was.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal

from paraloom.metrics.diversity.grammar.irregular_forms import verb_families
from paraloom.metrics.types.alignment import Link
from paraloom.metrics.types.words import Word, listed

Structure = Literal["order", "voice", "clause", "speech", "mood"]

MOVED = 2
"""Words of content that stand in another order, from which on the order counts as changed."""
MOVED_SHARE = 0.15
"""Or so large a share of those that both texts have."""

_BE = listed("be am is are was were been being get gets got gotten getting 's 're")
_BETWEEN = listed("not never also just already still even since")
_RELATIVES = listed("who whom whose which that")
_QUOTES = re.compile(r"[\"“”«»„]|``|''")
_SAYING = listed("say tell claim state announce add note report ask reply explain")


def structures(
    left: Sequence[Word], right: Sequence[Word], links: Sequence[Link], texts: tuple[str, str]
) -> tuple[Structure, ...]:
    """What differs in the structure of two texts.

    >>> from paraloom.metrics.types.alignment import align
    >>> from paraloom.metrics.types.words import words_of
    >>> texts = "The storm hit the northern coast.", "The northern coast was hit by the storm."
    >>> left, right = map(words_of, texts)
    >>> structures(left, right, align(left, right), texts)
    ('order', 'voice')
    """
    differs: dict[Structure, bool] = {
        "order": _order_differs(left, right, links),
        "voice": _voice_differs(left, right, links),
        "clause": _relatives(left) != _relatives(right),
        "speech": _speech_differs(left, right, texts),
        "mood": ("?" in texts[0]) != ("?" in texts[1]),
    }
    return tuple(name for name, does in differs.items() if does)


def _order_differs(left: Sequence[Word], right: Sequence[Word], links: Sequence[Link]) -> bool:
    places = [link.right for link in links if left[link.left].is_content and right[link.right].is_content]
    moved = len(places) - _longest_rise(places)
    return moved >= MOVED or (moved > 0 and moved >= MOVED_SHARE * len(places))


def _longest_rise(places: Sequence[int]) -> int:
    """How many of the numbers, taken in their order, rise at most.

    >>> _longest_rise([2, 3, 0, 4, 1])
    3
    """
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)


def passives(words: Sequence[Word]) -> frozenset[int]:
    """Numbers of the words that are participles of the passive voice: "was hit", "has not been seen".

    >>> from paraloom.metrics.types.words import words_of
    >>> passives(words_of("The coast was badly hit, and he has been seen"))
    frozenset({9, 4})
    """
    found = set()
    for place, word in enumerate(words):
        before = place - 1
        while before >= 0 and (words[before].plain in _BETWEEN or words[before].plain.endswith("ly")):
            before -= 1
        if before >= 0 and words[before].plain in _BE and _may_be_participle(word):
            found.add(place)
    return frozenset(found)


def _may_be_participle(word: Word) -> bool:
    if word.plain.endswith("ed") and len(word.plain) > 4:
        return True
    return word.plain in verb_families() and not word.plain.endswith(("ing", "s"))


def _voice_differs(left: Sequence[Word], right: Sequence[Word], links: Sequence[Link]) -> bool:
    """Whether a verb is passive in one text, and the same verb is not in the other."""
    ours, theirs = passives(left), passives(right)
    return any(
        (link.left in ours) != (link.right in theirs) and left[link.left].lemma == right[link.right].lemma
        for link in links
    )


def _relatives(words: Sequence[Word]) -> int:
    return sum(word.plain in _RELATIVES for word in words[1:])  # in front they ask a question


def _speech_differs(left: Sequence[Word], right: Sequence[Word], texts: tuple[str, str]) -> bool:
    """Whether words are quoted in one text alone, and both tell that someone said them."""
    quoted = [_QUOTES.search(text) is not None for text in texts]
    return quoted[0] != quoted[1] and all(any(word.lemma in _SAYING for word in words) for words in (left, right))
