"""Texts in, a sample of them out that does not depend on their order."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from heapq import nsmallest


def sample_of(texts: Iterable[str], most: int, seed: int = 1) -> list[str]:
    """At most so many of the distinct texts, chosen and ordered by a hash of each; 0 keeps all.

    >>> sample_of(["a", "b", "c", "b"], 2) == sample_of(["c", "b", "a"], 2)
    True
    """
    salt = seed.to_bytes(8, "little", signed=True)

    def rank(text: str) -> bytes:
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, salt=salt).digest()

    distinct = dict.fromkeys(texts)
    return nsmallest(most, distinct, rank) if most else sorted(distinct, key=rank)
