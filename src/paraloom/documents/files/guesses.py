"""Bytes that are no UTF-8 in, the old encoding they are most likely written in out.

They are read in every encoding, and a reading is as likely as its letters are: how common each is in a language that
was written so, and whether it may stand where it stands. Small letters before capitals, letters of two scripts in one
word and signs within words speak against a reading. The languages' ASCII letters count too: they tell Polish from
French, and so what an accented letter must be.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from paraloom.documents.files.alphabets import CHARACTERS, ENCODINGS, LETTERS

MULTIBYTE = frozenset(("gb18030", "big5hkscs", "cp932", "cp949", "euc_jp"))
"""Encodings in which one byte may be half of a character."""

_FEW, _MANY = 1 << 12, 1 << 16
"""Bytes that are read in every encoding, and those that are read in the few that are in question then."""
_CERTAIN = 40.0
"""By so much another reading must be less likely to be out of question."""

# Natural logarithms of how likely a character is, roughly.
_FOREIGN, _USUAL_SIGN, _ODD_SIGN, _CAPITAL, _ASCII_ABROAD = -11.0, -6.0, -14.0, -2.5, -6.0
_USUAL_CHARACTER, _RARE_CHARACTER, _WIDE_SIGN = -9.0, -13.0, -4.5
_CAPITAL_WITHIN, _TWO_SCRIPTS, _SIGN_WITHIN = -6.0, -6.0, -4.0
_LESS_LIKELY = -0.5
"""For every place further down in the list of encodings."""

_BEFORE_A_WORD = frozenset("“”„‘’‚«»‹›–—…¿¡§©·•\xa0")
_BEHIND_A_WORD = frozenset("“”‘’«»‹›–—…°®™·•²³´\xa0")
_SIGNS = _BEFORE_A_WORD | _BEHIND_A_WORD | frozenset("€£½¼¾♪♫※×")
_TAG = re.compile(rb"<[^<>\n]{1,100}>|\{[^{}\n]{1,40}\}")


def guess(lines: Sequence[bytes], about: str = "") -> str:
    """The encoding of these lines, all of which have bytes beyond ASCII; `about` is text known to be of the same file.

    >>> guess(["Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp1250")])
    'cp1250'
    """
    known = Counter(about[:_FEW])
    scores = _scores(lines, _FEW, known, ENCODINGS)
    most = max(scores.values())
    in_question = [encoding for encoding, score in scores.items() if score > most - _CERTAIN]
    if len(in_question) > 1:
        scores = _scores(lines, _MANY, known, in_question)
    return max(in_question, key=scores.__getitem__)


def _scores(lines: Sequence[bytes], size: int, known: Counter[str], encodings: Iterable[str]) -> dict[str, float]:
    every = sum(map(len, lines)) // size + 1
    sample = _TAG.sub(b" ", b"\n".join(lines[::every])[: 2 * size])
    return {encoding: _score(sample, encoding, known) for encoding in encodings}


def _score(sample: bytes, encoding: str, known: Counter[str]) -> float:
    text = unicodedata.normalize("NFC", sample.decode(encoding, "replace"))
    counts = Counter(text) + known
    of_letters = max(_of_letters(counts, language) for language in ENCODINGS[encoding])
    return of_letters + _of_neighbours(text) + _LESS_LIKELY * _PLACES[encoding]


_PLACES = {encoding: place for place, encoding in enumerate(ENCODINGS)}


def _of_letters(counts: Counter[str], language: str) -> float:
    likely = _likely(language)
    return sum(count * likely[character] for character, count in counts.items())


def _of_neighbours(text: str) -> float:
    score = 0.0
    for (left, right), count in Counter(pairwise(text)).items():
        if left < "\x80" and right < "\x80":
            continue
        if left.isalpha() and right.isalpha():
            if left.islower() and right.isupper():
                score += count * _CAPITAL_WITHIN
            if _script(left) != _script(right):
                score += count * _TWO_SCRIPTS
        elif (left.isalpha() and _is_odd(right, _BEHIND_A_WORD)) or (right.isalpha() and _is_odd(left, _BEFORE_A_WORD)):
            score += count * _SIGN_WITHIN
    return score


def _is_odd(character: str, may_stand_there: frozenset[str]) -> bool:
    """Whether a sign beside a letter is a mistake; the vowel signs of other scripts are none."""
    return (
        ("\x80" <= character < "\u0300" or character >= "\u2000")
        and not character.isalpha()
        and character not in may_stand_there
        and _script(character) != _EASTERN
    )


_EASTERN = 0x2E80


def _script(character: str) -> int:
    """A number that the letters of one script share, Chinese and Japanese alike."""
    code = ord(character)
    if code < 0x250 or 0x1E00 <= code < 0x1F00:
        return 0
    if 0xAC00 <= code < 0xD7B0:
        return 0xAC00
    return _EASTERN if _EASTERN <= code < 0xFFF0 else code & ~0xFF


class _Likely(dict[str, float]):
    """How likely each character is in a language; those that no table has are judged as they are met."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.is_latin = "e" in LETTERS.get(language, "")
        self.is_eastern = language in CHARACTERS
        if self.is_eastern:
            encoding, common = CHARACTERS[language]
            self.update(dict.fromkeys(_usual(encoding), _USUAL_CHARACTER))
            for rank, character in enumerate(common):
                self[character] = -3.2 - 0.03 * rank
        else:
            for rank, letter in enumerate(LETTERS[language]):
                self[letter] = -2.2 - 0.08 * rank - 0.0025 * rank * rank

    def __missing__(self, character: str) -> float:
        self[character] = found = self._judged(character)
        return found

    def _judged(self, character: str) -> float:
        if character < "\x80":
            if not character.isalpha():
                return 0.0
            if not self.is_latin:
                return _ASCII_ABROAD
        lower = character.lower()
        if lower != character and lower in self:
            return self[lower] + _CAPITAL
        if self.is_eastern:
            is_wide = "\u3000" <= character < "\u3040" or "\uff00" <= character < "\uff61"
            return _WIDE_SIGN if is_wide or character in _SIGNS else _RARE_CHARACTER
        if character in _SIGNS:
            return _USUAL_SIGN
        return _FOREIGN if character.isalpha() else _ODD_SIGN


@cache
def _likely(language: str) -> _Likely:
    return _Likely(language)


_LEADS = {"gb2312": (0xB0, 0xD8), "big5": (0xA4, 0xC7), "shift_jis": (0x82, 0x98), "euc_kr": (0xB0, 0xC9)}


def _usual(encoding: str) -> list[str]:
    """The characters of a national standard's first level: those that people use."""
    codes = [bytes((lead, trail)) for lead in range(*_LEADS[encoding]) for trail in range(0x40, 0xFF)]
    found = [code.decode(encoding, "ignore") for code in codes]
    return [character for character in found if len(character) == 1 and character.isalpha()]
