"""Forged requests, planted sessions, guessed passwords: what another site, or somebody in between, could try."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import sqlalchemy as sa

from paraloom.judgments.app.account_routes import router as account_routes
from paraloom.judgments.store import schema
from paraloom.web.keys import csrf_token, hash_of_key, new_key
from tests.judgments.app.populated import PASSWORD
from tests.judgments.app.test_security_roles import digest, guarded
from tests.judgments.app.ways import WAYS, request_of

ANNOTATOR = "the name annotator"
CHANGING = [name for name in guarded() if not name.startswith("GET ")]

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
}


def sign_in(client, name: str = ANNOTATOR, password: str = PASSWORD, **more):
    """Through the form, as a browser would."""
    client.get("/sign-in")
    before = next(value for cookie, value in client.cookies.items() if cookie.endswith("-before"))
    sent = {"csrf": csrf_token(before), "name": name, "password": password, **more}
    return client.post("/sign-in", data=sent)


def session_cookie(response) -> str:
    """The line that sets the session."""
    return next(line for line in response.headers.get_list("set-cookie") if "-before" not in line)


# Forged requests


def test_every_change_by_session_needs_the_sessions_token(visits) -> None:
    before = digest(visits.database)
    theirs = csrf_token(visits.populated.sessions["other"])
    for name in CHANGING:
        method, path, body = request_of(name, visits.populated)
        for wrong in (None, "", "made-up", theirs, csrf_token("")):
            client = visits.signed_in(WAYS[name].least, csrf=False)
            given = {} if wrong is None else {"x-csrf-token": wrong}
            response = client.request(method, path, headers=given, **body)
            assert response.status_code == 403, (name, wrong)
        if "data" in body:
            for wrong in (theirs, ["", theirs]):
                forged = {**body, "data": {**body["data"], "csrf": wrong}}
                assert client.request(method, path, **forged).status_code == 403, name
    assert digest(visits.database) == before


def test_a_form_of_another_kind_brings_no_token(visits) -> None:
    """What another site can send without being asked: plain text, a form with a file, JSON called plain text."""
    before = digest(visits.database)
    client = visits.signed_in("admin", csrf=False)
    token = csrf_token(visits.populated.sessions["admin"])
    for kind in ("text/plain", "text/plain; application/x-www-form-urlencoded", "", "application/json"):
        sent = f"csrf={token}&state=paused"
        response = client.post("/admin/campaigns/pair/state", content=sent, headers={"content-type": kind})
        assert response.status_code == 403, kind
    upload = {"csrf": ("token.txt", token.encode(), "text/plain")}
    response = client.post("/admin/campaigns/pair/state", data={"state": "paused"}, files=upload)
    assert response.status_code == 403, "a file of that name is no token"
    assert digest(visits.database) == before


def test_a_change_is_never_made_by_get(visits) -> None:
    before = digest(visits.database)
    token = csrf_token(visits.populated.sessions["admin"])
    for name in (name for name in WAYS if name.startswith("POST ")):
        _, path, body = request_of(name, visits.populated)
        visits.signed_in("admin").get(path, params={**body.get("data", {}), "csrf": token})
        assert digest(visits.database) == before, name


def test_the_sign_in_and_the_invitation_cannot_be_filled_in_by_another_site(visits) -> None:
    before = digest(visits.database)
    for name in ("POST /sign-in", "POST /join/{key}"):
        method, path, body = request_of(name, visits.populated)
        client = visits.nobody()
        assert client.request(method, path, **body).status_code == 403, "no token"
        client.get("/sign-in")
        assert client.request(method, path, **body).status_code == 403, "a cookie alone"
        forged = {**body, "data": {**body["data"], "csrf": csrf_token(new_key())}}
        assert client.request(method, path, **forged).status_code == 403, "the token of another cookie"
    assert digest(visits.database) == before


def test_a_token_of_the_page_before_signing_in_is_none_of_the_session(visits) -> None:
    client = visits.nobody()
    sign_in(client)
    before = csrf_token(client.cookies["paraloom-before"])
    assert client.post("/account/tokens", data={"csrf": before, "name": "x"}).status_code == 403
    assert client.post("/account/tokens", data={"csrf": csrf_token(client.cookies["paraloom"])}).status_code == 200


# Cookies


def test_cookies_are_for_this_site_alone_and_not_for_scripts(serve) -> None:
    for secure, prefix in ((False, ""), (True, "__Host-")):
        client = serve(secure=secure).nobody(base_url="https://testserver")
        lines = [*client.get("/sign-in").headers.get_list("set-cookie"), session_cookie(sign_in(client))]
        assert len(lines) == 2
        for line, name in zip(lines, (f"{prefix}paraloom-before", f"{prefix}paraloom"), strict=True):
            parts = [part.strip().lower() for part in line.split(";")]
            assert line.startswith(f"{name}=")
            assert {"httponly", "samesite=lax", "path=/"} <= set(parts)
            assert ("secure" in parts) == secure
            assert not any(part.startswith("domain") for part in parts)


def test_a_cookie_without_its_prefix_is_nothing_to_a_secure_service(serve) -> None:
    visits = serve(secure=True)
    key = visits.populated.sessions["admin"]
    assert visits.nobody(cookies={"paraloom": key}).get("/account").status_code == 401
    assert visits.nobody(cookies={"__Host-paraloom": key}).get("/account").status_code == 200
    planted, token = "k" * 43, csrf_token("k" * 43)
    sent = {"csrf": token, "name": ANNOTATOR, "password": PASSWORD}
    assert visits.nobody(cookies={"paraloom-before": planted}).post("/sign-in", data=sent).status_code == 403


# Sessions


def test_a_session_that_was_planted_is_not_taken_over(visits) -> None:
    planted = new_key()
    client = visits.nobody(cookies={"paraloom": planted})
    assert sign_in(client).status_code == 303
    assert visits.nobody(cookies={"paraloom": planted}).get("/account").status_code == 401
    theirs = visits.populated.sessions["other"]
    client = visits.nobody(cookies={"paraloom": theirs})
    key = session_cookie(sign_in(client)).split("=", 1)[1].split(";")[0]
    assert key != theirs
    assert ANNOTATOR in visits.nobody(cookies={"paraloom": key}).get("/account").text


def test_every_sign_in_has_a_key_of_its_own_and_only_its_hash_is_stored(visits) -> None:
    keys = {session_cookie(sign_in(visits.nobody())).split("=", 1)[1].split(";")[0] for _ in range(3)}
    assert len(keys) == 3

    def everything(connection: sa.Connection) -> str:
        return repr([[tuple(row) for row in connection.execute(sa.select(t))] for t in schema.metadata.sorted_tables])

    stored = visits.database.read(everything)
    for key in (*keys, *visits.populated.tokens.values(), visits.populated.invitation, PASSWORD):
        assert key not in stored
    assert all(hash_of_key(key) in stored for key in keys)


def test_signing_out_ends_the_session_in_the_database(visits) -> None:
    client, stolen = visits.signed_in("annotator"), visits.signed_in("annotator")
    response = client.post("/sign-out")
    assert response.status_code == 303
    assert 'paraloom=""' in session_cookie(response)
    assert response.headers["clear-site-data"] == '"cache"'
    assert stolen.get("/account", headers={"accept": "*/*"}).status_code == 401


def test_a_new_password_ends_all_other_sessions(visits) -> None:
    other = visits.nobody()
    sign_in(other)
    client = visits.signed_in("annotator")
    new = "another four words"
    response = client.post("/account/password", data={"old": PASSWORD, "password": new, "again": new})
    assert response.status_code == 303
    assert other.get("/account").status_code == 401
    assert visits.signed_in("annotator").get("/account", headers={"accept": "*/*"}).status_code == 401, (
        "its own key, too"
    )
    key = session_cookie(response).split("=", 1)[1].split(";")[0]
    assert visits.nobody(cookies={"paraloom": key}).get("/account").status_code == 200
    assert sign_in(visits.nobody()).status_code == 401
    assert sign_in(visits.nobody(), password=new).status_code == 303


def test_a_session_ends_by_itself(visits) -> None:
    client = visits.signed_in("annotator", csrf=False)
    visits.moment += timedelta(days=15)
    assert client.get("/account").status_code == 303


# Where one is sent


ELSEWHERE = [
    *("https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "///evil.example"),
    *("javascript:alert(1)", "/\t/evil.example", "/\n/evil.example", "http:evil.example", " //evil.example"),
    *("/%09/evil.example", "/%5cevil.example", "/%2fevil.example", "\x00//evil.example", "/\u2028/evil.example", "x"),
    *("@evil.example", ".evil.example", "%2f%2fevil.example", "/./\\evil.example", "/a\r\nlocation: //evil.example"),
]


@pytest.mark.parametrize("goal", ELSEWHERE)
def test_nobody_is_sent_to_another_site_after_signing_in(visits, goal) -> None:
    client = visits.nobody()
    page = client.get("/sign-in", params={"next": goal})
    assert page.status_code == 200
    response = sign_in(client, next=goal)
    assert response.status_code == 303
    location = response.headers["location"]
    assert location.startswith("/")
    assert location[1:2] not in ("/", "\\")
    assert not urlsplit(location).netloc
    assert "\n" not in location


def test_whoever_signs_in_comes_where_they_wanted_to_go(visits) -> None:
    for path in ("/judge/pair", "/judge/pair/answered/a%26next=%2F%2Fevil.example", "/decide/pair/%E2%82%AC"):
        response = visits.nobody(headers={"accept": "text/html"}).get(path)
        asked = parse_qs(urlsplit(response.headers["location"]).query)
        assert list(asked) == ["next"], "the path brings no parameter of its own"
        assert len(asked["next"]) == 1
        assert asked["next"][0].startswith(path.split("%")[0])


@pytest.mark.parametrize("host", ["evil.example", "[", "a b", "x@y:99999999"])
def test_what_a_request_calls_the_host_goes_nowhere(visits, host) -> None:
    for path in ("/", "/sign-in", "/nowhere", "/api/v1/me", f"/join/{visits.populated.invitation}"):
        response = visits.nobody(headers={"host": host, "accept": "text/html"}).get(path)
        assert response.status_code < 500
        assert host not in response.text or len(host) == 1
        assert response.headers.get("location", "/").startswith("/")


# Guessing


def test_guesses_at_a_name_have_to_wait_longer_and_longer(visits) -> None:
    client = visits.nobody()
    statuses = [sign_in(client, password="wrong").status_code for _ in range(7)]
    assert statuses == [401] * 5 + [429] * 2
    assert sign_in(client).status_code == 429, "the right password has to wait, too"
    visits.moment += timedelta(seconds=3)
    assert sign_in(client, password="wrong").status_code == 401
    visits.moment += timedelta(seconds=3)
    assert sign_in(client).status_code == 429, "twice as long"
    visits.moment += timedelta(seconds=3)
    assert sign_in(client).status_code == 303


def guesses(visits, count: int, headers) -> list[int]:
    """One guess at each of many names; the token is made up as a program would."""
    client = visits.nobody(cookies={"paraloom-before": "k" * 43})
    sent = {"csrf": csrf_token("k" * 43), "password": "x"}
    return [
        client.post("/sign-in", data={**sent, "name": f"nobody {n}"}, headers=headers(n)).status_code
        for n in range(count)
    ]


def at_once(visits, tries) -> Counter[int]:
    """Sign-ins, each a name and a password, that all arrive before the first is answered; their statuses."""

    async def send() -> Counter[int]:
        transport, key = httpx.ASGITransport(visits.app, client=("192.0.2.1", 1)), "k" * 43
        async with httpx.AsyncClient(
            transport=transport, base_url="http://testserver", cookies={"paraloom-before": key}
        ) as client:
            sent = [{"csrf": csrf_token(key), "name": name, "password": password} for name, password in tries]
            answers = await asyncio.gather(*(client.post("/sign-in", data=one) for one in sent))
        return Counter(answer.status_code for answer in answers)

    return asyncio.run(send())


def test_guesses_that_are_sent_all_at_once_are_counted_like_others(visits, monkeypatch) -> None:
    from paraloom.web import passwords

    checked: list[bytes] = []
    verify = type(passwords._hasher).verify
    monkeypatch.setattr(
        type(passwords._hasher),
        "verify",
        lambda self, hashed, given: checked.append(given) or verify(self, hashed, given),
    )
    assert at_once(visits, [(ANNOTATOR, f"wrong {n}") for n in range(40)]) == {401: 5, 429: 35}
    assert len(checked) == 5, "of the others not even the password is looked at"
    assert at_once(visits, [(ANNOTATOR, PASSWORD)]) == {429: 1}
    visits.moment += timedelta(seconds=3)
    assert at_once(visits, [(ANNOTATOR, f"wrong {n}") for n in range(40)]) == {401: 1, 429: 39}


def test_one_guess_at_each_of_many_names_all_at_once_is_counted_by_address(visits) -> None:
    assert at_once(visits, [(f"nobody {n}", "wrong") for n in range(40)]) == {401: 25, 429: 15}


def test_a_class_that_signs_in_at_once_is_let_in_and_nobody_waits_afterwards(visits) -> None:
    known = [(f"the name {who}", PASSWORD) for who in ("annotator", "other", "expert", "admin", "second")]
    assert at_once(visits, known * 4) == {303: 20}
    asked = sa.select(sa.func.count()).select_from(schema.failed_sign_ins)
    assert visits.database.read(lambda c: c.scalar(asked)) == 0


def test_without_a_proxy_nobody_chooses_the_address_they_are_counted_by(visits) -> None:
    statuses = guesses(visits, 27, lambda n: {"x-forwarded-for": f"192.0.2.{n}", "forwarded": f"for=192.0.2.{n}"})
    assert statuses == [401] * 25 + [429] * 2


def test_behind_a_proxy_only_what_the_proxy_added_last_counts(serve) -> None:
    visits = serve(behind_proxy=True)
    forged = guesses(visits, 27, lambda n: [("x-forwarded-for", f"192.0.2.{n}, 203.0.113.7")])
    assert forged == [401] * 25 + [429] * 2
    visits = serve(behind_proxy=True)
    lines = guesses(visits, 27, lambda n: [("x-forwarded-for", f"192.0.2.{n}"), ("x-forwarded-for", "203.0.113.7")])
    assert lines == [401] * 25 + [429] * 2, "a proxy may add a line of its own instead"
    visits = serve(behind_proxy=True)
    assert 429 not in guesses(visits, 27, lambda n: {"x-forwarded-for": f"203.0.113.{n}"}), "a class of annotators"


def test_guessing_goes_on_nowhere_else(visits) -> None:
    client = visits.signed_in("annotator")
    wrong = {"old": "wrong", "password": "another four words", "again": "another four words"}
    for _ in range(5):
        assert "not your password" in client.post("/account/password", data=wrong).text
    right = {**wrong, "old": PASSWORD}
    assert "Too many" in client.post("/account/password", data=right).text
    assert "Too many" in client.post("/account/erase", data={"password": PASSWORD}).text


def test_an_answer_does_not_tell_whether_a_name_exists(visits, monkeypatch) -> None:
    from paraloom.web import passwords

    checked: list[bytes] = []
    verify = type(passwords._hasher).verify
    monkeypatch.setattr(
        type(passwords._hasher),
        "verify",
        lambda self, hashed, given: checked.append(given) or verify(self, hashed, given),
    )
    told, work = set(), set()
    for name in (ANNOTATOR, "the name blocked", "the name program", "nobody of that name"):
        checked.clear()
        response = sign_in(visits.nobody(), name=name, password="wrong password")
        told.add((response.status_code, response.text.replace(name, "").count("do not fit together")))
        work.add(len(checked))
    assert told == {(401, 1)}
    assert work == {1}, "a password is checked as long where there is none"


def test_a_name_that_waits_is_told_so_whether_it_exists_or_not(visits) -> None:
    for name in (ANNOTATOR, "nobody of that name"):
        statuses = [sign_in(visits.nobody(), name=name, password="wrong").status_code for _ in range(6)]
        assert statuses[-1] == 429


# What every answer carries, and what none gives away


def test_every_answer_forbids_frames_and_scripts_of_others(visits) -> None:
    @visits.app.get("/crash")
    def crash() -> None:
        raise RuntimeError(PASSWORD)

    client = visits.signed_in("admin", raise_server_exceptions=False)
    asked = [("GET", path, {}) for path in ("/", "/nowhere", "/admin", "/judge/pair", "/static/paraloom.css", "/crash")]
    asked += [("GET", "/static/nothing", {}), ("GET", "/api/v1/me", {}), ("GET", "/api/v1/nothing", {})]
    asked += [("PUT", "/admin", {}), ("POST", "/admin/new", {"content": b"x" * 2_000_000})]
    asked += [("POST", "/api/v1/campaigns", {"content": b"{"}), ("POST", "/sign-out", {})]
    asked += [("GET", "/admin/campaigns/pair/export?format=csv", {}), ("GET", "/sign-in", {})]
    for accept in ("text/html", "application/json"):
        for method, path, body in asked:
            response = client.request(method, path, headers={"accept": accept}, **body)
            policy = response.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy, path
            assert "script-src 'self';" in policy, path
            assert "unsafe" not in policy
            for name, value in ALWAYS.items():
                if name != "cache-control" or not path.startswith("/static"):
                    assert response.headers[name] == value, (path, name)
            assert "server" not in response.headers
            assert PASSWORD not in response.text, "a crash tells nothing of itself"
            assert "Traceback" not in response.text


def test_over_https_browsers_are_told_to_stay_there(serve) -> None:
    visits, behind = serve(), serve(secure=True, behind_proxy=True)
    for client in (visits.nobody(base_url="https://testserver"), behind.nobody()):
        for path in ("/sign-in", "/nowhere", "/static/paraloom.css"):
            assert "max-age=31536000" in client.get(path).headers["strict-transport-security"]
    assert "strict-transport-security" not in visits.nobody().get("/sign-in").headers


def test_a_link_with_a_key_is_for_https_where_people_come_by_it(serve) -> None:
    """The proxy's own request to the service is no https."""
    for secure, start in ((True, "https://annotate.example/join/"), (False, "http://annotate.example/join/")):
        visits = serve(secure=secure)
        key = visits.populated.sessions["admin"]
        sent = {"role": "annotator", "csrf": csrf_token(key)}
        headers = {"cookie": f"{'__Host-' if secure else ''}paraloom={key}", "host": "annotate.example"}
        assert start in visits.nobody().post("/admin/people/invite", data=sent, headers=headers).text


