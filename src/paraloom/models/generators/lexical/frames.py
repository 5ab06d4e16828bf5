"""A sentence's words and tags in, other orders of its words out: the same clause said another way.

A frame names words of the sentence by their places; what it adds is text. Only what can be told from tags and a few
words is done, and only to sentences that are simple enough: one or two clauses, no inner marks, no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from paraloom.models.generators.lexical.built_in.transitive import TRANSITIVE
from paraloom.models.generators.lexical.forms import participle_of, past_of
from paraloom.models.generators.lexical.words import NEGATIONS, NUMBERS, Word

SCORE = 0.8
"""How sure it is that another order means the same."""

_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIME = re.compile(
    rf"(?:yesterday|tomorrow|tonight|today)(?: (?:morning|afternoon|evening|night))?"
    rf"|(?:last|next|this) (?:night|week|weekend|month|year|summer|winter|spring|autumn|season|{_DAY})"
    rf"|this (?:morning|afternoon|evening)|(?:on|late on|early on) (?:{_DAY})(?: (?:morning|afternoon|evening|night))?"
    rf"|(?:in|since) (?:{_MONTH}|(?:19|20)\d\d)|in (?:{_MONTH}) (?:19|20)\d\d|on (?:{_MONTH}) \d\d?"
    rf"|earlier (?:today|this week|this month|this year)|a (?:week|month|year) ago"
)
_NOMINAL = frozenset({"D", "J", "NN", "NS", "E"})
_FINITE = frozenset({"VD", "VS", "A", "M"})
_BEGINS = frozenset({"D", "O", "E", "NS"})
_SUBORDINATORS = frozenset(
    {"because", "although", "though", "when", "while", "if", "after", "before", "since", "until"}
)
_ASKS = re.compile(r"(?:ask|wonder|know|see|sure|tell|told|remember|say|said|decide|check|find|idea|question|time|day)")
_PLACES = frozenset({"in", "at", "near", "under", "across", "along", "inside", "outside"})
_OBJECTS = {"he": "him", "she": "her", "they": "them", "i": "me", "we": "us", "it": "it", "you": "you"}
_SUBJECTS = {"him": "he", "her": "she", "them": "they", "me": "I", "us": "we"}
_PLURALS = frozenset({"people", "children", "men", "women", "police"})
_NOT_DONE_BY = frozenset({"found", "located", "situated", "parked", "left", "seated", "born", "surprised", "paid"})
_NO_AGENT = re.compile(
    r"(?:19|20)\d\d|\d.*|hand|mail|email|phone|train|car|bus|default|law|accident|mistake|chance|then"
)


class Frame(NamedTuple):
    """A sentence in another order."""

    items: tuple[int | str, ...]
    """Places of words in the sentence, and what is put between them; a comma has no space before it."""
    score: float
    name: str


class _Clause(NamedTuple):
    """A sentence, without the marks and tags behind it."""

    words: Sequence[Word]
    tags: Sequence[str]
    end: int
    """Behind its last word."""

    def lower(self, first: int, last: int) -> str:
        return " ".join(word.lower for word in self.words[first:last])

    def has_only(self, first: int, last: int, tags: frozenset[str]) -> bool:
        return first < last and all(tag in tags for tag in self.tags[first:last])

    def verbs(self, first: int, last: int) -> int:
        """How many finite verbs, an auxiliary and its verb counted once."""
        found, before = 0, ""
        for tag in self.tags[first:last]:
            if tag in _FINITE and before not in ("A", "M"):
                found += 1
            before = tag if tag != "R" else before
        return found

    def rest(self) -> range:
        return range(self.end, len(self.words))


def frames(words: Sequence[Word], tags: Sequence[str]) -> list[Frame]:
    """Every other order that is safe, the sentence's own not among them."""
    end = len(words)
    while end and tags[end - 1] == "X":
        end -= 1
    if end < 4 or "?" in {word.text[0] for word in words[end:]} or any(word.text[0] in "\"“”‘'" for word in words):
        return []
    if sum(word.text in (".", "!", ";", ":") for word in words[:end]):
        return []
    clause = _Clause(words, tags, end)
    return [frame for rule in RULES for frame in rule(clause)]


def _time_to_front(clause: _Clause) -> Iterator[Frame]:
    end = clause.end
    if "X" in clause.tags[:end] or clause.tags[0] not in _BEGINS or clause.verbs(0, end) != 1:
        return
    for length in (4, 3, 2, 1):
        first = end - length
        if first >= 3 and _TIME.fullmatch(clause.lower(first, end)) and clause.tags[first - 1] not in ("A", "P", "C"):
            yield Frame((*range(first, end), ",", *range(first), *clause.rest()), SCORE, "time-front")
            return


