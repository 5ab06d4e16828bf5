"""Who may go where: every route has a least role, and whoever has less is refused before anything happens."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.web.keys import csrf_token
from tests.judgments.app.populated import LIMITED
from tests.judgments.app.ways import RANKS, WAYS, request_of, routes_of

NOT_ASKED = ("audit", "failed_sign_ins")
"""Tables in which a refusal may leave a trace."""
SHUT_OUT = ("blocked", "erased", "expired")
"""Sessions that opened everything once."""


def digest(database: Database) -> str:
    """All that is stored, in one word."""

    def job(connection: sa.Connection) -> str:
        hashed = hashlib.sha256()
        for table in schema.metadata.sorted_tables:
            if table.name not in NOT_ASKED:
                as_stored = sa.select(sa.text("*")).select_from(table)
                rows = sorted(map(repr, connection.execute(as_stored)))
                hashed.update("\n".join([table.name, *rows]).encode())
        return hashed.hexdigest()

    return database.read(job)


def is_refused(response) -> bool:
    if response.status_code == 303:
        return response.headers["location"].startswith("/sign-in?next=")
    return response.status_code in (401, 403, 404)


def guarded(least: str | None = None) -> list[str]:
    return [name for name, way in WAYS.items() if way.least != "nobody" and least in (None, way.least)]


def test_every_route_says_who_may_use_it(visits) -> None:
    assert sorted(routes_of(visits.app)) == sorted(WAYS)


def weaker(visits, name: str) -> Iterator[tuple[str, TestClient]]:
    """Everybody who may not go this way, by session and by token."""
    yield "nobody", visits.nobody()
    browser = visits.nobody(headers={"accept": "text/html"})
    yield "nobody in a browser", browser
    for who in (*SHUT_OUT, *(role for role in RANKS[1:] if RANKS.index(role) < RANKS.index(WAYS[name].least))):
        yield f"{who}'s session", visits.signed_in(who)
        if who != "expired":
            yield f"{who}'s token", visits.program(who)
    yield "a revoked token", visits.program("revoked")
    yield "a made-up token", visits.nobody(headers={"authorization": "Bearer made-up"})
    yield (
        "a made-up session",
        visits.nobody(cookies={"paraloom": "made-up"}, headers={"x-csrf-token": csrf_token("made-up")}),
    )


@pytest.mark.parametrize("least", RANKS[1:])
def test_whoever_has_a_lesser_role_is_refused_before_anything_happens(visits, least) -> None:
    before = digest(visits.database)
    for name in guarded(least):
        method, path, body = request_of(name, visits.populated)
        for who, client in weaker(visits, name):
            response = client.request(method, path, **body)
            assert is_refused(response), (name, who, response.status_code, response.text)
            assert "the name" not in response.text, (name, who)
        assert digest(visits.database) == before, name


@pytest.mark.parametrize("name", WAYS)
def test_whoever_has_the_role_gets_what_they_ask_for(serve, populated, name) -> None:
    """Else the test above would prove nothing: a request that is wrong is refused to everybody."""
    way = WAYS[name]
    visits = serve(demo_key="the-key-of-the-demonstration")
    before = digest(visits.database)
    method, path, body = request_of(name, populated)
    if way.least == "nobody":
        client = visits.nobody()
        key = client.get("/sign-in").cookies.get("paraloom-before")
        client.headers["x-csrf-token"] = csrf_token(key)
    else:
        client = visits.signed_in(way.least)
    response = client.request(method, path, **body)
    assert response.status_code in (200, 201, 303), response.text
    assert not is_refused(response)
    changes = method not in ("GET", "HEAD") if way.changes is None else way.changes
    # A page that hands out an item leases it; `export` is in the audit log alone.
    if path not in ("/judge/pair",):
        assert (digest(visits.database) != before) == changes


def test_a_program_does_what_its_owner_may_but_not_with_their_password(visits) -> None:
    for name, way in WAYS.items():
        if way.signed_in and name != "POST /sign-out":
            method, path, body = request_of(name, visits.populated)
            assert visits.program("annotator").request(method, path, **body).status_code == 403, name
    assert visits.program("admin").get("/admin/people").status_code == 200


def test_a_head_or_an_unknown_method_opens_nothing(visits) -> None:
    for name in guarded():
        _, path, _ = request_of(name, visits.populated)
        for method in ("HEAD", "OPTIONS", "TRACE", "PUT", "PROPFIND"):
            assert visits.nobody().request(method, path).status_code in (401, 404, 405), (method, path)


# What an annotator may know


ANNOTATOR_PAGES = (
    "/",
    "/account",
    "/judge/{kind}",
    "/judge/{kind}/mine",
    "/judge/{kind}/instructions/2",
    "/discuss/{kind}",
    "/api/v1/campaigns",
    "/api/v1/campaigns/{kind}",
)


def test_an_annotator_sees_nothing_of_what_the_others_answered_or_who_they_are(visits) -> None:
    visits.database.write(lambda c: c.execute(schema.items.update().values(wanted=9)))  # nothing is complete
    client = visits.signed_in("annotator")
    ids = [person.person_id for who, person in visits.populated.people.items() if who != "annotator"]
    for kind in ("match", "grade", "write"):
        for page in ANNOTATOR_PAGES:
            response = client.get(page.format(kind=kind))
            assert response.status_code == 200, page
            for other in ("the name other", "the name expert", "the name admin", *ids):
                assert other not in response.text, (page, other)
        assert client.get(f"/discuss/{kind}/i0").status_code == 404, "each judges alone until all have"


def test_what_is_discussed_shows_the_others_answers_but_not_whose_they_are(visits) -> None:
    client = visits.signed_in("annotator")
    page = client.get("/discuss/grade/i0")
    assert page.status_code == 200
    assert "the note" in page.text
    for other in ("the name other", visits.populated.people["other"].person_id):
        assert other not in page.text


def test_only_whoever_judged_an_item_may_talk_about_it(visits) -> None:
    visits.database.write(
        lambda c: c.execute(schema.people.update().filter_by(name="the name expert").values(role="annotator"))
    )
    client = visits.signed_in("expert")
    assert client.get("/discuss/grade/i0").status_code == 404
    assert client.post("/discuss/grade/notes", data={"item_id": "i0", "text": "Hm."}).status_code == 404
    assert "the left" not in client.get("/discuss/grade").text


def test_nothing_tells_a_test_question_from_work_until_it_is_answered_wrongly(visits) -> None:
    client, seen = visits.signed_in("expert"), {}
    program = visits.program("expert")
    for _ in range(6):
        told = program.post("/api/v1/campaigns/pair/next", json={"holding": sorted(seen)}).json()
        if told["item"] is None:
            break
        seen[told["item"]["item_id"]] = told["item"]
    assert {"t4", "t5"} & set(seen), "a test question was handed out"
    shapes = {tuple(sorted(item)) for item in seen.values()}
    assert len(shapes) == 1
    assert "explanation" not in str(seen)
    assert "expected" not in str(seen)
    pages = {item_id: client.get("/judge/pair").text for item_id in seen}
    assert all("the explanation" not in page for page in pages.values())
    html = {}
    for item_id in seen:
        holding = [one for one in seen if one != item_id]
        html[item_id] = client.post("/judge/pair/next", json={"holding": holding}).json()["next"]["html"]
    plain = {re.sub(r"\d+", "#", re.sub(r'data-item="[^"]*"', "", text)) for text in html.values()}
    assert len(plain) == 1, "but for its words and its number, every item looks alike"
    right = {"item_id": "t4", "answer": {"is_paraphrase": True}, "client_id": "right-one", "instructions_version": 2}
    wrong = {"item_id": "t5", "answer": {"is_paraphrase": False}, "client_id": "wrong-one", "instructions_version": 2}
    told = {
        one["item_id"]: program.post("/api/v1/campaigns/pair/answers", json=one).json()
        for one in (right, wrong)
        if one["item_id"] in seen
    }
    for item_id, reply in told.items():
        assert (reply["feedback"] is None) == (item_id == "t4"), reply
    assert "the explanation" not in client.get("/judge/pair/mine").text or "t5" in told


def test_an_item_that_was_not_handed_out_can_be_neither_answered_nor_seen(visits) -> None:
    client, program = visits.signed_in("annotator"), visits.program("annotator")
    for item_id in ("i3", "t5", "nothing"):
        sent = {
            "item_id": item_id,
            "answer": {"is_paraphrase": False},
            "client_id": "drawn-now",
            "instructions_version": 2,
        }
        for response in (
            client.post("/judge/pair/answers", json=sent),
            program.post("/api/v1/campaigns/pair/answers", json=sent),
        ):
            assert response.status_code in (403, 404), item_id
            assert "the left" not in response.text
            assert "expected" not in response.text
        assert client.get(f"/judge/pair/answered/{item_id}").status_code == 404
        assert client.post(f"/judge/write/items/{item_id}/check", json={"text": "Otherwise."}).status_code in (403, 404)
    written = {"item_id": "i3", "answer": {"text": "Otherwise."}, "client_id": "drawn-now", "instructions_version": 2}
    before = digest(visits.database)
    assert client.post("/judge/write/answers", json=written).status_code == 403
    assert digest(visits.database) == before, "the game keeps no check of a text for somebody else's sentence"


MEMBERS_ONLY = [
    ("GET", f"/judge/{LIMITED}", None),
    ("GET", f"/judge/{LIMITED}/mine", None),
    ("GET", f"/judge/{LIMITED}/instructions/1", None),
    ("GET", f"/judge/{LIMITED}/answered/i0", None),
    ("POST", f"/judge/{LIMITED}/next", {}),
    ("POST", f"/judge/{LIMITED}/hand-back", {"item_id": "i0"}),
    ("GET", f"/discuss/{LIMITED}", None),
    ("GET", f"/discuss/{LIMITED}/i0", None),
    ("GET", f"/api/v1/campaigns/{LIMITED}", None),
    ("GET", f"/api/v1/campaigns/{LIMITED}/instructions", None),
    ("POST", f"/api/v1/campaigns/{LIMITED}/next", {}),
    ("GET", f"/decide/{LIMITED}", None),
    ("GET", f"/decide/{LIMITED}/i0", None),
]


@pytest.mark.parametrize("who", ["annotator", "expert"])
def test_a_campaign_for_members_does_not_exist_for_others(visits, who) -> None:
    client = visits.signed_in(who)
    for method, path, body in MEMBERS_ONLY:
        response = client.request(method, path, json=body)
        if who == "annotator" and path.startswith("/decide"):
            assert response.status_code == 403
        else:
            assert response.status_code == 404, path
        assert f"Campaign {LIMITED}" not in response.text, path
        assert "the left" not in response.text, path
    for page in ("/", "/api/v1/campaigns") + (("/decide",) if who == "expert" else ()):
        assert f"Campaign {LIMITED}" not in client.get(page).text
    assert f"Campaign {LIMITED}" in visits.signed_in("other").get("/").text


def test_a_role_that_is_taken_away_is_gone_at_once(visits) -> None:
    client, program = visits.signed_in("second"), visits.program("second")
    assert client.get("/admin").status_code == program.get("/admin").status_code == 200
    path = f"/admin/people/{visits.populated.people['second'].person_id}/role"
    assert visits.signed_in("admin").post(path, data={"role": "annotator"}).status_code == 303
    assert client.get("/admin").status_code == program.get("/admin").status_code == 403
