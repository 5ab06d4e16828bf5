"""One command and the service runs: with a demonstration on an empty machine, and until it is told to stop."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from paraloom.judgments.campaigns import all_campaigns
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import everybody
from paraloom.judgments.progress import progress_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.migrate import open_database
from paraloom.workflows.annotate.people import new_token
from tests.forked import ForkedProcess, ForkServer

COMMAND = "from paraloom.cli import main; main()"

Start = Callable[..., tuple[ForkedProcess, list[str]]]


@pytest.fixture
def start(tmp_path: Path, child_environment: dict[str, str], service_forks: ForkServer) -> Iterator[Start]:
    """Start the service with these words; the process, and what it printed until it was ready."""
    started: list[ForkedProcess] = []

    def begin(*words: str) -> tuple[ForkedProcess, list[str]]:
        process = service_forks.start(
            COMMAND,
            ("annotate", "serve", "--port", "0", *words),
            folder=tmp_path,
            environment={**child_environment, "BROWSER": "false"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("Ctrl+C"):
                return process, lines
        raise AssertionError(process.communicate()[1])

    yield begin
    for process in started:
        process.close()


def address_of(lines: list[str]) -> str:
    return lines[0].removeprefix("The service is at ")


def test_on_an_empty_machine_one_command_gives_a_demonstration_that_is_signed_in(start: Start, tmp_path: Path) -> None:
    process, lines = start("--no-open-browser")
    link = lines[1].removeprefix("The demonstration, signed in: ")
    assert re.fullmatch(rf"{address_of(lines)}/demo/[\w-]{{43}}", link)
    with httpx.Client(follow_redirects=True) as browser:
        assert browser.get(f"{address_of(lines)}/demo/{'x' * 43}").status_code == 404
        page = browser.get(link)
        assert page.status_code == 200
        assert "Do these two say the same?" in page.text
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    database = open_database(str(tmp_path / "paraloom.db"))
    try:
        campaigns = {one.campaign_id: one for one in database.read(all_campaigns)}
        assert {one.task for one in campaigns.values()} == {"pair", "choose", "grade", "write"}
        assert all(one.state == "open" for one in campaigns.values())
        assert database.read(lambda c: progress_of(c, "demo-pairs")).tests == 12
    finally:
        database.close()
    _, again = start("--no-open-browser")  # the same demonstration, with a link of its own
    assert "/demo/" in again[1]
    assert link not in again[1]


def test_a_demonstration_that_is_stopped_leaves_no_way_in_by_its_simulated_crowd(start: Start, tmp_path: Path) -> None:
    process, _ = start("--no-open-browser")
    database = open_database(str(tmp_path / "paraloom.db"))
    try:
        said = sa.select(sa.func.count()).select_from(schema.judgments)
        deadline = time.monotonic() + 30
        while not database.read(lambda c: c.scalar(said)) and time.monotonic() < deadline:
            time.sleep(0.1)
        in_use = sa.select(sa.func.count()).select_from(schema.tokens).where(schema.tokens.c.revoked_at.is_(None))
        assert database.read(lambda c: c.scalar(in_use)) == 7, "six at work, and the program that made their accounts"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert database.read(lambda c: c.scalar(in_use)) == 0
        crowd = [one for one in database.read(everybody) if one.is_simulated]
        assert [one.is_active for one in crowd] == [False] * 6
    finally:
        database.close()


def test_a_service_for_others_has_no_demonstration_but_a_link_for_its_admin(start: Start, tmp_path: Path) -> None:
    process, lines = start("--host", "0.0.0.0", "--db", "team.db")
    assert not any("/demo/" in line for line in lines)
    (join,) = (line.rpartition(" ")[2] for line in lines if "/join/" in line)
    assert httpx.get(join).status_code == 200
    process.terminate()
    assert process.wait(30) == 0


def test_an_admin_who_cannot_sign_in_is_none(start: Start, tmp_path: Path) -> None:
    """Neither the demonstration's account nor a program's: whoever starts the service must get in."""
    database = open_database(str(tmp_path / "team.db"))
    new_token(database, "importer", role="admin", called="test")
    database.close()
    _, lines = start("--db", "team.db", "--no-demo", "--no-open-browser")
    assert any("/join/" in line for line in lines)


def test_told_to_stop_it_finishes_the_answers_under_way_and_loses_none(start: Start, tmp_path: Path) -> None:
    from paraloom.judgments.settings import CampaignSettings
    from paraloom.workflows.annotate.campaigns import create

    file = str(tmp_path / "team.db")
    database = open_database(file)
    settings = CampaignSettings(tests_every=0)
    campaign = create(database, "storms", task="pair", title=None, settings=settings, instructions=None, opens=True)
    items = [NewItem(item_id=f"p{n}", content={"left": f"a {n}", "right": f"b {n}"}) for n in range(400)]
    database.write(lambda c: add_items(c, campaign, items, now=now()))
    keys = [new_token(database, f"person {n}", role="annotator", called="test") for n in range(4)]
    database.close()
    process, lines = start("--db", file)
    acknowledged: list[str] = []
    enough = threading.Event()

    def work(key: str) -> None:
        with httpx.Client(base_url=f"{address_of(lines)}/api/v1", headers={"authorization": f"Bearer {key}"}) as api:
            try:
                while True:
                    item = api.post("/campaigns/storms/next", json={}).raise_for_status().json()["item"]
                    sent = {
                        "item_id": item["item_id"],
                        "answer": {"is_paraphrase": True},
                        "client_id": secrets.token_hex(8),
                        "instructions_version": 1,
                    }
                    stored = api.post("/campaigns/storms/answers", json=sent).raise_for_status().json()
                    acknowledged.append(stored["judgment_id"])
                    if len(acknowledged) >= 40:
                        enough.set()
            except httpx.TransportError:
                return  # the service is gone

    threads = [threading.Thread(target=work, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    assert enough.wait(60)
    process.terminate()
    assert process.wait(60) == 0
    for thread in threads:
        thread.join()
    database = open_database(file)
    try:
        stored = database.read(lambda c: set(c.scalars(sa.select(schema.judgments.c.judgment_id))))
    finally:
        database.close()
    assert len(acknowledged) >= 40
    assert set(acknowledged) <= stored


def test_a_port_that_is_taken_is_told(start: Start, tmp_path: Path, service_forks: ForkServer) -> None:
    _, lines = start("--db", "one.db", "--no-open-browser")
    port = address_of(lines).rpartition(":")[2]
    words = ["annotate", "serve", "--db", "two.db", "--port", port]
    done = service_forks.run(COMMAND, words, folder=tmp_path)
    assert done.returncode == 1
    assert "Choose another --port" in " ".join(done.stderr.split())
    assert os.listdir(tmp_path)