def _time_to_back(clause: _Clause) -> Iterator[Frame]:
    for length in (4, 3, 2, 1):
        if not _TIME.fullmatch(clause.lower(0, length)):
            continue
        start = length + (clause.words[length].text == ",")
        if "X" in clause.tags[start : clause.end] or clause.tags[start] not in _BEGINS:
            return
        if clause.verbs(start, clause.end) == 1:
            yield Frame((*range(start, clause.end), *range(length), *clause.rest()), SCORE, "time-back")
        return


def _subordinate_to_front(clause: _Clause) -> Iterator[Frame]:
    end = clause.end
    places = [place for place in range(end) if clause.words[place].lower in _SUBORDINATORS]
    if len(places) != 1 or "X" in clause.tags[:end] or not 2 <= places[0] < end - 2:
        return
    place = places[0]
    before = clause.words[place - 1]
    is_attached = clause.tags[place - 1] in ("R", "P", "A", "C", "W") or before.is_name or _ASKS.match(before.lower)
    if is_attached or {"that", "who", "which"} & {word.lower for word in clause.words[:place]}:
        return
    if clause.tags[0] in _BEGINS and _is_clause(clause, place + 1, end) and clause.verbs(0, place) == 1:
        yield Frame((*range(place, end), ",", *range(place), *clause.rest()), SCORE, "clause-front")


def _subordinate_to_back(clause: _Clause) -> Iterator[Frame]:
    commas = [place for place in range(clause.end) if clause.tags[place] == "X"]
    if clause.words[0].lower not in _SUBORDINATORS or len(commas) != 1 or clause.words[commas[0]].text != ",":
        return
    comma = commas[0]
    if _is_clause(clause, 1, comma) and _is_clause(clause, comma + 1, clause.end):
        yield Frame((*range(comma + 1, clause.end), *range(comma), *clause.rest()), SCORE, "clause-back")


def _is_clause(clause: _Clause, first: int, last: int) -> bool:
    return first < last and clause.tags[first] in _BEGINS and clause.verbs(first, last) == 1


def _said_to_according(clause: _Clause) -> Iterator[Frame]:
    place = next((place for place in range(1, min(7, clause.end)) if clause.words[place].lower in ("said", "says")), 0)
    if not place or not clause.has_only(0, place, _NOMINAL) or "X" in clause.tags[: clause.end]:
        return
    start = place + 1 + (clause.words[place + 1].lower == "that") if place + 1 < clause.end else clause.end
    if _is_clause(clause, start, clause.end) and clause.words[start].lower != "that":
        yield Frame(("According to", *range(place), ",", *range(start, clause.end), *clause.rest()), SCORE, "according")


def _according_to_said(clause: _Clause) -> Iterator[Frame]:
    commas = [place for place in range(clause.end) if clause.tags[place] == "X"]
    if clause.lower(0, 2) != "according to" or len(commas) != 1 or not clause.has_only(2, commas[0], _NOMINAL):
        return
    start = commas[0] + 1
    if _is_clause(clause, start, clause.end):
        order = (*range(2, commas[0]), "said that", *range(start, clause.end), *clause.rest())
        yield Frame(order, SCORE, "said")


def _said_behind(clause: _Clause) -> Iterator[Frame]:
    """ "…, officials said": the one who said it comes first."""
    end = clause.end
    commas = [place for place in range(end) if clause.words[place].text == ","]
    if not commas or clause.words[end - 1].lower not in ("said", "says") or commas[-1] < 4:
        return
    comma = commas[-1]
    is_speaker = clause.has_only(comma + 1, end - 1, _NOMINAL) or (end - comma == 3 and clause.tags[comma + 1] == "O")
    if not is_speaker or clause.tags[0] not in _BEGINS or not clause.verbs(0, comma):
        return
    yield Frame((*range(comma + 1, end), "that", *range(comma), *clause.rest()), SCORE, "said-first")
    if clause.tags[comma + 1] != "O":
        order = ("According to", *range(comma + 1, end - 1), ",", *range(comma), *clause.rest())
        yield Frame(order, SCORE, "according")


