"""Who leads a game: what was submitted counts, once, and only as long as it stands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.app.game import checks_shown
from paraloom.judgments.assign import count_held
from paraloom.judgments.board import board_of, check_id_of_answer, names_of
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.checks import checks_of, keep_check
from paraloom.judgments.game import Check
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import Person, erase_identity
from paraloom.judgments.set_aside import set_aside_work
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.insert import insert_new

SENTENCES = [NewItem(item_id=f"w{n}", content={"source": f"Storm {n} hit the coast."}) for n in range(3)]


def worth(reward: float) -> Check:
    return Check(implication=0.9, similarity=0.0, reward=reward, passes=reward > 0)


def check(
    connection: Connection, campaign: Campaign, person: Person, item: str, text: str, reward: float, **more
) -> None:
    keep_check(connection, campaign, person, item, text, worth(reward), judged_by="x", **more)


def submit(
    database: Database, campaign: Campaign, person: Person, item: str, reward: float | None, now: datetime
) -> None:
    """As the service does: the text is checked, then stored; None for somebody who gives up."""
    client_id = secrets.token_hex(8)

    def job(connection: Connection) -> None:
        held = {"campaign_id": campaign.campaign_id, "item_id": item, "person_id": person.person_id, "state": "leased"}
        if insert_new(connection, schema.assignments, {**held, "purpose": "work", "leased_at": now, "expires_at": now}):
            count_held(connection, campaign.campaign_id, item, 1)
        answer = {"text": "", "gave_up": True} if reward is None else {"text": f"Said {client_id}.", "gave_up": False}
        if reward is not None:
            said = check_id_of_answer(client_id)
            check(connection, campaign, person, item, answer["text"], reward, client_id=said, now=now)
        given = GivenAnswer(item_id=item, answer=answer, client_id=client_id, instructions_version=1, reward=reward)
        record_answer(connection, campaign, person, given, now=now)

    database.write(job)


def board(database: Database, campaign: Campaign) -> dict[str, tuple[int, float, int, int]]:
    rows = database.read(lambda connection: board_of(connection, campaign))
    return {row.person: (row.place, row.total, row.submitted, row.passed) for row in rows}


def test_what_was_submitted_counts_and_what_was_only_checked_does_not(
    database: Database, open_campaign: Callable, add_people: Callable, now: datetime
) -> None:
    campaign = open_campaign(database, SENTENCES, task="write", tests_every=0)
    ann, bo, cy = add_people(database, 3)
    submit(database, campaign, ann, "w0", 0.5, now)
    submit(database, campaign, ann, "w1", 0.0, now)
    submit(database, campaign, bo, "w0", 0.75, now)
    submit(database, campaign, cy, "w0", None, now)
    database.write(lambda c: check(c, campaign, ann, "w2", "Best.", 1.0, client_id="only-checked", now=now))
    assert board(database, campaign) == {bo.person_id: (1, 0.75, 1, 1), ann.person_id: (2, 0.5, 2, 1)}


def test_a_change_of_mind_takes_the_place_of_what_was_submitted_before(
    database: Database, open_campaign: Callable, add_people: Callable, now: datetime
) -> None:
    campaign = open_campaign(database, SENTENCES, task="write", tests_every=0)
    [ann] = add_people(database, 1)
    submit(database, campaign, ann, "w0", 0.75, now)
    submit(database, campaign, ann, "w0", 0.25, now + timedelta(minutes=1))
    assert board(database, campaign) == {ann.person_id: (1, 0.25, 1, 1)}


def test_work_that_was_set_aside_is_off_the_board_and_an_erased_name_too(
    database: Database, open_campaign: Callable, add_people: Callable, now: datetime
) -> None:
    campaign = open_campaign(database, SENTENCES, task="write", tests_every=0)
    ann, bo = add_people(database, 2)
    for person in (ann, bo):
        submit(database, campaign, person, "w0", 0.5, now)
    database.write(lambda c: set_aside_work(c, campaign, ann.person_id, reason="x", now=now, by="x"))
    database.write(lambda c: erase_identity(c, bo.person_id, now=now, by="x"))
    assert list(board(database, campaign)) == [bo.person_id]
    assert database.read(lambda c: names_of(c, [bo.person_id])) == {bo.person_id: f"erased {bo.person_id[:6]}"}


def test_earlier_checks_are_shown_once_each_the_newest_first(
    database: Database, open_campaign: Callable, add_people: Callable, now: datetime
) -> None:
    campaign = open_campaign(database, SENTENCES, task="write", most_checks=10, pay=2.0)
    [ann] = add_people(database, 1)
    for n, (text, reward) in enumerate([("One.", 0.5), ("Two.", 0.0), ("One.", 0.5)]):
        database.write(
            lambda c, t=text, r=reward, n=n: check(c, campaign, ann, "w0", t, r, client_id=f"c{n}" * 5, now=now)
        )
    shown = checks_shown(campaign, database.read(lambda c: checks_of(c, campaign, ann.person_id, "w0")))
    assert [(one["text"], one["pays"], one["left"]) for one in shown] == [("One.", 1.0, 7), ("Two.", 0.0, 7)]
