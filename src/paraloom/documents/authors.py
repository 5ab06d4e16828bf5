"""Authors' names and ids that hold one in, salted hashes out: the same person stays the same, and stays unnamed."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


def account_name(name: str) -> str:
    """The one form of an account's name: case, an `@` in front and white space around do not matter.

    >>> account_name(" @Ada ") == account_name("ada")
    True
    """
    return name.strip().removeprefix("@").casefold()


@lru_cache(maxsize=1 << 17)
def author_hash(name: str, salt: str) -> str:
    """The hash of an account's name.

    >>> author_hash("@Ada", "s") == author_hash("ada", "s") != author_hash("ada", "t")
    True
    """
    return "a_" + _hash(account_name(name), salt)


def without_name(native_id: str, salt: str) -> str:
    """A post's native id: a number as it is, else its hash, since all others may hold their author's name.

    >>> without_name("1610123", "s"), without_name("https://social.example/users/ada/statuses/1", "s")[:2]
    ('1610123', 'n_')
    """
    return native_id if native_id.isascii() and native_id.isdigit() else "n_" + _hash(native_id, salt)


def _hash(text: str, salt: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=_key(salt)).hexdigest()


@lru_cache(maxsize=16)
def _key(salt: str) -> bytes:
    return blake2b(salt.encode("utf-8", "surrogatepass"), digest_size=32).digest()
