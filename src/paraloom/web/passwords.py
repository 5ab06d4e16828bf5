"""Passwords in, argon2id hashes out; and whether a password is the one behind a hash."""

from __future__ import annotations

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from paraloom.errors import InputError

__all__ = ["LEAST_CHARACTERS", "MOST_BYTES", "hash_password", "matches", "needs_rehash", "refuse_weak"]

LEAST_CHARACTERS = 10
MOST_BYTES = 1024
_TOO_LONG = f"The password is too long: it may have at most {MOST_BYTES} bytes."
WORST = frozenset(
    (
        *("0123456789", "1111111111", "1122334455", "1234512345", "1234567890", "12345678910"),
        *("123456789a", "1q2w3e4r5t", "abcdefghij", "adminadmin", "changeme123", "iloveyou123"),
        *("letmein123", "password12", "password123", "password1234", "passwordpassword", "q1w2e3r4t5"),
        *("qwerty12345", "qwerty123456", "qwertyuiop", "qwertyuiop123", "welcome123", "zaq12wsxcde3"),
    )
)

# OWASP's argon2id setting for servers (19 MiB, two passes): forty sign-ins at once still fit a small machine.
_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def hash_password(password: str) -> str:
    """The argon2id hash to store, with its salt and setting inside.

    >>> hash_password("correct horse battery").startswith("$argon2id$")
    True
    """
    given = _as_bytes(password)
    if len(given) > MOST_BYTES:
        raise InputError(_TOO_LONG)
    return _hasher.hash(given)


def matches(hashed: str | None, password: str) -> bool:
    """Whether the password is the one behind the hash. Without a hash the same work is done, and the answer is no.

    So the time an answer takes does not tell whether a name exists.

    >>> matches(hash_password("correct horse battery"), "correct horse battery"), matches(None, "anything at all")
    (True, False)
    """
    given = _as_bytes(password)
    fits = len(given) <= MOST_BYTES
    try:
        right = _hasher.verify(_stand_in() if hashed is None else hashed, given if fits else b"")
    except (VerificationError, InvalidHashError):
        return False
    return right and fits and hashed is not None


def needs_rehash(hashed: str) -> bool:
    """Whether the hash was made with an older setting: hash the password anew at the next sign-in."""
    try:
        return _hasher.check_needs_rehash(hashed)
    except InvalidHashError:
        return True


def refuse_weak(password: str, name: str = "") -> None:
    """Raise InputError, with a sentence for the person, if the password is too short, too long or easily guessed.

    >>> refuse_weak("qwertyuiop")
    Traceback (most recent call last):
    paraloom.errors.InputError: This password is among the first tried. Choose another, such as four random words.
    """
    if len(password) < LEAST_CHARACTERS:
        raise InputError(f"The password is too short: it needs at least {LEAST_CHARACTERS} characters.")
    if len(_as_bytes(password)) > MOST_BYTES:
        raise InputError(_TOO_LONG)
    plain = _plain(password)
    if plain in WORST or len(set(plain)) < 3:
        raise InputError("This password is among the first tried. Choose another, such as four random words.")
    if _plain(name) and plain.replace(_plain(name), "").strip("0123456789!?.-_ ") == "":
        raise InputError("The password must not be the name. Choose another, such as four random words.")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _as_bytes(password: str) -> bytes:
    """É typed as one sign or as two is the same password."""
    return unicodedata.normalize("NFKC", password[: MOST_BYTES + 1]).encode("utf-8", "surrogatepass")


@cache
def _stand_in() -> str:
    return _hasher.hash(b"the password of nobody")
