"""The pieces of a text in; out come its proper names.

A capital says "name" only where it need not stand. At the head of a sentence, in a Title Like This and WHERE ALL IS
SHOUTED it says nothing, and a word is a name there if the dictionary does not know it in lower case. Without capitals,
a word is a name if the dictionary has it with a capital alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from paraloom.text.abbreviations import TITLES as ABBREVIATED_TITLES
from paraloom.text.facts.lexicon import CAPITAL_NOUNS, Word, is_acronym, look_up
from paraloom.text.facts.numbers import is_name_in_figures
from paraloom.text.facts.pieces import Piece
from paraloom.text.facts.tables import (
    GIVEN_NAMES_ALSO_WORDS,
    MONTHS,
    NO_NAMES_ALONE,
    NO_NAMES_IN_LOWER_CASE,
    ONLY_BESIDE_FIGURES,
    SAME,
    SMALL_IN_TITLES,
    STANDING_ALONE,
    WEEKDAYS,
    WORDS_ALSO_ACRONYMS,
)


class Name(NamedTuple):
    """One name of a text, of one word or several."""

    start: int
    end: int
    words: tuple[Word, ...]

    @property
    def normalised(self) -> str:
        """Its words in lower case, without accents and possessive."""
        return " ".join(word.form for word in self.words)


class _Standing(NamedTuple):
    """A word in its sentence."""

    at: int
    word: Word
    heads: bool
    """It stands where every word has a capital: first in a sentence, a quotation, or behind a colon."""
    addressed: bool
    """A title such as "Dr." stands before it, so that it is a name if it has a capital."""
    joined: bool
    """A hyphen ties it to the word before."""


_ENDS = frozenset(".!?…\n‼⁉。！？")
_OPENS = frozenset('"“”„‘«»‹›:|•·—–-*([{>;~/')
_KNOWN_FOR_ONE_UNKNOWN = 2
_CAPS_BETWEEN_LOWS = 5
"""So many capitalised everyday words for one in lower case make a title."""


def names_of(text: str, pieces: Sequence[Piece], taken: frozenset[int], language: str = "en") -> list[Name]:
    """The names of a text in their order; `taken` are the places where numbers in words begin.

    >>> from paraloom.text.facts.pieces import pieces_of
    >>> sentence = "Storms hit Western Australia on Monday, says Zoë's NASA team"
    >>> [name.normalised for name in names_of(sentence, pieces_of(sentence), frozenset())]
    ['western australia', 'monday', 'zoe', 'nasa']
    """
    found: list[tuple[int, Word]] = []
    sentences = _sentences(text, pieces, language)
    speaks = _is_in_the_language(sentences)
    for sentence in sentences:
        words = [standing for standing in sentence if pieces[standing.at].start not in taken]
        plain_case, shouted = _case(words)
        for place, standing in enumerate(words):
            word = standing.word
            if word.shape == "lower" and not word.proper and word.form not in ONLY_BESIDE_FIGURES:
                continue  # most words: no need to ask
            if _is_name(pieces, words, place, plain_case=plain_case, shouted=shouted, speaks=speaks, language=language):
                found.append((standing.at, word))
        found.extend(_given_names_at_the_head(words, found, plain_case=plain_case))
        found.extend(_names_of_everyday_words(words, found))
        if speaks and found and not all(standing.word.known for standing in words):
            found.extend(_unknown_beside_names(words, found))
    return _runs(text, pieces, sorted(set(found)))


def _is_in_the_language(sentences: Sequence[Sequence[_Standing]]) -> bool:
    """Whether the dictionary has most of the words in lower case: where not, it is no help."""
    known = unknown = 0
    for sentence in sentences:
        for standing in sentence:
            word = standing.word
            if word.shape == "lower" and len(word.form) > 1:
                known += word.known
                unknown += not word.known
    return known >= unknown * _KNOWN_FOR_ONE_UNKNOWN


def _sentences(text: str, pieces: Sequence[Piece], language: str) -> list[list[_Standing]]:
    sentences: list[list[_Standing]] = [[]]
    heads, addressed, joined = True, False, False
    last_end = 0
    for at, piece in enumerate(pieces):
        if at and "\n" in text[last_end : piece.start]:
            sentences.append([])
            heads = True
        last_end = piece.end
        if piece.kind == "word" or is_name_in_figures(piece):
            word = look_up(piece.text, language)
            sentences[-1].append(_Standing(at, word, heads, addressed, joined))
            heads, joined = False, False
            addressed = word.title and word.form in ABBREVIATED_TITLES and word.shape != "lower"
        elif piece.kind == "number":
            heads, joined = heads and not sentences[-1], False
        elif piece.kind == "mark":
            if piece.text == "." and addressed:
                continue
            joined = piece.text == "-" and _is_tight(text, piece)
            if piece.text in _ENDS and not (piece.text == "." and _is_abbreviation(pieces, at)):
                sentences.append([])
                heads, addressed = True, False
            elif piece.text in _OPENS:
                heads = not joined
            elif piece.text == "'":
                heads = piece.start == 0 or text[piece.start - 1].isspace()
            elif piece.text not in ",&)%#@+.":
                heads = True  # an emoji or a symbol
    return [sentence for sentence in sentences if sentence]


def _is_abbreviation(pieces: Sequence[Piece], at: int) -> bool:
    before = pieces[at - 1] if at else None
    if before is None or before.kind != "word" or before.end != pieces[at].start:
        return False
    lower = before.text.lower()
    return lower in ABBREVIATED_TITLES or lower in ("vs", "st", "mt", "ft") or (len(lower) == 1 and lower != "i")


def _is_tight(text: str, hyphen: Piece) -> bool:
    return hyphen.start > 0 and not text[hyphen.start - 1].isspace() and not text[hyphen.end : hyphen.end + 1].isspace()


def _case(words: Sequence[_Standing]) -> tuple[bool, bool]:
    """Whether a capital means something in this sentence, and whether all of it is shouted."""
    lows = capitals = uppers = letters = grammar = 0
    for _, word, heads, addressed, joined in words:
        if len(word.form) < 2 or word.form in ONLY_BESIDE_FIGURES:
            continue
        letters += 1
        if word.shape == "lower":
            lows += word.form not in SMALL_IN_TITLES and not joined
        elif word.shape == "upper" and (word.everyday or len(word.form) > 5):
            uppers += 1
        elif word.shape == "capital" and word.everyday and not (heads or word.title or addressed or joined):
            capitals += 1
            grammar += word.grammar
    shouted = uppers >= 2 and uppers * 2 >= letters
    titled = (capitals >= 2 or grammar >= 1) and capitals >= lows * _CAPS_BETWEEN_LOWS
    titled = titled or grammar >= 2 or (capitals >= 2 and capitals > lows)
    return not titled and not shouted, shouted


def _is_name(
    pieces: Sequence[Piece],
    words: Sequence[_Standing],
    place: int,
    *,
    plain_case: bool,
    shouted: bool,
    speaks: bool,
    language: str,
) -> bool:
    at, word, heads, addressed, _ = words[place]
    if addressed and word.shape != "lower" and len(word.form) > 1:
        return True
    if word.form in ONLY_BESIDE_FIGURES:
        plain = plain_case and not heads and word.shape == "capital"
        return plain or _has_a_figure_beside(pieces, at)
    if word.grammar and not (word.shape == "upper" and word.form in WORDS_ALSO_ACRONYMS):
        return False
    if len(word.form) == 1:
        return False
    if word.shape == "lower":
        return speaks and word.proper and word.form not in NO_NAMES_IN_LOWER_CASE
    if word.figures:
        return True
    if word.shape == "upper" and not shouted and (word.everyday or word.form in WORDS_ALSO_ACRONYMS):
        alone = not any(_is_shouted(words, other) for other in (place - 1, place + 1))
        return alone and (word.form in WORDS_ALSO_ACRONYMS or is_acronym(word.form, language))
    if not speaks:
        return not heads and plain_case
    if shouted and word.shape == "upper":
        return word.proper  # an unknown word that is shouted may be slang
    if word.shape == "capital" and plain_case and not heads and word.everyday and language not in CAPITAL_NOUNS:
        return (_has_lows(words) and pieces[at - 1].kind != "mark") or (
            words[place].joined and words[place - 1].word.shape != "lower"
        )
    return not word.everyday


def _is_shouted(words: Sequence[_Standing], place: int) -> bool:
    if not 0 <= place < len(words):
        return False
    word = words[place].word
    return word.shape == "upper" and word.everyday and word.form not in WORDS_ALSO_ACRONYMS


def _has_lows(words: Sequence[_Standing]) -> bool:
    """Enough words in lower case to say that a capital is meant."""
    return sum(standing.word.shape == "lower" for standing in words) >= 2


def _has_a_figure_beside(pieces: Sequence[Piece], at: int) -> bool:
    return any(
        0 <= beside < len(pieces) and pieces[beside].kind == "number" and pieces[beside].text[0].isdigit()
        for beside in (at - 1, at + 1)
    )


def _given_names_at_the_head(
    words: Sequence[_Standing], found: Sequence[tuple[int, Word]], *, plain_case: bool
) -> list[tuple[int, Word]]:
    """The Bill of "Bill Taylor leaves": an everyday word, but one that the dictionary has as a name, before another."""
    names = {at for at, _ in found}
    return [
        (one.at, one.word)
        for one, other in pairwise(words)
        if plain_case
        and one.heads
        and one.at not in names
        and other.at == one.at + 1
        and other.at in names
        and one.word.shape == "capital"
        and not one.word.grammar
        and one.word.form in GIVEN_NAMES_ALSO_WORDS
    ]


def _unknown_beside_names(words: Sequence[_Standing], found: Sequence[tuple[int, Word]]) -> list[tuple[int, Word]]:
    """The other half of "Adam forshaw" and of "keke palmer": no word in lower case that anyone knows."""
    names = {at for at, word in found if not word.everyday and not _is_a_date(word)}
    return [
        (half.at, half.word)
        for one, other in pairwise(words)
        if other.at == one.at + 1 and (one.at in names) != (other.at in names)
        for half in ((other,) if one.at in names else (one,))
        if half.word.shape == "lower" and not half.word.known and not half.word.figures and len(half.word.form) > 2
        if not one.word.possessive
    ]


def _names_of_everyday_words(words: Sequence[_Standing], found: Sequence[tuple[int, Word]]) -> list[tuple[int, Word]]:
    """Names like the White House, known by heart: capitals are enough for them, wherever they stand."""
    names = {at for at, _ in found}
    return [
        (part.at, part.word)
        for one, other in pairwise(words)
        if one.word.shape != "lower" and other.word.shape != "lower" and other.at == one.at + 1
        if one.word.form + other.word.form in SAME
        for part in (one, other)
        if part.at not in names and not part.word.title
    ]


def _runs(text: str, pieces: Sequence[Piece], found: Sequence[tuple[int, Word]]) -> list[Name]:
    """Names whose words stand side by side are one: "Western Australia", "Coca-Cola", "J. K. Rowling"."""
    names: list[Name] = []
    last = -2
    for at, word in found:
        piece = pieces[at]
        before = names[-1] if names else None
        joins = (
            before is not None
            and not before.words[-1].possessive
            and before.words[-1].root not in STANDING_ALONE
            and not _is_a_date(word)
            and not _is_a_date(before.words[-1])
            and (text[before.end : piece.start] in (" ", "-", " & ") or before.end == piece.start)
            and at - last <= 2
        )
        if joins and before is not None:
            names[-1] = Name(before.start, piece.end, (*before.words, word))
        else:
            names.append(Name(piece.start, piece.end, (word,)))
        last = at
    return [name for name in names if not all(word.form in NO_NAMES_ALONE for word in name.words)]


def _is_a_date(word: Word) -> bool:
    return word.root in MONTHS or word.form in MONTHS or word.form in WEEKDAYS
