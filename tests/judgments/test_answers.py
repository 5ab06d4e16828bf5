"""An answer is stored once, for good, with all that follows from it; nothing that was said is lost or changed."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.answers import Acknowledged, Feedback, GivenAnswer, record_answer
from paraloom.judgments.assign import Handed, NothingNow, hand_out
from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, publish_instructions
from paraloom.judgments.people import Person, erase_identity
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database


def next_item(database: Database, campaign: Campaign, person: Person, now: datetime) -> str:
    found = database.write(lambda c: hand_out(c, campaign, person, now=now))
    assert isinstance(found, Handed), found
    return found.item.item_id


def answer_to(item: str, *, yes: bool = True, client_id: str | None = None) -> GivenAnswer:
    return GivenAnswer(
        item_id=item,
        answer={"is_paraphrase": yes},
        client_id=client_id or secrets.token_hex(8),
        instructions_version=1,
        seconds=2.5,
    )


def store(database: Database, campaign: Campaign, person: Person, given: GivenAnswer, now: datetime) -> Acknowledged:
    return database.write(lambda c: record_answer(c, campaign, person, given, now=now))


def rows(database: Database, table: sa.Table) -> list[sa.RowMapping]:
    return list(database.read(lambda c: c.execute(sa.select(table).order_by(*table.primary_key)).mappings().all()))


def test_an_answer_is_kept_with_everything_about_it(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1))
    item = next_item(database, campaign, ann, now)
    later = now + timedelta(seconds=3)
    stored = store(database, campaign, ann, answer_to(item, client_id="client-0001"), later)
    [kept] = rows(database, schema.judgments)
    assert dict(kept) == {
        "number": kept["number"],
        "judgment_id": stored.judgment_id,
        "campaign_id": "storms",
        "item_id": item,
        "person_id": ann.person_id,
        "answer": {"is_paraphrase": True},
        "instructions_version": 1,
        "seconds": 2.5,
        "created_at": later,
        "is_test": False,
        "is_right": None,
        "client_id": "client-0001",
        "replaces": None,
        "purpose": "work",
    }


def test_the_same_answer_sent_again_is_not_a_second_one(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1), pay=0.1)
    given = answer_to(next_item(database, campaign, ann, now))
    first = store(database, campaign, ann, given, now)
    again = store(database, campaign, ann, given, now)
    assert (first.repeated, again.repeated) == (False, True)
    assert again.judgment_id == first.judgment_id
    assert again.standing == first.standing
    assert len(rows(database, schema.judgments)) == 1


def test_an_answer_sent_ten_times_at_once_is_one(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1), pay=0.1)
    given = answer_to(next_item(database, campaign, ann, now))
    with ThreadPoolExecutor(10) as threads:
        acknowledged = list(threads.map(lambda _: store(database, campaign, ann, given, now), range(10)))
    assert [one.repeated for one in acknowledged].count(False) == 1
    assert len(rows(database, schema.judgments)) == 1
    [standing] = rows(database, schema.standings)
    assert (standing["answered"], standing["earned"]) == (1, 100_000)


def test_a_client_id_used_for_another_answer_is_refused(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1))
    given = answer_to(next_item(database, campaign, ann, now))
    store(database, campaign, ann, given, now)
    with pytest.raises(Clash, match="another answer"):
        store(database, campaign, ann, replace(given, answer={"is_paraphrase": False}), now)


def test_a_change_of_mind_is_a_new_row_and_one_vote(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1), pay=0.1)
    item = next_item(database, campaign, ann, now)
    first = store(database, campaign, ann, answer_to(item), now)
    second = store(database, campaign, ann, answer_to(item, yes=False), now)
    kept = rows(database, schema.judgments)
    assert [row["replaces"] for row in kept] == [None, first.judgment_id]
    [vote] = rows(database, schema.votes)
    assert vote["value"] == "0"
    assert second.standing.answered == 1
    assert second.standing.earned == 100_000  # paid once
    [stored] = rows(database, schema.items)
    assert (stored["judged"], stored["held"]) == (1, 1)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"answer": {}}, InputError, "is_paraphrase"),
        ({"answer": {"is_paraphrase": "yes"}}, InputError, "is_paraphrase"),
        ({"answer": {"is_paraphrase": True, "note": "x"}}, InputError, "note"),
        ({"client_id": "short"}, InputError, "client_id"),
        ({"client_id": "no\nlines in here"}, InputError, "client_id"),
        ({"instructions_version": 2}, InputError, "instructions_version"),
        ({"seconds": -1.0}, InputError, "seconds"),
        ({"seconds": float("nan")}, InputError, "seconds"),
        ({"item_id": "nowhere"}, NotFound, "nowhere"),
        ({"item_id": "pair-1"}, NotAllowed, "not handed to you"),
    ],
)
def test_what_cannot_be_an_answer_is_refused_and_leaves_nothing(
    database, add_people, open_campaign, some_pairs, now, change: dict[str, object], error: type[Exception], words: str
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(2))
    given = answer_to(next_item(database, campaign, ann, now))
    before = rows(database, schema.items)
    with pytest.raises(error, match=words):
        store(database, campaign, ann, replace(given, **change), now)
    assert rows(database, schema.judgments) == []
    assert rows(database, schema.items) == before


def test_an_answer_is_taken_after_the_campaign_has_ended(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1))
    item = next_item(database, campaign, ann, now)
    database.write(lambda c: change_state(c, campaign.campaign_id, "ended", now=now, by="x"))
    ended = database.read(lambda c: campaign_of(c, campaign.campaign_id))
    assert not store(database, ended, ann, answer_to(item), now).repeated


def test_a_judgment_names_the_instructions_it_was_made_under(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(2))
    first = next_item(database, campaign, ann, now)
    database.write(lambda c: publish_instructions(c, campaign.campaign_id, "# Other", "Clearer", now=now, by="x"))
    newer = database.read(lambda c: campaign_of(c, campaign.campaign_id))
    store(database, newer, ann, answer_to(first), now)  # the page still showed version 1
    second = next_item(database, newer, ann, now)
    store(database, newer, ann, replace(answer_to(second), instructions_version=2), now)
    assert [row["instructions_version"] for row in rows(database, schema.judgments)] == [1, 2]


def test_a_mistake_on_a_test_question_is_explained_at_once(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(0, tests=2), tests_every=1)
    right = store(database, campaign, ann, answer_to(next_item(database, campaign, ann, now)), now)
    wrong = store(database, campaign, ann, answer_to(next_item(database, campaign, ann, now), yes=False), now)
    assert right.feedback is None
    assert wrong.feedback == Feedback(expected={"is_paraphrase": True}, explanation="Both tell how long it rained.")
    assert (wrong.standing.tests, wrong.standing.tests_right) == (2, 1)


def test_a_test_question_answered_again_is_not_counted_again(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    """Who was told the right answer cannot improve their score with it, and who tries answers learns nothing."""
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(0, tests=2), tests_every=1)
    item = next_item(database, campaign, ann, now)
    store(database, campaign, ann, answer_to(item, yes=False), now)
    again = store(database, campaign, ann, answer_to(item), now)
    assert (again.standing.tests, again.standing.tests_right) == (1, 0)
    other = next_item(database, campaign, ann, now)
    store(database, campaign, ann, answer_to(other), now)
    tried = answer_to(other, yes=False)
    assert store(database, campaign, ann, tried, now).feedback is None
    assert store(database, campaign, ann, tried, now).feedback is None  # nor when it is sent again


def test_a_mistake_is_explained_again_if_the_first_reply_was_lost(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(0, tests=1), tests_every=1)
    given = answer_to(next_item(database, campaign, ann, now), yes=False)
    first = store(database, campaign, ann, given, now)
    again = store(database, campaign, ann, given, now)
    assert again.repeated
    assert first.feedback is not None
    assert again.feedback == first.feedback


def test_who_fails_the_tests_is_stopped_and_their_work_goes_to_others(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    bad, other = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(6, tests=6), tests_every=2, min_tests=3, judgments_per_item=1)
    done = []
    while isinstance(found := database.write(lambda c: hand_out(c, campaign, bad, now=now)), Handed):
        done.append(found.item.item_id)
        stored = store(database, campaign, bad, answer_to(found.item.item_id, yes=False), now)
    assert found == NothingNow(why="stopped", detail="tests")
    assert stored.standing.tests == 3
    kept = rows(database, schema.judgments)
    assert len(kept) == len(done)  # judgments stay
    assert {row["judgment_id"] for row in rows(database, schema.marks)} == {row["judgment_id"] for row in kept}
    assert not any(vote["counts"] for vote in rows(database, schema.votes))
    assert all((row["judged"], row["held"]) == (0, 0) for row in rows(database, schema.items))
    work_of_bad = [item for item in done if item.startswith("pair")]
    got = []
    while isinstance(found := database.write(lambda c: hand_out(c, campaign, other, now=now)), Handed):
        got.append(found.item.item_id)
        store(database, campaign, other, answer_to(found.item.item_id), now)
    assert set(work_of_bad) <= set(got)


@pytest.mark.parametrize(("go_on", "state"), [(False, "stopped"), (True, "working")])
def test_who_may_have_had_bad_luck_goes_on_if_the_campaign_says_so(
    database, add_people, open_campaign, some_pairs, now, go_on: bool, state: str
) -> None:
    """Six of eight is less than 85 %, but happens to somebody of 85 % in one case of three."""
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(0, tests=8), tests_every=1, min_tests=8, doubtful_go_on=go_on)
    for n in range(8):
        given = answer_to(next_item(database, campaign, ann, now), yes=n > 1)
        stored = store(database, campaign, ann, given, now)
    assert stored.standing.state == state


def test_work_that_was_set_aside_can_count_again(database, add_people, open_campaign, some_pairs, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(3))
    for _ in range(3):
        store(database, campaign, ann, answer_to(next_item(database, campaign, ann, now)), now)
    before = rows(database, schema.items), rows(database, schema.votes)
    how = {"reason": "κ .1", "now": now, "by": "root"}
    assert database.write(lambda c: set_aside_work(c, campaign, ann.person_id, **how)) == 3
    assert rows(database, schema.items) != before[0]
    assert database.write(lambda c: restore_work(c, campaign, ann.person_id, **how)) == 3
    assert (rows(database, schema.items), rows(database, schema.votes)) == before
    assert [row["mark"] for row in rows(database, schema.marks)] == ["set_aside"] * 3 + ["restored"] * 3


def test_who_disagrees_with_the_others_is_stopped(database, add_people, open_campaign, some_pairs, now) -> None:
    *good, bad = add_people(database, 4)
    campaign = open_campaign(database, some_pairs(40), min_compared=20, judgments_per_item=4)
    truth = {f"pair-{n}": n % 2 == 0 for n in range(40)}
    for person in (*good, bad):
        while isinstance(found := database.write(lambda c, p=person: hand_out(c, campaign, p, now=now)), Handed):
            item = found.item.item_id
            stored = store(database, campaign, person, answer_to(item, yes=truth[item] == (person is not bad)), now)
        assert stored.standing.state == ("stopped" if person is bad else "working")
    assert stored.standing.reason == "kappa"
    assert stored.standing.kappa == pytest.approx(-1.0)


@pytest.mark.parametrize("change", ["UPDATE judgments SET answer = '{}'", "DELETE FROM judgments", "DELETE FROM audit"])
def test_the_database_itself_refuses_to_change_what_was_said(
    database, add_people, open_campaign, some_pairs, now, change: str
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1))
    store(database, campaign, ann, answer_to(next_item(database, campaign, ann, now)), now)
    with pytest.raises(DBAPIError, match="only ever appended"):
        database.write(lambda c: c.exec_driver_sql(change))
    assert len(rows(database, schema.judgments)) == 1


def test_an_erased_person_is_nobody_but_what_they_said_stays(
    database, add_people, open_campaign, some_pairs, now
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(1))
    store(database, campaign, ann, answer_to(next_item(database, campaign, ann, now)), now)
    database.write(lambda c: erase_identity(c, ann.person_id, now=now, by="root"))
    [person] = rows(database, schema.people)
    assert (person["name"], person["password"]) == (None, None)
    [kept] = rows(database, schema.judgments)
    assert kept["person_id"] == ann.person_id
    everything = [str(dict(row)) for table in schema.metadata.sorted_tables for row in rows(database, table)]
    assert not [row for row in everything if ann.name in row]
