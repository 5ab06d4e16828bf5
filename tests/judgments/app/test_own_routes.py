"""One's own pages: the account, one's own answers; never the others' answers, nor which questions were tests."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.people import add_person, person_of
from paraloom.judgments.sign_in import make_token, open_session, person_of_session, stored_password
from paraloom.web.passwords import hash_password, matches
from tests.judgments.working import judge

YES, NO = {"is_paraphrase": True}, {"is_paraphrase": False}
PASSWORD = "correct horse battery"
HASHED = hash_password(PASSWORD)


@pytest.fixture
def ann(database, now):
    return database.write(lambda c: add_person(c, name="Ann", hashed=HASHED, role="annotator", now=now, by="x"))


@pytest.fixture
def own(clients, ann):
    return clients(ann)


def test_nobody_sees_an_account_without_signing_in(database, now) -> None:
    client = TestClient(make_app(Service(database=database, clock=lambda: now)), follow_redirects=False)
    for path in ("/account", "/judge/storms/mine", "/judge/storms/answered/pair-0"):
        assert client.get(path).status_code == 401
    for path in ("/account/password", "/account/tokens", "/account/tokens/x/revoke", "/account/erase"):
        assert client.post(path).status_code == 401


def test_a_password_is_changed_and_all_other_sessions_end(database, own, ann, now) -> None:
    other = database.write(lambda c: open_session(c, ann, now))
    form = {"old": PASSWORD, "password": "four quite random words", "again": "four quite random words"}
    for wrong, told in (
        ({"old": "not that one"}, "not your password"),
        ({"again": "something else here"}, "not the same"),
        ({"password": "short", "again": "short"}, "too short"),
    ):
        answer = own.post("/account/password", data=form | wrong)
        assert answer.status_code == 422
        assert told in answer.text
    answer = own.post("/account/password", data=form)
    assert answer.status_code == 303
    assert database.read(lambda c: person_of_session(c, other, now)) is None
    assert own.get("/account").status_code == 200, "this session goes on, with a new key"
    assert matches(database.read(lambda c: stored_password(c, "Ann"))[1], "four quite random words")


def test_an_account_without_a_password_sets_one_but_only_by_session_and_once(database, clients, now) -> None:
    ann = database.write(lambda c: add_person(c, name="Ann", hashed=None, role="annotator", now=now, by="x"))
    own = clients(ann)
    form = {"password": PASSWORD, "again": PASSWORD}
    assert "Set a password first" in own.post("/account/erase", data={"password": ""}).text
    assert database.read(lambda c: person_of(c, ann.person_id)).name == "Ann"
    _, key = database.write(lambda c: make_token(c, ann.person_id, "program", now))
    program = TestClient(own.app, headers={"authorization": f"Bearer {key}"})
    assert program.post("/account/password", data=form).status_code == 403
    assert program.post("/account/erase", data={"password": ""}).status_code == 403
    assert "too short" in own.post("/account/password", data={"password": "short", "again": "short"}).text
    assert own.post("/account/password", data=form).headers["location"] == "/account?done=first-password"
    assert matches(database.read(lambda c: stored_password(c, "Ann"))[1], PASSWORD)
    again = clients(ann).post(
        "/account/password", data={"password": "another four words", "again": "another four words"}
    )
    assert "That is not your password" in again.text


def test_guessing_ones_own_password_waits(own) -> None:
    form = {"old": "wrong wrong wrong", "password": "four quite random words", "again": "four quite random words"}
    told = [own.post("/account/password", data=form).text for _ in range(7)]
    assert "not your password" in told[0]
    assert "Too many wrong passwords" in told[-1]


def test_a_token_is_shown_once_works_and_is_revoked(own, ann) -> None:
    page = own.post("/account/tokens", data={"name": "<b>notebook</b>"}).text
    key = re.search(r'class="token"[^>]*>([^<]+)<', page)[1]
    listed = own.get("/account").text
    assert key not in listed
    assert "&lt;b&gt;notebook" in listed
    program = TestClient(own.app, headers={"authorization": f"Bearer {key}"})
    assert program.get("/api/v1/me").json()["person_id"] == ann.person_id
    assert program.post("/account/tokens", data={"name": "another"}).status_code == 403
    assert program.post("/account/erase", data={"password": PASSWORD}).status_code == 403
    revoke = re.search(r'action="(/account/tokens/\w+/revoke)"', listed)[1]
    assert own.post(revoke).status_code == 303
    assert program.get("/api/v1/me").status_code == 401
    assert own.post(revoke).status_code == 404


def test_nobody_revokes_the_token_of_another(database, clients, own, add_people) -> None:
    listed = own.post("/account/tokens", data={"name": "mine"}).text
    revoke = re.search(r'action="(/account/tokens/\w+/revoke)"', listed)[1]
    assert clients(add_people(database, 1)[0]).post(revoke).status_code == 404


def test_who_leaves_for_good_is_forgotten(database, own, ann) -> None:
    assert own.post("/account/erase", data={"password": "wrong"}).status_code == 422
    answer = own.post("/account/erase", data={"password": PASSWORD})
    assert answer.headers["location"] == "/sign-in"
    assert database.read(lambda c: person_of(c, ann.person_id)).name is None
    assert own.get("/account").status_code == 303


@pytest.fixture
def worked(database, ann, add_people, open_campaign, some_pairs, now):
    campaign = open_campaign(database, some_pairs(3, 2), judgments_per_item=2, pay=0.25, min_tests=1000)
    [other] = add_people(database, 1)
    for number in range(3):
        judge(database, campaign, ann, f"pair-{number}", YES, now + timedelta(days=number))
        judge(database, campaign, other, f"pair-{number}", NO, now)
    judge(database, campaign, ann, "test-0", YES, now + timedelta(days=3))
    judge(database, campaign, ann, "test-1", NO, now + timedelta(days=3))
    judge(database, campaign, ann, "pair-0", NO, now + timedelta(days=4))
    return campaign, other


def test_my_answers_are_mine_newest_first_with_what_i_earned(own, worked) -> None:
    _, other = worked
    page = own.get("/judge/storms/mine").text
    items = re.findall(r"\?item=([\w-]+)", page)
    assert items == ["pair-0", "test-1", "test-0", "pair-2", "pair-1"]
    assert "$1.25" in page
    assert "50%" in page  # of two test questions
    assert other.name not in page
    assert page.count("paraphrase</strong>") == 5


def test_only_a_mistake_tells_that_it_was_a_test(own, worked) -> None:
    page = own.get("/judge/storms/mine").text
    entries = re.findall(r'<li class="card.*?</li>', page, flags=re.S)
    told = {re.search(r"\?item=([\w-]+)", entry)[1]: "test question" in entry for entry in entries}
    assert told == {"pair-0": False, "test-1": True, "test-0": False, "pair-2": False, "pair-1": False}
    right = re.sub(r"\d|test-|pair-", "", entries[2])
    work = re.sub(r"\d|test-|pair-", "", entries[3])
    assert set(re.findall(r'class="[^"]*"', right)) == set(re.findall(r'class="[^"]*"', work))
    assert "Both tell how long it rained." in entries[1]


def test_an_answer_is_shown_again_with_what_was_answered_last(own, worked) -> None:
    told = own.get("/judge/storms/answered/pair-0", headers={"accept": "application/json"}).json()
    given = re.search(r'data-given="([^"]+)"', told["html"])[1].replace("&#34;", '"').replace("&quot;", '"')
    assert json.loads(given) == NO
    assert 'data-item="pair-0"' in told["html"]


def test_what_i_did_not_answer_is_not_shown(database, clients, add_people, worked) -> None:
    [stranger] = add_people(database, 1)
    client = clients(stranger)
    assert client.get("/judge/storms/answered/pair-0").status_code == 404
    assert client.get("/judge/storms/answered/no/such").status_code == 404
    assert "Nothing yet" in client.get("/judge/storms/mine").text


def test_a_campaign_that_is_not_for_me_does_not_exist(database, own, open_campaign, some_pairs) -> None:
    open_campaign(database, some_pairs(1), title="Secret", members_only=True)
    assert own.get("/judge/secret/mine").status_code == 404
    assert own.get("/judge/secret/answered/pair-0").status_code == 404
