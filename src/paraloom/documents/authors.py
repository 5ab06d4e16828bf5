"""Authors' names in, salted hashes out: the same person stays the same, and stays unnamed."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=1 << 17)
def author_hash(name: str, salt: str) -> str:
    """The hash of an account's name; case, an `@` in front and white space around do not matter.

    >>> author_hash("@Ada", "s") == author_hash("ada", "s") != author_hash("ada", "t")
    True
    """
    plain = name.strip().removeprefix("@").casefold()
    keyed = blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=8, key=_key(salt))
    return "a_" + keyed.hexdigest()


@lru_cache(maxsize=16)
def _key(salt: str) -> bytes:
    return blake2b(salt.encode("utf-8", "surrogatepass"), digest_size=32).digest()
