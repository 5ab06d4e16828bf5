"""Rounds of pairs: opened by what the first round shows, once, whoever looks; no pair is ever proposed twice."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.app.service import Lent, Service
from paraloom.judgments.campaigns import campaign_of, change_state
from paraloom.judgments.rounds import (
    NewGroup,
    _never_twice,
    add_groups,
    has_due_rounds,
    keep_opening_rounds,
    open_due_rounds,
)
from paraloom.judgments.store import schema
from paraloom.judgments.store.migrate import open_database
from paraloom.pairs.propose import next_pairs, trend_pairs
from tests.judgments.working import judge


def lent(count, paraphrases, before, seed):
    """As the workflow lends it."""
    return next_pairs(count, paraphrases, before, random.Random(seed))


def trend(name: str, sentences: int = 30) -> NewGroup:
    return NewGroup(
        group_id=name,
        sentences=[(f"{name}-{n}", f"Sentence {n} of {name}.") for n in range(1, sentences + 1)],
        pairs=trend_pairs(sentences, random.Random(1)),
        topic=f"#{name}",
    )


@pytest.fixture
def adaptive(database, open_campaign, now):
    campaign = open_campaign(database, [], adaptive=True, judgments_per_item=1, tests_every=0)
    found = database.write(lambda c: add_groups(c, campaign, [trend("rain"), trend("snow")], now=now))
    assert (found.added, found.there_already) == (40, 0)
    return campaign


def items_of(database, group, number=None):
    table = schema.items
    asked = sa.select(table).filter_by(group_id=group).order_by(table.c.position)
    return database.read(lambda c: c.execute(asked if number is None else asked.filter_by(round=number)).all())


def judge_all(database, campaign, person, group, paraphrases, now):
    for place, row in enumerate(items_of(database, group, 1)):
        judge(database, campaign, person, row.item_id, {"is_paraphrase": place < paraphrases}, now)


def state_of(database, group):
    return database.read(lambda c: c.execute(sa.select(schema.groups).filter_by(group_id=group)).one())


WORTH = [(3, 0), (4, 20), (7, 30), (10, 40), (13, 50)]


@pytest.mark.parametrize(("paraphrases", "more"), WORTH)
def test_a_trend_is_worth_as_many_pairs_as_the_paper_says(
    database, open_campaign, add_people, now, paraphrases, more
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, [], adaptive=True, judgments_per_item=1, tests_every=0)
    database.write(lambda c: add_groups(c, campaign, [trend("rain", 50)], now=now))
    judge_all(database, campaign, ann, "rain", paraphrases, now)
    [found] = database.write(lambda c: open_due_rounds(c, campaign, lent, now=now))
    assert (found.paraphrases, found.opened) == (paraphrases, more)
    second = items_of(database, "rain", 2)
    assert len(second) == more
    kept = state_of(database, "rain")
    assert (kept.state, kept.paraphrases, kept.examined_at) == ("grown" if more else "closed", paraphrases, now)
    assert database.write(lambda c: open_due_rounds(c, campaign, lent, now=now)) == [], "a group is examined once"
    for row in second:
        assert row.content["topic"] == "#rain"
        left, right = row.origin["left_rank"], row.origin["right_rank"]
        assert row.content["left"] == f"Sentence {left} of rain."
        assert 1 <= left <= 5 < right <= 50


def test_a_group_waits_for_the_last_of_its_first_round(database, adaptive, add_people, now) -> None:
    [ann] = add_people(database, 1)
    *most, last = items_of(database, "rain", 1)
    for row in most:
        judge(database, adaptive, ann, row.item_id, {"is_paraphrase": True}, now)
    assert not database.read(lambda c: has_due_rounds(c, adaptive.campaign_id))
    judge(database, adaptive, ann, last.item_id, {"is_paraphrase": True}, now)
    assert database.read(lambda c: has_due_rounds(c, adaptive.campaign_id))
    [found] = database.write(lambda c: open_due_rounds(c, adaptive, lent, now=now))
    assert found.group_id == "rain"
    assert state_of(database, "snow").state == "open"


def test_a_tie_is_no_paraphrase(database, open_campaign, add_people, now) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, [], adaptive=True, judgments_per_item=2, tests_every=0)
    database.write(lambda c: add_groups(c, campaign, [trend("rain")], now=now))
    judge_all(database, campaign, ann, "rain", 20, now)
    judge_all(database, campaign, bob, "rain", 5, now)
    [found] = database.write(lambda c: open_due_rounds(c, campaign, lent, now=now))
    assert found.paraphrases == 5


def test_two_servers_open_a_round_once(database, adaptive, add_people, now) -> None:
    [ann] = add_people(database, 1)
    for group in ("rain", "snow"):
        judge_all(database, adaptive, ann, group, 20, now)
    second = open_database(database.url)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(
                threads.map(
                    lambda n: (database, second)[n % 2].write(lambda c: open_due_rounds(c, adaptive, lent, now=now)),
                    range(8),
                )
            )
    finally:
        second.close()
    assert sorted(one.group_id for each in found for one in each) == ["rain", "snow"]
    for group in ("rain", "snow"):
        pairs = [frozenset((row.origin["left_rank"], row.origin["right_rank"])) for row in items_of(database, group)]
        assert len(set(pairs)) == len(pairs) > 20


def test_a_crash_in_the_middle_leaves_the_group_as_it_was(database, adaptive, add_people, now) -> None:
    [ann] = add_people(database, 1)
    judge_all(database, adaptive, ann, "rain", 20, now)

    def crash(connection):
        open_due_rounds(connection, adaptive, lent, now=now)
        raise KeyError("power cut")

    with pytest.raises(KeyError):
        database.write(crash)
    assert state_of(database, "rain").state == "open"
    assert items_of(database, "rain", 2) == []
    [found] = database.write(lambda c: open_due_rounds(c, adaptive, lent, now=now))
    assert found.opened == len(items_of(database, "rain", 2)) > 0


def test_the_server_opens_rounds_by_itself(database, adaptive, add_people, now) -> None:
    [ann] = add_people(database, 1)
    judge_all(database, adaptive, ann, "rain", 20, now)
    service = Service(database=database, lent=Lent(next_pairs=lent), clock=lambda: now)

    async def work() -> None:
        running = asyncio.create_task(keep_opening_rounds(service, every=0.02))
        for _ in range(500):
            if items_of(database, "rain", 2):
                break
            await asyncio.sleep(0.01)
        judge_all(database, adaptive, ann, "snow", 0, now)
        for _ in range(500):
            if state_of(database, "snow").state != "open":
                break
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())
    assert len(items_of(database, "rain", 2)) > 0
    assert state_of(database, "snow").state == "closed"


def test_rounds_of_campaigns_that_pause_are_not_opened(database, adaptive, add_people, now) -> None:
    [ann] = add_people(database, 1)
    judge_all(database, adaptive, ann, "rain", 20, now)
    database.write(lambda c: change_state(c, adaptive.campaign_id, "paused", now=now, by="x"))
    service = Service(database=database, lent=Lent(next_pairs=lent), clock=lambda: now)

    async def look() -> None:
        running = asyncio.create_task(keep_opening_rounds(service, every=0.01))
        await asyncio.sleep(0.2)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(look())
    assert state_of(database, "rain").state == "open"
    asyncio.run(asyncio.wait_for(keep_opening_rounds(replace(service, lent=Lent())), timeout=5))


def test_groups_are_kept_once_and_checked(database, adaptive, open_campaign, now) -> None:
    again = database.write(lambda c: add_groups(c, adaptive, [trend("rain")], now=now))
    assert (again.added, again.there_already) == (0, 20)
    twice = NewGroup(group_id="g", sentences=[("a", "A."), ("a", "B.")], pairs=[(1, 2)])
    outside = NewGroup(group_id="g", sentences=[("a", "A."), ("b", "B.")], pairs=[(1, 3)])
    for group in (twice, outside):
        with pytest.raises(InputError):
            database.write(lambda c, group=group: add_groups(c, adaptive, [group], now=now))
    topics = open_campaign(database, [], task="topic", title="Topics")
    with pytest.raises(InputError, match="Rounds are of pairs"):
        database.write(lambda c: add_groups(c, topics, [], now=now))
    assert database.read(lambda c: campaign_of(c, adaptive.campaign_id)).settings.adaptive


ranks = st.tuples(st.integers(1, 12), st.integers(1, 12)).filter(lambda pair: pair[0] != pair[1])


@given(st.lists(ranks), st.lists(ranks))
def test_no_pair_is_proposed_twice_whichever_way_round(proposed, before) -> None:
    found = _never_twice(proposed, before)
    keys = [frozenset(pair) for pair in found]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {frozenset(pair) for pair in before}
    assert set(keys) | {frozenset(pair) for pair in before} == {frozenset(pair) for pair in [*proposed, *before]}


@given(st.integers(2, 60), st.integers(0, 20), st.integers(0, 2**40))
def test_the_second_round_of_the_paper_never_repeats_the_first(count, paraphrases, seed) -> None:
    first = trend_pairs(count, random.Random(seed))
    second = lent(count, paraphrases, first, seed)
    assert _never_twice(second, first) == second