def test_no_other_site_may_read_what_the_api_says(visits) -> None:
    for method in ("GET", "OPTIONS"):
        given = {"origin": "https://evil.example", "access-control-request-method": "POST"}
        response = visits.program("admin").request(method, "/api/v1/me", headers=given)
        assert not [name for name in response.headers if name.startswith("access-control")]


def test_secrets_are_in_no_log_and_in_no_address(visits, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    client = visits.nobody()
    responses = [sign_in(client), sign_in(visits.nobody(), password="wrong password of mine")]
    key = client.cookies["paraloom"]
    responses.append(client.post("/account/tokens", data={"csrf": csrf_token(key), "name": "x"}))
    responses.append(visits.program("admin").get("/api/v1/me"))
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "asyncio"))]
    logged = "\n".join(record.getMessage() for record in ours)
    for secret in (PASSWORD, "wrong password of mine", key, csrf_token(key), visits.populated.tokens["admin"]):
        assert secret not in logged
        assert all(secret not in response.headers.get("location", "") for response in responses)


def test_the_way_into_the_demonstration_is_shut_elsewhere(serve) -> None:
    assert [route.path for route in account_routes.routes if "demo" in route.path] == ["/demo/{key}"]
    visits = serve()
    for key in ("None", "", "x", "the-key", "%00"):
        assert visits.nobody().get(f"/demo/{key}").status_code == 404
    demo = serve(demo_key="the-key")
    for key in ("x", "the-ke", "the-key2", "%ff"):
        response = demo.nobody().get(f"/demo/{key}")
        assert response.status_code == 404
        assert "set-cookie" not in response.headers
    assert demo.nobody().get("/demo/the-key").status_code == 303
