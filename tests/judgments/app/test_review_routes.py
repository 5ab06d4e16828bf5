"""Over HTTP: an admin chooses early work, asks for it to be looked at again, and stops when that finds nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.review import review_progress
from paraloom.judgments.sign_in import open_session
from paraloom.web.keys import csrf_token
from tests.judgments.working import judge, pairs_to_grade

AT = "/admin/campaigns/storms/review"


@pytest.fixture
def client(database, add_people, open_campaign, now):
    """An admin's browser; Ann graded three pairs, a day apart."""
    [ann] = add_people(database, 1)
    [admin] = add_people(database, 1, role="admin")
    campaign = open_campaign(database, pairs_to_grade(3), task="grade", judgments_per_item=1, tests_every=0)
    for day, label in enumerate(("4s", "4", "4>s")):
        judge(database, campaign, ann, f"p{day}", {"label": label}, now + timedelta(days=day))
    app = make_app(Service(database=database, clock=lambda: now))
    key = database.write(lambda c: open_session(c, admin, now))
    made = TestClient(
        app,
        cookies={"paraloom": key},
        headers={"x-csrf-token": csrf_token(key), "accept": "text/html"},
        follow_redirects=False,
    )
    made.campaign, made.ann = campaign, ann
    return made


COUNTED = [
    ("match=holds&label=s", "2 judgments to look at"),
    ("match=is&label=4s", "1 judgment to look at"),
    ("match=any&label=s", "3 judgments to look at"),
    ("until=2026-03-02", "2 judgments to look at"),
    ("version_below=1", "0 judgments to look at"),
    ("limit=1", "1 judgment to look at"),
]


@pytest.mark.parametrize(("query", "words"), COUNTED)
def test_the_form_tells_what_it_comes_to_before_anything_is_done(database, client, query, words) -> None:
    page = client.get(f"{AT}?look=true&{query}")
    assert page.status_code == 200
    assert words in page.text
    assert database.read(lambda c: review_progress(c, client.campaign)).waiting == 0


def test_reviews_are_opened_and_withdrawn(database, client) -> None:
    sent = {"match": "holds", "label": "s", "limit": "10", "reason": "Style is told otherwise."}
    told = client.post(AT, data=sent)
    assert told.headers["location"] == f"{AT}?done=opened&count=2"
    page = client.get(told.headers["location"]).text
    assert "looked at again: 2" in page
    assert "Withdraw the 2 that wait" in page
    assert database.read(lambda c: review_progress(c, client.campaign)).waiting == 2
    assert client.post(f"{AT}/withdraw").headers["location"] == f"{AT}?done=withdrawn&count=2"
    assert database.read(lambda c: review_progress(c, client.campaign)).waiting == 0


def test_a_form_that_makes_no_sense_comes_back_with_what_is_wrong(client) -> None:
    for query, words in (("until=yesterday", "no day"), ("limit=many", "whole number"), ("limit=0", "whole number")):
        page = client.get(f"{AT}?look=true&{query}")
        assert page.status_code == 422
        assert words in page.text
    page = client.post(AT, data={"limit": "2", "reason": "  "})
    assert page.status_code == 422
    assert "2 judgments to look at" in page.text, "the choice is still there"


def test_reviews_are_an_admins_business(database, client, add_people, now) -> None:
    for role in ("annotator", "expert"):
        [person] = add_people(database, 1, role=role)
        key = database.write(lambda c, person=person: open_session(c, person, now))
        client.cookies.set("paraloom", key)
        client.headers["x-csrf-token"] = csrf_token(key)
        assert client.get(AT).status_code == 403
        assert client.post(AT, data={"reason": "x"}).status_code == 403
        assert client.post(f"{AT}/withdraw").status_code == 403
