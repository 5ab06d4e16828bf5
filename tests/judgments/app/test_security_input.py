"""Whatever is sent, to whatever route, in whatever place: the answer is a plain refusal, never a crash."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import json
import re
import socket
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import hypothesis
import pytest
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient
from hypothesis import strategies as st

from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.web.keys import csrf_token
from tests.judgments.app.conftest import Visits, listening
from tests.judgments.app.populated import Populated, populate
from tests.judgments.app.test_security_roles import digest
from tests.judgments.app.ways import WAYS, request_of

JSON = {"content-type": "application/json"}
Sent = tuple[str, str, dict[str, Any]]
"""Method, address and the rest of a request."""

FOR_DATABASES = [
    *("\x00", "before\x00after", "\ud800", "\u202e", "x" * 70, "x" * 250, "x" * 5000, "'; drop table people; --"),
    *(2**31, 2**63, 10**19, 10**400, -(2**63) - 1, 0, True, None, 1e308),
]
"""What one database takes and another does not."""
FOR_PARSERS = [
    *(
        "",
        "../../etc/passwd",
        "..\\..\\x",
        "{{7*7}}",
        "%00",
        "\r\nset-cookie: a=b",
        "9" * 400,
        "9" * 5000,
        "٣",
        "nan",
        "-0",
    ),
    *("1e999", "0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", [], {}, [[]], {"\ud800": 1}, [None] * 50),
]
"""What only a reader of forms, numbers, dates and JSON could stumble over."""
ENDS = {"POST /account/erase", "POST /account/password", "POST /sign-out"}
"""They end the session that asks; what they read, other routes read as well."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something else could stand in a body, and where something more could."""
    if path:
        yield path
    if isinstance(value, Mapping):
        yield (*path, "more")
        for name, one in value.items():
            yield from places(one, (*path, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from places(one, (*path, number))


def put(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    changed = place = copy.deepcopy(value)
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = other
    return changed


def in_address(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def variants(name: str, populated: Populated, route: Any) -> Iterator[Callable[[Any], Sent]]:
    """The route's own valid request with one place in it that is open: call it with what to put there."""
    method, path, body = request_of(name, populated)
    plain, _, query = path.partition("?")
    steps, named = plain.split("/"), name.partition(" ")[2].split("/")
    for number, step in enumerate(named):
        if step.startswith("{"):
            yield partial(_in_path, method, steps, number, query, body)
    for field in body.get("data", {}):
        yield partial(_in_form, method, path, body["data"], field)
    for place in places(body["json"]) if "json" in body else ():
        yield partial(_in_json, method, path, body["json"], place)
    for field in getattr(route, "dependant", None).query_params if hasattr(route, "dependant") else ():
        yield partial(_in_query, method, f"{plain}?{query}&look=true", field.alias)


def _in_path(method: str, steps: list[str], number: int, query: str, body: dict[str, Any], nasty: Any) -> Sent:
    return method, "/".join([*steps[:number], in_address(nasty), *steps[number + 1 :]]) + f"?{query}", body


def _in_form(method: str, path: str, form: dict[str, Any], field: str, nasty: Any) -> Sent:
    typed = nasty if isinstance(nasty, str) else json.dumps(nasty)
    return method, path, {"data": {**form, field: typed.encode("utf-8", "replace").decode()}}


def _in_json(method: str, path: str, body: Any, place: tuple[Any, ...], nasty: Any) -> Sent:
    return method, path, {"content": json.dumps(put(body, place, nasty)), "headers": JSON}


def _in_query(method: str, path: str, field: str, nasty: Any) -> Sent:
    return method, f"{path}&{field}={in_address(nasty)}", {}


def client_for(visits: Visits, name: str) -> TestClient:
    """Somebody who may go this way."""
    if WAYS[name].least != "nobody":
        return visits.signed_in(WAYS[name].least)
    key = "k" * 43
    return visits.nobody(cookies={"paraloom-before": key}, headers={"x-csrf-token": csrf_token(key)})


def check(client: TestClient, method: str, path: str, body: dict[str, Any]) -> None:
    response = client.request(method, path, **body)  # an exception of the service is raised here
    assert response.status_code < 500, (method, path, body, response.text)
    assert "a=b" not in response.headers.get("set-cookie", "")
    assert "Traceback" not in response.text


def check_all(visits: Visits, always: Sequence[Any], in_turn: Sequence[Any], turns: int) -> None:
    """Every place of every route gets some nasty values always, and others in turn, so that each stands somewhere."""
    following = cycle(in_turn)
    routes = {
        f"{method} {one.path}": one for one in iter_route_contexts(visits.app.routes) for method in one.methods or ()
    }
    for name in WAYS:
        if name in ENDS:
            continue
        client = client_for(visits, name)
        for place in variants(name, visits.populated, getattr(routes[name], "original_route", None)):
            for nasty in (*always, *islice(following, turns)):
                check(client, *place(nasty))


def test_nothing_that_is_sent_to_a_route_crashes_it(visits) -> None:
    check_all(visits, (), FOR_PARSERS, 3)


def test_what_a_database_cannot_store_is_refused_by_both_alike(database: Database) -> None:
    check_all(Visits(populate(database), database), ("before\x00after",), FOR_DATABASES, 2)


def test_ids_as_long_as_they_may_be_can_be_judged_in_both_databases(database: Database) -> None:
    visits = Visits(populate(database), database)
    admin, program = visits.program("admin"), visits.program("annotator")
    item_id, ids = "i" * 64, ["c" * 130, "d" * 130]
    content = {"original": "It rained.", "candidates": [{"id": one, "text": "Rain."} for one in ids]}
    new = {"items": [{"item_id": item_id, "content": content, "group_id": "g" * 64, "proposed_by": "p" * 200}]}
    assert admin.post("/api/v1/campaigns/choose/items", json=new).status_code == 201
    holding: list[str] = []
    while (told := program.post("/api/v1/campaigns/choose/next", json={"holding": holding}).json())["item"]:
        holding.append(told["item"]["item_id"])
    assert item_id in holding
    sent = {"item_id": item_id, "client_id": "drawn-now", "instructions_version": 1}
    sent["answer"] = {"chosen": ids, "shown": ids}
    assert program.post("/api/v1/campaigns/choose/answers", json=sent).status_code == 200


# Bodies that are none


BODIES = [
    b"[" * 10_000,
    b'{"holding": ' + b"[" * 10_000,
    b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    b'{"holding": [], "holding": ["x"]}',
    b"\xff\xfe\x00",
    b'"\\ud800"',
    b'{"holding": ["\\ud800"]}',
    b"NaN",
    b"1" * 5000,
    b'{"seconds": 1e400}',
    b"{" + b" " * 900_000,
    b"",
    b"null",
    gzip.compress(b"{}" * 1000, mtime=0),
]
KINDS = [
    "application/json",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/xml",
    "application/zip",
    "",
]
READERS = [name for name in WAYS if name.startswith(("POST", "PATCH")) and name not in ENDS]


def test_a_body_that_is_none_is_refused(visits) -> None:
    kinds = cycle(KINDS)
    for name in READERS:
        client = client_for(visits, name)
        method, path, _ = request_of(name, visits.populated)
        for body, kind in product(BODIES[::3] if len(name) % 2 else BODIES[1::3], ("application/json", next(kinds))):
            check(client, method, path, {"content": body, "headers": {"content-type": kind}})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_the_routes_that_nobody_guards_take_any_body_calmly(shared_visits, body, kind) -> None:
    client = shared_visits.nobody()
    for path in ("/sign-in", f"/join/{shared_visits.populated.invitation}"):
        response = client.post(path, content=body, headers={"content-type": kind})
        assert response.status_code in (400, 403, 422), (path, response.text)


def test_a_packed_body_is_not_unpacked(visits) -> None:
    bomb = gzip.compress(b'{"items": [' + b" " * 50_000_000 + b"]}")
    assert len(bomb) < 100_000
    for encoding in ("gzip", "deflate", "br", "gzip, gzip"):
        given = {"content-encoding": encoding, "content-type": "application/json"}
        response = visits.program("admin").post("/api/v1/campaigns/pair/items", content=bomb, headers=given)
        assert response.status_code in (400, 422)


def test_no_archive_and_no_spreadsheet_is_opened(visits) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../../evil.txt", "x")
        archive.writestr("xl/workbook.xml", "<x/>")
    before = digest(visits.database)
    for kind in ("application/zip", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"):
        given = {"content-type": kind}
        admin = visits.program("admin")
        assert admin.post("/api/v1/campaigns/pair/items", content=buffer.getvalue(), headers=given).status_code == 422
        upload = {"content": ("x.xlsx", buffer.getvalue(), kind), "expected": ("x.zip", buffer.getvalue(), kind)}
        assert admin.post("/admin/campaigns/pair/tests", files=upload).status_code == 422
    assert digest(visits.database) == before


@hypothesis.settings(max_examples=60, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(
    name=st.sampled_from(READERS),
    body=st.binary(max_size=300)
    | st.dictionaries(st.text(max_size=12), st.text(max_size=30), max_size=6).map(lambda one: json.dumps(one).encode())
    | st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=8).map(
        lambda one: json.dumps(one).encode()
    ),
    kind=st.sampled_from(KINDS),
)
def test_a_body_of_chance_crashes_nothing(shared_visits, name, body, kind) -> None:
    method, path, _ = request_of(name, shared_visits.populated)
    client = client_for(shared_visits, name)
    check(client, method, path, {"content": body, "headers": {"content-type": kind}})


@pytest.fixture(scope="module")
def shared_visits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visits]:
    """One service for many requests: what they do to each other's data is no matter here."""
    database = open_database(f"sqlite:///{tmp_path_factory.mktemp('input') / 'input.db'}")
    yield Visits(populate(database), database)
    database.close()


# Too much


SMALL, LARGE = 900_000, 1_000_001


def test_a_body_over_the_limit_is_refused_whether_it_tells_its_length_or_not(visits) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 10_000

    for name in READERS:
        client = client_for(visits, name)
        method, path, _ = request_of(name, visits.populated)
        given = {"content-type": "application/json"}
        assert client.request(method, path, content=b" " * LARGE, headers=given).status_code == 413, name
    form = {"content-type": "application/x-www-form-urlencoded"}
    for path, kind in (("/sign-in", form), ("/judge/pair/answers", JSON), ("/api/v1/campaigns", JSON)):
        response = visits.signed_in("admin", csrf=kind is JSON).post(path, content=pieces(), headers=kind)
        assert response.status_code == 413, "it only grew"
    for length in ("-1", "1e9", "0x10", "9" * 30, "", "1, 2"):
        response = visits.nobody().post("/sign-in", content=b"x", headers={"content-length": length})
        assert response.status_code in (400, 413), length


def test_many_items_at_once_are_counted_before_they_are_stored(visits) -> None:
    before = digest(visits.database)
    admin = visits.program("admin")
    many = {"items": [{"content": {}}] * 10_001}
    assert admin.post("/api/v1/campaigns/pair/items", json=many).status_code == 422
    holding = {"holding": ["x"] * 21}
    assert admin.post("/api/v1/campaigns/pair/next", json=holding).status_code == 422
    fields = "&".join(f"x{n}=1" for n in range(5000))
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert visits.signed_in("admin").post("/admin/new", content=fields, headers=form).status_code in (400, 422)
    assert digest(visits.database) == before


def test_long_addresses_and_headers_are_no_trouble(visits) -> None:
    for path in ("/" + "a" * 50_000, "/judge/" + "a" * 5000, "/static/" + "../" * 5000, "/?" + "a=1&" * 5000):
        check(visits.signed_in("admin"), "GET", path, {})
    for name in ("cookie", "authorization", "x-csrf-token", "accept", "if-none-match", "range", "host", "origin"):
        for value in ("x" * 20_000, ";" * 5000, "=" * 100, "Bearer", "Bearer " + "x" * 10_000, "bytes=0-,1-,2-,-1"):
            check(visits.nobody(), "GET", "/static/paraloom.css", {"headers": {name: value}})
            check(visits.nobody(), "GET", "/account", {"headers": {name: value}})


def test_a_range_is_passed_over(visits) -> None:
    whole = visits.nobody().get("/static/paraloom.css")
    part = visits.nobody().get("/static/paraloom.css", headers={"range": "bytes=0-1,0-1,0-1"})
    assert part.status_code == 200
    assert part.content == whole.content


def test_bodies_that_never_end_keep_nobody_else_waiting(address) -> None:
    """The server itself waits for them as long as the line is open: a proxy in front ends that."""
    place = (urlsplit(address).hostname, urlsplit(address).port)
    lines = [socket.create_connection(place, timeout=5) for _ in range(40)]
    try:
        for line in lines:
            head = "POST /sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\ncookie: paraloom-before=" + "k" * 43
            line.sendall(f"{head}\r\ncontent-type: application/x-www-form-urlencoded\r\n\r\nname=".encode())
        assert raw_get(address, "/sign-in")[0] == 200
    finally:
        for line in lines:
            line.close()
    assert raw_get(address, "/sign-in")[0] == 200


# Other files than those that are meant


OUTSIDE = [
    *(
        "../headers.py",
        "..%2fheaders.py",
        "%2e%2e/headers.py",
        "%2e%2e%2fheaders.py",
        "..%5cheaders.py",
        "..\\headers.py",
    ),
    *(
        "....//headers.py",
        "/etc/passwd",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "..;/headers.py",
        "%252e%252e%252fheaders.py",
    ),
    *(
        "paraloom.css%00.html",
        "%00",
        "tasks/../../app/service.py",
        "tasks/%2e%2e/%2e%2e/store/schema.py",
        ".",
        "",
        "tasks",
    ),
    *(
        "%c0%ae%c0%ae/headers.py",
        "file:///etc/passwd",
        "C:%5cwindows",
        "~root/.bashrc",
        ".git/config",
        "../templates/base.html",
    ),
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_leads_out_of_the_static_files(address, name) -> None:
    status, body = raw_get(address, f"/static/{name}")  # a client of Python's would tidy the path before it is sent
    assert status in (400, 404), name
    assert b"root:" not in body
    assert b"import" not in body


@pytest.fixture(scope="module")
def address(shared_visits: Visits) -> Iterator[str]:
    """Where a real server listens."""
    with listening(shared_visits.app) as url:
        yield url


def raw_get(url: str, path: str) -> tuple[int, bytes]:
    with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=5) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode("latin-1"))
        received = b"".join(iter(partial(line.recv, 65_536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


ODD_NAMES = [
    "%2e%2e",
    "..%2fpair",
    "pair%00",
    "pair%0a",
    "pair%0d%0aset-cookie:a=b",
    'pair"',
    "PAIR",
    "pair.db",
    "-",
    "pair\\x",
]


@pytest.mark.parametrize("odd", ODD_NAMES)
def test_a_campaigns_name_is_a_plain_word_wherever_it_stands(visits, odd) -> None:
    admin, before = visits.program("admin"), digest(visits.database)
    for path in (f"/judge/{odd}", f"/admin/campaigns/{odd}/export?format=csv", f"/api/v1/campaigns/{odd}/items"):
        response = admin.get(path)
        assert response.status_code in (404, 422), path
        assert "content-disposition" not in response.headers
    for name in (odd, unquote(odd)):
        made = admin.post("/api/v1/campaigns", json={"task": "pair", "title": "x", "campaign_id": name})
        assert made.status_code == 422
    assert digest(visits.database) == before


def test_a_file_that_is_downloaded_is_called_by_the_campaigns_name_alone(visits) -> None:
    admin = visits.program("admin")
    for path, name in (
        ("export?format=csv", "pair.csv"),
        ("export?format=jsonl", "pair.jsonl"),
        ("bonus.csv", "pair-bonus.csv"),
    ):
        response = admin.get(f"/admin/campaigns/pair/{path}")
        assert response.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert response.headers["x-content-type-options"] == "nosniff"
    for odd in ("csv%0d%0aset-cookie:a=b", "../../etc/passwd", "parquet", "csv%00"):
        assert admin.get(f"/admin/campaigns/pair/export?format={odd}").status_code == 422


def test_no_cell_of_a_table_is_a_formula(database_of_formulas) -> None:
    admin = database_of_formulas.program("admin")
    for path in ("export?format=csv&names=true", "bonus.csv"):
        rows = list(csv.reader(io.StringIO(admin.get(f"/admin/campaigns/grade/{path}").text)))
        cells = [cell for row in rows[1:] for cell in row]
        assert any("HYPERLINK" in cell for cell in cells)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r")) or re.match(r"-\D", cell)]


@pytest.fixture
def database_of_formulas(tmp_path: Path) -> Iterator[Visits]:
    database = open_database(f"sqlite:///{tmp_path / 'formulas.db'}")
    yield Visits(populate(database, lambda field: "=HYPERLINK(1)"), database)
    database.close()


# Other machines


def test_nothing_that_is_written_makes_the_service_call_elsewhere(visits, monkeypatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("the service tried to reach another machine")

    address = "http://127.0.0.1:9/evil?http://169.254.169.254/latest/meta-data"
    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    admin = visits.program("admin")
    content = {"left": f"See {address}", "right": f'<img src="{address}">', "topic": address}
    added = admin.post("/api/v1/campaigns/pair/items", json={"items": [{"content": content, "proposed_by": address}]})
    assert added.status_code == 201
    text = f"![x]({address}) [y]({address}) <{address}>"
    assert admin.post("/api/v1/campaigns/pair/instructions", json={"text": text}).status_code == 201
    for path in ("/judge/pair", "/judge/pair/instructions/3", "/admin/campaigns/pair/items", "/admin/campaigns/pair"):
        page = admin.get(path)
        assert page.status_code == 200
        assert '<img src="http' not in page.text
    assert admin.get("/admin/campaigns/pair/export?format=jsonl").status_code == 200
