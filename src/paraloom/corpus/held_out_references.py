"""Pairs of paraphrases in, a set with several references a source out, and every text that training must leave out.

A corpus for generators has one paraphrase beside each text, yet its pairs join many texts: what stands in pairs with
one text, directly, are paraphrases of it that different people wrote. Clusters are held out whole, so that a generator
that learns from the rest has met none of their texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.graphs import clusters
from paraloom.metrics.evaluation_set import EvaluationSet


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutOptions:
    """Which clusters and texts make a source with several references."""

    most: int = 200
    """At most so many sources, one a cluster."""
    min_cluster: int = 6
    """Smaller clusters are not held out."""
    max_cluster: int = 60
    """Nor are larger ones: a long chain of pairs no longer says one thing."""
    min_references: int = 4
    """A source has at least so many texts in pairs with it."""
    max_references: int = 12
    """And at most so many."""
    min_words: int = 5
    """A source has at least so many words, counted by blanks."""
    max_words: int = 25
    """And at most so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutReferences:
    """Sources with several references, and all that belongs to their clusters."""

    evaluation_set: EvaluationSet
    texts: tuple[str, ...]
    """Every text of the clusters that the sources are of: what training must not see."""
    clusters: int
    """How many clusters would have done."""
    known: int
    """Clusters passed over because one of their texts stands in another set."""


def hold_out_references(
    pairs: Sequence[tuple[str, str]], known: Iterable[str] = (), options: HeldOutOptions = HeldOutOptions()
) -> HeldOutReferences:
    """One source a cluster, with the texts that stand in pairs with it as references.

    Texts are told apart by their letters and digits. Clusters that hold a text of `known`, which other sets are made
    of, are passed over. Which clusters and which of their texts is decided by hashes: the order of the pairs is not.

    >>> four = [("a storm hit the coast", f"gale number {n} hit us") for n in range(5)]
    >>> held = hold_out_references(four)
    >>> held.evaluation_set.sources, len(held.evaluation_set.references[0]), len(held.texts)
    (('a storm hit the coast',), 5, 6)
    """
    spelt: dict[str, str] = {}
    beside: dict[str, set[str]] = defaultdict(set)
    for left, right in pairs:
        one, other = text_key(left), text_key(right)
        for key, text in ((one, left), (other, right)):
            spelt[key] = min(spelt.get(key, text), text, key=lambda one: (len(one), one))  # no mentions, if it can be
        if one != other:
            beside[one].add(other)
            beside[other].add(one)
    members: dict[str, list[str]] = defaultdict(list)
    for key, name in clusters([(one, other) for one in beside for other in beside[one] if one < other]).items():
        members[name].append(key)
    elsewhere = {text_key(text) for text in known}
    found: list[tuple[str, str]] = []
    passed_over = 0
    for name, keys in members.items():
        source = _source(keys, spelt, beside, options)
        if source is None:
            continue
        if elsewhere.isdisjoint(keys):
            found.append((name, source))
        else:
            passed_over += 1
    if not found:
        raise InputError(
            f"Of {len(members):,} clusters of pairs none has a source with {options.min_references} or more references "
            "that no other set knows. Give more pairs."
        )
    chosen = sorted(found, key=lambda one: place_of(one[0]))[: options.most]
    return HeldOutReferences(
        evaluation_set=EvaluationSet.of(
            [spelt[source] for _, source in chosen],
            [sorted(spelt[key] for key in beside[source]) for _, source in chosen],
        ),
        texts=tuple(sorted(spelt[key] for name, _ in chosen for key in members[name])),
        clusters=len(found),
        known=passed_over,
    )


def place_of(text: str) -> str:
    """Where a text stands in an order that has nothing to do with the file it came from: its hash.

    >>> sorted(["a", "b", "c"], key=place_of)
    ['c', 'a', 'b']
    """
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _source(
    keys: Sequence[str], spelt: dict[str, str], beside: dict[str, set[str]], options: HeldOutOptions
) -> str | None:
    """The text of a cluster that becomes its source: of all that fit, the first by hash."""
    if not options.min_cluster <= len(keys) <= options.max_cluster:
        return None
    able = [
        key
        for key in keys
        if options.min_references <= len(beside[key]) <= options.max_references
        and options.min_words <= len(spelt[key].split()) <= options.max_words
    ]
    return min(able, key=place_of, default=None)
