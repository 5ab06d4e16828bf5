"""Whatever is sent, to whatever route, in whatever place: the answer is a plain refusal, never a crash."""

from __future__ import annotations

import copy
import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import hypothesis
import pytest
from hypothesis import strategies as st

from paraloom.judgments.store.database import Database
from paraloom.web.keys import csrf_token
from tests.judgments.app.conftest import Visits
from tests.judgments.app.populated import populate
from tests.judgments.app.ways import WAYS, request_of

FOR_DATABASES = [
    *("\x00", "before\x00after", "\ud800", "\u202e", "x" * 70, "x" * 250, "x" * 5000, "'; drop table people; --"),
    *(2**31, 2**63, 10**19, 10**400, -(2**63) - 1, 0, True, None, 1e308),
]
"""What one database takes and another does not."""
FOR_PARSERS = [
    *("", "../../etc/passwd", "..\\..\\x", "{{7*7}}", "%00", "\r\nset-cookie: a=b", "9" * 400, "9" * 5000, "٣", "nan", "-0"),
    *("1e999", "0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", [], {}, [[]], {"\ud800": 1}, [None] * 50),
]
"""What only a reader of forms, numbers, dates and JSON could stumble over."""
QUERY = [
    *("page", "before", "after", "most", "done", "count", "words", "label", "version", "seen", "sort", "state", "id"),
    *("below", "limit", "until", "person", "reviewer", "version_below", "match", "names", "format", "next", "why", "show"),
]
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


def variants(name: str, populated, nasty) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The route's own valid request with one thing in it that is nasty."""
    method, path, body = request_of(name, populated)
    plain, _, query = path.partition("?")
    steps, named = plain.split("/"), name.partition(" ")[2].split("/")
    for number, step in enumerate(named):
        if step.startswith("{"):
            other = "/".join([*steps[:number], in_address(nasty), *steps[number + 1 :]])
            yield method, f"{other}?{query}", body
    for field in body.get("data", {}):
        typed = nasty if isinstance(nasty, str) else json.dumps(nasty)
        written = {**body["data"], field: typed.encode("utf-8", "replace").decode()}
        yield method, path, {"data": written}
    for place in places(body["json"]) if "json" in body else ():
        sent = json.dumps(put(body["json"], place, nasty))
        yield method, path, {"content": sent, "headers": {"content-type": "application/json"}}
    for field in _query_of(name):
        yield method, f"{plain}?{query}&look=true&{field}={in_address(nasty)}", {}


@cache
def _query_of(name: str) -> tuple[str, ...]:
    """What a route reads from its address behind the question mark."""
    routes = {f"{method} {route.path}": route for route in iter_route_contexts(_routers()) for method in route.methods}
    found = routes.get(name)
    return () if found is None else tuple(field.alias for field in found.route.dependant.query_params)


def client_for(visits: Visits, name: str):
    """Somebody who may go this way."""
    if WAYS[name].least != "nobody":
        return visits.signed_in(WAYS[name].least)
    key = "k" * 43
    return visits.nobody(cookies={"paraloom-before": key}, headers={"x-csrf-token": csrf_token(key)})


def check(client, method: str, path: str, body: dict[str, Any]) -> None:
    response = client.request(method, path, **body)  # an exception of the service is raised here
    assert response.status_code < 500, (method, path, body, response.text)
    assert "set-cookie: a=b" not in str(response.headers).lower()
    assert "Traceback" not in response.text


def check_route(visits: Visits, name: str, nasty: list[Any]) -> None:
    client = client_for(visits, name)
    for one in nasty:
        for method, path, body in variants(name, visits.populated, one):
            check(client, method, path, body)


@pytest.mark.parametrize("name", [name for name in WAYS if name not in ENDS and "{" in name or "POST" in name])
def test_nothing_that_is_sent_to_a_route_crashes_it(shared_visits, name) -> None:
    check_route(shared_visits, name, FOR_PARSERS[::3])


@pytest.fixture(scope="module")
def shared_visits(populated_file, tmp_path_factory) -> Iterator[Visits]:
    """One service for all routes: what they do to each other's data is no matter here."""
    from paraloom.judgments.store.migrate import open_database

    database = open_database(f"sqlite:///{tmp_path_factory.mktemp('input') / 'input.db'}")
    yield Visits(populate(database), database)
    database.close()


def test_what_a_database_cannot_store_is_refused_by_both_alike(database: Database) -> None:
    visits = Visits(populate(database), database)
    for name in WAYS:
        if name not in ENDS:
            check_route(visits, name, FOR_DATABASES[:6:2])
