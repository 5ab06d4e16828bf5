"""Profiles in, people with accounts and tokens out, made through the API by an admin, and ended when all is over."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import httpx
from sqlalchemy import Connection

from paraloom.judgments.people import SERVICE, SIMULATED, block, everybody
from paraloom.judgments.simulate.client import asked
from paraloom.judgments.simulate.profiles import Profile
from paraloom.judgments.store.columns import now

TOGETHER = 8
"""Accounts that are made, or ended, at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedPerson:
    """An account of the service, and who is behind it."""

    person_id: str
    name: str
    token: str
    profile: Profile


def new_run() -> str:
    """What the names of one simulation's people begin with: they never meet those of an earlier one."""
    return f"{SIMULATED}{secrets.token_hex(3)}-"


async def make_people(
    client: httpx.AsyncClient, admin_token: str, profiles: Sequence[Profile], run: str | None = None
) -> list[SimulatedPerson]:
    """One account for each profile; if one cannot be made, those that were are ended again."""
    run = run or new_run()
    few = asyncio.Semaphore(TOGETHER)

    async def one(number: int, profile: Profile) -> SimulatedPerson:
        async with few:
            name = f"{run}{number:03d}"
            made = await asked(client, admin_token, "POST", "/api/v1/people", {"name": name})
            path = f"/api/v1/people/{made['person_id']}/tokens"
            token = await asked(client, admin_token, "POST", path, {"name": "simulation"})
        return SimulatedPerson(person_id=made["person_id"], name=name, token=token["token"], profile=profile)

    making = [asyncio.ensure_future(one(number, profile)) for number, profile in enumerate(profiles)]
    try:
        return list(await asyncio.gather(*making))
    except BaseException:
        made = await asyncio.gather(*making, return_exceptions=True)
        await end_people(client, admin_token, [person for person in made if isinstance(person, SimulatedPerson)])
        raise


async def end_people(client: httpx.AsyncClient, admin_token: str, people: Sequence[SimulatedPerson]) -> None:
    """Their tokens open nothing any more, and nobody can sign in as one of them; what they answered stays."""
    few = asyncio.Semaphore(TOGETHER)

    async def one(person: SimulatedPerson) -> None:
        async with few:
            await asked(client, admin_token, "PATCH", f"/api/v1/people/{person.person_id}", {"blocked": True})

    await asyncio.gather(*(one(person) for person in people))


def end_run(connection: Connection, run: str) -> None:
    """`end_people` where no service can be asked any more: everybody of a run who is not ended yet."""
    for person in everybody(connection):
        if person.is_active and person.name is not None and person.name.startswith(run):
            block(connection, person.person_id, blocked=True, now=now(), by=SERVICE)
