"""Pairs in, parts of them out, with no group in two parts: development sets and folds of our own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known.pairs import KnownPairs
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError


def split_by_group(pairs: KnownPairs, shares: Mapping[str, float], seed: int) -> dict[str, KnownPairs]:
    """The pairs in parts of these shares, as near as whole groups allow; the order within a part is the file's.

    >>> texts = [f"text {number}" for number in range(10)]
    >>> pairs = KnownPairs(left=texts, right=texts, targets=np.zeros(10), groups=texts)
    >>> {name: len(part) for name, part in split_by_group(pairs, {"train": 0.8, "dev": 0.2}, seed=1).items()}
    {'train': 8, 'dev': 2}
    """
    if not shares or min(shares.values()) <= 0:
        raise InputError(f"Every part needs a share above 0, but they are {dict(shares)}.")
    whole = sum(shares.values())
    parts = _dealt(pairs.groups, [share / whole for share in shares.values()], seed)
    return {name: pairs.chosen(rows) for name, rows in zip(shares, parts, strict=True)}


def folds_by_group(pairs: KnownPairs, folds: int, seed: int) -> list[NDArray[np.int64]]:
    """The numbers of the pairs of each fold, for cross-validation: as even in pairs as whole groups allow.

    >>> texts = ["a", "a", "a", "b", "c", "d"]
    >>> pairs = KnownPairs(left=texts, right=texts, targets=np.zeros(6), groups=texts)
    >>> sorted(rows.tolist() for rows in folds_by_group(pairs, 2, seed=1))
    [[0, 1, 2], [3, 4, 5]]
    """
    groups = len(set(pairs.groups))
    if not 2 <= folds <= groups:
        raise InputError(
            f"{groups} groups of pairs cannot be parted into {folds} folds. Give 2 or more, at most {groups}."
        )
    return _dealt(pairs.groups, [1 / folds] * folds, seed)


def at_most(pairs: KnownPairs, most: int, seed: int) -> KnownPairs:
    """About so many pairs, in whole groups, for a quick look: all where `most` is 0, and never none.

    >>> texts = ["a", "a", "a", "b", "b", "c"]
    >>> pairs = KnownPairs(left=texts, right=texts, targets=np.zeros(6), groups=texts)
    >>> at_most(pairs, 2, seed=1).left, at_most(pairs, 0, seed=1).left == texts
    (['b', 'b'], True)
    """
    if most <= 0 or len(pairs) <= most:
        return pairs
    shares = {"kept": most / len(pairs), "left out": 1 - most / len(pairs)}
    kept = split_by_group(pairs, shares, seed)["kept"]
    if len(kept):
        return kept
    sizes = Counter(pairs.groups)
    smallest = min(sizes, key=lambda group: (sizes[group], group))
    return pairs.chosen([row for row, group in enumerate(pairs.groups) if group == smallest])


def without_texts_of(pairs: KnownPairs, *others: KnownPairs) -> KnownPairs:
    """The pairs that have no text of the others on either side, as `text_key` compares them.

    What is learned from must not tell of what is measured on: a shared pair tells its label, a shared text its kind.
    An empty text, which joins no groups either, is not counted as shared.

    >>> train = KnownPairs(left=["A storm.", "rain"], right=["gale", "sun"], targets=np.zeros(2), groups=["1", "2"])
    >>> test = KnownPairs(left=["hail"], right=["a storm"], targets=np.zeros(1), groups=["1"])
    >>> without_texts_of(train, test).left
    ['rain']
    """
    known = {text_key(text) for other in others for text in (*other.left, *other.right)} - {""}
    keys = zip(map(text_key, pairs.left), map(text_key, pairs.right), strict=True)
    return pairs.chosen([row for row, both in enumerate(keys) if known.isdisjoint(both)])


def _dealt(groups: Sequence[str], shares: Sequence[float], seed: int) -> list[NDArray[np.int64]]:
    """Groups go, the largest first and equals in drawn order, to the part that has least of its share."""
    rows_of: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        rows_of.setdefault(group, []).append(row)
    names = sorted(rows_of)
    drawn = np.random.default_rng(seed).permutation(len(names))
    order = sorted(range(len(names)), key=lambda place: (-len(rows_of[names[place]]), drawn[place]))
    parts: list[list[int]] = [[] for _ in shares]
    for place in order:
        rows = rows_of[names[place]]
        # The part that would lie least above its share, and of equal parts the first.
        part = min(range(len(shares)), key=lambda part: (len(parts[part]) + len(rows)) / shares[part])
        parts[part] += rows
    return [np.array(sorted(rows), np.int64) for rows in parts]
