"""What a second look at the service found: ways in which an answer was miscounted, or somebody was left waiting."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import Handed, NothingNow, hand_back, hand_out
from paraloom.judgments.campaigns import campaign_of, change_settings
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.progress import progress_of
from paraloom.judgments.review import ReviewChoice, open_reviews
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import standing_of
from paraloom.judgments.stop import reinstate_person, stop_person
from paraloom.judgments.store import schema
from paraloom.judgments.store.one_at_a_time import wait_for_appended
from tests.judgments.test_assign import answered, handed, item_id
from tests.judgments.working import judge


def test_who_hands_a_qualification_question_back_can_still_qualify(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(2, tests=6), qualification=3, tests_every=0)
    for _ in range(2):
        left = item_id(handed(database, campaign, ann, now))
        assert database.write(lambda c, left=left: hand_back(c, campaign, ann, left))
    for _ in range(3):
        answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert isinstance(one := handed(database, campaign, ann, now), Handed)
    assert one.purpose == "work"


def test_no_more_qualification_questions_are_fetched_ahead_than_are_asked(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(2, tests=6), qualification=2)
    held = [item_id(handed(database, campaign, ann, now))]
    held.append(item_id(handed(database, campaign, ann, now, *held)))
    assert handed(database, campaign, ann, now, *held) == NothingNow(why="waiting", detail="qualification")


@pytest.mark.parametrize(("fewer", "tests_more"), [(0, 0), (1, 1)])
def test_who_qualifies_goes_on_when_fewer_questions_are_asked(
    database, add_people, open_campaign, some_pairs, now, fewer: int, tests_more: int
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(2, tests=6), qualification=3, tests_every=0)
    for _ in range(2):
        answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    settings = replace(campaign.settings, qualification=fewer)
    database.write(lambda c: change_settings(c, "storms", settings, now=now, by="x"))
    campaign = database.read(lambda c: campaign_of(c, "storms"))
    for _ in range(tests_more):
        answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert isinstance(one := handed(database, campaign, ann, now), Handed)
    assert one.purpose == "work"


def test_people_at_once_do_not_spend_more_than_the_budget(database, add_people, open_campaign, some_pairs, now) -> None:
    people = add_people(database, 8)
    campaign = open_campaign(database, some_pairs(20), pay=1.0, budget=3.0, tests_every=0)

    def slowly(connection, person):
        found = hand_out(connection, campaign, person, now=now)
        time.sleep(0.05)  # others come before this is committed
        return found

    with ThreadPoolExecutor(8) as at_once:
        found = list(at_once.map(lambda one: database.write(lambda c: slowly(c, one)), people))
    assert sum(isinstance(one, Handed) for one in found) == 3
    assert [one for one in found if not isinstance(one, Handed)] == [NothingNow(why="budget")] * 5


def test_an_answer_on_its_way_when_its_author_is_stopped_is_kept_and_does_not_count(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(4), tests_every=0)
    answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    late = item_id(handed(database, campaign, ann, now))
    database.write(lambda c: stop_person(c, campaign, ann.person_id, reason="x", set_aside=True, now=now, by="x"))
    done = answered(database, campaign, ann, late, now)
    assert (done.repeated, done.standing.answered) == (False, 2)
    assert database.read(lambda c: progress_of(c, "storms")).judgments == 0
    counts = database.read(lambda c: c.scalars(sa.select(schema.votes.c.counts)).all())
    assert counts == [False, False]
    database.write(lambda c: reinstate_person(c, campaign, ann.person_id, restore=True, now=now, by="x"))
    assert database.read(lambda c: progress_of(c, "storms")).judgments == 2


def test_an_answer_and_a_stop_at_the_same_moment_do_not_undo_each_other(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(4), tests_every=0, pay=0.5)
    item = item_id(handed(database, campaign, ann, now))
    given = GivenAnswer(item_id=item, answer={"is_paraphrase": True}, client_id="12345678", instructions_version=1)

    def answer(connection):
        record_answer(connection, campaign, ann, given, now=now)
        time.sleep(0.4)

    def stop(connection):
        stop_person(connection, campaign, ann.person_id, reason="x", set_aside=False, now=now, by="x")

    with ThreadPoolExecutor(2) as at_once:
        one = at_once.submit(database.write, answer)
        time.sleep(0.1)
        other = at_once.submit(database.write, stop)
        one.result()
        other.result()
    standing = database.read(lambda c: standing_of(c, campaign, ann.person_id, now))
    assert (standing.state, standing.answered, standing.earned) == ("stopped", 1, 500_000)


@pytest.fixture
def to_review(database, add_people, open_campaign, some_pairs, now):
    """Ann judged one pair of two, and Bob is asked to look at her answer."""
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(2), tests_every=0, judgments_per_item=2)
    judge(database, campaign, ann, "pair-0", {"is_paraphrase": True}, now)
    choice = ReviewChoice(reviewer_id=bob.person_id)
    assert database.write(lambda c: open_reviews(c, campaign, choice, reason="Look.", now=now, by="x")) == 1
    return campaign, ann, bob


def test_a_reviewer_does_not_get_the_same_item_as_work(database, to_review, now) -> None:
    campaign, _, bob = to_review
    one = handed(database, campaign, bob, now)
    assert isinstance(one, Handed)
    assert (one.purpose, one.item.item_id) == ("review", "pair-0")
    assert item_id(handed(database, campaign, bob, now, "pair-0")) == "pair-1"
    assert handed(database, campaign, bob, now, "pair-0", "pair-1") == NothingNow(why="waiting")


def test_work_that_counts_again_does_not_stand_beside_its_review(database, to_review, now) -> None:
    campaign, ann, bob = to_review
    answered(database, campaign, bob, "pair-0", now, yes=False)
    judge(database, campaign, ann, "pair-1", {"is_paraphrase": True}, now)
    later = now + timedelta(hours=1)
    database.write(lambda c: stop_person(c, campaign, ann.person_id, reason="x", set_aside=True, now=now, by="x"))
    restored = database.write(lambda c: reinstate_person(c, campaign, ann.person_id, restore=True, now=later, by="x"))
    assert restored == 1
    items = schema.items.c
    judged = database.read(lambda c: c.execute(sa.select(items.item_id, items.judged).order_by(items.item_id)).all())
    assert [tuple(row) for row in judged] == [("pair-0", 1), ("pair-1", 1)]


def test_more_judgments_are_wanted_of_every_item_when_the_setting_is_raised(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(1), tests_every=0, judgments_per_item=1)
    answered(database, campaign, ann, item_id(handed(database, campaign, ann, now)), now)
    assert handed(database, campaign, bob, now) == NothingNow(why="done")
    settings = CampaignSettings(judgments_per_item=2, tests_every=0)
    database.write(lambda c: change_settings(c, "storms", settings, now=now, by="x"))
    campaign = database.read(lambda c: campaign_of(c, "storms"))
    assert item_id(handed(database, campaign, bob, now)) == "pair-0"
    assert handed(database, campaign, ann, now) == NothingNow(why="waiting")


def test_whoever_reads_on_behind_a_number_misses_no_judgment(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    """The first answer gets its number first and is committed last."""
    people = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(4), tests_every=0)
    said = schema.judgments.c

    def answer(connection, person, wait: float) -> None:
        judged = hand_out(connection, campaign, person, now=now)
        given = GivenAnswer(
            item_id=item_id(judged), answer={"is_paraphrase": True}, client_id="12345678", instructions_version=1
        )
        record_answer(connection, campaign, person, given, now=now)
        time.sleep(wait)

    def numbers(connection) -> list[int]:
        wait_for_appended(connection)
        return list(connection.scalars(sa.select(said.number).order_by(said.number)))

    with ThreadPoolExecutor(2) as at_once:
        first = at_once.submit(database.write, lambda c: answer(c, people[0], 0.5))
        time.sleep(0.15)
        second = at_once.submit(database.write, lambda c: answer(c, people[1], 0))
        time.sleep(0.15)
        read = database.write(numbers)
        first.result()
        second.result()
    assert read in ([1, 2], [1])


def test_items_added_at_once_have_places_of_their_own(database, open_campaign, some_pairs, now) -> None:
    campaign = open_campaign(database, some_pairs(1))

    def add(connection, some: int) -> None:
        new = [NewItem(content={"left": f"left {some}", "right": f"right {n}"}) for n in range(5)]
        add_items(connection, campaign, new, now=now)
        time.sleep(0.1)

    with ThreadPoolExecutor(4) as at_once:
        list(at_once.map(lambda some: database.write(lambda c: add(c, some)), range(4)))
    positions = database.read(lambda c: c.scalars(sa.select(schema.items.c.position)).all())
    assert len(set(positions)) == len(positions) == 21


@pytest.mark.parametrize("named", ["id", "name", "NAME", "rewrite", "extract"])
def test_nobody_judges_what_a_file_says_they_proposed(
    database, add_people, open_campaign, some_pairs, now, named: str
) -> None:
    ann, bob = add_people(database, 2)
    before = open_campaign(database, some_pairs(1), title="Before")
    judgment_id = judge(database, before, ann, "pair-0", {"is_paraphrase": True}, now)
    proposed_by = {"id": ann.person_id, "name": ann.name, "NAME": ann.name.upper()}.get(named, f"{named}:{judgment_id}")
    campaign = open_campaign(database, [replace(some_pairs(1)[0], proposed_by=proposed_by)])
    assert handed(database, campaign, ann, now) == NothingNow(why="waiting")
    assert isinstance(handed(database, campaign, bob, now), Handed)


def test_who_was_reinstated_is_not_stopped_again_for_the_same_answers(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    people = add_people(database, 3)
    campaign = open_campaign(database, some_pairs(30), tests_every=0, min_compared=20)
    ann = people[0]

    def work(some: range) -> None:
        for n in some:
            for person in people[1:]:
                judge(database, campaign, person, f"pair-{n}", {"is_paraphrase": n % 2 == 0}, now)
            yes = (n % 2 == 0) == (n >= 20)  # wrong at first, right after a talk
            judge(database, campaign, ann, f"pair-{n}", {"is_paraphrase": yes}, now)

    def standing():
        return database.read(lambda c: standing_of(c, campaign, ann.person_id, now))

    work(range(20))
    assert (standing().state, standing().reason) == ("stopped", "kappa")
    database.write(lambda c: reinstate_person(c, campaign, ann.person_id, restore=True, now=now, by="x"))
    work(range(20, 30))
    assert (standing().state, standing().kappa, standing().compared) == ("working", 1.0, 10)
