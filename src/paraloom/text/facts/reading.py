"""A text in; out come the facts on its surface: names, numbers, links, hashtags, mentions, denials, doubts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Literal

from paraloom.text.facts.hedges import Hedges, hedges_of
from paraloom.text.facts.lexicon import Word, folded, look_up, root_of
from paraloom.text.facts.names import Name, names_of
from paraloom.text.facts.negations import Negations, negations_of
from paraloom.text.facts.numbers import Number, dates_of, numbers_of
from paraloom.text.facts.pieces import Piece, pieces_of
from paraloom.text.facts.tables import LONGEST_SAME, MONTHS, NEVER_FROM_LOWER_CASE, SAME, SMALL_WORDS, words_of

Kind = Literal["name", "number", "url", "hashtag", "mention", "negation", "hedge"]

KINDS: tuple[Kind, ...] = ("name", "number", "url", "hashtag", "mention", "negation", "hedge")
"""Every kind of fact."""


@dataclass(frozen=True, slots=True, order=True)
class FactSpan:
    """Where a fact stands in a text."""

    start: int
    end: int
    kind: Kind
    normalised: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a text says that a paraphrase must keep; each fact once, in its normal form."""

    names: frozenset[str] = frozenset()
    """Lower case, without accents and possessive: "joe biden"."""
    numbers: frozenset[str] = frozenset()
    """In figures, without unit: "$18M" is "18000000", "third" is "3"."""
    urls: frozenset[str] = frozenset()
    """Without scheme and "www."."""
    hashtags: frozenset[str] = frozenset()
    """Lower case, without the sign."""
    mentions: frozenset[str] = frozenset()
    """Lower case, without the sign."""
    negations: int = 0
    """How many words deny."""
    hedges: int = 0
    """How many words leave it open whether it is so: "reportedly"."""


def facts_of(text: str, language: str = "en") -> Facts:
    """The facts of a text.

    >>> facts = facts_of("Joe Biden didn't pay $18 million to three #NASA teams on Monday, says @ann")
    >>> sorted(facts.names), sorted(facts.numbers), facts.hashtags, facts.mentions, facts.negations
    (['joe biden', 'monday'], ['18000000', '3'], frozenset({'nasa'}), frozenset({'ann'}), 1)
    """
    spans = fact_spans(text, language)

    def of(kind: Kind) -> frozenset[str]:
        return frozenset(span.normalised for span in spans if span.kind == kind)

    return Facts(
        names=of("name"),
        numbers=of("number"),
        urls=of("url"),
        hashtags=of("hashtag"),
        mentions=of("mention"),
        negations=sum(span.kind == "negation" for span in spans),
        hedges=sum(span.kind == "hedge" for span in spans),
    )


def fact_spans(text: str, language: str = "en") -> tuple[FactSpan, ...]:
    """The facts of a text where they stand, in order.

    >>> [(span.kind, span.normalised) for span in fact_spans("NASA paid $3M")]
    [('name', 'nasa'), ('number', '3000000')]
    """
    return read(text, language).spans


@lru_cache(maxsize=512)
def read(text: str, language: str = "en") -> Reading:
    """A text read for its facts; the last few hundred are remembered, for a source is compared with many outputs."""
    return Reading(text, language)


