"""A role in, a link out that lets somebody make an account with it; as often and for as long as it says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.names import key_of_name
from paraloom.judgments.people import ROLES, SIMULATED, Person, Role, add_person
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.web.keys import hash_of_key, new_key

MOST_DAYS = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """What an invitation is good for."""

    role: Role
    campaign_id: str | None
    note: str
    uses_left: int
    expires_at: datetime
    key_hash: str


def invite(
    connection: Connection,
    *,
    role: Role,
    now: datetime,
    by: str,
    campaign_id: str | None = None,
    note: str = "",
    uses: int = 1,
    days: float = 14,
) -> str:
    """A key for the link `/join/KEY`; it is shown once, and only its hash is kept."""
    if role not in ROLES:
        raise InputError(f"There is no role {role!r}. Choose one of: {', '.join(ROLES)}.")
    if not 1 <= uses <= 10_000 or not 0 < days <= MOST_DAYS:
        raise InputError(f"An invitation is for 1 to 10,000 people, and for some time: at most {MOST_DAYS} days.")
    if campaign_id is not None:
        campaign_of(connection, campaign_id)
    key = new_key()
    connection.execute(
        schema.invitations.insert().values(
            key_hash=hash_of_key(key),
            role=role,
            campaign_id=campaign_id,
            note=note[:500],
            uses_left=uses,
            expires_at=now + timedelta(days=days),
            created_by=by,
            created_at=now,
        )
    )
    note_action(connection, who=by, what="invited", about=campaign_id, now=now, detail={"role": role, "uses": uses})
    return key


def open_invitations(connection: Connection, now: datetime) -> list[Invitation]:
    """Those that can still be used, the one that lasts longest first."""
    table = schema.invitations
    rows = connection.execute(
        sa.select(*(table.c[name] for name in Invitation.__dataclass_fields__))
        .where(table.c.uses_left > 0, table.c.expires_at > now)
        .order_by(table.c.expires_at.desc(), table.c.key_hash)
    )
    return [Invitation(**row._mapping) for row in rows]


def invitation_of(connection: Connection, key: str, now: datetime) -> Invitation:
    """What a link is good for, if anything."""
    found = [one for one in open_invitations(connection, now) if one.key_hash == hash_of_key(key)]
    if not found:
        raise NotFound("This invitation was used up, has run out or never was. Ask for a new one.")
    return found[0]


def withdraw(connection: Connection, key_hash: str, *, now: datetime, by: str) -> None:
    """The link is good for nothing any more."""
    if not connection.execute(
        schema.invitations.update()
        .filter_by(key_hash=key_hash)
        .where(schema.invitations.c.uses_left > 0)
        .values(uses_left=0)
    ).rowcount:
        raise NotFound("There is no such invitation.")
    note_action(connection, who=by, what="invitation withdrawn", now=now)


def accept(connection: Connection, key: str, *, name: str, hashed: str, language: str | None, now: datetime) -> Person:
    """A new account by an invitation; a link for one person makes one account, however many try at once."""
    invitation = invitation_of(connection, key, now)
    if key_of_name(name).startswith(SIMULATED):
        raise InputError(f"Names that begin with {SIMULATED!r} are those of simulated annotators. Choose another.")
    table = schema.invitations
    taken = connection.execute(
        table.update()
        .filter_by(key_hash=invitation.key_hash)
        .where(table.c.uses_left > 0)
        .values(uses_left=table.c.uses_left - 1)
    )
    if not taken.rowcount:
        raise NotFound("This invitation was used up just now. Ask for a new one.")
    person = add_person(
        connection, name=name, hashed=hashed, role=invitation.role, now=now, by="invitation", language=language
    )
    if invitation.campaign_id is not None:
        add_member(connection, invitation.campaign_id, person.person_id, now)
    return person


def add_member(connection: Connection, campaign_id: str, person_id: str, now: datetime) -> None:
    """This person may work on this campaign."""
    insert_new(connection, schema.members, {"campaign_id": campaign_id, "person_id": person_id, "added_at": now})
