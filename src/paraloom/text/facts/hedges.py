"""The pieces of an English text in; out come the words that leave it open whether it is so.

"Reportedly", "may" and "is expected to" make a rumour of a fact, and their loss a fact of a rumour. What may be meant
otherwise ("military might", "in May", "We could use some help") is no doubt: a good paraphrase that is refused costs
more than a doubt that is not seen.
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
    """Another word may do that ("says", "plans", "chance"), or it is a question: such a text may go without."""


_OPEN = words_of(
    """
    maybe perhaps possibly probably presumably reportedly allegedly alleged supposedly apparently seemingly suspected
    rumoured rumored rumour rumours rumor rumors
    """
)
"""These leave it open wherever they stand."""
_CLIPPED = {"may've": "may", "might've": "might", "could've": "could"}
_HINTS = words_of(
    """
    would should can could may might if whether set due odds bid eye eyes say says said saying hear heard seem seems
    seemed seeming supposed expected look looks looked looking sound sounds feel feels felt turns arguably hopefully
    think thinks thought likely unlikely
    """
)
_HINTED_BY = tuple(
    sorted(
        words_of(
            """
            alleg expect predict report mull weigh threat schedul slate argu hope hoping claim suggest believ plan aim
            propos consider want seek sourc accord accus hint guess suspect fear forecast anticipat appear tend poise
            doubt unclear uncertain unconfirmed speculat purport chance risk prospect potential possib probab likel
            """
        )
    )
)
"""Words that begin so may do the work of a doubt."""
_ASKS = words_of(
    "how what why when where who whom whose which is are am was were do does did can could should will would has have"
)
"""A text that begins with one of these asks, with or without a question mark."""
_NOT_THE_VERB = words_of("of and or is was as in on at to for the a an your god all he she they it we i you")
"""Before these, "may" and "might" are a month, a wish or strength: "may he rest in peace", "the might of the army"."""
_BEFORE_A_MONTH = words_of("in since until till by of from to last next early late mid on theresa minister pm")
_HAPPENS = words_of("be have become soon face lead cost cause mean affect reach")
"""Before these, "could" tells what may happen, and not what somebody was able to do."""
_IS = words_of("is are was were be been being widely also now still")
_COMPARED = words_of("as more less most least")


def hedges_of(pieces: Sequence[Piece]) -> Hedges:
    """The words that leave it open; in May, with all its might, later than expected, nothing is left open.

    >>> from paraloom.text.facts.pieces import pieces_of
    >>> hedges_of(pieces_of("The bank may close, as expected, in May")).spans
    ((9, 12, 'may'),)
    >>> hedges_of(pieces_of("The bank plans to close")).hinted
    True
    """
    words = [piece for piece in pieces if piece.kind in ("word", "number")]
    forms = ["", *(_CLIPPED.get(form := piece.text.lower(), form) for piece in words), ""]
    if _is_question(pieces):
        return Hedges((), hinted=True)
    spans: list[tuple[int, int, str]] = []
    hinted = False
    for piece, before, form, behind in zip(words, forms, forms[1:], forms[2:], strict=False):
        if form in _OPEN or _leaves_open(piece, before, form, behind):
            spans.append((piece.start, piece.end, form))
        else:
            hinted = hinted or form in _HINTS or form.startswith(_HINTED_BY)
    return Hedges(tuple(spans), hinted)


def _is_question(pieces: Sequence[Piece]) -> bool:
    said = (piece for piece in pieces if piece.kind not in ("mention", "url"))
    first = next(said, None)
    return first is not None and (first.text.lower() in _ASKS or any(piece.text == "?" for piece in said))


def _leaves_open(piece: Piece, before: str, form: str, behind: str) -> bool:
    """Whether a word that may mean something else leaves it open here."""
    is_before_a_verb = behind.isalpha() and behind not in _NOT_THE_VERB
    if form == "may":
        return piece.text[0] == "m" and is_before_a_verb and before not in _BEFORE_A_MONTH
    if form == "might":
        return is_before_a_verb
    if form == "could":
        return behind in _HAPPENS
    if form == "expected":
        return before in _IS and behind in ("to", "by")
    return form in ("likely", "unlikely") and before not in _COMPARED
