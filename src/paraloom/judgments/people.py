"""Names and roles in, people out; and the end of a person's identity while their judgments stay."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.names import checked_name, key_of_name, name_counted
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new

Role = Literal["admin", "expert", "annotator"]
ROLES: tuple[Role, ...] = ("admin", "expert", "annotator")

SERVICE = "service"
"""Who did what the service does by itself, and what is done from the command line."""

DEMO_NAME = "Demo"
"""Whom the demonstration signs in."""

SIMULATED = "sim-"
"""What the names of simulated annotators begin with; nobody who makes an account can choose such a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who can sign in. Judgments name the id alone, so an identity can be erased without them."""

    person_id: str
    name: str | None
    """None once the identity was erased."""
    role: Role
    language: str | None
    created_at: datetime
    erased_at: datetime | None
    blocked_at: datetime | None

    @property
    def is_active(self) -> bool:
        """Can sign in."""
        return self.erased_at is None and self.blocked_at is None

    @property
    def is_simulated(self) -> bool:
        """Nobody is behind the account: a simulation made it, and shut it when it was over."""
        return self.name is not None and self.name.startswith(SIMULATED)

    @property
    def shown_name(self) -> str:
        """What pages call this person."""
        return self.name or f"erased {self.person_id[:6]}"


COLUMNS = tuple(schema.people.c[name] for name in Person.__dataclass_fields__)


def add_person(
    connection: Connection,
    *,
    name: str,
    hashed: str | None,
    role: Role,
    now: datetime,
    by: str,
    language: str | None = None,
) -> Person:
    """A new person; without a hashed password only tokens open the door."""
    name = checked_name(name)
    if role not in ROLES:
        raise InputError(f"There is no role {role!r}. Choose one of: {', '.join(ROLES)}.")
    person = Person(
        person_id=secrets.token_hex(8),
        name=name,
        role=role,
        language=language,
        created_at=now,
        erased_at=None,
        blocked_at=None,
    )
    values = {field: getattr(person, field) for field in Person.__dataclass_fields__}
    values |= {"password": hashed, "name_key": key_of_name(name)}
    if not insert_new(connection, schema.people, values):
        raise Clash(f"The name {name!r} is taken. Choose another.")
    note_action(connection, who=by, what="person added", about=person.person_id, now=now, detail={"role": role})
    return person


def person_of(connection: Connection, person_id: str) -> Person:
    """The person with that id."""
    row = connection.execute(sa.select(*COLUMNS).where(schema.people.c.person_id == person_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is nobody with the id {person_id!r}.")
    return Person(**row._mapping)


def has_password(connection: Connection, person_id: str) -> bool:
    """Whether somebody signs in with a password, rather than working by token alone."""
    return connection.scalar(sa.select(schema.people.c.password).filter_by(person_id=person_id)) is not None


def person_named(connection: Connection, name: str) -> Person | None:
    """The person of that name, however it is capitalised."""
    row = connection.execute(sa.select(*COLUMNS).where(schema.people.c.name_key == key_of_name(name))).one_or_none()
    return None if row is None else Person(**row._mapping)


def has_admin_who_signs_in(connection: Connection) -> bool:
    """Whether there is an admin with a password: the demonstration and programs have none."""
    people = schema.people.c
    found = sa.select(people.person_id).where(
        people.role == "admin", people.password.is_not(None), people.blocked_at.is_(None), people.erased_at.is_(None)
    )
    return connection.scalar(found.limit(1)) is not None


def everybody(connection: Connection) -> list[Person]:
    """All people, the newest first."""
    rows = connection.execute(
        sa.select(*COLUMNS).order_by(schema.people.c.created_at.desc(), schema.people.c.person_id)
    )
    return [Person(**row._mapping) for row in rows]


def change_role(connection: Connection, person_id: str, role: Role, *, now: datetime, by: str) -> None:
    """Give another role; the last admin stays one."""
    person = person_of(connection, person_id)
    if role not in ROLES:
        raise InputError(f"There is no role {role!r}. Choose one of: {', '.join(ROLES)}.")
    if person.role == "admin" and role != "admin":
        _keep_an_admin(connection, person_id)
    connection.execute(schema.people.update().filter_by(person_id=person_id).values(role=role))
    note_action(connection, who=by, what="role changed", about=person_id, now=now, detail={"role": role})


def change_password(connection: Connection, person_id: str, hashed: str, *, now: datetime, by: str) -> None:
    """Another password; every session of the person ends."""
    connection.execute(schema.people.update().filter_by(person_id=person_id).values(password=hashed))
    connection.execute(schema.sessions.delete().filter_by(person_id=person_id))
    note_action(connection, who=by, what="password changed", about=person_id, now=now)


def block(connection: Connection, person_id: str, *, blocked: bool, now: datetime, by: str) -> None:
    """Shut the door to somebody, or open it again. What they said stays."""
    person = person_of(connection, person_id)
    if blocked and person_id == by:
        raise NotAllowed("You cannot shut yourself out. Another admin can.")
    if not blocked and person.is_simulated:
        raise NotAllowed("This annotator was simulated: there is nobody to let in.")
    if blocked and person.role == "admin":
        _keep_an_admin(connection, person_id)
    connection.execute(
        schema.people.update().filter_by(person_id=person_id).values(blocked_at=now if blocked else None)
    )
    if blocked:
        _close_doors(connection, person_id, now)
    note_action(connection, who=by, what="person blocked" if blocked else "person unblocked", about=person_id, now=now)


def erase_identity(connection: Connection, person_id: str, *, now: datetime, by: str) -> None:
    """Forget who somebody was: name, password, sessions, tokens. Judgments keep an id that leads nowhere."""
    person = person_of(connection, person_id)
    if person.role == "admin":
        _keep_an_admin(connection, person_id)
    connection.execute(
        schema.people.update()
        .filter_by(person_id=person_id)
        .values(name=None, name_key=None, password=None, language=None, erased_at=now)
    )
    if person.name is not None:
        connection.execute(schema.failed_sign_ins.delete().filter_by(about=name_counted(person.name)))
    _close_doors(connection, person_id, now)
    connection.execute(schema.tokens.update().filter_by(person_id=person_id).values(name="erased"))
    note_action(connection, who=by, what="identity erased", about=person_id, now=now)


def _close_doors(connection: Connection, person_id: str, now: datetime) -> None:
    connection.execute(schema.sessions.delete().filter_by(person_id=person_id))
    connection.execute(schema.tokens.update().filter_by(person_id=person_id, revoked_at=None).values(revoked_at=now))
    held = schema.assignments
    leases = held.update().where(held.c.person_id == person_id, held.c.state == "leased")
    connection.execute(leases.values(expires_at=now))  # what they hold goes to others, and not only when it runs out


def _keep_an_admin(connection: Connection, leaving: str) -> None:
    people = schema.people.c
    others = connection.scalar(
        sa.select(sa.func.count())
        .select_from(schema.people)
        .where(
            people.role == "admin", people.person_id != leaving, people.erased_at.is_(None), people.blocked_at.is_(None)
        )
    )
    if not others:
        raise NotAllowed("This is the last admin. Make somebody else an admin first.")
