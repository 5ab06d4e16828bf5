"""Random keys for sessions and links, the hashes of them that are stored, and tokens against forged forms."""

from __future__ import annotations

import hashlib
import hmac
import secrets

__all__ = ["csrf_matches", "csrf_token", "hash_of_key", "new_key"]

_CSRF_PURPOSE = b"paraloom: this form was made for this session"


def new_key() -> str:
    """A key of 32 random bytes, as 43 characters that are safe in a cookie, a link and a header.

    >>> len(new_key()), new_key() == new_key()
    (43, False)
    """
    return secrets.token_urlsafe(32)


def hash_of_key(key: str) -> str:
    """What to store instead of the key, so that a leaked database opens nothing. A random key needs no salt."""
    return hashlib.sha256(_as_bytes(key)).hexdigest()


def csrf_token(session_key: str) -> str:
    """The token that forms of this session carry; it does not give the session's key away.

    >>> csrf_token("a") == csrf_token("a") != csrf_token("b")
    True
    """
    return hmac.new(_as_bytes(session_key), _CSRF_PURPOSE, hashlib.sha256).hexdigest()


def csrf_matches(session_key: str, given: str | None) -> bool:
    """Whether a form or header brought this session's token; takes equally long for every wrong one."""
    return hmac.compare_digest(_as_bytes(csrf_token(session_key)), _as_bytes(given or ""))


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
