"""A source and an output in; out come the kinds of small changes between them, where there is nothing else.

Raters of diversity give a 2 to "very simple grammatical changes": determiners, contractions, singular and plural,
tense, numbers in words or figures, prepositions, conjunctions and meaningless words (Dou et al., 2022, figure 14). Such
an output is hardly better than a copy, but no overlap metric says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paraloom.metrics.diversity.copying import wording
from paraloom.metrics.diversity.grammar.function_words import AUXILIARIES, CLOSED, KINDS
from paraloom.metrics.diversity.grammar.gaps import Side, explain
from paraloom.metrics.diversity.grammar.inflection import inflection
from paraloom.metrics.diversity.grammar.plain_words import Words, plain_words
from paraloom.metrics.diversity.source_against_output import mean_over_pairs
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured

RULES = 2
"""Number of the set of rules, for the signature: a change of theirs changes values."""

_SPACE_WITHIN_WORDS = re.compile(r"(?<!\d) | (?!\d)")
"""Not between digits: "2-1" is no spacing of "21"."""


def kinds_of_change(source: str, output: str, language: str = "en") -> tuple[str, ...] | None:
    """The kinds of small changes that lead from source to output: none for a copy; None where something else differs.

    Words that carry content must be the same, in the same order, up to number and tense; all that differs between them
    must be function words that may come, go or be exchanged. In languages other than English, only white space may
    differ. The result is the same in both directions.

    >>> kinds_of_change("He's seen 7 dogs in the park.", "he has seen seven dogs at a park")
    ('determiner', 'contraction', 'numeral', 'preposition')
    >>> kinds_of_change("He is here.", "he is here!")
    ()
    >>> kinds_of_change("He is here", "He is not here") is None
    True
    """
    return _kinds(_read(source, language), _read(output, language))


class _Read(NamedTuple):
    wording: str
    words: Words | None
    """None in languages whose function words we do not know."""


def _read(text: str, language: str) -> _Read:
    return _Read(wording(text), plain_words(text) if language == "en" else None)


def _kinds(source: _Read, output: _Read) -> tuple[str, ...] | None:
    if source.wording == output.wording:
        return ()
    if not source.wording or not output.wording:
        return None
    if _SPACE_WITHIN_WORDS.sub("", source.wording) == _SPACE_WITHIN_WORDS.sub("", output.wording):
        return ("spacing",)
    if source.words is None or output.words is None:
        return None
    # Of several alignments of one length the first is taken: it must be the same whichever text is the source.
    forward = source.wording < output.wording
    kinds = _kinds_in_words(*((source.words, output.words) if forward else (output.words, source.words)))
    # Where the words are the same, one text wrote them in other signs: "%" and "percent".
    return None if kinds is None else tuple(kind for kind in KINDS if kind in kinds) or ("numeral",)


def _kinds_in_words(source: Words, output: Words) -> set[str] | None:
    source, output = _with_apostrophes_ignored(source, output), _with_apostrophes_ignored(output, source)
    at_source = [position for position, form in enumerate(source.forms) if form not in CLOSED]
    at_output = [position for position, form in enumerate(output.forms) if form not in CLOSED]
    if len(at_source) != len(at_output):
        return None
    kinds: set[str] = set()
    for old, new in zip(at_source, at_output, strict=True):
        if source.forms[old] != output.forms[new]:
            inflected = inflection(source.forms[old], output.forms[new])
            if inflected is None:
                return None
            kinds.add(inflected)
        elif source.marks.get(old) != output.marks.get(new):
            kinds.add(source.marks.get(old) or output.marks[new])
    left_out: list[str] = []
    added: list[str] = []
    for left, right in zip(_sides(source, at_source), _sides(output, at_output), strict=True):
        if left.forms == right.forms and left.marks == right.marks:
            continue
        explained = explain(left, right)
        if explained is None:
            return None
        kinds |= explained.kinds
        left_out += explained.left_out
        added += explained.added
    if _moved(left_out, added) or (not at_source and len(left_out) == len(source.forms)):
        return None
    return kinds - {""}


def _with_apostrophes_ignored(words: Words, others: Words) -> Words:
    """The same words; "trump" and "'s" are "trumps" again where the other text has it so: that is punctuation."""
    if "'s" not in words.forms:
        return words
    in_others = set(others.forms)
    forms: list[str] = []
    marks: dict[int, str] = {}
    for position, form in enumerate(words.forms):
        if form == "'s" and forms and forms[-1] not in in_others and forms[-1] + "s" in in_others:
            forms[-1] += "s"
            continue
        if position in words.marks:
            marks[len(forms)] = words.marks[position]
        forms.append(form)
    return Words(forms, marks)


def _sides(words: Words, content: list[int]) -> Iterator[Side]:
    """The function words before, between and after the words of content."""
    begin = 0
    for end in [*content, len(words.forms)]:
        marks = [words.marks.get(position, "") for position in range(begin, end)]
        yield Side(words.forms[begin:end], marks, begin == 0, _verb_from(words.forms, end))
        begin = end + 1


def _verb_from(forms: list[str], begin: int) -> str:
    """The word of content there, or the one behind a negation: "has not won" is about "won"."""
    while begin < len(forms) and forms[begin] in ("not", "never"):
        begin += 1
    return forms[begin] if begin < len(forms) else ""


def _moved(left_out: list[str], added: list[str]) -> bool:
    """Whether an auxiliary went from one place to another: "is he here" and "he is here" differ in structure."""
    lemmas = {AUXILIARIES.get(form) for form in left_out} & {AUXILIARIES.get(form) for form in added}
    return bool(lemmas - {None})


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallChangeRate:
    """Share of the outputs that differ from their source by small changes alone (Dou et al., 2022, figure 14, score 2).

    Copies are not among them: `CopyRate` counts those, and both rates add up to the outputs that say nothing new.
    """

    language: str = "en"
    """Two-letter code. In languages other than English, only changes of white space are known to be small."""

    @property
    def name(self) -> str:
        """`small-change-rate`."""
        return "small-change-rate"

    @property
    def better(self) -> Better:
        """Lower: a paraphrase changes more than grammar."""
        return "lower"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""
        return mean_over_pairs(
            self,
            evaluation_set,
            read=lambda text: _read(text, self.language),
            score=lambda source, output: bool(_kinds(source, output)),
            settings={"language": self.language, "case": "lc", "punctuation": "ignored", "rules": RULES},
        )
