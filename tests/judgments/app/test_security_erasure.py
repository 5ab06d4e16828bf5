"""Once an identity is erased, nothing tells the name any more: no page, no answer of the API, no file, no log."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from paraloom.judgments.store import schema
from tests.judgments.app.conftest import Visits
from tests.judgments.app.populated import PASSWORD
from tests.judgments.app.ways import WAYS, request_of

NAME = "the name annotator"


def by_admin(visits: Visits) -> None:
    path = f"/admin/people/{visits.populated.people['annotator'].person_id}/erase"
    assert visits.signed_in("admin").post(path, data={"name": NAME}).status_code == 303


def by_themselves(visits: Visits) -> None:
    response = visits.signed_in("annotator").post("/account/erase", data={"password": PASSWORD})
    assert response.status_code == 303
    assert response.headers["clear-site-data"] == '"cache", "storage"'


def everything_told(visits: Visits) -> dict[str, str]:
    """Every page and every answer that an admin or an expert can get, and the files with names."""
    told = {}
    for who in ("admin", "expert"):
        client = visits.signed_in(who)
        for name in (name for name in WAYS if name.startswith("GET ") and "/demo/" not in name):
            _, path, _ = request_of(name, visits.populated)
            told[f"{who} {path}"] = client.get(path.replace("/pair", "/grade", 1)).text
    for path in ("export?format=csv&names=true", "export?format=csv", "export?format=jsonl&names=true"):
        told[path] = visits.program("admin").get(f"/admin/campaigns/pair/{path}").text
    return told


@pytest.mark.parametrize("erase", [by_admin, by_themselves])
def test_a_name_that_was_erased_is_told_nowhere(visits, erase, caplog) -> None:
    person_id = visits.populated.people["annotator"].person_id
    assert sum(NAME in text for text in everything_told(visits).values()) > 10, "it was told before"
    caplog.set_level(logging.DEBUG)
    erase(visits)
    told = everything_told(visits)
    assert [where for where, text in told.items() if NAME in text] == []
    assert any(person_id in text for text in told.values()), "what was judged stays, under the id"
    assert f"erased {person_id[:6]}" in told["admin /admin/people"]
    logged = [one for one in caplog.records if not one.name.startswith("httpx")]
    assert NAME not in "\n".join(one.getMessage() for one in logged)


@pytest.mark.parametrize("erase", [by_admin, by_themselves])
def test_a_name_that_was_erased_is_in_no_table_and_in_no_corner_of_the_file(visits, erase) -> None:
    visits.nobody().get("/sign-in")
    erase(visits)

    def everything(connection: sa.Connection) -> str:
        return repr([[tuple(row) for row in connection.execute(sa.select(t))] for t in schema.metadata.sorted_tables])

    assert NAME not in visits.database.read(everything)
    file = Path(visits.database.url.removeprefix("sqlite:///"))
    visits.database.engine.dispose()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for part in file.parent.glob(f"{file.name}*"):
        assert NAME.encode() not in part.read_bytes(), part.name


def test_whoever_was_erased_cannot_come_back_and_the_name_is_free(visits) -> None:
    by_admin(visits)
    for client in (visits.signed_in("annotator"), visits.program("annotator")):
        assert client.get("/account", headers={"accept": "*/*"}).status_code == 401
    admin = visits.program("admin")
    person_id = visits.populated.people["annotator"].person_id
    made = admin.post(f"/api/v1/people/{person_id}/tokens", json={"name": "x"})
    if made.status_code == 201:
        token = {"authorization": f"Bearer {made.json()['token']}"}
        assert visits.nobody(headers=token).get("/api/v1/me").status_code == 401
    assert admin.post(f"/admin/people/{person_id}/password").status_code == 403
    again = admin.post("/api/v1/people", json={"name": NAME})
    assert again.status_code == 201
    assert again.json()["person_id"] != person_id


def test_the_last_admin_stays(visits) -> None:
    admin = visits.signed_in("admin")
    for who in ("second", "demo"):
        path = f"/admin/people/{visits.populated.people[who].person_id}"
        assert admin.post(f"{path}/block", data={"blocked": "1"}).status_code == 303
    own = f"/admin/people/{visits.populated.people['admin'].person_id}"
    assert admin.post(f"{own}/role", data={"role": "annotator"}).status_code == 403
    assert admin.post(f"{own}/block", data={"blocked": "1"}).status_code == 403
    assert admin.post(f"{own}/erase", data={"name": "the name admin"}).status_code == 403
    assert admin.post("/account/erase", data={"password": PASSWORD}).status_code == 403
    assert admin.get("/admin").status_code == 200
