"""Who gets what: never twice, never one's own, the least covered first, and what is abandoned goes to others."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from paraloom.judgments.answers import Acknowledged, GivenAnswer, record_answer
from paraloom.judgments.assign import (
    Handed,
    NothingNow,
    hand_back,
    hand_out,
    is_test_due,
    why_nothing_to_do,
)
from paraloom.judgments.campaigns import Campaign, campaign_of, change_state
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, block
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database


def handed(database: Database, campaign: Campaign, person: Person, now: datetime, *holding: str) -> Handed | NothingNow:
    return database.write(lambda c: hand_out(c, campaign, person, now=now, holding=holding))


def item_id(of: Handed | NothingNow) -> str:
    assert isinstance(of, Handed), of
    return of.item.item_id


def answered(
    database: Database, campaign: Campaign, person: Person, item: str, now: datetime, *, yes: bool = True
) -> Acknowledged:
    given_answer = GivenAnswer(
        item_id=item, answer={"is_paraphrase": yes}, client_id=secrets.token_hex(8), instructions_version=1
    )
    return database.write(lambda c: record_answer(c, campaign, person, given_answer, now=now))


def test_nobody_gets_an_item_twice(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(5))
    got = []
    while isinstance(one := handed(database, campaign, ann, now), Handed):
        got.append(one.item.item_id)
        answered(database, campaign, ann, one.item.item_id, now)
    assert sorted(got) == [f"pair-{n}" for n in range(5)]
    assert one == NothingNow(why="waiting")


def test_an_item_that_was_not_answered_is_shown_again_on_a_new_page(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(3))
    first = item_id(handed(database, campaign, ann, now))
    assert item_id(handed(database, campaign, ann, now)) == first
    assert item_id(handed(database, campaign, ann, now, first)) != first


def test_nobody_judges_what_they_proposed(database, add_people, open_campaign, now) -> None:
    ann, bob = add_people(database, 2)
    content = {"left": "a b", "right": "c d"}
    campaign = open_campaign(database, [NewItem(content=content, proposed_by=ann.name, not_for=(ann.person_id,))])
    assert handed(database, campaign, ann, now) == NothingNow(why="waiting")
    assert isinstance(handed(database, campaign, bob, now), Handed)


def test_the_least_covered_comes_first(database, add_people, open_campaign, some_pairs, now) -> None:
    people = add_people(database, 4)
    campaign = open_campaign(database, some_pairs(4), judgments_per_item=4)
    got = Counter()
    for person in people:
        got[item_id(handed(database, campaign, person, now))] += 1
    assert got == {f"pair-{n}": 1 for n in range(4)}


def test_no_more_people_get_an_item_than_are_wanted(database, add_people, open_campaign, some_pairs, now) -> None:
    people = add_people(database, 5)
    campaign = open_campaign(database, some_pairs(1), judgments_per_item=2)
    got = [handed(database, campaign, person, now) for person in people]
    assert [isinstance(one, Handed) for one in got] == [True, True, False, False, False]
    assert got[2] == NothingNow(why="waiting")


def test_a_finished_campaign_says_so(database, add_people, open_campaign, some_pairs, now) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(1), judgments_per_item=1)
    answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert handed(database, campaign, bob, now) == NothingNow(why="done")


def test_abandoned_work_is_handed_to_others_and_a_late_answer_is_still_taken(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(1), judgments_per_item=1, lease_minutes=10)
    item = item_id(handed(database, campaign, ann, now))
    assert handed(database, campaign, bob, now) == NothingNow(why="waiting")
    later = now + timedelta(minutes=11)
    assert item_id(handed(database, campaign, bob, later)) == item
    answered(database, campaign, bob, item, later)
    answered(database, campaign, ann, item, later)  # she comes back after lunch: no answer is lost
    assert judged_and_held(database) == {item: (2, 2)}


def test_what_somebody_holds_who_is_shut_out_is_for_others_at_once(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(1), judgments_per_item=1)
    item = item_id(handed(database, campaign, ann, now))
    database.write(lambda c: block(c, ann.person_id, blocked=True, now=now, by="root"))
    assert item_id(handed(database, campaign, bob, now + timedelta(seconds=1))) == item


def test_what_is_handed_back_is_for_others_at_once(database, add_people, open_campaign, some_pairs, now) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(1), judgments_per_item=1)
    item = item_id(handed(database, campaign, ann, now))
    assert database.write(lambda c: hand_back(c, campaign, ann, item))
    assert not database.write(lambda c: hand_back(c, campaign, ann, item))
    assert item_id(handed(database, campaign, bob, now)) == item


def test_a_test_question_that_was_handed_back_does_not_come_at_once(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    """What returns by itself would be known as a test question; it comes again when all the others were there."""
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(0, tests=3), tests_every=1)
    first = item_id(handed(database, campaign, ann, now))
    database.write(lambda c: hand_back(c, campaign, ann, first))
    later = []
    while isinstance(one := handed(database, campaign, ann, now), Handed):
        later.append(one.item.item_id)
        answered(database, campaign, ann, one.item.item_id, now)
    assert len(later) == 3
    assert later[-1] == first


@pytest.mark.parametrize(
    ("settings", "why"),
    [({"cap": 2}, "cap"), ({"pay": 0.5, "budget": 1.2}, "budget"), ({"pay": 0.5, "most_earned": 1.0}, "earned")],
)
def test_limits_of_work_and_money_end_it(
    database, add_people, open_campaign, some_pairs, now, settings: dict[str, float], why: str
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(5), **settings)
    for _ in range(2):
        answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert handed(database, campaign, ann, now) == NothingNow(why=why)


def test_work_under_way_counts_against_the_budget(database, add_people, open_campaign, some_pairs, now) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(5), pay=1.0, budget=1.0)
    assert isinstance(handed(database, campaign, ann, now), Handed)
    assert handed(database, campaign, bob, now) == NothingNow(why="budget")


def test_nothing_is_handed_out_before_the_beginning_or_after_the_end(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(2), ends_at=now + timedelta(hours=1))
    assert isinstance(handed(database, campaign, ann, now), Handed)
    assert handed(database, campaign, ann, now + timedelta(hours=1)) == NothingNow(why="ended")
    for state in ("paused", "ended"):
        database.write(lambda c, state=state: change_state(c, campaign.campaign_id, state, now=now, by="x"))
        now_so = database.read(lambda c: campaign_of(c, campaign.campaign_id))
        assert handed(database, now_so, ann, now) == NothingNow(why=state)


def test_one_question_in_five_is_a_test(database, add_people, open_campaign, some_pairs, now) -> None:
    people = add_people(database, 3)
    campaign = open_campaign(database, some_pairs(40, tests=20), tests_every=5)
    places = []
    for person in people:
        tests = []
        for _ in range(25):
            one = handed(database, campaign, person, now)
            assert isinstance(one, Handed)
            tests.append(one.item.is_test)
            answered(database, campaign, person, one.item.item_id, now)
        assert [sum(tests[start : start + 5]) for start in range(0, 25, 5)] == [1] * 5
        places.append(tests)
    assert places[0] != places[1] or places[1] != places[2]  # nobody can tell the others when to expect one


@given(seed=st.integers(), person=st.text(max_size=8), every=st.integers(1, 12), block=st.integers(0, 50))
def test_each_block_of_questions_holds_one_test(seed: int, person: str, every: int, block: int) -> None:
    due = [is_test_due(seed, person, served, every) for served in range(block * every, (block + 1) * every)]
    assert sum(due) == 1


def test_newcomers_qualify_first(database, add_people, open_campaign, some_pairs, now) -> None:
    good, bad = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(5, tests=5), qualification=3, tests_every=0)
    for person, yes in ((good, True), (bad, False)):
        for _ in range(3):
            one = handed(database, campaign, person, now)
            assert isinstance(one, Handed)
            assert one.item.is_test
            stored = answered(database, campaign, person, one.item.item_id, now, yes=yes)
            assert (stored.feedback is None) == yes
    work = handed(database, campaign, good, now)
    assert isinstance(work, Handed)
    assert not work.item.is_test
    assert handed(database, campaign, bad, now) == NothingNow(why="stopped", detail="qualification")


def test_people_at_once_never_get_more_of_an_item_than_wanted(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    """Sixteen people ask in the same moments, from several threads."""
    people = add_people(database, 16)
    campaign = open_campaign(database, some_pairs(10), judgments_per_item=3)

    def work(person: Person) -> list[str]:
        done = []
        for _ in range(40):
            one = handed(database, campaign, person, now)
            if isinstance(one, Handed):
                done.append(one.item.item_id)
                answered(database, campaign, person, one.item.item_id, now)
        return done

    with ThreadPoolExecutor(8) as threads:
        each = list(threads.map(work, people))
    assert all(len(done) == len(set(done)) for done in each)
    assert Counter(item for done in each for item in done) == {f"pair-{n}": 3 for n in range(10)}
    assert judged_and_held(database) == {f"pair-{n}": (3, 3) for n in range(10)}


def test_items_added_later_are_handed_out_too(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1))
    answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    more = [NewItem(content={"left": "new one", "right": "newer one"}), *some_pairs(1)]
    added = database.write(lambda c: add_items(c, campaign, more, now=now))
    assert (added.added, added.there_already) == (1, 1)
    assert isinstance(handed(database, campaign, ann, now), Handed)


def judged_and_held(database: Database) -> dict[str, tuple[int, int]]:
    """Of each item: the answers and the answers with leases."""
    items = schema.items.c
    rows = database.read(lambda c: c.execute(sa.select(items.item_id, items.judged, items.held)).all())
    return {row.item_id: (row.judged, row.held) for row in rows}


def why(database: Database, campaign: Campaign, person: Person, now: datetime) -> str | None:
    return database.read(lambda c: why_nothing_to_do(c, campaign, person, now=now))


def test_what_is_left_is_told_as_it_would_be_handed_out_and_nothing_is(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    """At every step of five people who answer, hand back or go away with an item until its lease runs out."""
    dice = random.Random(7)
    people = add_people(database, 5)
    campaign = open_campaign(database, some_pairs(6), judgments_per_item=2, tests_every=0, lease_minutes=5)
    told = Counter[str | None]()
    for _ in range(80):
        now += timedelta(minutes=dice.choice((0, 0, 0, 0, 1, 6)))
        person = dice.choice(people)
        before = why(database, campaign, person, now)
        assert why(database, campaign, person, now) == before
        up = handed(database, campaign, person, now)
        assert (before is None) == isinstance(up, Handed), (before, up)
        told[before] += 1
        if isinstance(up, Handed) and dice.random() < 0.4:
            answered(database, campaign, person, up.item.item_id, now)
        elif isinstance(up, Handed) and dice.random() < 0.3:
            database.write(lambda c, who=person, item=up.item.item_id: hand_back(c, campaign, who, item))
    assert set(told) == {None, "waiting", "done"}


def test_whoever_judged_all_is_done_though_others_are_not(database, add_people, open_campaign, some_pairs, now) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(2), judgments_per_item=2)
    for _ in range(2):
        answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert (why(database, campaign, ann, now), why(database, campaign, bob, now)) == ("done", None)


WHY_NOTHING = [
    ({"cap": 1}, "cap"),
    ({"pay": 1.0, "budget": 1.0}, "budget"),
    ({"pay": 1.0, "most_earned": 1.0}, "earned"),
    ({"ends_at": datetime(2026, 3, 1, 11, tzinfo=UTC)}, "ended"),
    ({"qualification": 1}, "waiting"),
]


@pytest.mark.parametrize(("settings", "reason"), WHY_NOTHING)
def test_there_is_nothing_to_do_for_a_reason(
    database, add_people, open_campaign, some_pairs, now, settings: dict[str, object], reason: str
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(3), **settings)
    if reason not in ("ended", "waiting"):
        assert why(database, campaign, ann, now) is None
        answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert why(database, campaign, ann, now) == reason
