"""The pieces of an English text in; out come the words that deny, and whether another word may do their work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paraloom.text.facts.lexicon import is_known
from paraloom.text.facts.pieces import Piece
from paraloom.text.facts.tables import words_of


class Negations(NamedTuple):
    """What a text denies with."""

    spans: tuple[tuple[int, int, str], ...]
    """Start, end and plain form of every word that denies: "didn't" is "not"."""
    hinted: bool
    """Another word may say no ("failed", "unable", "against"): a text that has one may go without "not"."""


_DENIALS = {
    "not": "not", "cannot": "not", "cant": "not", "dont": "not", "didnt": "not", "doesnt": "not", "isnt": "not",
    "arent": "not", "wasnt": "not", "werent": "not", "wont": "not", "wouldnt": "not", "couldnt": "not",
    "shouldnt": "not", "hasnt": "not", "havent": "not", "hadnt": "not", "aint": "not", "never": "never", "no": "no",
    "none": "no", "nobody": "no", "nothing": "no", "nowhere": "no", "neither": "no", "nor": "no", "without": "without",
    "noone": "no", "mustnt": "not", "neednt": "not", "shant": "not", "mightnt": "not",
}  # fmt: skip
_APOSTROPHES = str.maketrans(dict.fromkeys("’ʼ‘´`′＇", "'"))
"""What people type for an apostrophe, most of which part a word in two: "doesn´t" is "doesn", "´", "t"."""
_HINTS = words_of(
    """
    fail fails failed failing failure refuse refuses refused refusing refusal deny denies denied denying denial lack
    lacks lacked lacking reject rejects rejected rejecting stop stops stopped stopping avoid avoids avoided prevent
    prevents prevented ban bans banned block blocks blocked against false fake hoax myth debunk debunked debunks wrong
    free barely hardly rarely seldom scarcely few less cancel cancels cancelled canceled absent absence miss misses
    missed missing quit instead rather only until till unless beyond yet still zero nil nope nah minus skip skips
    skipped lose loses lost oppose opposes opposed halt halted forbid forbids forbidden prohibit prohibited dismiss
    dismissed disprove disproves disproved scrap scrapped ignore ignores ignored except hate hates despite neglect
    empty delay delayed postpone postponed
    """
)
_PREFIXES = ("un", "non", "dis", "im", "in", "ir", "il", "mis")
_WEAK_BEHIND_NOT = frozenset(("only", "just", "merely", "simply"))


def negations_of(pieces: Sequence[Piece]) -> Negations:
    """The words that deny; "not only" and "No. 5" deny nothing.

    >>> from paraloom.text.facts.pieces import pieces_of
    >>> negations_of(pieces_of("It wasn't made in a lab, not only here")).spans
    ((3, 9, 'not'),)
    >>> negations_of(pieces_of("She is unable to come")).hinted
    True
    """
    spans: list[tuple[int, int, str]] = []
    hinted = False
    for at, piece in enumerate(pieces):
        if piece.kind != "word":
            continue
        lower = piece.text.lower().translate(_APOSTROPHES)
        denial = "not" if lower.endswith(("n't", "n't've")) else _DENIALS.get(lower)
        if denial is None and _is_parted(pieces, at, lower):
            spans.append((piece.start, pieces[at + 2].end, "not"))
        elif denial is None:
            hinted = hinted or _hints(lower)
        elif not _is_weak(pieces, at, lower):
            spans.append((piece.start, piece.end, denial))
    return Negations(tuple(spans), hinted)


def _is_parted(pieces: Sequence[Piece], at: int, lower: str) -> bool:
    """Whether this is the "doesn" of "doesn´t"."""
    if _DENIALS.get(f"{lower}t") != "not" or at + 2 >= len(pieces):
        return False
    apostrophe, behind = pieces[at + 1 : at + 3]
    return (
        apostrophe.text.translate(_APOSTROPHES) == "'"
        and behind.text.lower() == "t"
        and (pieces[at].end, apostrophe.end) == (apostrophe.start, behind.start)
    )


def _hints(lower: str) -> bool:
    if lower in _HINTS:
        return True
    return lower.startswith(_PREFIXES) and any(
        lower.startswith(prefix) and len(lower) - len(prefix) > 3 and is_known(lower.removeprefix(prefix))
        for prefix in _PREFIXES
    )


def _is_weak(pieces: Sequence[Piece], at: int, lower: str) -> bool:
    behind = pieces[at + 1] if at + 1 < len(pieces) else None
    if lower == "no":
        if behind is None or behind.kind == "number" or behind.text in (".", ",", "!", "?", "…", "-"):
            return True  # "No. 5", "No, he came"
        return behind.text.lower() in ("doubt", "wonder", "matter", "problem", "need")
    return lower == "not" and behind is not None and behind.text.lower() in _WEAK_BEHIND_NOT
