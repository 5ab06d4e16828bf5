"""Pairs in, the group of each out: what shares a text, a link or a topic must not be parted by a split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from paraloom.corpus.known.pairs import KnownPairs
from paraloom.corpus.text_key import text_key
from paraloom.graphs import clusters


def group_pairs(left: Sequence[str], right: Sequence[str], shared: Sequence[str | None] | None = None) -> list[str]:
    """One group a pair: pairs are in the same one where a chain of shared texts joins them, or what `shared` names.

    Texts are compared by `text_key`; what is empty joins nothing.

    >>> one, two, three = group_pairs(["a storm", "A storm!", "rain"], ["it blew", "gale", "it poured"])
    >>> one == two, one == three
    (True, False)
    """
    links = []
    for row, (one, other) in enumerate(zip(left, right, strict=True)):
        pair = f"pair {row:09d}"
        links += [(pair, f"text {key}") for key in (text_key(one), text_key(other)) if key]
        if shared is not None and shared[row]:
            links.append((pair, f"shared {shared[row]}"))
        links.append((pair, pair))
    found = clusters(links)
    first: dict[str, str] = {}
    names = []
    for row, (one, other) in enumerate(zip(left, right, strict=True)):
        cluster = found[f"pair {row:09d}"]
        names.append(first.setdefault(cluster, group_name(one, other)))
    return names


def regrouped(pairs: KnownPairs) -> KnownPairs:
    """The same pairs with groups joined where they share a text, as those of several corpora may.

    A group is named as its first pair's was: where none is joined, nothing changes.

    >>> from numpy import ones
    >>> left, right = ["storm", "Storm!", "rain"], ["gale", "wind", "sun"]
    >>> regrouped(KnownPairs(left=left, right=right, targets=ones(3), groups=["x", "y", "z"])).groups
    ['x', 'x', 'z']
    """
    name_of: dict[str, str] = {}
    together = group_pairs(pairs.left, pairs.right, pairs.groups)
    groups = [name_of.setdefault(cluster, group) for cluster, group in zip(together, pairs.groups, strict=True)]
    return replace(pairs, groups=groups)


def group_name(*texts: str) -> str:
    """A short name for a group, from the texts of its first pair.

    >>> group_name("a storm"), group_name("rain")
    ('9d389579fed5', 'fceb4e7e258f')
    """
    return blake2b("\n".join(texts).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
