"""Wrong passwords are counted by name and by address, and waits grow; invitations are used as often as they say."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from paraloom.errors import Clash, InputError, NotFound
from paraloom.judgments.invitations import accept, invitation_of, invite, open_invitations, withdraw
from paraloom.judgments.members import campaigns_for
from paraloom.judgments.people import add_person, everybody
from paraloom.judgments.sign_in import (
    begin_try,
    make_token,
    open_session,
    person_of_token,
    revoke_token,
    seconds_until_next_try,
    take_back,
    tokens_of,
)
from paraloom.judgments.store import schema
from paraloom.web.throttle import BY_ADDRESS, BY_NAME


def wait(database, name: str, address: str, now) -> float:
    return database.read(lambda c: seconds_until_next_try(c, name, address, now))


def fail(database, name: str, address: str, now, times: int = 1) -> None:
    for _ in range(times):
        database.write(lambda c: begin_try(c, name, address, now))


def counted(database) -> list[tuple[object, ...]]:
    table = schema.failed_sign_ins
    return [tuple(row) for row in database.read(lambda c: c.execute(sa.select(table).order_by(table.c.about)).all())]


def test_guessing_at_one_account_takes_longer_and_longer(database, now) -> None:
    waits = []
    for _ in range(9):
        fail(database, "Ann", "192.0.2.1", now)
        waits.append(wait(database, "ann", "198.51.100.7", now))
        now += timedelta(seconds=waits[-1])
    assert waits == [0, 0, 0, 0, 2, 4, 8, 16, 32]
    assert wait(database, "Bob", "198.51.100.7", now) == 0


def test_guessing_at_many_accounts_from_one_place_takes_longer_too(database, now) -> None:
    for n in range(30):
        fail(database, f"name {n}", "192.0.2.1", now)
    assert wait(database, "somebody else", "192.0.2.1", now) > 0
    assert wait(database, "somebody else", "192.0.2.2", now) == 0


@pytest.mark.parametrize(("name", "let_in"), [("Ann", BY_NAME.free), ("name {}", BY_ADDRESS.free)])
def test_of_many_tries_at_once_no_more_are_let_in_than_one_by_one(database, now, name: str, let_in: int) -> None:
    """At one account, or one at each of many from one place: they are counted before a password is looked at."""

    def guess(n: int) -> bool:
        return database.write(lambda c: begin_try(c, name.format(n), "192.0.2.1", now)).wait == 0

    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(guess, range(60))).count(True) == let_in


def test_a_right_password_leaves_no_trace_of_its_try(database, now) -> None:
    fail(database, "Bob", "192.0.2.1", now)
    before = counted(database)
    later = now + timedelta(minutes=1)
    first = database.write(lambda c: begin_try(c, "Ann", "192.0.2.1", later))
    second = database.write(lambda c: begin_try(c, "Ann", "192.0.2.1", later + timedelta(seconds=1)))
    assert counted(database) != before
    for right in (second, first):
        database.write(lambda c, right=right: take_back(c, right))
    assert counted(database) == before, "neither more failures, nor later ones: nobody waits for it"


def test_what_is_taken_back_takes_no_other_failure_with_it(database, now) -> None:
    right = database.write(lambda c: begin_try(c, "Ann", "192.0.2.1", now))
    fail(database, "Ann", "192.0.2.1", now + timedelta(seconds=1))
    database.write(lambda c: take_back(c, right))
    assert [row[1:] for row in counted(database)] == [(1, now + timedelta(seconds=1))] * 2


def test_failures_are_forgotten_after_a_success_or_a_day(database, now) -> None:
    ann = database.write(lambda c: add_person(c, name="Ann", hashed="x", role="annotator", now=now, by="x"))
    fail(database, "Ann", "192.0.2.1", now, times=8)
    assert wait(database, "Ann", "192.0.2.9", now) > 0
    assert wait(database, "Ann", "192.0.2.9", now + timedelta(hours=25)) == 0
    database.write(lambda c: open_session(c, ann, now))
    assert wait(database, "Ann", "192.0.2.9", now) == 0


def test_tokens_open_until_they_are_revoked(database, now, add_people) -> None:
    ann, bob = add_people(database, 2)
    token, key = database.write(lambda c: make_token(c, ann.person_id, "  for my script ", now))
    assert token.name == "for my script"
    assert database.read(lambda c: person_of_token(c, key)) == ann
    with pytest.raises(NotFound):
        database.write(lambda c: revoke_token(c, bob.person_id, token.token_id, now))  # it is not his
    database.write(lambda c: revoke_token(c, ann.person_id, token.token_id, now))
    assert database.read(lambda c: person_of_token(c, key)) is None
    [listed] = database.read(lambda c: tokens_of(c, ann.person_id))
    assert listed.revoked_at == now


def test_an_invitation_makes_accounts_with_its_role_for_its_campaign(database, now, open_campaign, some_pairs) -> None:
    open_campaign(database, some_pairs(1), members_only=True)
    key = database.write(lambda c: invite(c, role="expert", now=now, by="root", campaign_id="storms", uses=2))
    ann = database.write(lambda c: accept(c, key, name="Ann", hashed="x", language="ar", now=now))
    assert (ann.role, ann.language) == ("expert", "ar")
    assert [one.campaign_id for one in database.read(lambda c: campaigns_for(c, ann))] == ["storms"]
    other = database.write(lambda c: add_person(c, name="Bob", hashed="x", role="expert", now=now, by="x"))
    assert database.read(lambda c: campaigns_for(c, other)) == []
    assert database.read(lambda c: invitation_of(c, key, now)).uses_left == 1


def test_an_invitation_for_one_makes_one_account_however_many_try(database, now) -> None:
    key = database.write(lambda c: invite(c, role="annotator", now=now, by="root"))

    def join(n: int) -> bool:
        try:
            database.write(lambda c: accept(c, key, name=f"Ann {n}", hashed="x", language=None, now=now))
        except NotFound:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(join, range(8))).count(True) == 1
    assert len(database.read(everybody)) == 1


def test_an_invitation_is_not_used_up_by_a_name_that_is_taken(database, now) -> None:
    database.write(lambda c: add_person(c, name="Ann", hashed="x", role="annotator", now=now, by="x"))
    key = database.write(lambda c: invite(c, role="annotator", now=now, by="root"))
    with pytest.raises(Clash):
        database.write(lambda c: accept(c, key, name="ann", hashed="x", language=None, now=now))
    assert database.read(lambda c: invitation_of(c, key, now)).uses_left == 1


def test_an_invitation_ends_with_its_time_or_when_it_is_withdrawn(database, now) -> None:
    first = database.write(lambda c: invite(c, role="annotator", now=now, by="root", days=1))
    database.write(lambda c: invite(c, role="annotator", now=now, by="root", days=2))
    assert len(database.read(lambda c: open_invitations(c, now))) == 2
    with pytest.raises(NotFound, match="run out"):
        database.read(lambda c: invitation_of(c, first, now + timedelta(days=1)))
    hashed = database.read(lambda c: invitation_of(c, first, now)).key_hash
    database.write(lambda c: withdraw(c, hashed, now=now, by="root"))
    with pytest.raises(NotFound):
        database.read(lambda c: invitation_of(c, first, now))


@pytest.mark.parametrize("wrong", [{"uses": 0}, {"days": 0}, {"days": 10_000}, {"role": "king"}])
def test_an_invitation_that_makes_no_sense_is_refused(database, now, wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        database.write(lambda c: invite(c, **{"role": "annotator", "now": now, "by": "root", **wrong}))


def test_nobody_who_joins_passes_for_simulated(database, now) -> None:
    key = database.write(lambda c: invite(c, role="annotator", now=now, by="root"))
    with pytest.raises(InputError, match="simulated"):
        database.write(lambda c: accept(c, key, name=" Sim-ann", hashed="x", language=None, now=now))
    assert database.read(lambda c: invitation_of(c, key, now)).uses_left == 1
