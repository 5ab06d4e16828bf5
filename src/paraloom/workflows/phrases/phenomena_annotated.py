"""Pairs in which people marked paraphrase types in, the phenomena out that their marks amount to.

P4P and MSRP-A are read as `evaluate types --check` reads them. People marked other words for the same without saying
whether these are a synonym, a phrase or another name: the words that they marked tell. What they marked on one text
alone is not in the files: elaborations are the runs of content words without a mark.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from paraloom.models.aligners.lexical_words import kinship
from paraloom.phrases.phenomena import Phenomenon
from paraloom.phrases.phenomena_difference import kind_of_difference
from paraloom.phrases.phenomena_words import Words, words_of_tokens
from paraloom.workflows.evaluate.paraphrase_types_annotated import COVERING, REPLACED, AnnotatedPair

SPELLING = frozenset(("lex_spelling", "lex_spelling_and_format", "format"))
REORDERING = "order"


def marked_phenomena(pair: AnnotatedPair) -> tuple[Phenomenon, ...]:
    """What the marks of a pair amount to.

    >>> from paraloom.workflows.evaluate.paraphrase_types_annotated import Phenomenon as Mark
    >>> mark = Mark("lex_same_polarity", frozenset({1}), frozenset({2, 3}))
    >>> [found.kind for found in marked_phenomena(AnnotatedPair("Storms struck", "Bad storms beat down", (mark,)))]
    ['elaboration', 'phrasal']
    """
    left, right = words_of_tokens(pair.left.split()), words_of_tokens(pair.right.split())
    found = [*_marked(pair, left, right), *_left_over(pair, left, right)]
    return tuple(sorted(set(found)))


def _marked(pair: AnnotatedPair, left: Words, right: Words) -> Iterator[Phenomenon]:
    for mark in pair.phenomena:
        ours, theirs = (
            [number for number, place in enumerate(side.places) if place in marked]
            for side, marked in ((left, mark.left), (right, mark.right))
        )
        if not ours or not theirs:
            continue
        places = tuple(sorted(mark.left)), tuple(sorted(mark.right))
        if mark.name in SPELLING:
            yield Phenomenon(places[0], places[1], "spelling")
        elif mark.name == REORDERING:
            yield Phenomenon(places[0], places[1], "reordering")
        elif mark.name in REPLACED:
            kind = kind_of_difference(left, right, ours, theirs)
            if kind is not None:
                yield Phenomenon(places[0], places[1], kind)


def _left_over(pair: AnnotatedPair, left: Words, right: Words) -> Iterator[Phenomenon]:
    covering = [mark for mark in pair.phenomena if mark.name in COVERING]
    for places in _runs(left, right, {place for mark in covering for place in mark.left}):
        yield Phenomenon(places, (), "elaboration")
    for places in _runs(right, left, {place for mark in covering for place in mark.right}):
        yield Phenomenon((), places, "elaboration")


def _runs(side: Words, other: Words, covered: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Words of content without a mark that the other text lacks, as far as none of the other kind stands between."""
    run: list[int] = []
    for word, place in zip(side.words, side.places, strict=True):
        alone = place not in covered and not any(kinship(word.text, their.text) for their in other.words)
        if run and (word.after_mark or (word.is_content and not alone)):
            yield tuple(run)
            run = []
        if word.is_content and alone:
            run.append(place)
    if run:
        yield tuple(run)
