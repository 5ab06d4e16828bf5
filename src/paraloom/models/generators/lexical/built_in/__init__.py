"""Nothing in, English words and phrases that may stand for each other out: written by hand, so nothing is fetched.

Entries are parted by `;`. `a = b, c` says that a may become b or c, and each of them a; `a > b, c` only the former.
`~b` is a weaker substitute. Behind `/` stand the tags (see `tags.TAGS`; N is every noun, 0 a number) of which one must
follow. All forms of a verb, noun or adjective are covered by its base; in a phrase the verb stands first, the noun
last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paraloom.models.generators.lexical.built_in.modifiers import ADJECTIVES, ADVERBS
from paraloom.models.generators.lexical.built_in.nouns import NOUNS
from paraloom.models.generators.lexical.built_in.phrases import CONTRACTIONS, PHRASES
from paraloom.models.generators.lexical.built_in.verbs import VERBS

GOOD, WEAKER = 0.85, 0.65
_LISTS = {"V": VERBS, "N": NOUNS, "J": ADJECTIVES, "R": ADVERBS, "": PHRASES + CONTRACTIONS}


class Entry(NamedTuple):
    """One word or phrase that may stand for another."""

    left: str
    right: str
    tag: str
    """V, N, J or R of a word that has forms (or is an adverb); empty where the words are taken as they stand."""
    score: float
    before: frozenset[str]
    """Tags of which one must follow; none where anything may."""


def built_in_entries() -> Iterator[Entry]:
    """Every entry, a direction at a time.

    >>> sorted(entry.right for entry in built_in_entries() if entry.left == "movie")
    ['film']
    """
    for tag, listed in _LISTS.items():
        for entry in listed.replace("\n", " ").split(";"):
            if entry.strip():
                yield from _read(entry, tag)


def _read(entry: str, tag: str) -> Iterator[Entry]:
    said, _, condition = entry.partition("/")
    before = frozenset(one for name in condition.split() for one in (("NN", "NS") if name == "N" else (name,)))
    both = "=" in said
    left, _, rights = said.partition("=" if both else ">")
    for right in rights.split(","):
        score = WEAKER if "~" in right else GOOD
        one, other = " ".join(left.split()), " ".join(right.replace("~", "").split())
        yield Entry(one, other, tag, score, before)
        if both:
            yield Entry(other, one, tag, score, before)
