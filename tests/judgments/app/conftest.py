"""What tests of the pages and the API share: a service in which everything has happened once, and ways into it."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal
from fastapi import FastAPI
from fastapi.testclient import TestClient

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Lent, Service
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.simulate.serve import free_port, wait_until_served
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.metrics.meaning.adversarial import Answers
from paraloom.web.keys import csrf_token
from tests.judgments.app.populated import NOW, Populated, populate


@pytest.fixture(scope="session", autouse=True)
def one_event_loop() -> Iterator[None]:
    """Requests of all clients in one loop, as a server has it: else each starts a thread and a loop of its own."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


class EasilyPleased:
    """A model for the game that finds every text as good as any other."""

    signature = "model:easily-pleased"

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        """Implied, and unlike."""
        return Answers(implication=np.full(len(left), 0.9), similarity=np.full(len(left), -0.5))


class Visits:
    """A running service over a copy of what was populated; each visitor has a client of their own."""

    def __init__(self, populated: Populated, database: Database, **service: Any) -> None:
        self.populated = populated
        self.database = database
        self.moment: datetime = NOW
        lent = Lent(implication=EasilyPleased)
        clock = {"clock": lambda: self.moment}
        self.service = Service(database=database, lent=lent, **clock, **service)
        self.app: FastAPI = make_app(self.service)

    def nobody(self, **options: Any) -> TestClient:
        """Somebody who is not signed in."""
        return TestClient(self.app, follow_redirects=False, **options)

    def signed_in(self, who: str, *, csrf: bool = True, **options: Any) -> TestClient:
        """In a browser: with a cookie, and with the session's token in a header, as our scripts send it."""
        key = self.populated.sessions[who]
        name = "__Host-paraloom" if self.service.secure else "paraloom"
        client = self.nobody(cookies={name: key}, **options)
        client.headers["accept"] = "text/html"
        if csrf:
            client.headers["x-csrf-token"] = csrf_token(key)
        return client

    def program(self, who: str, **options: Any) -> TestClient:
        """A program with a token."""
        client = self.nobody(**options)
        client.headers["authorization"] = f"Bearer {self.populated.tokens[who]}"
        return client


@pytest.fixture(scope="session")
def populated_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Populated, Path]:
    """A database in which everything has happened once, and where it lies."""
    file = tmp_path_factory.mktemp("populated") / "populated.db"
    database = open_database(f"sqlite:///{file}")
    try:
        return populate(database), file
    finally:
        database.close()


@pytest.fixture
def populated(populated_file: tuple[Populated, Path]) -> Populated:
    """The keys to what there is."""
    return populated_file[0]


@pytest.fixture
def serve(populated_file: tuple[Populated, Path], tmp_path: Path) -> Iterator[Callable[..., Visits]]:
    """Call it, with options of the service, for a service of one's own over a copy of what was populated."""
    opened: list[Database] = []
    known, file = populated_file

    def start(**service: Any) -> Visits:
        copied = tmp_path / f"copy{len(opened)}.db"
        shutil.copy(file, copied)
        opened.append(open_database(f"sqlite:///{copied}"))
        return Visits(known, opened[-1], **service)

    yield start
    for database in opened:
        database.close()


@pytest.fixture
def visits(serve: Callable[..., Visits]) -> Visits:
    """A service of one's own over a copy of what was populated."""
    return serve()


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """The address of a real server, on loopback, while a `with` lasts."""
    port = free_port()
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="critical", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{port}"
    wait_until_served(url)
    try:
        yield url
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def clients(database, now):
    """Call it with a person for a browser in which they are signed in."""
    app = make_app(Service(database=database, clock=lambda: now))

    def of(person) -> TestClient:
        key = database.write(lambda c: open_session(c, person, now))
        headers = {"x-csrf-token": csrf_token(key), "accept": "text/html"}
        return TestClient(app, cookies={"paraloom": key}, headers=headers, follow_redirects=False)

    return of
