"""A source and an output in, out comes whether the output all but copies it, however it is padded or misspelt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

from paraloom.metrics.diversity.copying import wording
from paraloom.metrics.diversity.edit_ratio import edit_ratio

NEAR = 0.2
"""A near copy differs from its source by at most this share of its words, or of its letters."""
SAME_WORD = 0.7
"""Words as much alike as this, by letters, are taken for one word misspelt or inflected."""
ENOUGH_WORDS = 4
"""Of shorter sources, a paraphrase may well hold every word."""


def prepare_near_copies(sources: Sequence[str]) -> Callable[[Sequence[str]], list[bool]]:
    """Read the sources once; what is returned tells of each output whether it is a near copy of its own source."""
    wordings = [wording(source) for source in sources]

    def near_copies(outputs: Sequence[str]) -> list[bool]:
        return [
            _is_near(source, plain, output) for source, plain, output in zip(sources, wordings, outputs, strict=True)
        ]

    return near_copies


def is_near_copy(source: str, output: str) -> bool:
    """Whether at most a fifth of the words or letters must be edited, or four fifths of the source stand in the output.

    >>> is_near_copy("a storm hit the coast last night", "well, a storm hit the coast last night, or so I was told")
    True
    >>> is_near_copy("a storm hit the coast last night", "a stiorm hits the coasd lest night")
    True
    >>> is_near_copy("a storm hit the coast last night", "last night the coast was struck by a gale")
    False
    """
    return _is_near(source, wording(source), output)


def kept_in_order(source: Sequence[str], output: Sequence[str]) -> float:
    """The share of the source's words that stand in the output in their order; padding does not lower it.

    >>> kept_in_order("a storm hit us".split(), "they say a storms hit the coast".split())
    0.75
    """
    known = set(source)
    meant = [word if word in known else _meant(word, source) for word in output]
    return LCSseq.similarity(source, meant) / len(source) if source else 0.0


def _is_near(source: str, plain: str, output: str) -> bool:
    written = wording(output)
    if not written:
        return False
    if edit_ratio(source, output) <= NEAR or Levenshtein.normalized_similarity(plain, written) >= 1 - NEAR:
        return True
    words = plain.split()
    return len(words) >= ENOUGH_WORDS and kept_in_order(words, written.split()) >= 1 - NEAR


def _meant(word: str, source: Sequence[str]) -> str:
    """The source's word that this one is a misspelling or a form of; else the word itself."""
    found = process.extractOne(word, source, scorer=Levenshtein.normalized_similarity, score_cutoff=SAME_WORD)
    return word if found is None else found[0]
