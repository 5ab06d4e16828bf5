"""One person, several requests at once: two tabs, a page that fetches ahead, a lease that runs out meanwhile."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import Handed, hand_back_expired, hand_out
from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items, item_of
from paraloom.judgments.people import Person, add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database

TIMES = 8
"""Each race is run so often: without a lock most of them go wrong."""


@pytest.fixture
def campaign(database: Database, now: datetime) -> Campaign:
    def make(connection: sa.Connection) -> Campaign:
        settings = CampaignSettings(tests_every=0, judgments_per_item=3)
        made = create_campaign(connection, task="pair", title="Race", settings=settings, now=now, by="test")
        new = [NewItem(content={"left": f"Storm {number}.", "right": "A storm."}) for number in range(30)]
        add_items(connection, made, new, now=now)
        change_state(connection, "race", "open", now=now, by="test")
        return campaign_of(connection, "race")

    return database.write(make)


def newcomer(database: Database, now: datetime, name: str = "Ann") -> Person:
    return database.write(lambda c: add_person(c, name=name, hashed=None, role="annotator", now=now, by="test"))


async def handed(
    database: Database, campaign: Campaign, person: Person, now: datetime, holding: list[str] | None = None
) -> str:
    up = await database.writing(lambda c: hand_out(c, campaign, person, now=now, holding=holding or []))
    assert isinstance(up, Handed)
    return up.item.item_id


async def answered(
    database: Database, campaign: Campaign, person: Person, item_id: str, client_id: str, now: datetime
) -> None:
    given = GivenAnswer(
        item_id=item_id, answer={"is_paraphrase": True}, client_id=client_id, instructions_version=1, seconds=1.0
    )
    await database.writing(lambda c: record_answer(c, campaign, person, given, now=now))


def test_several_answers_to_one_item_at_once_count_as_one(
    database: Database, campaign: Campaign, now: datetime
) -> None:
    person = newcomer(database, now)

    async def race() -> list[str]:
        raced = []
        for number in range(TIMES):
            item_id = await handed(database, campaign, person, now)
            tabs = (answered(database, campaign, person, item_id, f"client-{number}-{tab}", now) for tab in range(4))
            await asyncio.gather(*tabs)
            raced.append(item_id)
        return raced

    for item_id in asyncio.run(race()):
        item = database.read(lambda c, item_id=item_id: item_of(c, "race", item_id))
        assert (item.held, item.judged) == (1, 1)
    standing = database.read(lambda c: standing_of(c, campaign, person.person_id, now))
    assert (standing.served, standing.answered) == (TIMES, TIMES)


def test_the_same_answer_sent_several_times_at_once_is_stored_once(
    database: Database, campaign: Campaign, now: datetime
) -> None:
    person = newcomer(database, now)

    async def race() -> None:
        for number in range(TIMES):
            item_id = await handed(database, campaign, person, now)
            again = (answered(database, campaign, person, item_id, f"client-again-{number}", now) for _ in range(4))
            await asyncio.gather(*again)

    asyncio.run(race())
    assert database.read(lambda c: c.scalar(sa.select(sa.func.count()).select_from(schema.judgments))) == TIMES


def test_answers_to_several_items_at_once_are_all_counted(
    database: Database, campaign: Campaign, now: datetime
) -> None:
    person = newcomer(database, now)

    async def race() -> None:
        held: list[str] = []
        for _ in range(20):
            held.append(await handed(database, campaign, person, now, held))
        await asyncio.gather(*(answered(database, campaign, person, one, f"item-{one}", now) for one in held))

    asyncio.run(race())
    standing = database.read(lambda c: standing_of(c, campaign, person.person_id, now))
    assert (standing.served, standing.answered) == (20, 20)


def test_an_answer_that_comes_while_its_lease_runs_out_is_counted_once(
    database: Database, campaign: Campaign, now: datetime
) -> None:
    person = newcomer(database, now)

    async def race() -> list[str]:
        raced = []
        for number in range(TIMES):
            begins = now + timedelta(hours=number)
            late = begins + timedelta(minutes=40)
            item_id = await handed(database, campaign, person, begins)
            await asyncio.gather(
                answered(database, campaign, person, item_id, f"client-late-{number}", late),
                *(database.writing(lambda c, late=late: hand_back_expired(c, campaign, late)) for _ in range(3)),
            )
            raced.append(item_id)
        return raced

    for item_id in asyncio.run(race()):
        item = database.read(lambda c, item_id=item_id: item_of(c, "race", item_id))
        assert (item.held, item.judged) == (1, 1)


def test_no_item_is_handed_to_more_people_than_it_wants(database: Database, campaign: Campaign, now: datetime) -> None:
    people = [newcomer(database, now, f"Ann {number}") for number in range(40)]

    async def race() -> list[object]:
        return list(
            await asyncio.gather(
                *(
                    database.writing(lambda c, one=one: hand_out(c, campaign, one, now=now))
                    for one in people
                    for _ in range(2)
                )
            )
        )

    asyncio.run(race())
    held = Counter(database.read(lambda c: c.scalars(sa.select(schema.assignments.c.item_id)).all()))
    assert held.total() == len(people)  # who asks twice is given the same item
    assert max(held.values()) <= 3
    stored = database.read(lambda c: c.execute(sa.select(schema.items.c.item_id, schema.items.c.held)).all())
    assert {row.item_id: row.held for row in stored if row.held} == dict(held)
