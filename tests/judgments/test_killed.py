"""Real processes, really killed: what was acknowledged is there, once, whatever died in between."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
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
from paraloom.judgments.simulate.people import asked, make_people
from paraloom.judgments.simulate.profiles import PROFILES, Truth
from paraloom.judgments.simulate.serve import free_port, wait_until_served
from paraloom.judgments.simulate.summary import held_against
from paraloom.judgments.simulate.work import Worked, WorkOptions, new_client, work_through
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.migrate import open_database

KILLS = 30
POSTGRESQL_KILLS = 5
PEOPLE = 8
EVERYTHING = 240.0
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
    contents = [{"left": f"The storm hit coast {number}.", "right": f"Coast {number} was hit."} for number in range(items)]
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


class Watched:
    """Servers that are started again whenever one was killed."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.url = url
        self._process = process

    async def next_pid(self) -> int:
        assert self._process.stdout is not None
        return int(await asyncio.to_thread(self._process.stdout.readline))


@contextmanager
def watched_server(database_url: str) -> Iterator[Watched]:
    port = free_port()
    command = [sys.executable, str(Path(__file__).with_name("serve_again.py")), database_url, str(port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Watched(process, f"http://127.0.0.1:{port}")
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


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


async def under_load(
    at: Prepared, url: str, trouble: Callable[[httpx.AsyncClient, asyncio.Event], Any]
) -> tuple[Worked, list[dict[str, Any]], list[dict[str, Any]]]:
    """People at work while the trouble goes on, and after it until the campaign is complete."""
    over = asyncio.Event()
    async with new_client(url, PEOPLE) as client, new_client(url, PEOPLE) as admin:
        await until_served(admin, at.token)
        people = await make_people(admin, at.token, [CAREFUL] * (PEOPLE - 2) + [LEAVING] * 2)
        options = WorkOptions(seconds=EVERYTHING, think=0.02, grace=EVERYTHING, look_again=0.1)
        working = asyncio.create_task(
            work_through(client, "killed", people, Truth(task="pair", known={}), options), name="people"
        )
        try:
            await trouble(admin, over)
            worked = await working
        finally:
            working.cancel()
        await until_served(admin, at.token)
        judgments = await all_rows(admin, at.token, "judgments", "number")
        items = await all_rows(admin, at.token, "items", "position")
    return worked, judgments, items


def assert_nothing_lost_or_doubled(
    worked: Worked, judgments: list[dict[str, Any]], items: list[dict[str, Any]]
) -> None:
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


def assert_complete(worked: Worked, items: list[dict[str, Any]]) -> None:
    """What the dead and those who left held went to others."""
    assert worked.left > 0
    assert all(item["judged"] == item["held"] == item["wanted"] for item in items if not item["is_test"])
    assert worked.ended_for["done"] == PEOPLE - worked.left


def test_no_acknowledged_answer_is_lost_or_doubled_when_the_server_is_killed_thirty_times(tmp_path: Path) -> None:
    at = prepared(str(tmp_path / "killed.db"), items=330, judgments_each=4, lease_minutes=0.05)
    dice = random.Random(7)

    with watched_server(at.url) as server:

        async def killing(client: httpx.AsyncClient, over: asyncio.Event) -> None:
            for _ in range(KILLS):
                await until_served(client, at.token)
                await asyncio.sleep(dice.uniform(0.0, 0.5))  # any moment: between two requests, or within a commit
                os.kill(current[-1], signal.SIGKILL)
                current.append(await server.next_pid())

        async def all_of_it() -> tuple[Worked, list[dict[str, Any]], list[dict[str, Any]]]:
            current.append(await server.next_pid())
            return await under_load(at, server.url, killing)

        current: list[int] = []
        worked, judgments, items = asyncio.run(all_of_it())
        assert len(set(current)) == KILLS + 1

    assert sum(worked.failures.values()) > 0  # they were killed while people were at work
    assert_nothing_lost_or_doubled(worked, judgments, items)
    assert_complete(worked, items)
    with sqlite3.connect(tmp_path / "killed.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