def _place_to_front(clause: _Clause) -> Iterator[Frame]:
    """ "… in the park" at the end goes to the front."""
    end = clause.end
    starts = [place for place in range(4, end - 1) if clause.words[place].lower in _PLACES]
    if not starts or end < 7 or not _is_plain(clause) or clause.tags[0] not in _BEGINS:
        return
    first = starts[-1]
    before = clause.tags[first - 1]
    if end - first > 5 or before not in ("NN", "NS", "E", "VG") or clause.tags[first + 1] not in ("D", "E"):
        return
    named = clause.words[first - 1].is_name or any(word.text[0].isdigit() for word in clause.words[first:end])
    if _noun_phrase_end(clause, first + 1) == end and not named:
        yield Frame((*range(first, end), ",", *range(first), *clause.rest()), SCORE - 0.15, "place-front")


def _passive_to_active(clause: _Clause) -> Iterator[Frame]:
    end = clause.end
    place = next((place for place in range(1, end) if clause.words[place].lower in ("was", "were")), 0)
    if not place or place + 4 > end or clause.words[place + 2].lower != "by" or not _is_plain(clause):
        return
    past = past_of(clause.words[place + 1].lower)
    subject = _noun_phrase_end(clause, 0)
    agent = _noun_phrase_end(clause, place + 3)
    is_agent = agent > place + 3 and not _NO_AGENT.fullmatch(clause.words[agent - 1].lower)
    if past is None or clause.words[place + 1].lower in _NOT_DONE_BY or subject != place or not is_agent:
        return
    if clause.tags[place + 3] == "NN":  # "by boat": no one who does it
        return
    done = _as(clause, range(place), _OBJECTS)
    doer = _as(clause, range(place + 3, agent), _SUBJECTS)
    yield Frame((*doer, past, *done, *range(agent, end), *clause.rest()), SCORE, "active")


def _active_to_passive(clause: _Clause) -> Iterator[Frame]:
    end = clause.end
    place = _noun_phrase_end(clause, 0)
    if not 0 < place < end - 1 or not _is_plain(clause):
        return
    verb = clause.words[place].lower
    participle = participle_of(verb)
    last = _noun_phrase_end(clause, place + 1)
    if participle not in TRANSITIVE or clause.tags[place] not in ("VD", "VN") or last <= place + 1:
        return
    if clause.tags[place + 1] not in ("D", "E") or not all(tag in ("P", *_NOMINAL) for tag in clause.tags[last:end]):
        return
    auxiliary = "were" if _is_plural(clause, _head(clause, place + 1, last)) else "was"
    doer = _as(clause, range(place), _OBJECTS)
    done = tuple(range(place + 1, last))
    order = (*done, f"{auxiliary} {participle} by", *doer, *range(last, end), *clause.rest())
    yield Frame(order, SCORE - 0.1, "passive")


def _is_plain(clause: _Clause) -> bool:
    """One clause without marks, conjunctions or negation."""
    tags, words = clause.tags[: clause.end], clause.words[: clause.end]
    return (
        not {"X", "C", "W"} & set(tags)
        and clause.verbs(0, clause.end) == 1
        and not any(word.lower in NEGATIONS or word.lower.endswith("n't") for word in words)
    )


def _noun_phrase_end(clause: _Clause, first: int) -> int:
    """Behind the noun phrase that begins here: a pronoun, or nouns and what is said of them, with "of" between."""
    if first < clause.end and clause.tags[first] == "O" and clause.words[first].lower in {**_OBJECTS, **_SUBJECTS}:
        return first + 1
    place = first
    while place < clause.end and (
        clause.tags[place] in _NOMINAL or (place > first and clause.words[place].lower == "of")
    ):
        if place > first and clause.tags[place] == "D" and clause.words[place - 1].lower != "of":
            break  # a second phrase begins
        place += 1
    return place if place > first and clause.tags[place - 1] in ("NN", "NS", "E") else first


def _head(clause: _Clause, first: int, last: int) -> int:
    of = next((place for place in range(first, last) if clause.words[place].lower == "of"), last)
    return of - 1


def _is_plural(clause: _Clause, place: int) -> bool:
    lower = clause.words[place].lower
    return clause.tags[place] == "NS" or lower in _PLURALS or (lower in NUMBERS and lower.endswith("s"))


def _as(clause: _Clause, places: range, cases: dict[str, str]) -> tuple[int | str, ...]:
    """The words at these places, a pronoun in its other case."""
    if len(places) == 1 and clause.words[places[0]].lower in cases:
        return (cases[clause.words[places[0]].lower],)
    return tuple(places)


RULES: tuple[Callable[[_Clause], Iterator[Frame]], ...] = (
    _time_to_front,
    _time_to_back,
    _subordinate_to_front,
    _subordinate_to_back,
    _said_to_according,
    _according_to_said,
    _said_behind,
    _place_to_front,
    _passive_to_active,
    _active_to_passive,
)
