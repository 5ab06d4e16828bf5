"""A source and an output in, their types out: how the output says the same thing otherwise, or what is poor about it.

What two texts differ in is found by aligning their words (`alignment`, `spans`, `structure`). Whether the difference
matters is asked of a model, where there is one, and of the facts in both texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from paraloom.metrics.diversity.copying import is_copy
from paraloom.metrics.diversity.small_changes import kinds_of_change
from paraloom.metrics.types.alignment import Likeness, Link, align
from paraloom.metrics.types.grammar_errors import grammar_errors
from paraloom.metrics.types.kinds import GoodType, PoorType
from paraloom.metrics.types.spans import Stretch, stretches
from paraloom.metrics.types.structure import Structure, structures
from paraloom.metrics.types.words import Word, listed, words_of
from paraloom.text.facts import Breach, breaches

RULES = 1
"""Number of the set of rules, for the signature: a change of theirs changes types."""
SAME_MEANING = 0.5
"""Probability of being a paraphrase below which an output says something else."""
ADDED, LEFT_OUT = 2, 1
"""Words of content that make an addition worth a type, and an omission."""
SHORTENED = 2
"""So many words of content fewer make a phrase a shorter one."""
LOST = 0.5
"""Share of the source's words of content that cannot be left out as minor details."""
INVENTED = 0.4
"""Share of the output's words of content from which an addition is an invention, where no model says."""

ChangeKind = Literal["word", "phrase", "order", "voice", "clause", "speech", "mood", "added", "left_out", "conflict"]
STRUCTURES: tuple[Structure, ...] = get_args(Structure)
_SAME = ("same", "form", "spelling")

