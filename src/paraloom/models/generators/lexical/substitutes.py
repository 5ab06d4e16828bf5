"""What every source of substitutes promises: a phrase in, what may stand for it out; and bases with all their forms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from paraloom.models.generators.lexical.built_in import Entry, built_in_entries
from paraloom.models.generators.lexical.forms import forms_of, irregular_verbs
from paraloom.models.generators.lexical.tags import TAGS

Counts = Mapping[str, Mapping[str, float]]
"""For forms of words, how often each has which tag."""


class Substitute(NamedTuple):
    """What may stand for a phrase."""

    text: str
    score: float
    """From 0 to 1: how sure it is that the meaning stays."""
    tag: str = ""
    """The tag that the phrase must have here; empty where any will do."""
    before: frozenset[str] = frozenset()
    """Tags of which one must follow; none where anything may."""


class Substitutes(Protocol):
    """Knows what may stand for words and phrases."""

    @property
    def signature(self) -> str:
        """Its name, and a hash of the file it was read from if there is one."""

    @property
    def longest(self) -> int:
        """How many words the longest phrase has."""

    @property
    def counts(self) -> Counts:
        """How often forms of words have which tag, as far as it knows."""

    def of(self, phrase: str) -> Sequence[Substitute]:
        """What may stand for a phrase, given in lower case with one space between words."""


_COARSE = {"JJ": "J", "JR": "J", "JS": "J", "RB": "R"}


class Thesaurus:
    """Entries of bases, taken in every form: what replaces a plural is a plural.

    >>> thesaurus = Thesaurus([Entry("buy", "purchase", "V", 0.9, frozenset())], signature="mine")
    >>> [(one.text, one.tag) for one in thesaurus.of("bought")]
    [('purchased', 'VD'), ('purchased', 'VN')]
    """

    def __init__(
        self, entries: Iterable[Entry], *, signature: str, counts: Counts | None = None, verbs: Iterable[str] = ()
    ) -> None:
        """`counts` where more is known of tags than the entries tell; `verbs` are more verbs whose forms have tags."""
        self.signature = signature
        table: defaultdict[str, dict[tuple[str, str], Substitute]] = defaultdict(dict)
        told: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for entry in entries:
            for tag, left, right in _in_all_forms(entry):
                known = table[left].get((right, tag))
                if known is None or known.score < entry.score:
                    table[left][right, tag] = Substitute(right, entry.score, tag, entry.before)
                if tag and " " not in left:
                    told[left][tag] = 1.0
        for verb in verbs:
            for tag, form in forms_of(verb, "V").items():
                told[form][tag] = 1.0
        self._table = {left: tuple(found.values()) for left, found in table.items()}
        self.longest = max((left.count(" ") + 1 for left in self._table), default=0)
        self.counts: Counts = told if counts is None else counts

    def of(self, phrase: str) -> Sequence[Substitute]:
        """What may stand for a phrase in the form it has."""
        return self._table.get(phrase, ())


def _in_all_forms(entry: Entry) -> Iterable[tuple[str, str, str]]:
    """Tag, left and right in every form that both have."""
    if not entry.tag:
        return [("", entry.left, entry.right)]
    left, right = forms_of(entry.left, entry.tag), forms_of(entry.right, entry.tag)
    return [(_COARSE.get(tag, tag), left[tag], right[tag]) for tag in left if tag in right]


def built_in() -> Thesaurus:
    """The hand-written entries.

    >>> [one.text for one in built_in().of("because of")]
    ['due to', 'owing to']
    """
    from hashlib import blake2b

    entries = list(built_in_entries())
    digest = blake2b(repr([(*entry[:4], sorted(entry.before)) for entry in entries]).encode(), digest_size=4)
    return Thesaurus(entries, signature=f"built-in:{digest.hexdigest()}", verbs=irregular_verbs())


def merged_counts(sources: Iterable[Substitutes]) -> dict[str, dict[str, float]]:
    """What all sources know of tags, together."""
    merged: dict[str, dict[str, float]] = {}
    for source in sources:
        for form, tags in source.counts.items():
            known = merged.setdefault(form, {})
            for tag, count in tags.items():
                if tag in TAGS:
                    known[tag] = known.get(tag, 0.0) + count
    return merged
