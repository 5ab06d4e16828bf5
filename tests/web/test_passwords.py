"""Passwords are hashed slowly, checked alike for everyone, and refused when weak."""

from __future__ import annotations

import time
from statistics import median

import pytest

from paraloom.errors import InputError
from paraloom.web import passwords


def test_a_password_matches_its_own_hash_only() -> None:
    hashed = passwords.hash_password("correct horse battery")
    assert passwords.matches(hashed, "correct horse battery")
    assert not passwords.matches(hashed, "correct horse batter")
    assert not passwords.matches(hashed, "")
    assert not passwords.needs_rehash(hashed)


def test_the_same_password_has_another_hash_each_time() -> None:
    assert passwords.hash_password("correct horse battery") != passwords.hash_password("correct horse battery")


def test_the_same_letters_typed_another_way_are_the_same_password() -> None:
    assert passwords.matches(passwords.hash_password("caf\u00e9 au lait"), "cafe\u0301 au lait")


@pytest.mark.parametrize("hashed", [None, "", "not a hash", "$argon2id$v=19$broken"])
def test_nothing_matches_what_is_no_hash(hashed: str | None) -> None:
    assert not passwords.matches(hashed, "the password of nobody")


@pytest.mark.parametrize("password", ["\ud800" * 12, "x" * 5_000_000, "\0" * 12, "ﷺ" * 1000])
def test_odd_passwords_are_wrong_and_no_crash(password: str) -> None:
    assert not passwords.matches(passwords.hash_password("correct horse battery"), password)


def test_an_unknown_name_takes_as_long_as_a_wrong_password() -> None:
    hashed = passwords.hash_password("correct horse battery")

    def seconds(against: str | None) -> float:
        start = time.perf_counter()
        passwords.matches(against, "wrong horse battery")
        return time.perf_counter() - start

    passwords.matches(None, "warm up")
    known, unknown = zip(*((seconds(hashed), seconds(None)) for _ in range(9)), strict=True)
    assert 0.5 < median(unknown) / median(known) < 2


def test_a_hash_of_another_setting_is_to_be_renewed() -> None:
    older = "$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$K1n2bQn3yQb7n5vQb7u5pQv3q1c0o3h1k9j8l7m6n5o"
    assert passwords.needs_rehash(older)
    assert passwords.needs_rehash("nonsense")


REFUSED = [
    ("short", "", "too short"),
    ("é" * 600, "", "too long"),
    ("QwertyUIOP", "", "first tried"),
    ("aaaaaaaaaaaaaaaa", "", "first tried"),
    ("Ada Lovelace", "ada lovelace", "must not be the name"),
    ("adalovelace123", "AdaLovelace", "must not be the name"),
]


@pytest.mark.parametrize(("password", "name", "reason"), REFUSED)
def test_a_weak_password_is_refused_for_a_reason(password: str, name: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        passwords.refuse_weak(password, name)


@pytest.mark.parametrize(
    "password", ["vier zufällige wörter", "x9!kfPq2#z", "パスワードは長いほうがよい", "ada likes trains at night"]
)
def test_a_fair_password_is_taken(password: str) -> None:
    passwords.refuse_weak(password, "ada")


def test_a_password_too_long_is_not_hashed() -> None:
    with pytest.raises(InputError, match="too long"):
        passwords.hash_password("x" * 1025)
