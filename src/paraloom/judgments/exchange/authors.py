"""A name in a file in, the person here out whose judgments, notes or decisions those are.

They are people without a password, called `imported:NAME`, unless they are mapped to people who are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.people import SERVICE, Person, add_person, person_named, person_of
from paraloom.judgments.store.one_at_a_time import one_at_a_time
from paraloom.tables import make_id

IMPORTED = "imported"


class Authors:
    """Who is who, within one import. Until it ends, nobody else changes the counts of whom it has met."""

    def __init__(
        self, connection: Connection, campaign: Campaign, known: Mapping[str, str] | None, now: datetime
    ) -> None:
        self._connection = connection
        self._campaign = campaign
        self._known = known or {}
        self._now = now
        self._met: dict[str, Person] = {}
        self.new = 0

    def named(self, name: str, *, own: bool) -> Person:
        """Who has this name in the file; `own` exports may also tell a person's id."""
        if name not in self._met:
            self._met[name] = self._found(name, own=own)
            one_at_a_time(self._connection, self._campaign.campaign_id, self._met[name].person_id)
        return self._met[name]

    def _found(self, name: str, *, own: bool) -> Person:
        if name in self._known:
            known = person_named(self._connection, self._known[name])
            if known is None:
                raise InputError(f"there is nobody called {self._known[name]!r} to take for {name!r}")
            return known
        if own:
            try:
                return person_of(self._connection, name)
            except NotFound:
                pass
        called = imported_name(name)
        known = person_named(self._connection, called)
        if known is not None:
            return known
        self.new += 1
        return add_person(self._connection, name=called, hashed=None, role="annotator", now=self._now, by=SERVICE)


def imported_name(name: str) -> str:
    """What somebody is called whose judgments were made elsewhere.

    >>> imported_name("ann@example.org")
    'imported:ann@example.org'
    """
    plain = "".join(letter if letter.isprintable() else "?" for letter in name).strip() or "unknown"
    if len(plain) > 60:
        plain = f"{plain[:40]}…{make_id(name)[:8]}"
    return f"{IMPORTED}:{plain}"
