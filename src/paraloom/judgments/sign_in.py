"""Names and passwords in, sessions out; programs bring tokens. Only hashes of keys are stored.

A password takes long to check on purpose, so it is checked outside of any transaction: `begin_try` and
`stored_password` before, `take_back` after a right one, `note_failure` after a wrong one.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.names import key_of_name, name_counted
from paraloom.judgments.people import COLUMNS, Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_or_change
from paraloom.judgments.store.one_at_a_time import one_at_a_time
from paraloom.web.keys import hash_of_key, new_key
from paraloom.web.throttle import RECENT, Failures, network_of, wait_to_sign_in

SESSION_DAYS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A key for programs, as its owner sees it: the key itself is shown once."""

    token_id: str
    name: str
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """A password that is about to be checked: it is counted as a wrong one until it turns out to be right."""

    at: datetime
    wait: float = 0.0
    """Seconds until the next try; where there are any, the password is not looked at and nothing was counted."""
    last_before: Mapping[str, datetime | None] = field(default_factory=dict)
    """What it was counted by (a name, an address), and when the wrong one before it was."""


def stored_password(connection: Connection, name: str) -> tuple[Person | None, str | None]:
    """Whom the name belongs to and the hash to compare with."""
    row = connection.execute(
        sa.select(*COLUMNS, schema.people.c.password).where(schema.people.c.name_key == key_of_name(name))
    ).one_or_none()
    if row is None:
        return None, None
    values = dict(row._mapping)
    hashed = values.pop("password")
    person = Person(**values)
    return (person, hashed) if person.is_active else (None, None)


def seconds_until_next_try(connection: Connection, name: str, address: str, now: datetime) -> float:
    """How long this name and this address must wait, after failures."""
    by_name, by_address = (_failures(connection, about, now) for about in _counted(name, address))
    return wait_to_sign_in(by_name, by_address, now)


def begin_try(connection: Connection, name: str, address: str, now: datetime) -> Try:
    """Count a try before its password is checked: of many that come at once no more are checked than one by one."""
    counted = _counted(name, address)
    for about in counted:
        one_at_a_time(connection, "sign-in", about)
    wait = seconds_until_next_try(connection, name, address, now)
    if wait > 0:
        return Try(at=now, wait=wait)
    before = {about: _failures(connection, about, now) for about in counted}
    for about, failures in before.items():
        values = {"about": about, "failures": failures.count + 1, "last_at": now}
        insert_or_change(connection, schema.failed_sign_ins, values)
    return Try(at=now, last_before={about: failures.last for about, failures in before.items()})


def take_back(connection: Connection, right: Try) -> None:
    """The password was right: the try counts no longer, and nobody waits because of it."""
    table = schema.failed_sign_ins
    for about, last in right.last_before.items():
        one_at_a_time(connection, "sign-in", about)
        which = table.update().filter_by(about=about)
        connection.execute(which.values(failures=table.c.failures - 1))
        if last is not None:
            connection.execute(which.where(table.c.last_at == right.at).values(last_at=last))
        connection.execute(table.delete().filter_by(about=about).where(table.c.failures < 1))


def note_failure(connection: Connection, now: datetime) -> None:
    """The password was wrong: its try was counted before, and stays counted."""
    note_action(connection, who=None, what="sign-in failed", now=now)


def _failures(connection: Connection, about: str, now: datetime) -> Failures:
    row = connection.execute(sa.select(schema.failed_sign_ins).filter_by(about=about)).one_or_none()
    return Failures() if row is None or now - row.last_at > RECENT else Failures(row.failures, row.last_at)


def _counted(name: str, address: str) -> tuple[str, str]:
    return name_counted(name), f"address:{network_of(address)[:100]}"


def open_session(connection: Connection, person: Person, now: datetime) -> str:
    """A new session; the key goes into a cookie. Always a fresh key: one that came from elsewhere is worth nothing."""
    key = new_key()
    connection.execute(
        schema.sessions.insert().values(
            key_hash=hash_of_key(key),
            person_id=person.person_id,
            created_at=now,
            expires_at=now + timedelta(days=SESSION_DAYS),
        )
    )
    if person.name is not None:
        connection.execute(schema.failed_sign_ins.delete().filter_by(about=name_counted(person.name)))
    connection.execute(schema.sessions.delete().where(schema.sessions.c.expires_at < now))
    note_action(connection, who=person.person_id, what="signed in", now=now)
    return key


def close_session(connection: Connection, key: str, now: datetime) -> None:
    """Sign out: the key opens nothing any more."""
    connection.execute(schema.sessions.delete().filter_by(key_hash=hash_of_key(key)))


def person_of_session(connection: Connection, key: str, now: datetime) -> Person | None:
    """Whose session this key opens, if any."""
    row = connection.execute(_BY_SESSION, {"hashed": hash_of_key(key), "moment": now}).one_or_none()
    return None if row is None else Person(**row._mapping)


def person_of_token(connection: Connection, key: str) -> Person | None:
    """Whose token this key is, if any."""
    row = connection.execute(_BY_TOKEN, {"hashed": hash_of_key(key)}).one_or_none()
    return None if row is None else Person(**row._mapping)


def _by_key(table: sa.Table, still_good: sa.ColumnElement[bool]) -> sa.Executable:
    people = schema.people
    return (
        sa.select(*COLUMNS)
        .join(table, table.c.person_id == people.c.person_id)
        .where(
            table.c.key_hash == sa.bindparam("hashed"),
            still_good,
            people.c.erased_at.is_(None),
            people.c.blocked_at.is_(None),
        )
    )


_BY_SESSION = _by_key(schema.sessions, schema.sessions.c.expires_at > sa.bindparam("moment"))
_BY_TOKEN = _by_key(schema.tokens, schema.tokens.c.revoked_at.is_(None))


def make_token(connection: Connection, person_id: str, name: str, now: datetime) -> tuple[Token, str]:
    """A key for programs, and what is remembered of it."""
    key = new_key()
    token = Token(token_id=secrets.token_hex(6), name=name.strip()[:200] or "token", created_at=now, revoked_at=None)
    connection.execute(
        schema.tokens.insert().values(
            key_hash=hash_of_key(key), token_id=token.token_id, person_id=person_id, name=token.name, created_at=now
        )
    )
    note_action(connection, who=person_id, what="token made", about=token.token_id, now=now)
    return token, key


def tokens_of(connection: Connection, person_id: str) -> list[Token]:
    """A person's tokens, the newest first."""
    table = schema.tokens.c
    rows = connection.execute(
        sa.select(table.token_id, table.name, table.created_at, table.revoked_at)
        .where(table.person_id == person_id)
        .order_by(table.created_at.desc(), table.token_id)
    )
    return [Token(**row._mapping) for row in rows]


def revoke_token(connection: Connection, person_id: str, token_id: str, now: datetime) -> None:
    """The key opens nothing any more."""
    changed = connection.execute(
        schema.tokens.update().filter_by(person_id=person_id, token_id=token_id, revoked_at=None).values(revoked_at=now)
    )
    if not changed.rowcount:
        raise NotFound(f"There is no token {token_id!r} of yours that is still in use.")
    note_action(connection, who=person_id, what="token revoked", about=token_id, now=now)
