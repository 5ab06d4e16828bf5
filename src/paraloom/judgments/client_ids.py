"""An id that a client drew in; out comes whether it can be one. What is sent twice under the same id is stored once."""

from __future__ import annotations

SHORTEST, LONGEST = 8, 100


def is_client_id(drawn: str) -> bool:
    """Long enough that nobody draws it twice, and of characters that every program sends alike.

    >>> is_client_id("drawn-anew-1"), is_client_id("short"), is_client_id("gezogen für eins")
    (True, False, False)
    """
    return SHORTEST <= len(drawn) <= LONGEST and drawn.isascii() and drawn.isprintable()
