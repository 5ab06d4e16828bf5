"""Two sentences in, each cut into pieces out: what both say with the same words, and what only one of them has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from paraloom.text.tokenise import tokenise, words


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence."""

    text: str
    is_own: bool
    """None of its words is in the other sentence."""


def differences(left: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """The pieces of both sentences; a word counts as often as it is there, and its place does not matter.

    >>> left, right = differences("The storm hit Florida.", "Florida was hit by the hurricane.")
    >>> [piece.text for piece in left if piece.is_own], [piece.text for piece in right if piece.is_own]
    (['storm'], ['was', 'by', 'hurricane'])
    """
    return _pieces(left, right), _pieces(right, left)


def _pieces(text: str, other: str) -> list[Piece]:
    shared = Counter(words(other))
    pieces: list[Piece] = []
    place = 0
    for token in tokenise(text):
        start = text.index(token, place)
        said = words(token)
        is_own = bool(said) and not all(shared[word] > 0 for word in said)
        if said and not is_own:
            shared.subtract(said)
        between = text[place:start]
        if pieces and pieces[-1].is_own == is_own:
            pieces[-1] = Piece(pieces[-1].text + between + token, is_own)
        else:
            if between:
                _append(pieces, Piece(between, False))
            _append(pieces, Piece(token, is_own))
        place = start + len(token)
    if place < len(text):
        _append(pieces, Piece(text[place:], False))
    return pieces


def _append(pieces: list[Piece], piece: Piece) -> None:
    if pieces and pieces[-1].is_own == piece.is_own:
        piece = Piece(pieces.pop().text + piece.text, piece.is_own)
    pieces.append(piece)
