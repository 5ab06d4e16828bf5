"""A folder of P4P in, its pairs out with the types that people's annotations amount to.

P4P and MSRP-A (Vila, Martí and Rodríguez; Barrón-Cedeño et al., 2013) mark what makes two texts paraphrases: which
words, and by which phenomenon. Their files hold no additions and deletions, which have words on one side only: these
are the words of content that no phenomenon covers and that the other text lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from paraloom.engine.given import read_lines
from paraloom.errors import InputError
from paraloom.metrics.types.pair_types import ADDED, LEFT_OUT
from paraloom.metrics.types.words import Word, words_of

Corpus = Literal["MSRPA", "p4p"]
Type = Literal["word-syn", "phrase-syn", "structure", "added", "left-out", "misinterpret", "copy", "small-change"]

REPLACED = frozenset(("lex_same_polarity", "lex_synt_ana", "lex_opposite_polarity", "semantic"))
"""Other words for the same: a synonym of a word where each side has one word of content at most, else of a phrase."""
RESTRUCTURED = frozenset(
    (
        "order",
        "lex_inverse",
        "syn_diathesis",
        "syn_negation",
        "syn_ellipsis",
        "syn_coordination",
        "syn_subord_nesting",
        "syn_dis_structure",
        "dis_direct_indirect",
        "dis_sent_modality",
    )
)
SMALL = frozenset(
    (
        "identical",
        "mor_inflectional",
        "mor_modal_verb",
        "lex_spelling",
        "lex_spelling_and_format",
        "dis_punctuation",
        "dis_punct_format",
        "format",
    )
)
"""Where there is nothing else, a small change."""
OTHER_MEANING = "non_paraphrases"
COVERING = (REPLACED | SMALL | {"mor_derivational", "lex_inverse", OTHER_MEANING}) - {
    "dis_punctuation",
    "dis_punct_format",
}
"""Phenomena whose words are accounted for; others span whole sentences."""


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """Something that makes two texts differ, and the words it is about, by their numbers from 0."""

    name: str
    left: frozenset[int]
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class AnnotatedPair:
    """Two tokenised texts and what people marked in them."""

    left: str
    right: str
    phenomena: tuple[Phenomenon, ...]

    @property
    def half(self) -> int:
        """0 or 1, by the left text: thresholds are chosen on one half of a corpus and checked on the other."""
        return blake2b(self.left.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] & 1


@dataclass(frozen=True, slots=True)
class TypesMarked:
    """The types of a pair as annotated, and where words and phrases are replaced."""

    types: frozenset[Type]
    words: tuple[Phenomenon, ...]
    phrases: tuple[Phenomenon, ...]


def read_annotated(folder: Path, corpus: Corpus) -> list[AnnotatedPair]:
    """The pairs of one corpus: `CORPUS_source.txt`, `_reference.txt` and `_alignment.txt`, line by line."""
    files = [folder / f"{corpus}_{part}.txt" for part in ("source", "reference", "alignment")]
    for file in files:
        if not file.is_file():
            raise InputError(f"There is no {file}. Give the folder with the files of P4P and MSRP-A.")
    lines = [list(read_lines(file)) for file in files]
    if len({len(some) for some in lines}) != 1:
        told = ", ".join(f"{file.name} {len(some):,}" for file, some in zip(files, lines, strict=True))
        raise InputError(f"The files in {folder} have unequal numbers of lines: {told}. Get them anew.")
    return [
        AnnotatedPair(left, right, _phenomena(marked, f"{files[2]}, line {number}"))
        for number, (left, right, marked) in enumerate(zip(*lines, strict=True), start=1)
        if left.strip() and right.strip()
    ]


def _phenomena(marked: str, where: str) -> tuple[Phenomenon, ...]:
    """What a line marks.

    >>> _phenomena("1_2-3-order,-2-identical,", "here")[0]
    Phenomenon(name='order', left=frozenset({0, 1}), right=frozenset({2}))
    """
    found = []
    for part in filter(None, marked.strip().split(",")):
        try:
            left, right, name = part.split("-", 2)
            found.append(Phenomenon(name, _places(left), _places(right)))
        except ValueError as error:
            raise InputError(f"{where}: {part!r} is not `words-words-type`. Get the file anew.") from error
    return tuple(found)


def _places(numbers: str) -> frozenset[int]:
    return frozenset(int(one) - 1 for one in numbers.split("_") if one)


def marked_types(pair: AnnotatedPair) -> TypesMarked:
    """The types that the annotation of a pair amounts to.

    >>> marks = _phenomena("1-2-identical,2-3-lex_same_polarity,1_2-2_3-order", "here")
    >>> sorted(marked_types(AnnotatedPair("storms hit", "badly storms struck", marks)).types)
    ['structure', 'word-syn']
    """
    left, right = token_words(pair.left), token_words(pair.right)
    ours, theirs = _content(left), _content(right)
    words: list[Phenomenon] = []
    phrases: list[Phenomenon] = []
    for one in pair.phenomena:
        if one.name in REPLACED and one.left and one.right and (one.left & ours or one.right & theirs):
            short = one.name != "semantic" and max(len(one.left & ours), len(one.right & theirs)) < 2
            (words if short else phrases).append(one)
    names = {one.name for one in pair.phenomena}
    holds: dict[Type, bool] = {
        "word-syn": bool(words),
        "phrase-syn": bool(phrases),
        "structure": bool(names & RESTRUCTURED),
        "added": _uncovered(right, left, {place for one in _covering(pair) for place in one.right}) >= ADDED,
        "left-out": _uncovered(left, right, {place for one in _covering(pair) for place in one.left}) >= LEFT_OUT,
        "misinterpret": OTHER_MEANING in names,
    }
    found: set[Type] = {name for name, does in holds.items() if does}
    if not found and not names - SMALL:
        found.add("copy" if names <= {"identical", "dis_punctuation", "dis_punct_format"} else "small-change")
    return TypesMarked(frozenset(found), tuple(words), tuple(phrases))


def token_words(text: str) -> list[tuple[int, Word]]:
    """The words of a tokenised text, each with the number of the token it stands in."""
    starts = []
    place = 0
    for token in text.split():
        place = text.index(token, place)
        starts.append(place)
        place += len(token)
    found = []
    at = 0
    for word in words_of(text):
        while at + 1 < len(starts) and starts[at + 1] <= word.start:
            at += 1
        found.append((at, word))
    return found


def _content(words: list[tuple[int, Word]]) -> set[int]:
    return {token for token, word in words if word.is_content}


def _covering(pair: AnnotatedPair) -> list[Phenomenon]:
    return [one for one in pair.phenomena if one.name in COVERING]


def _uncovered(words: list[tuple[int, Word]], others: list[tuple[int, Word]], covered: set[int]) -> int:
    """Words of content that nothing was marked on, and that the other text does not have in any form."""
    there = {word.lemma for _, word in others}
    return sum(word.is_content and token not in covered and word.lemma not in there for token, word in words)
