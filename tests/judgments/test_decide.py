"""Who decides what, what a decision keeps, and who may say something before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.audit import actions
from paraloom.judgments.campaigns import campaign_of, change_settings, publish_instructions
from paraloom.judgments.conflicts import decisions_on, judged_item
from paraloom.judgments.decide import (
    GivenDecision,
    blind_order,
    decide,
    may_decide,
    may_discuss,
    note_counts,
    notes_on,
    write_note,
)
from paraloom.judgments.items import NewItem
from paraloom.judgments.store import schema
from tests.judgments.working import grade_all, judge, pairs_to_grade


@pytest.fixture
def conflict(database, add_people, open_campaign, now):
    """Two annotators who differ on p0 and agree on p1, an expert, and p2 that only one has judged."""
    people = add_people(database, 2)
    [expert] = add_people(database, 1, role="expert")
    tests = [
        NewItem(item_id="test", content={"left": "It rained.", "right": "Rain fell."}, expected={"label": "4"}),
    ]
    campaign = open_campaign(
        database, pairs_to_grade(3) + tests, task="grade", judgments_per_item=2, adjudicate=True, tests_every=0
    )
    ann_says = {"label": "4>", "rewrite_right": "The shore met storm 0 there.", "unsure": True, "note": "hard"}
    grade_all(database, campaign, people, {"p0": [ann_says, "3"], "p1": ["4", "4"], "p2": ["2"]}, now)
    return campaign, people, expert


def sent(database, campaign, item_id="p0", **values):
    judged = database.read(lambda c: judged_item(c, campaign.campaign_id, item_id))
    seen = [one.judgment_id for one in judged.said]
    after = None if judged.decision is None else judged.decision.number
    return GivenDecision(**({"item_id": item_id, "seen": seen, "after": after, "answer": {"label": "4"}} | values))


def test_a_decision_keeps_what_it_was_made_of(database, conflict, now) -> None:
    campaign, _, expert = conflict
    database.write(lambda c: publish_instructions(c, "storms", "New text.", "Clearer.", now=now, by="x"))
    campaign = database.read(lambda c: campaign_of(c, "storms"))
    given = sent(database, campaign, answer={"label": "4s>"}, reason=" B is wider. ")
    found = database.write(lambda c: decide(c, campaign, expert, given, now=now))
    assert found.answer["label"] == "4>s"
    assert (found.reason, found.decided_by, found.instructions_version) == ("B is wider.", expert.person_id, 2)
    assert set(found.judgment_ids) == set(given.seen)
    assert len(given.seen) == 2
    assert database.read(actions)[0].what == "decided"


def test_accepting_takes_the_answer_over_but_not_the_doubt(database, conflict, now) -> None:
    campaign, (ann, _), expert = conflict
    judged = database.read(lambda c: judged_item(c, "storms", "p0"))
    own = next(one for one in judged.said if one.person_id == ann.person_id)
    given = sent(database, campaign, answer=None, accepted=own.judgment_id)
    found = database.write(lambda c: decide(c, campaign, expert, given, now=now))
    assert found.answer == {**own.answer, "unsure": False}


def test_a_decision_is_revised_by_another_one(database, conflict, now) -> None:
    campaign, _, expert = conflict
    for label in ("4", "3"):
        given = sent(database, campaign, answer={"label": label})
        database.write(lambda c, given=given: decide(c, campaign, expert, given, now=now))
    assert [one.answer["label"] for one in database.read(lambda c: decisions_on(c, "storms", "p0"))] == ["3", "4"]
    with pytest.raises(DBAPIError, match="only ever appended"):
        database.write(lambda c: c.execute(schema.decisions.update().values(reason="other")))


def test_the_same_decision_sent_again_is_one_decision(database, conflict, now) -> None:
    campaign, _, expert = conflict
    given = sent(database, campaign, reason="clear")
    first = database.write(lambda c: decide(c, campaign, expert, given, now=now))
    again = database.write(lambda c: decide(c, campaign, expert, given, now=now + timedelta(seconds=1)))
    assert again.number == first.number
    with pytest.raises(Clash, match="meanwhile"):
        database.write(lambda c: decide(c, campaign, expert, replace(given, answer={"label": "1"}), now=now))


def test_two_experts_at_once_do_not_overrule_each_other(database, conflict, add_people, now) -> None:
    campaign, _, _ = conflict
    experts = add_people(database, 6, role="expert")
    given = sent(database, campaign)

    def try_to(place: int) -> bool:
        own = replace(given, answer={"label": "4" if place % 2 else "3"})
        try:
            database.write(lambda c: decide(c, campaign, experts[place], own, now=now))
        except Clash:
            return False
        return True

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(try_to, range(6))) == 1


def test_an_answer_that_was_not_seen_stops_the_decision(database, conflict, now) -> None:
    campaign, (ann, _), expert = conflict
    given = sent(database, campaign)
    judge(database, campaign, ann, "p0", {"label": "1"}, now)
    with pytest.raises(Clash, match="1 new answer"):
        database.write(lambda c: decide(c, campaign, expert, given, now=now))
    accepted = replace(given, answer=None, accepted=given.seen[0])
    with pytest.raises(Clash, match="does not count any more"):
        database.write(lambda c: decide(c, campaign, expert, accepted, now=now))


REFUSED = [
    ("p0", {"answer": {"label": "5"}}, InputError, "label"),
    ("p0", {"answer": {"label": "4"}, "accepted": "j"}, InputError, "either"),
    ("p0", {"answer": None}, InputError, "either"),
    ("p0", {"reason": "x" * 5001}, InputError, "reason"),
    ("p2", {}, NotAllowed, "still being judged"),
]


@pytest.mark.parametrize(("item", "values", "error", "words"), REFUSED)
def test_what_cannot_be_a_decision_is_refused(database, conflict, now, item, values, error, words) -> None:
    campaign, _, expert = conflict
    given = sent(database, campaign, item, **values)
    with pytest.raises(error, match=words):
        database.write(lambda c: decide(c, campaign, expert, given, now=now))


def test_test_questions_and_unknown_items_are_not_decided(database, conflict, now) -> None:
    campaign, (ann, _), expert = conflict
    judge(database, campaign, ann, "test", {"label": "4"}, now)
    for item_id, error in (("test", NotAllowed), ("nothing", NotFound)):
        given = GivenDecision(item_id=item_id, seen=(), after=None, answer={"label": "4"})
        with pytest.raises(error):
            database.write(lambda c, given=given: decide(c, campaign, expert, given, now=now))


def test_experts_decide_where_they_are_members_and_admins_everywhere(database, conflict, add_people, now) -> None:
    campaign, (ann, _), expert = conflict
    [admin] = add_people(database, 1, role="admin")
    given = sent(database, campaign)
    with pytest.raises(NotAllowed, match="Only experts"):
        database.write(lambda c: decide(c, campaign, ann, given, now=now))
    closed = replace(campaign.settings, members_only=True)
    database.write(lambda c: change_settings(c, "storms", closed, now=now, by="x"))
    campaign = database.read(lambda c: campaign_of(c, "storms"))
    allowed = [database.read(lambda c, one=one: may_decide(c, campaign, one)) for one in (ann, expert, admin)]
    assert allowed == [False, False, True]
    database.write(
        lambda c: c.execute(
            schema.members.insert().values(campaign_id="storms", person_id=expert.person_id, added_at=now)
        )
    )
    assert database.read(lambda c: may_decide(c, campaign, expert))


def test_judges_talk_about_an_item_once_all_judgments_are_in(database, conflict, add_people, now) -> None:
    campaign, (ann, bob), expert = conflict
    [stranger] = add_people(database, 1)

    def may(person, item_id):
        return database.read(lambda c: may_discuss(c, campaign, person, item_id))

    assert [may(person, "p0") for person in (ann, bob, expert, stranger)] == [True, True, True, False]
    assert [may(person, "p2") for person in (ann, expert)] == [False, True], "each judges alone until then"
    database.write(lambda c: write_note(c, campaign, ann, "p0", " Is it? ", client_id="drawn-one", now=now))
    database.write(lambda c: write_note(c, campaign, expert, "p0", "It is.", client_id="drawn-one", now=now))
    found = database.read(lambda c: notes_on(c, "storms", "p0"))
    assert [(note.person_id, note.text) for note in found] == [(ann.person_id, "Is it?"), (expert.person_id, "It is.")]
    assert database.read(lambda c: note_counts(c, "storms")) == {"p0": 2}
    for person, item_id, text, error in (
        (stranger, "p0", "Hello", NotFound),
        (ann, "p2", "Hello", NotFound),
        (ann, "p0", "  ", InputError),
    ):
        with pytest.raises(error):
            database.write(
                lambda c, one=(person, item_id, text): write_note(c, campaign, *one, client_id="drawn-two", now=now)
            )
    with pytest.raises(DBAPIError, match="only ever appended"):
        database.write(lambda c: c.execute(sa.delete(schema.notes)))


def test_the_same_note_sent_again_is_one_note(database, conflict, now) -> None:
    campaign, (ann, bob), _ = conflict
    later = now + timedelta(seconds=1)

    def send(person, text="Is it?", client_id="drawn-one", at=now, item_id="p0"):
        return database.write(lambda c: write_note(c, campaign, person, item_id, text, client_id=client_id, now=at))

    first, again = send(ann), send(ann, at=later)
    assert (again.number, first.repeated, again.repeated) == (first.number, False, True)
    assert not send(bob).repeated, "another person draws for themselves"
    assert not send(ann, client_id="drawn-two").repeated, "the same words said twice are two notes"
    assert [note.created_at for note in database.read(lambda c: notes_on(c, "storms", "p0"))] == [now, now, now]
    for other in ({"text": "It is."}, {"item_id": "p1"}):
        with pytest.raises(Clash, match="another note"):
            send(ann, **other)
    with pytest.raises(InputError, match="client_id"):
        send(ann, client_id="short")
    judge(database, campaign, ann, "p2", {"label": "1"}, now)
    database.write(lambda c: c.execute(schema.items.update().values(wanted=9)))
    assert send(ann, at=later).repeated, "it was stored, though nobody could say it now"


def test_a_note_sent_many_times_at_once_is_one_note(database, conflict, now) -> None:
    campaign, (ann, _), _ = conflict

    def send(_: int) -> int:
        return database.write(
            lambda c: write_note(c, campaign, ann, "p0", "Hm.", client_id="drawn-one", now=now)
        ).number

    with ThreadPoolExecutor(6) as threads:
        assert len(set(threads.map(send, range(12)))) == 1
    assert database.read(lambda c: note_counts(c, "storms")) == {"p0": 1}


def test_the_order_on_the_page_tells_neither_who_nor_when(database, add_people, open_campaign, now) -> None:
    people = add_people(database, 2)
    campaign = open_campaign(database, pairs_to_grade(20), task="grade", judgments_per_item=2, adjudicate=True)
    grade_all(database, campaign, people, {f"p{n}": ["4", "3"] for n in range(20)}, now)
    orders = {
        tuple(one.person_id for one in blind_order(judged).said)
        for n in range(20)
        if (judged := database.read(lambda c, n=n: judged_item(c, "storms", f"p{n}"))) is not None
    }
    assert len(orders) == 2
