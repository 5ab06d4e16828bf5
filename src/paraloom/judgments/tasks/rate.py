"""A generated sentence or a phrase in, ratings from 1 to 5 out.

Sentences are rated for fluency, similarity and diversity (Dou et al., 2022, section 4.4 and appendix H); phrases for
how much of the meaning is kept (Callison-Burch, 2008, as used by Lan et al., 2017, section 5).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import only, optional_text, text, texts, whole_number
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote

LOWEST, HIGHEST = 1, 5


@dataclass(frozen=True, slots=True)
class Level:
    """One step of a scale."""

    rating: int
    name: str
    means: str


@dataclass(frozen=True, slots=True)
class Scale:
    """What is asked about one aspect, and its steps, best first."""

    aspect: str
    question: str
    levels: tuple[Level, ...]


SCALES = {
    scale.aspect: scale
    for scale in (
        Scale(
            "fluency",
            "Is sentence 2 good language?",
            (
                Level(5, "Very good", "It reads as if a fluent speaker had written it."),
                Level(4, "Good", "One slip that does not slow you down, such as a missing article."),
                Level(3, "Fair", "Several slips, or one that makes you read it twice."),
                Level(2, "Bad", "Broken in places: you have to guess what it says."),
                Level(1, "Very bad", "It cannot be understood, or is no sentence."),
            ),
        ),
        Scale(
            "similarity",
            "Does it mean the same as sentence 1?",
            (
                Level(5, "The same", "All that matters is there; nothing is changed, nothing is made up."),
                Level(4, "Nearly the same", "A minor detail is missing, added or different."),
                Level(3, "Partly the same", "The main point is kept, but something that matters is missing or added."),
                Level(2, "Related", "The same subject, but another statement about it."),
                Level(1, "Different", "Another subject, or the opposite."),
            ),
        ),
        Scale(
            "diversity",
            "Is sentence 2 different from sentence 1?",
            (
                Level(5, "Several changes", "More than one change of the kinds 4 and 3, at least one of them a 4."),
                Level(4, "One big change", "Of structure, order, idiom or a phrase; or more than 2 words replaced."),
                Level(3, "Synonyms", "1 or 2 words replaced by words of the same meaning."),
                Level(2, "Grammar only", "Articles, contractions, number, tense, prepositions; however many."),
                Level(1, "Copied", "The same words; upper case and punctuation do not count."),
            ),
        ),
        Scale(
            "kept",
            "How much of the original phrase's meaning does the paraphrase keep?",
            (
                Level(5, "All", "All of the meaning of the original phrase is retained, and nothing is added."),
                Level(4, "All, and more", "The meaning is retained; something is added that does not transform it."),
                Level(3, "Most", "The meaning is retained, although something is left out without too great a loss."),
                Level(2, "Little", "A substantial amount of the meaning is different."),
                Level(1, "Nothing", "It does not mean anything close to the original phrase."),
            ),
        ),
    )
}
"""What each rating means, in the words of the page; the guide says it at length.

Diversity follows figure 14 of Dou et al. (2022). Their figures 12 and 13, on fluency and similarity, are pictures whose
words we do not have: those steps are ours, between "very bad" and "very good" (figure 7). Of `kept`, step 5 is the one
that Lan et al. (2017) quote from Callison-Burch (2008); the words of the other four are not checked against him.
"""

GENERATION_ASPECTS = ("fluency", "similarity", "diversity")

SYSTEMS = "systems"
"""Where an item's origin, which annotators never see, names those that wrote its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedContent:
    """A sentence and what a generator made of it. Which generator is not shown."""

    source: str
    generated: str
    aspects: tuple[str, ...] = GENERATION_ASPECTS

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The scales to rate on, in the order of the page."""
        return tuple(SCALES[aspect] for aspect in self.aspects)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseContent:
    """A phrase and its paraphrase, in the sentences they were found in where those are known."""

    left: str
    right: str
    sentence_left: str | None = None
    sentence_right: str | None = None

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The one scale of phrases."""
        return (SCALES["kept"],)

    @property
    def around(self) -> dict[str, tuple[str, str, str] | None]:
        """The sentence of each side, cut before and behind its phrase so that the page can mark it."""
        return {"left": cut(self.sentence_left, self.left), "right": cut(self.sentence_right, self.right)}


def cut(sentence: str | None, phrase: str) -> tuple[str, str, str] | None:
    """What is before the phrase, the phrase as it is written there, and what is behind it.

    >>> cut("The party said that art matters.", "Art")
    ('The party said that ', 'art', ' matters.')
    >>> cut("No such thing.", "art")
    ('No such thing.', '', '')
    """
    if sentence is None:
        return None
    wanted = re.escape(phrase.strip())
    found = re.search(rf"(?<!\w){wanted}(?!\w)", sentence, re.IGNORECASE) or re.search(wanted, sentence, re.IGNORECASE)
    if found is None:
        return sentence, "", ""
    return sentence[: found.start()], found.group(), sentence[found.end() :]


