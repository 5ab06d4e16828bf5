"""Words in, their parts of speech out: what kind of word may stand where, by hand-written rules and counts.

A hidden Markov model over few tags: closed classes and which tag follows which are written here, how often a word of
an open class is noun or verb comes from the thesauri. It need not be right about grammar, only about what may be put
in a word's place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from paraloom.models.generators.lexical.words import NUMBERS, Word

CLOSED = {
    "D": """a an the this that these those my your his her its our their some any each every all both another such
        what which whose several many few much more enough other""",
    "P": """of in on at by for from with about into onto upon over under between among through during before after
        against toward towards within across along around behind beside near than as like despite amid via per until
        since throughout following including regarding concerning according off up down out""",
    "T": "to",
    "O": """i me you he him she her it we us they them who whom someone somebody something anyone anybody anything
        everyone everybody everything myself yourself himself herself itself ourselves themselves mine yours hers
        ours theirs this that these those""",
    "A": "am is are was were be been being has have had having do does did i'm it's he's she's we're they're you're "
    "i've we've they've you've that's there's what's who's get gets got getting",
    "M": "will would shall should can could may might must i'll we'll they'll you'll he'll she'll i'd we'd they'd",
    "C": "and or but nor yet so",
    "W": """because although though while when whereas whether if where why how that which who until since before
        after once so as""",
    "R": """not n't very too also just then now here there again still already always often ever even never only quite
        rather soon perhaps maybe almost nearly more most much well so up out off away back together however therefore
        ahead later yesterday today tomorrow tonight""",
}
"""Closed classes: determiner, preposition, "to", pronoun, auxiliary, modal, conjunction, subordinator, adverb."""
CLOSED_WORDS = frozenset(word for listed in CLOSED.values() for word in listed.split())

FOLLOWS: dict[str, dict[str, float]] = {
    "X": {"D": -1, "O": -1, "E": -1.2, "NN": -2, "NS": -1.8, "J": -2, "R": -1.8, "P": -1.8, "W": -2, "VB": -2.2},
    "D": {"NN": -0.8, "NS": -1.2, "J": -1.1, "E": -2, "R": -2.8, "VN": -3.2, "VG": -3.2},
    "P": {"D": -0.7, "E": -1.3, "NN": -1.8, "NS": -1.6, "J": -1.9, "O": -2, "VG": -2, "P": -3, "R": -3},
    "T": {"VB": -0.5, "D": -1.8, "E": -2, "O": -2.6, "NN": -2.8, "NS": -2.8, "J": -3, "A": -1.8, "R": -3},
    "O": {"VD": -1.2, "VS": -1.3, "VB": -1.5, "A": -1, "M": -1.5, "R": -2, "P": -2, "T": -2.3, "X": -1.5, "D": -2.5},
    "A": {"VN": -1.2, "VG": -1.2, "D": -1.3, "J": -1.4, "R": -1.5, "P": -1.8, "T": -2, "VB": -2.5, "A": -2, "NN": -3},
    "M": {"VB": -0.5, "A": -1, "R": -1.5, "O": -2.5},
    "C": {"D": -1.5, "NN": -1.7, "NS": -1.7, "E": -1.7, "VD": -2, "VB": -2, "VS": -2.2, "J": -1.9, "O": -1.7},
    "W": {"D": -1, "O": -0.8, "E": -1.2, "NN": -2, "NS": -1.8, "VD": -2, "VS": -2, "A": -2, "J": -2.3, "VG": -2.5},
    "NN": {"P": -1, "X": -1, "C": -1.8, "A": -1.5, "VS": -1.7, "VD": -1.6, "NN": -1.7, "NS": -2, "M": -2.2, "T": -2},
    "NS": {"P": -1, "X": -1, "C": -1.8, "A": -1.5, "VB": -1.7, "VD": -1.6, "M": -2, "T": -2, "W": -2, "NN": -3.5},
    "E": {"E": -1, "X": -1.3, "VS": -1.6, "VD": -1.5, "A": -1.5, "P": -1.5, "NN": -1.9, "NS": -1.6, "C": -2, "M": -2},
    "VB": {"D": -0.9, "P": -1.5, "O": -1.6, "NS": -2, "NN": -2.2, "J": -2, "E": -1.8, "R": -1.8, "T": -1.9, "X": -1.8},
    "VS": {"D": -0.9, "P": -1.4, "O": -2, "NS": -2.2, "NN": -2.3, "J": -2, "E": -1.8, "R": -1.8, "T": -1.8, "X": -2},
    "VD": {"D": -0.9, "P": -1.4, "O": -1.8, "NS": -2.2, "NN": -2.3, "J": -2, "E": -1.8, "R": -1.8, "T": -1.8, "X": -2},
    "VN": {"P": -0.8, "X": -1.5, "T": -1.6, "R": -1.8, "D": -1.6, "NN": -2.2, "NS": -2.2, "C": -2, "E": -2.3},
    "VG": {"D": -1, "P": -1.4, "T": -1.8, "NS": -2, "NN": -2, "O": -2, "E": -2, "R": -2, "X": -2, "J": -2.2},
    "J": {"NN": -0.7, "NS": -0.9, "J": -2, "X": -1.8, "P": -1.9, "C": -2, "T": -2.2, "E": -2.2, "W": -2.6},
    "R": {"J": -1.5, "VN": -1.8, "VD": -1.7, "VB": -2, "VS": -2, "VG": -2, "P": -1.8, "X": -1.5, "R": -2, "D": -2},
}
"""How likely a tag follows another (a logarithm, by rule of thumb); all that is not listed is `_SELDOM`."""
_SELDOM = -4.0
_UNLIKELY = -2.5
_ENGLISH = 0.7
"""Of an English text's words, names left out, so many are known; short texts of other languages have up to .6."""
TAGS = ("X", "D", "P", "T", "O", "A", "M", "C", "W", "NN", "NS", "E", "VB", "VS", "VD", "VN", "VG", "J", "R")

