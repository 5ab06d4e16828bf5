"""Keys are random, stored as hashes, and give tokens that fit their own session only."""

from __future__ import annotations

import re

import pytest

from paraloom.web.keys import csrf_matches, csrf_token, hash_of_key, new_key


def test_keys_are_random_and_safe_everywhere() -> None:
    keys = {new_key() for _ in range(200)}
    assert len(keys) == 200
    assert all(re.fullmatch(r"[\w-]{43}", key) for key in keys)


def test_only_a_hash_of_the_key_is_stored() -> None:
    key = new_key()
    assert re.fullmatch(r"[0-9a-f]{64}", hash_of_key(key))
    assert key not in hash_of_key(key)
    assert hash_of_key(key) == hash_of_key(key) != hash_of_key(new_key())


def test_a_token_fits_its_session() -> None:
    mine, other = new_key(), new_key()
    assert csrf_matches(mine, csrf_token(mine))
    assert not csrf_matches(mine, csrf_token(other))


def test_the_token_is_not_the_stored_hash() -> None:
    key = new_key()
    assert csrf_token(key) not in (key, hash_of_key(key))


@pytest.mark.parametrize("given", [None, "", "é", "\ud800", "0" * 64, "0" * 10_000])
def test_anything_else_does_not_fit(given: str | None) -> None:
    assert not csrf_matches(new_key(), given)
