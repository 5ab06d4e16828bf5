"""Profiles in, people with accounts and tokens out, made through the API by an admin."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from paraloom.judgments.simulate.client import asked
from paraloom.judgments.simulate.profiles import Profile

TOGETHER = 8
"""Accounts that are made at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedPerson:
    """An account of the service, and who is behind it."""

    person_id: str
    name: str
    token: str
    profile: Profile


async def make_people(
    client: httpx.AsyncClient, admin_token: str, profiles: Sequence[Profile]
) -> list[SimulatedPerson]:
    """One account for each profile; names begin with `sim-` and never meet those of an earlier simulation."""
    run = secrets.token_hex(3)
    few = asyncio.Semaphore(TOGETHER)

    async def one(number: int, profile: Profile) -> SimulatedPerson:
        async with few:
            name = f"sim-{run}-{number:03d}"
            made = await asked(client, admin_token, "POST", "/api/v1/people", {"name": name})
            path = f"/api/v1/people/{made['person_id']}/tokens"
            token = await asked(client, admin_token, "POST", path, {"name": "simulation"})
        return SimulatedPerson(person_id=made["person_id"], name=name, token=token["token"], profile=profile)

    return list(await asyncio.gather(*(one(number, profile) for number, profile in enumerate(profiles))))
