"""The pieces of an English text in; out come the words that leave it open whether it is so.

"Reportedly", "may" and "is expected to" make a rumour of a fact, and their loss a fact of a rumour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paraloom.text.facts.pieces import Piece
from paraloom.text.facts.tables import words_of


class Hedges(NamedTuple):
    """What a text leaves open with."""

    spans: tuple[tuple[int, int, str], ...]
    """Start, end and plain form of every word that leaves it open whether it is so."""
    hinted: bool
    """Another word may do that ("says", "plans", "chance"): a text that has one may go without."""


_OPEN = words_of(
    """
    may might could maybe perhaps possibly probably presumably likely unlikely reportedly allegedly alleged supposedly
    supposed apparently seemingly seem seems seemed suspected rumoured rumored rumour rumours rumor rumors expected
    """
)
_HINTS = words_of(
    """
    would should can if whether possible possibility potential potentially probable chance chances risk risks risky
    threat threatens threatened prospect prospects prospective hope hopes hoped hoping plan plans planned planning aim
    aims aimed propose proposed proposes proposal consider considers considered considering mull mulls want wants seek
    seeks say says said saying report reports reported according source sources claim claims claimed claiming accuse
    accused accuses accusation accusations allegation allegations suggest suggests suggested suggesting hint hints
    hinted think thinks thought believe believes believed guess suspect suspects fear fears feared predict predicts
    predicted forecast expect expects expectation expectations anticipated anticipate look looks looked sound sounds
    feel feels appear appears appeared tend tends poised set due likelihood odds doubt doubts unclear uncertain
    unconfirmed speculation so-called purported purportedly
    """
)
_BEFORE_MONTHS = words_of("in since until last next this by of")
_WISHED = words_of("the your god all")
"""Behind these, "may" begins a wish: "may the best team win"."""
_NOUN_BEFORE = words_of("his her their its our your my all the with")
"""Before these, "might" is strength."""
_COMPARED = frozenset(("as", "than"))
"""Behind these, what was expected is over: "as expected"."""
_NO_DOUBT = words_of("not barely hardly only")
"""Behind "could" these tell what happened: "I could barely walk"."""


def hedges_of(pieces: Sequence[Piece]) -> Hedges:
    """The words that leave it open; in May, with all its might, later than expected, nothing is left open.

    >>> from paraloom.text.facts.pieces import pieces_of
    >>> hedges_of(pieces_of("The bank may close, as expected, in May")).spans
    ((9, 12, 'may'),)
    >>> hedges_of(pieces_of("The bank plans to close")).hinted
    True
    """
    words = [piece for piece in pieces if piece.kind in ("word", "number")]
    spans: list[tuple[int, int, str]] = []
    hinted = False
    for at, piece in enumerate(words):
        lower = piece.text.lower()
        before = words[at - 1].text.lower() if at else ""
        behind = words[at + 1] if at + 1 < len(words) else None
        if lower in _OPEN and _leaves_open(piece.text, before, behind):
            spans.append((piece.start, piece.end, lower))
        else:
            hinted = hinted or lower in _HINTS
    return Hedges(tuple(spans), hinted)


def _leaves_open(word: str, before: str, behind: Piece | None) -> bool:
    lower, follows = word.lower(), behind.text.lower() if behind is not None else ""
    if lower == "may":
        is_month = word == "May" or behind is None or behind.kind == "number" or before in _BEFORE_MONTHS
        return not is_month and follows not in _WISHED
    if lower == "might":
        return before not in _NOUN_BEFORE and follows != "as"  # "might as well"
    if lower == "could":
        return follows not in _NO_DOUBT
    return lower != "expected" or before not in _COMPARED