_ENDINGS: tuple[tuple[str, dict[str, float]], ...] = (
    ("ly", {"R": -0.2, "J": -2}),
    ("ing", {"VG": -0.5, "NN": -1.2, "J": -2.5}),
    ("ed", {"VD": -0.8, "VN": -0.8, "J": -2}),
    ("tion", {"NN": -0.1}),
    ("ment", {"NN": -0.3, "VB": -2.5}),
    ("ness", {"NN": -0.1}),
    ("ity", {"NN": -0.1}),
    ("ous", {"J": -0.1}),
    ("ful", {"J": -0.2}),
    ("able", {"J": -0.2}),
    ("ive", {"J": -0.5, "NN": -1.2}),
    ("al", {"J": -0.6, "NN": -1}),
    ("ic", {"J": -0.4, "NN": -1.5}),
    ("ss", {"NN": -0.5, "VB": -1.2, "J": -2}),
    ("us", {"NN": -0.2}),
    ("s", {"NS": -0.4, "VS": -1.4}),
)
_ANY = {"NN": -0.6, "VB": -2, "J": -1.6, "VD": -3.5}
Tagged = tuple[tuple[str, float], ...]


class Tagger:
    """Gives each word of a text one tag."""

    def __init__(self, counts: Mapping[str, Mapping[str, float]]) -> None:
        """`counts` says of forms of open classes how often each is which tag."""
        self._counts = counts
        self.choices = lru_cache(maxsize=1 << 16)(self._choices)
        self._after = [[FOLLOWS[last].get(tag, _SELDOM) for tag in TAGS] for last in TAGS]

    def tag(self, words: Sequence[Word]) -> list[str]:
        """One tag a word: the likeliest way through all of them (Viterbi).

        >>> from paraloom.models.generators.lexical.words import read_words
        >>> Tagger({}).tag(read_words("The storm was moving slowly to the coast"))
        ['D', 'NN', 'A', 'VG', 'R', 'T', 'D', 'NN']
        """
        best, ways = {0: 0.0}, []
        after = self._after
        for word in words:
            now: dict[int, float] = {}
            way: dict[int, int] = {}
            for tag, own in self._of(word):
                value, last = max((so_far + after[before][tag], -before) for before, so_far in best.items())
                now[tag], way[tag] = value + own, -last
            best = now
            ways.append(way)
        found = []
        tag = max(best, key=lambda one: best[one])
        for way in reversed(ways):
            found.append(TAGS[tag])
            tag = way[tag]
        return found[::-1]

    def with_first_name(self, words: list[Word]) -> list[Word]:
        """The same words, the first one marked as a name if it has a capital and no dictionary knows it."""
        if words and words[0].text[0].isupper() and not words[0].is_name and not self._is_listed(words[0].lower):
            return [words[0]._replace(is_name=True, is_kept=True), *words[1:]]
        return words

    def is_english(self, words: Sequence[Word]) -> bool:
        """Whether most words that are no names are English ones.

        >>> from paraloom.models.generators.lexical.words import read_words
        >>> [Tagger({}).is_english(read_words(text)) for text in ("the dog is at home", "o cachorro come em casa")]
        [True, False]
        """
        plain = [word.lower for word in words if word.text.isalpha() and not word.is_name]
        return sum(self._is_listed(lower) for lower in plain) >= _ENGLISH * len(plain)

    def _is_listed(self, lower: str) -> bool:
        return lower in CLOSED_WORDS or "'" in lower or lower in self._counts or is_in_dictionary(lower)

    def knows(self, lower: str) -> bool:
        """Whether the counts have a word."""
        return lower in self._counts

    def may_be(self, text: str, tag: str) -> bool:
        """Whether a word may have a tag; of one that is not known, its ending tells."""
        number = TAGS.index(tag)
        return any(number == one and value > _UNLIKELY for one, value in self.choices(text.lower()))

    def _of(self, word: Word) -> tuple[tuple[int, float], ...]:
        if word.is_name:
            return _NAME if word.text[0].isalnum() and "://" not in word.text else _MARK
        return self.choices(word.lower)

    def _choices(self, lower: str) -> tuple[tuple[int, float], ...]:
        """The tags a word may have, by their numbers, with a logarithm each."""
        if not lower[0].isalpha():
            return _NAME if lower[0].isdigit() else _MARK
        if lower in NUMBERS:
            return _NUMBER
        closed = [tag for tag, listed in _closed().items() if lower in listed]
        open_ones = self._counts.get(lower)
        if closed:
            found = dict.fromkeys(closed, -0.3)
            if open_ones and lower in _ALSO_OPEN:
                found |= dict.fromkeys(open_ones, -1.5)
        elif open_ones:
            whole = sum(open_ones.values())
            found = {tag: math.log(count / whole) for tag, count in open_ones.items()}
        else:
            found = next((tags for ending, tags in _ENDINGS if len(lower) > 4 and lower.endswith(ending)), _ANY)
        return tuple((TAGS.index(tag), value) for tag, value in found.items())


@lru_cache(maxsize=1 << 16)
def is_in_dictionary(lower: str) -> bool:
    """Whether an English dictionary has a word.

    >>> is_in_dictionary("storms"), is_in_dictionary("mahmud")
    (True, False)
    """
    from simplemma import is_known

    return len(lower) <= 50 and lower.isascii() and bool(is_known(lower, lang="en"))


_NAME = ((TAGS.index("E"), 0.0),)
_MARK = ((TAGS.index("X"), 0.0),)
_NUMBER = ((TAGS.index("D"), -0.3), (TAGS.index("J"), -1.5), (TAGS.index("NN"), -2.0), (TAGS.index("R"), -2.0))
_ALSO_OPEN = frozenset({"like", "have", "had", "do", "get", "well", "back", "near", "following", "found"})


@lru_cache(maxsize=1)
def _closed() -> dict[str, frozenset[str]]:
    return {tag: frozenset(listed.split()) for tag, listed in CLOSED.items()}