_DAYS = listed(
    "monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow january february march april "
    "may june july august september october november december"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What types are decided by besides letters and dictionary forms."""

    likeness: Likeness = Likeness()
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a model says of a pair, as probabilities."""

    paraphrase: float
    """That both say the same, by the strict definition."""
    implication: float
    """That each implies the other: nothing that was added or left out matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference, in the words of both texts; a side is empty where there is nothing on it."""

    kind: ChangeKind
    source: str
    output: str
    source_words: tuple[int, ...] = ()
    """Where the words begin in the text."""
    output_words: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTypes:
    """The types of one output: good ones, or a poor one; neither where all that differs has no name."""

    good: tuple[GoodType, ...]
    poor: PoorType | None
    changes: tuple[Change, ...]
    """All differences that were found, whatever came of them."""


def types_of(source: str, output: str, evidence: Evidence = Evidence(), meaning: Meaning | None = None) -> PairTypes:
    """The types of an output, given its source.

    >>> types_of("The storm hit the coast on Monday", "On Monday the storm hit the coast").good
    ('structure',)
    >>> types_of("The storm hit the coast.", "the storm hit the coast").poor
    'copy'
    >>> types_of("The storm hit 3 towns", "The storm hit 4 towns").poor
    'misinterpret'
    """
    if is_copy(source, output):
        return PairTypes(good=(), poor="copy", changes=())
    found = differences(source, output, evidence)
    poor = _poor(found, evidence, meaning)
    return PairTypes(good=() if poor else _good(found), poor=poor, changes=found.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Two texts, their words, and in what they differ."""

    texts: tuple[str, str]
    left: tuple[Word, ...]
    right: tuple[Word, ...]
    links: tuple[Link, ...]
    stretches: tuple[Stretch, ...]
    changes: tuple[Change, ...]
    facts: tuple[Breach, ...]
    """Names and numbers that only one of them has."""

    def content(self, kind: Literal["added", "left_out"]) -> int:
        """Words of content that were added, or left out."""
        words = self.right if kind == "added" else self.left
        return sum(
            words[place].is_content
            for one in self.stretches
            if one.kind == kind
            for place in (one.right if kind == "added" else one.left)
        )

    def has(self, *kinds: ChangeKind) -> bool:
        """Whether one of these changes was found."""
        return any(change.kind in kinds for change in self.changes)


def differences(source: str, output: str, evidence: Evidence = Evidence()) -> Differences:
    """In what two texts differ.

    >>> [(change.kind, change.source, change.output) for change in differences("He ran home", "He walked home").changes]
    [('word', 'ran', 'walked')]
    """
    left, right = words_of(source, evidence.language), words_of(output, evidence.language)
    links = align(left, right, evidence.likeness)
    found = stretches(left, right, links, evidence.likeness)
    facts = breaches(source, output, language=evidence.language)
    changes = [_change(one, left, right, facts) for one in found]
    if evidence.language == "en":
        changes += [
            Change(kind=kind, source="", output="") for kind in structures(left, right, links, (source, output))
        ]
    return Differences(
        texts=(source, output),
        left=left,
        right=right,
        links=links,
        stretches=found,
        changes=tuple(changes),
        facts=facts,
    )


def _change(one: Stretch, left: Sequence[Word], right: Sequence[Word], facts: Sequence[Breach]) -> Change:
    ours, theirs = [left[place] for place in one.left], [right[place] for place in one.right]
    return Change(
        kind="conflict" if _in_conflict(ours, theirs, facts) else one.kind,
        source=" ".join(word.text for word in ours),
        output=" ".join(word.text for word in theirs),
        source_words=tuple(word.start for word in ours),
        output_words=tuple(word.start for word in theirs),
    )


def _in_conflict(ours: Sequence[Word], theirs: Sequence[Word], facts: Sequence[Breach]) -> bool:
    """Whether another number stands in the place of one that is lost, or another day or month."""
    lost = {breach.what for breach in facts if breach.kind == "number"} == {"missing", "invented"}
    numbers = [{word.plain for word in words if word.is_number and lost} for words in (ours, theirs)]
    days = [{word.plain for word in words if word.plain in _DAYS} for words in (ours, theirs)]
    return any(one and other and one != other for one, other in (numbers, days))


def _poor(found: Differences, evidence: Evidence, meaning: Meaning | None) -> PoorType | None:
    source, output = found.texts
    if not found.right:
        return "miss-info"
    if evidence.language == "en" and set(grammar_errors(output)) - set(grammar_errors(source)):
        return "bad-grammar"
    if kinds_of_change(source, output, evidence.language) is not None:
        return "small-change"
    if found.has("conflict") or _is_contrary(found, meaning):
        return "misinterpret"
    if not found.changes and all(link.kind in _SAME for link in found.links):
        return "small-change"
    if any(breach.what == "invented" for breach in found.facts):
        return "hallucination"
    return _by_amount(found) if meaning is None else _by_meaning(found, meaning)


def _is_contrary(found: Differences, meaning: Meaning | None) -> bool:
    """Whether one text says no where the other says yes; without a model, where they differ in nothing else."""
    ours, theirs = (sum(word.is_negation for word in words) for words in (found.left, found.right))
    if ours % 2 == theirs % 2:
        return False
    if meaning is not None:
        return meaning.paraphrase < SAME_MEANING
    linked = {("left", link.left) for link in found.links} | {("right", link.right) for link in found.links}
    return all(
        word.is_negation or not word.is_content or (side, place) in linked
        for side, words in (("left", found.left), ("right", found.right))
        for place, word in enumerate(words)
    )


def _by_meaning(found: Differences, meaning: Meaning) -> PoorType | None:
    """Of an output that says something else, what most of the difference is; details may be lost, but not the half."""
    added, left_out = found.content("added"), found.content("left_out")
    if meaning.paraphrase >= SAME_MEANING:
        return "miss-info" if meaning.implication < SAME_MEANING and _is_lost(found, left_out) else None
    if added == left_out:
        return "misinterpret"
    return "hallucination" if added > left_out else "miss-info"


def _by_amount(found: Differences) -> PoorType | None:
    added = found.content("added")
    if _is_lost(found, found.content("left_out")):
        return "miss-info"
    return "hallucination" if added > ADDED and added >= INVENTED * _contents(found.right) else None


def _is_lost(found: Differences, left_out: int) -> bool:
    return left_out > LEFT_OUT and left_out >= LOST * _contents(found.left)


def _contents(words: Sequence[Word]) -> int:
    return sum(word.is_content for word in words)


def _good(found: Differences) -> tuple[GoodType, ...]:
    holds: dict[GoodType, bool] = {
        "add-new": found.content("added") >= ADDED,
        "word-syn": found.has("word"),
        "phrase-syn": found.has("phrase"),
        "structure": found.has(*STRUCTURES),
        "simplification": found.content("left_out") >= LEFT_OUT or _is_shortened(found),
    }
    return tuple(name for name, does in holds.items() if does)


def _is_shortened(found: Differences) -> bool:
    return any(
        sum(found.left[place].is_content for place in one.left)
        >= sum(found.right[place].is_content for place in one.right) + SHORTENED
        for one in found.stretches
        if one.kind == "phrase"
    )