RateContent = GeneratedContent | PhraseContent


@dataclass(frozen=True, slots=True, kw_only=True)
class RateAnswer:
    """A rating for each aspect that was asked about."""

    fluency: int | None = None
    similarity: int | None = None
    diversity: int | None = None
    kept: int | None = None

    def ratings(self) -> dict[str, int]:
        """Those that were given.

        >>> RateAnswer(fluency=5, diversity=2).ratings()
        {'fluency': 5, 'diversity': 2}
        """
        return {aspect: rating for aspect, rating in asdict(self).items() if rating is not None}


class RateTask:
    """From 1 to 5."""

    name: ClassVar[str] = "rate"
    item_kind: ClassVar[str] = "pair"
    about: ClassVar[str] = (
        "From 1 to 5: fluency, similarity and diversity of a generated sentence, or a phrase's meaning."
    )
    scale: ClassVar[str] = "ordinal"
    keys: ClassVar[tuple[Key, ...]] = (
        *(Key(str(rating), f"Rate {rating} and go on") for rating in range(LOWEST, HIGHEST + 1)),
        *(Key(aspect[0], f"Go to {aspect}") for aspect in GENERATION_ASPECTS),
        Key("⌫", "Take the last rating back"),
        Key("Enter", "Submit"),
    )

    def read_content(self, raw: Raw) -> RateContent:
        """A source with what was generated, or a phrase with its paraphrase."""
        fields = _PHRASE_FIELDS if isinstance(raw, Mapping) and ("left" in raw or "right" in raw) else _GENERATED_FIELDS
        only(raw, fields, "item")
        if fields is _PHRASE_FIELDS:
            return PhraseContent(
                left=text(raw, "left"),
                right=text(raw, "right"),
                sentence_left=optional_text(raw, "sentence_left"),
                sentence_right=optional_text(raw, "sentence_right"),
            )
        return GeneratedContent(source=text(raw, "source"), generated=text(raw, "generated"), aspects=_aspects(raw))

    def read_answer(self, raw: Raw, content: RateContent) -> RateAnswer:
        """A whole number from 1 to 5 for every aspect that is asked about, and for no other."""
        given = {aspect: value for aspect, value in only(raw, SCALES, "answer").items() if value is not None}
        asked = [scale.aspect for scale in content.scales]
        if unasked := [aspect for aspect in given if aspect not in asked]:
            raise InputError(f"`{unasked[0]}` was not asked about; the item asks for: {', '.join(asked)}.")
        ratings: dict[str, Any] = {aspect: whole_number(given, aspect, LOWEST, HIGHEST) for aspect in asked}
        return RateAnswer(**ratings)

    def votes(self, item_id: str, content: RateContent, answer: RateAnswer) -> Sequence[Vote]:
        """One vote on each aspect."""
        return tuple(Vote(f"{item_id}:{aspect}", str(rating)) for aspect, rating in answer.ratings().items())

    def is_right(self, answer: RateAnswer, expected: RateAnswer) -> bool:
        """Every rating is within 1 of the expected one: people who agree still differ by a step."""
        given, wanted = answer.ratings(), expected.ratings()
        return given.keys() == wanted.keys() and all(abs(given[aspect] - wanted[aspect]) <= 1 for aspect in wanted)

    def instructions(self, shown: Shown) -> str:
        """The scales at length, with the paper's cases."""
        return guide("rate")


def systems_named(origin: Mapping[str, Any]) -> tuple[str, ...]:
    """The systems that an item's origin names; none where nobody said.

    >>> systems_named({"systems": ["copy", "lexical"]}), systems_named({"system": "copy"}), systems_named({})
    (('copy', 'lexical'), ('copy',), ())
    """
    named = origin.get(SYSTEMS, origin.get("system", ()))
    several = (named,) if isinstance(named, str) else named if isinstance(named, list | tuple) else ()
    return tuple(dict.fromkeys(one for one in several if isinstance(one, str) and one.strip()))


_GENERATED_FIELDS = ("source", "generated", "aspects")
_PHRASE_FIELDS = ("left", "right", "sentence_left", "sentence_right")


def _aspects(raw: Raw) -> tuple[str, ...]:
    """In the page's order, whatever order they were given in."""
    if raw.get("aspects") is None:
        return GENERATION_ASPECTS
    given = texts(raw, "aspects", least=1, most=len(GENERATION_ASPECTS), letters=20)
    if unknown := [aspect for aspect in given if aspect not in GENERATION_ASPECTS]:
        raise InputError(f"`aspects` holds {unknown[0]!r}; there are: {', '.join(GENERATION_ASPECTS)}.")
    return tuple(aspect for aspect in GENERATION_ASPECTS if aspect in given)
