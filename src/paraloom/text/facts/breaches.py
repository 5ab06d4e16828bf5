"""A source and an output in; out come the facts of the one that the other lacks.

A name is kept if its last word, or any word of it that is no everyday word, stands in the output in any case or form:
"Joe Biden" by "Biden", "#JoeBiden", "BIDEN's"; "France" by "French"; "US" by "American"; "Food and Drug Administration"
by "FDA". A name is invented if one of its words is nowhere in the source: "Joe Biden" for "Biden" is, for it could have
been Hunter. Titles ("President", "Mr") are no part of a name. A number is kept by its value in any spelling; a
currency, per cent, a measure, "am" and "pm" may be left out, but not changed. Nothing is rounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rapidfuzz.distance import OSA

from paraloom.text.facts.hedges import Hedges
from paraloom.text.facts.lexicon import Word, root_of
from paraloom.text.facts.names import Name
from paraloom.text.facts.negations import Negations
from paraloom.text.facts.numbers import Number
from paraloom.text.facts.reading import Kind, Reading, read
from paraloom.text.facts.tables import NEVER_FROM_LOWER_CASE, NO_NAMES_ALONE, SAME, SMALL_WORDS

NAMES_AND_NUMBERS: tuple[Kind, ...] = ("name", "number")


@dataclass(frozen=True, slots=True)
class Breach:
    """A fact that one of two texts has and the other has not."""

    kind: Kind
    fact: str
    """In its normal form, as in `Facts`."""
    what: Literal["missing", "invented"]
    """`missing`: of the source, not in the output; `invented`: the other way round."""


def breaches(
    source: str, output: str, kinds: Sequence[Kind] = NAMES_AND_NUMBERS, language: str = "en"
) -> tuple[Breach, ...]:
    """The facts of the source that the output lacks, and those of the output that the source does not have.

    >>> breaches("Joe Biden won 3 states", "The three states went to Biden")
    ()
    >>> breaches("Biden won 3 states on Monday", "Trump won three states")
    (Breach(kind='name', fact='biden', what='missing'), Breach(kind='name', fact='monday', what='missing'), \
Breach(kind='name', fact='trump', what='invented'))
    """
    if source == output:
        return ()
    one, other = read(source, language), read(output, language)
    found: list[Breach] = []
    for kind in kinds:
        missing, invented = _LACKING[kind](one, other)
        found += [Breach(kind, fact, "missing") for fact in dict.fromkeys(missing)]
        found += [Breach(kind, fact, "invented") for fact in dict.fromkeys(invented)]
    return tuple(found)


def _names(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    return _lacking(source, output, _is_kept), _lacking(output, source, _is_licensed)


def _lacking(of: Reading, by: Reading, is_there: Callable[[Name, Reading], bool]) -> list[str]:
    """The names of a text that another has neither as they are nor in an acronym."""
    lacking = {text: name for text, name in of.name_of.items() if not is_there(name, by)}
    if lacking:
        spelled_out = _spelled_out(of, by)
        lacking = {text: name for text, name in lacking.items() if name.words[-1].form not in spelled_out}
    return list(lacking)


def _is_kept(name: Name, by: Reading) -> bool:
    """Whether the last word or any telling word of a name is in a text."""
    *before, last = name.words
    telling = [word for word in before if not word.everyday or last.shape == "upper"]  # "Lions OC": the Lions tell
    return any(_has_word(by, word) for word in (last, *telling)) or _is_whole(name, by)


def _is_licensed(name: Name, by: Reading) -> bool:
    """Whether every word of a name is in a text."""
    *before, last = [word for word in name.words if word.form not in NO_NAMES_ALONE] or name.words
    if _has_word(by, last) and all(_has_word(by, word) or _is_short_for(word, by) for word in before):
        return True
    return _is_whole(name, by)


def _is_short_for(given: Word, by: Reading) -> bool:
    """Whether a given name is cut from one in the text, or the other way round: Jon and Jonathan."""
    return any(
        other.form.startswith(given.form) or given.form.startswith(other.form)
        for other in by.words
        if not other.everyday and len(other.form) >= _SHORTEST_GIVEN <= len(given.form)
    )


def _is_whole(name: Name, by: Reading) -> bool:
    """Whether a name stands in a text as a whole: written as one word, under another name, or as an acronym."""
    joined = "".join(word.form for word in name.words)
    if SAME.get(joined) in by.roots or (len(joined) >= _SHORTEST_WHOLE and _has_letters(by, joined)):
        return True
    if len(name.words) == 1:
        return _spells_out(name.words[0], by)
    return "".join(word.form[0] for word in name.words) in by.acronyms


def _spells_out(word: Word, by: Reading) -> bool:
    """Whether the words of a text begin with the letters of an acronym."""
    if word.shape in ("lower", "capital"):
        return False
    if len(word.form) == 2:  # two letters meet by chance, so the words must have capitals
        return any(
            first.form[:1] + second.form[:1] == word.form and first.shape == second.shape == "capital"
            for first, second in pairwise(by.words)
        )
    return len(word.form) < _LONGEST_ACRONYM and any(word.form in initials for initials in by.initials)


def _is_apart(form: str, by: Reading) -> bool:
    """Whether the letters and the figures of a name like "PS5" stand apart ("PS 5"), or the letters tell enough."""
    letters = form.rstrip("0123456789")
    digits = form[len(letters) :]
    if not letters or not digits or root_of(letters) not in by.roots:
        return False
    return digits in by.values or len(letters) >= _SHORTEST_GIVEN


def _spelled_out(of: Reading, by: Reading) -> set[str]:
    """The words of a text that an acronym of another spells out: "Food and Drug Administration" for "FDA"."""
    found: set[str] = set()
    for letters in by.acronyms:
        if len(letters) < _SHORTEST_GIVEN:
            continue
        for forms in (of.forms, [form for form in of.forms if form not in SMALL_WORDS]):
            start = "".join(form[0] for form in forms).find(letters)
            if start >= 0:
                found.update(forms[start : start + len(letters)])
    return found


_SHORTEST_WHOLE = 5
_SHORTEST_IN_A_TAG = 4
_SHORTEST_MISSPELLED = 5
_SHORTEST_GIVEN = 3
_LONGEST_ACRONYM = 8


def _has_word(text: Reading, word: Word) -> bool:
    """Whether a text has a word of a name, in any case or form, in a tag, or with one letter wrong."""
    root = word.root
    if root in text.roots or (len(root) >= _SHORTEST_IN_A_TAG and root in text.tag_letters):
        return True
    if word.shape == "upper" and len(root) == 3 and f" {root}" in f" {text.tag_letters}":
        return True  # "@CDCgov"
    if word.form in NEVER_FROM_LOWER_CASE:
        return False
    if word.figures and _is_apart(word.form, text):
        return True
    first = word.form[:1]
    return any(
        _is_misspelled(word.form, other.form) or _is_nickname(word, other)
        for other in text.words
        if other.form[:1] == first
    )


def _is_misspelled(form: str, other: str) -> bool:
    """One letter wrong, left out or doubled; but a letter behind the last makes another name: Julia, Julian."""
    short, long = sorted((form, other), key=len)
    if long.startswith(short) and long[-1:] != short[-1:]:
        return False
    return (
        abs(len(other) - len(form)) <= 1
        and max(len(form), len(other)) >= _SHORTEST_MISSPELLED
        and OSA.distance(form, other, score_cutoff=1) <= 1
    )


def _is_nickname(word: Word, other: Word) -> bool:
    """Whether one of two plurals is cut from the other: the Mavs and the Mavericks."""
    if not (word.form.endswith("s") and other.form.endswith("s")) or "lower" in (word.shape, other.shape):
        return False
    short, long = sorted((word.form[:-1], other.form[:-1]), key=len)
    return len(short) >= _SHORTEST_GIVEN and long.startswith(short)


def _numbers(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    return (
        [number.values[0] for number in source.numbers if number.firm and not _has_number(output, number)],
        [number.values[0] for number in output.numbers if number.firm and not _has_number(source, number)],
    )


def _has_number(text: Reading, number: Number) -> bool:
    if any(_has_value(text, value, number.unit) for value in number.values):
        return True
    return bool(number.parts) and all(_has_value(text, part, number.unit) for part in number.parts)


def _has_value(text: Reading, value: str, unit: str) -> bool:
    units = text.values.get(value)
    return units is not None and (not unit or unit in units or "" in units)


def _urls(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    return (
        [url for url in _tagged(source, "url") if not _has_link(output, url)],
        [url for url in _tagged(output, "url") if not _has_link(source, url)],
    )


def _has_link(text: Reading, url: str) -> bool:
    """Whether a text has a link, be its host in other letters or, without a path, bare as in "see example.org"."""
    link = _host_in_lower_case(url)
    if any(_host_in_lower_case(other) == link for other in _tagged(text, "url")):
        return True
    return (
        "/" not in link and re.search(rf"(?<![\w@./-]){re.escape(link)}(?![\w/@-]|\.\w)", text.text.lower()) is not None
    )


def _host_in_lower_case(url: str) -> str:
    host, slash, path = url.partition("/")
    return f"{host.lower()}{slash}{path}"


def _hashtags(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    """A hashtag is kept by its letters in running words, and invented where the source has not even those."""
    return (
        [tag for tag in _tagged(source, "hashtag") if not _has_letters(output, tag)],
        [tag for tag in _tagged(output, "hashtag") if not _has_letters(source, tag)],
    )


def _mentions(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    """A mention is kept by its letters in running words, but none may be made from such words."""
    ours = _tagged(source, "mention")
    return (
        [mention for mention in ours if not _has_letters(output, mention)],
        [mention for mention in _tagged(output, "mention") if mention not in ours],
    )


def _tagged(text: Reading, kind: Kind) -> list[str]:
    return [plain for tag, _, plain in text.tags if tag == kind]


def _has_letters(text: Reading, letters: str) -> bool:
    """Whether letters stand in a tag, or in whole words with or without spaces between them."""
    letters = "".join(letter for letter in letters if letter.isalnum())
    if not letters or letters in text.tag_letters:
        return True
    start = text.letters.find(letters)
    while start >= 0:
        if start in text.word_bounds and start + len(letters) in text.word_bounds:
            return True
        start = text.letters.find(letters, start + 1)
    return False


def _negations(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    """A text that denies against one that does not, nor has any word that could do so."""
    return _one_sided(source.negations, output.negations)


def _hedges(source: Reading, output: Reading) -> tuple[list[str], list[str]]:
    """A text that leaves it open against one that does not, nor has any word that could do so."""
    return _one_sided(source.hedges, output.hedges)


def _one_sided(ours: Negations | Hedges, theirs: Negations | Hedges) -> tuple[list[str], list[str]]:
    missing = ours.spans and not theirs.spans and not theirs.hinted
    invented = theirs.spans and not ours.spans and not ours.hinted
    return (
        [plain for _, _, plain in ours.spans] if missing else [],
        [plain for _, _, plain in theirs.spans] if invented else [],
    )


_LACKING = {
    "name": _names,
    "number": _numbers,
    "url": _urls,
    "hashtag": _hashtags,
    "mention": _mentions,
    "negation": _negations,
    "hedge": _hedges,
}
"""By kind of fact: what is missing and what is invented."""
