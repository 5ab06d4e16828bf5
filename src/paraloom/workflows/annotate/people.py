"""Names in, people of the service out: invited, given roles and tokens, blocked, forgotten."""

from __future__ import annotations

from typing import Any

from paraloom.errors import InputError, NotFound
from paraloom.judgments.invitations import invite
from paraloom.judgments.people import (
    SERVICE,
    Person,
    Role,
    add_person,
    block,
    change_role,
    erase_identity,
    everybody,
    person_named,
    person_of,
)
from paraloom.judgments.sign_in import make_token
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database

ADDRESS = "http://127.0.0.1:8000"
"""Where a service is reached unless something else is said."""


def invitation_link(
    database: Database, *, role: Role, campaign: str | None, uses: int, days: float, address: str
) -> str:
    """A link that lets somebody make an account."""
    if not address.startswith(("http://", "https://")):
        raise InputError(f"{address!r} is no address of a service. Write it as https://annotate.example.org.")
    key = database.write(
        lambda connection: invite(
            connection, role=role, now=now(), by=SERVICE, campaign_id=campaign, uses=uses, days=days
        )
    )
    return f"{address.rstrip('/')}/join/{key}"


def everyone(database: Database) -> list[Person]:
    """All people, the newest first."""
    return database.read(everybody)


def named(connection: Any, name: str) -> Person:
    """The person of that name or id."""
    found = person_named(connection, name)
    if found is not None:
        return found
    try:
        return person_of(connection, name)
    except NotFound:
        raise NotFound(
            f"There is nobody called {name!r}. `paraloom annotate people list` shows who is there."
        ) from None


def give_role(database: Database, name: str, role: Role) -> None:
    """Make somebody an admin, an expert or an annotator."""
    database.write(
        lambda connection: change_role(connection, named(connection, name).person_id, role, now=now(), by=SERVICE)
    )


def set_blocked(database: Database, name: str, *, blocked: bool) -> None:
    """Shut the door to somebody, or open it again."""
    database.write(
        lambda connection: block(connection, named(connection, name).person_id, blocked=blocked, now=now(), by=SERVICE)
    )


def erase(database: Database, name: str) -> str:
    """Forget who somebody was; the id that their judgments keep."""

    def job(connection: Any) -> str:
        person_id = named(connection, name).person_id
        erase_identity(connection, person_id, now=now(), by=SERVICE)
        return person_id

    return database.write(job)


def new_token(database: Database, name: str, *, role: Role | None, called: str) -> str:
    """A key for a program that works as somebody; who is not there yet is added, without a password."""
    least: Role = "annotator"

    def job(connection: Any) -> str:
        person = person_named(connection, name)
        if person is None:
            person = add_person(connection, name=name, hashed=None, role=role or least, now=now(), by=SERVICE)
        if role not in (None, person.role):
            raise InputError(
                f"{name} is {person.role}, not {role}. Leave --role out, or change it: "
                f"`paraloom annotate people role {name} {role}`."
            )
        return make_token(connection, person.person_id, called, now())[1]

    return database.write(job)
