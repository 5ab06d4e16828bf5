"""Accounts: names that can be told apart, roles, an admin who stays, and identities that can be forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.audit import actions
from paraloom.judgments.names import checked_name
from paraloom.judgments.people import (
    add_person,
    block,
    change_password,
    change_role,
    erase_identity,
    everybody,
    person_named,
    person_of,
)
from paraloom.judgments.sign_in import make_token, open_session, person_of_session, person_of_token, stored_password
from paraloom.judgments.store import schema


def add(database, name: str, now, role: str = "annotator"):
    return database.write(lambda c: add_person(c, name=name, hashed="hash", role=role, now=now, by="x"))


def test_somebody_is_found_by_name_however_it_is_written(database, now) -> None:
    zoe = add(database, "  Zoë ", now)
    assert zoe.name == "Zoë"
    for name in ("zoë", "ZOË", "Zoe\u0308"):
        found = database.read(lambda c, name=name: person_named(c, name))
        assert found == zoe
    assert database.read(lambda c: person_named(c, "Zoe")) is None


@pytest.mark.parametrize("name", ["Éva", "ÉVA", "éva ", "E\u0301va", "Éｖａ"])
def test_two_people_cannot_have_one_name(database, now, name: str) -> None:
    add(database, "Éva", now)
    with pytest.raises(Clash, match="taken"):
        add(database, name, now)
    assert len(database.read(everybody)) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "1 to 80"),
        ("   ", "1 to 80"),
        ("x" * 81, "1 to 80"),
        ("Ann\u202eadmin", "cannot be seen"),
        ("Ann\x00", "cannot be seen"),
        ("A\u200bnn", "cannot be seen"),
        ("service", "kept for the service"),
        ("Erased 12ab", "kept for the service"),
    ],
)
def test_a_name_that_misleads_is_refused(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        checked_name(name)


@given(st.text(max_size=90))
def test_a_name_that_is_taken_stays_as_it_is(name: str) -> None:
    try:
        kept = checked_name(name)
    except InputError:
        return
    assert checked_name(kept) == kept


def test_there_is_always_an_admin(database, now) -> None:
    root = add(database, "Root", now, "admin")
    for leave in (
        lambda c: change_role(c, root.person_id, "annotator", now=now, by="x"),
        lambda c: block(c, root.person_id, blocked=True, now=now, by="x"),
        lambda c: erase_identity(c, root.person_id, now=now, by="x"),
    ):
        with pytest.raises(NotAllowed, match="last admin"):
            database.write(leave)
    add(database, "Other", now, "admin")
    database.write(lambda c: change_role(c, root.person_id, "annotator", now=now, by="x"))
    assert database.read(lambda c: person_of(c, root.person_id)).role == "annotator"


@pytest.mark.parametrize("way", ["block", "erase"])
def test_whoever_is_shut_out_has_no_way_in(database, now, way: str) -> None:
    ann = add(database, "Ann", now)
    session = database.write(lambda c: open_session(c, ann, now))
    _, token = database.write(lambda c: make_token(c, ann.person_id, "mine", now))
    assert database.read(lambda c: person_of_session(c, session, now)) == ann
    assert database.read(lambda c: person_of_token(c, token)) == ann
    if way == "block":
        database.write(lambda c: block(c, ann.person_id, blocked=True, now=now, by="x"))
    else:
        database.write(lambda c: erase_identity(c, ann.person_id, now=now, by="x"))
    assert database.read(lambda c: person_of_session(c, session, now)) is None
    assert database.read(lambda c: person_of_token(c, token)) is None
    assert database.read(lambda c: stored_password(c, "Ann")) == (None, None)


def test_a_new_password_ends_every_session(database, now) -> None:
    ann = add(database, "Ann", now)
    session = database.write(lambda c: open_session(c, ann, now))
    database.write(lambda c: change_password(c, ann.person_id, "other", now=now, by=ann.person_id))
    assert database.read(lambda c: person_of_session(c, session, now)) is None


def test_a_session_ends_by_itself(database, now) -> None:
    ann = add(database, "Ann", now)
    session = database.write(lambda c: open_session(c, ann, now))
    assert database.read(lambda c: person_of_session(c, session, now + timedelta(days=13))) == ann
    assert database.read(lambda c: person_of_session(c, session, now + timedelta(days=15))) is None


def test_only_hashes_of_keys_and_passwords_are_stored(database, now) -> None:
    ann = add(database, "Ann", now)
    session = database.write(lambda c: open_session(c, ann, now))
    _, token = database.write(lambda c: make_token(c, ann.person_id, "mine", now))
    stored = database.read(
        lambda c: [str(row) for table in schema.metadata.sorted_tables for row in c.execute(sa.select(table))]
    )
    assert not [row for row in stored if session in row or token in row]


def test_nobody_is_told_of_somebody_who_is_not_there(database) -> None:
    with pytest.raises(NotFound, match="nobody"):
        database.read(lambda c: person_of(c, "none"))


def test_what_is_done_to_accounts_is_in_the_log(database, now) -> None:
    ann = add(database, "Ann", now)
    database.write(lambda c: change_role(c, ann.person_id, "expert", now=now, by="root"))
    database.write(lambda c: block(c, ann.person_id, blocked=True, now=now, by="root"))
    database.write(lambda c: block(c, ann.person_id, blocked=False, now=now, by="root"))
    database.write(lambda c: erase_identity(c, ann.person_id, now=now, by="root"))
    log = database.read(actions)
    assert [(one.who, one.what) for one in reversed(log)] == [
        ("x", "person added"),
        ("root", "role changed"),
        ("root", "person blocked"),
        ("root", "person unblocked"),
        ("root", "identity erased"),
    ]
    assert not [one for one in log if "Ann" in str(one)]  # an erased name is in no log either