class Reading:
    """A text with its facts and with all that may keep another text's facts."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.pieces = pieces_of(text)
        self.numbers: list[Number] = numbers_of(self.pieces)
        taken = frozenset(number.start for number in self.numbers if number.firm)
        self.names: list[Name] = names_of(text, self.pieces, taken, language)

    @cached_property
    def negations(self) -> Negations:
        """Denials are read in English alone."""
        return negations_of(self.pieces) if self.language == "en" else Negations((), hinted=True)

    @cached_property
    def hedges(self) -> Hedges:
        """Doubts are read in English alone."""
        return hedges_of(self.pieces) if self.language == "en" else Hedges((), hinted=True)

    @cached_property
    def tags(self) -> list[tuple[Kind, Piece, str]]:
        """Links, hashtags and mentions in their normal form."""
        found: list[tuple[Kind, Piece, str]] = []
        for piece in self.pieces:
            if piece.kind == "url":
                found.append(("url", piece, _plain_link(piece.text)))
            elif piece.kind == "mention":
                found.append(("mention", piece, folded(piece.text[1:])))
            elif piece.kind == "hashtag" and not piece.text[1:].isdigit():
                found.append(("hashtag", piece, folded(piece.text[1:])))
        return found

    @cached_property
    def spans(self) -> tuple[FactSpan, ...]:
        """All facts where they stand."""
        found = [FactSpan(name.start, name.end, "name", name.normalised) for name in self.names]
        found += [FactSpan(each.start, each.end, "number", each.values[0]) for each in self.numbers if each.firm]
        found += [FactSpan(piece.start, piece.end, kind, plain) for kind, piece, plain in self.tags]
        found += [FactSpan(start, end, "negation", plain) for start, end, plain in self.negations.spans]
        found += [FactSpan(start, end, "hedge", plain) for start, end, plain in self.hedges.spans]
        return tuple(sorted(found))

    @cached_property
    def words(self) -> list[Word]:
        """All words as they are by themselves."""
        return [look_up(piece.text, self.language) for piece in self.pieces if piece.kind == "word"]

    @cached_property
    def roots(self) -> frozenset[str]:
        """The roots of all words, of words side by side that have another name, and of the words in tags."""
        words = self.words
        roots = [word.root for word in words]
        if any(word.shape != "lower" and len(word.form) > 1 for word in words):
            roots = [
                f"{word.root} (lower case)"
                if word.form in NEVER_FROM_LOWER_CASE and word.shape == "lower"
                else word.root
                for word in words
            ]
        found = {*roots, *(word.root for name in self.names for word in name.words)}
        found |= {root_of(word.form.rstrip("0123456789")) for word in words if word.figures}
        forms = [word.form for word in words]
        for start, form in enumerate(forms):
            if form in _FIRST_OF_SAME:
                for end in range(start + 2, min(start + LONGEST_SAME, len(forms)) + 1):
                    same = root_of("".join(forms[start:end]))
                    if same in _SAMES:
                        found.add(same)
        for _, piece, plain in self.tags:
            found.add(root_of(plain))
            found.update(root_of(folded(part)) for part in _TAG_PART.findall(piece.text))
        found |= dates_of(self.numbers)
        return frozenset(found)

    @cached_property
    def tag_letters(self) -> str:
        """The letters of all tags and links, to find a name in "#SercoTestandTrace"."""
        return " ".join("".join(letter for letter in plain if letter.isalnum()) for _, _, plain in self.tags)

    @cached_property
    def forms(self) -> list[str]:
        """The plain forms of all words."""
        return [word.form for word in self.words if word.form]

    @cached_property
    def letters(self) -> str:
        """All words without the spaces between them: "Face book" has "facebook" in it."""
        return "".join(self.forms)

    @cached_property
    def word_bounds(self) -> frozenset[int]:
        """Where words begin or end in `letters`."""
        return frozenset(accumulate(map(len, self.forms), initial=0))

    @cached_property
    def name_of(self) -> dict[str, Name]:
        """Every name once, by its normal form."""
        return {name.normalised: name for name in self.names}

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Words in capitals, or nearly so: "BoE"."""
        return frozenset(
            word.form for word in self.words if word.shape == "upper" or (word.shape == "mixed" and len(word.form) < 6)
        )

    @cached_property
    def initials(self) -> tuple[str, str]:
        """The first letters of the words, with and without the small ones."""
        forms = self.forms
        return "".join(form[0] for form in forms), "".join(form[0] for form in forms if form not in SMALL_WORDS)

    @cached_property
    def values(self) -> dict[str, set[str]]:
        """Every value that a number, a part of one or a word can stand for, with the units it has."""
        found: dict[str, set[str]] = {}
        for number in self.numbers:
            for value in (*number.values, *number.parts):
                found.setdefault(value, set()).add(number.unit)
        for word in self.words:
            month = MONTHS.get(word.form) or MONTHS.get(word.root)
            if month:
                found.setdefault(str(month), set()).add("")
        for digits in re.findall(r"\d+", " ".join(plain for kind, _, plain in self.tags if kind != "url")):
            found.setdefault(digits, set()).add("")
        return found


_TAG_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
_FIRST_OF_SAME = words_of(
    """
    united great european supreme white new los san las saudi south manchester man world department justice washington
    sars affordable make ny north
    """
)
"""Words that begin a name of several words in `SAME`."""
_SAMES = frozenset(SAME.values())


def _plain_link(link: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", link, flags=re.IGNORECASE).rstrip("/")
