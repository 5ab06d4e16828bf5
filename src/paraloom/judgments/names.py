"""Names of people in, names that can be told apart out."""

from __future__ import annotations

import re
import unicodedata

from paraloom.errors import InputError

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Kinds of characters that cannot be seen: two names could look the same."""


def checked_name(name: str) -> str:
    """A name that can be told from others: trimmed, one way of writing each letter, nothing invisible.

    >>> checked_name(" Ann "), checked_name("Zoe\\u0308")
    ('Ann', 'Zoë')
    """
    plain = unicodedata.normalize("NFKC", name).strip()
    if not 1 <= len(plain) <= 80:
        raise InputError("A name has 1 to 80 characters.")
    if any(unicodedata.category(letter) in UNSEEN for letter in plain):
        raise InputError("The name holds a character that cannot be seen. Leave it out.")
    if re.match(r"(?i)(erased\b|service$)", plain):
        raise InputError(f"The name {plain!r} is kept for the service itself. Choose another.")
    return plain


def key_of_name(name: str) -> str:
    """What names are compared by: however one capitalises or composes it, it is the same name.

    >>> key_of_name("ÉVA") == key_of_name(" éva") == key_of_name("e\\u0301va")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())
    return folded[:360]


def name_counted(name: str) -> str:
    """What failures to sign in under a name are counted by."""
    return f"name:{key_of_name(name)[:190]}"
