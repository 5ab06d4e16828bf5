"""The tokens of two texts in, groups of them that are one name or compound out: `#JaneDoe` and `Jane Doe`.

A token of one text stands for several of the other where their letters are its letters (`roundtable`, `round table`;
hashtags and mentions), or where it is made of the first letters of their words (`ECB`, `European Central Bank`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paraloom.models.aligners.lexical_words import Token

MOST_TOGETHER = 6
"""Tokens that one token stands for at most."""
SHORTEST_COMPOUND = 5
"""Letters: what is shorter comes together by chance."""
WITHOUT_INITIAL = frozenset(["of", "the", "and", "for", "in", "on", "de", "la", "du", "des", "&", "'s"])
"""Words that acronyms skip."""
KNOWN_AS = {
    "us.": (("united", "states"), ("united", "states", "of", "america"), ("america",)),
    "usa": (("united", "states"), ("united", "states", "of", "america"), ("america",), ("us.",)),
    "uk": (("united", "kingdom"), ("great", "britain"), ("britain",)),
    "uae": (("united", "arab", "emirates"),),
    "ussr": (("soviet", "union"),),
}
"""Countries whose short names are not made of all their words."""

Group = tuple[tuple[int, ...], tuple[int, ...]]
"""Places in the left and in the right text, all of which stand for each other."""


def groups_of(left: Sequence[Token], right: Sequence[Token]) -> list[Group]:
    """One token and several that are the same name, on either side, in order.

    >>> from paraloom.models.aligners.lexical_words import read_token
    >>> tokens = [read_token(token) for token in "the European Central Bank paid #JaneDoe".split()]
    >>> groups_of(tokens, [read_token(token) for token in "ECB paid Jane Doe".split()])
    [((5,), (2, 3)), ((1, 2, 3), (0,))]
    """
    found = [((one,), places) for one, places in _one_for_many(left, right)]
    return found + [(places, (one,)) for one, places in _one_for_many(right, left)]


def _one_for_many(ones: Sequence[Token], many: Sequence[Token]) -> Iterator[tuple[int, tuple[int, ...]]]:
    keys = {token.key for token in many}
    compounds, acronyms = _joined(many), _initials(many)
    for place, token in enumerate(ones):
        if token.is_mark or token.key in keys:
            continue
        bare = token.bare.removeprefix("real") if token.word.text.startswith("@") else token.bare
        spans = compounds.get(bare, []) if len(bare) >= SHORTEST_COMPOUND else []
        if not spans and token.word.text.isupper():
            spans = acronyms.get(token.bare, [])
        spans = spans or list(_known_as(token.key, many))
        if spans:
            yield place, spans[0]


def _joined(tokens: Sequence[Token]) -> dict[str, list[tuple[int, ...]]]:
    """Runs of two tokens and more by all their letters."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for start in range(len(tokens)):
        letters = tokens[start].bare
        for end in range(start + 1, min(len(tokens), start + MOST_TOGETHER)):
            if not letters or not (tokens[end].bare or tokens[end].word.text == "-"):
                break
            letters += tokens[end].bare
            if tokens[end].bare:
                found.setdefault(letters, []).append(tuple(range(start, end + 1)))
    return found


def _initials(tokens: Sequence[Token]) -> dict[str, list[tuple[int, ...]]]:
    """Runs of capitalised words by their first letters, small words between them left out and put in."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for start, first in enumerate(tokens):
        if not (first.is_capital and first.bare):
            continue
        letters, whole, words = first.bare[0], first.bare[0], 1
        for end in range(start + 1, min(len(tokens), start + MOST_TOGETHER)):
            token = tokens[end]
            is_skipped = token.key in WITHOUT_INITIAL
            if not token.bare or not (token.is_capital or is_skipped):
                break
            whole += token.bare[0]
            if not is_skipped:
                letters, words = letters + token.bare[0], words + 1
                if words > 1:
                    for key in {letters, whole}:
                        found.setdefault(key, []).append(tuple(range(start, end + 1)))
    return found


def _known_as(key: str, tokens: Sequence[Token]) -> Iterator[tuple[int, ...]]:
    for name in sorted(KNOWN_AS.get(key, ()), key=len, reverse=True):
        for start in range(len(tokens) - len(name) + 1):
            if all(tokens[start + step].key == part for step, part in enumerate(name)):
                yield tuple(range(start, start + len(name)))
