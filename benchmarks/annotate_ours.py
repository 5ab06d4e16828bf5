"""Paraloom as a service that the load of `annotate_peers` can be put on: `paraloom annotate serve` on SQLite.

An answer is sent as the page sends it: the acknowledgement, once the answer is on the disk, brings the next item along.
`two_requests` asks for the next item by itself instead, as the peers' pages do.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from annotate_peers.browser import Browser
from annotate_peers.server import Server, ask
from annotate_peers.work import Work, answer
from sqlalchemy import Connection

from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import SERVICE, add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.migrate import open_database

START_PATIENCE = 60.0
PAGE = 1000
TESTS = 200
CAMPAIGN = "load"
SERVE = (
    *(sys.executable, "-c", "from paraloom.cli import main; main()", "annotate", "serve"),
    *("--db", "{database}", "--port", "{port}", "--no-demo", "--no-open-browser"),
)
PROFILED = (sys.executable, str(Path(__file__).with_name("annotate_profiled.py")), "{database}", "{port}")


class Paraloom:
    """One campaign with all pairs and some test questions; nobody is stopped, but everybody is measured."""

    name = "Paraloom"

    def __init__(self, folder: Path, work: Work, *, two_requests: bool = False, profile: Path | None = None) -> None:
        """The folder takes the database; a profile of the server goes to a file."""
        self._work = work
        self._two_requests = two_requests
        self._profile = profile
        self._server = Server(folder)
        self._token = ""

    def start(self) -> None:
        """A new database, an admin, a campaign; then the server."""
        self._server.folder.mkdir(parents=True, exist_ok=True)
        file = str(self._server.folder / "campaigns.db")
        database = open_database(file)
        self._token = database.write(self._filled)
        database.close()
        command = SERVE if self._profile is None else (*PROFILED, str(self._profile.resolve()))
        filled_in = [part.format(database=file, port=self._server.port) for part in command]
        self._server.start(filled_in, "/sign-in", START_PATIENCE)

    def _filled(self, connection: Connection) -> str:
        settings = CampaignSettings(
            judgments_per_item=self._work.judgments_each,
            min_tests=10_000,
            min_compared=1_000_000,  # answers are made up, so that rules would stop everybody
        )
        campaign = create_campaign(
            connection, task="pair", title="Load", campaign_id=CAMPAIGN, settings=settings, now=now(), by=SERVICE
        )
        pairs = [
            NewItem(item_id=pair.id, content={"left": pair.left, "right": pair.right}) for pair in self._work.pairs
        ]
        tests = [
            NewItem(
                item_id=f"test-{number}",
                content={"left": f"Test {number}.", "right": f"It is a test ({number})."},
                expected={"is_paraphrase": number % 2 == 0},
                explanation="So it is.",
            )
            for number in range(TESTS)
        ]
        add_items(connection, campaign, [*pairs, *tests], now=now())
        change_state(connection, CAMPAIGN, "open", now=now(), by=SERVICE)
        admin = add_person(connection, name="Root", hashed=None, role="admin", now=now(), by=SERVICE)
        return make_token(connection, admin.person_id, "load", now())[1]

    async def sign_in(self, person_number: int) -> ParaloomClient:
        """A new account that works by token."""
        browser = Browser(self._server.url)
        admin = {"Authorization": f"Bearer {self._token}"}
        _, made = await browser.post("/api/v1/people", json={"name": f"person {person_number}"}, headers=admin)
        path = f"/api/v1/people/{json.loads(made)['person_id']}/tokens"
        _, token = await browser.post(path, json={"name": "load"}, headers=admin)
        return ParaloomClient(browser, json.loads(token)["token"], person_number, two_requests=self._two_requests)

    def exported_ids(self) -> Counter[str]:
        """Page by page from the API; nothing is left out of it."""
        found: Counter[str] = Counter()
        after = 0
        headers = {"Authorization": f"Bearer {self._token}"}
        while True:
            path = f"/api/v1/campaigns/{CAMPAIGN}/judgments?after={after}&most={PAGE}"
            rows = json.loads(ask(self._server.url + path, headers=headers))
            if not rows:
                return found
            found.update(row["judgment_id"] for row in rows)
            after = rows[-1]["number"]

    def cpu_seconds(self) -> float:
        """Of the server."""
        return self._server.cpu_seconds()

    def megabytes(self) -> float:
        """Of the server."""
        return self._server.megabytes()

    def stop(self) -> None:
        """End the server."""
        self._server.stop()


class ParaloomClient:
    """One annotator."""

    def __init__(self, browser: Browser, token: str, person_number: int, *, two_requests: bool) -> None:
        """With a browser and a token."""
        self._browser = browser
        self._headers = {"Authorization": f"Bearer {token}"}
        self._person = person_number
        self._two_requests = two_requests
        self._sent = 0
        self._next: dict | None = None

    async def next_task(self) -> dict | None:
        """What came with the last acknowledgement, or asked for."""
        up = self._next
        if up is None:
            _, body = await self._browser.post(
                f"/api/v1/campaigns/{CAMPAIGN}/next", json={"holding": []}, headers=self._headers
            )
            up = json.loads(body)
        self._next = None
        return up["item"]

    async def submit(self, task: dict) -> str:
        """The service's own name of the judgment."""
        self._sent += 1
        sent = {
            "item_id": task["item_id"],
            "answer": {"is_paraphrase": answer(self._person, task["item_id"]) == "yes"},
            "client_id": f"load-{self._person}-{self._sent}",
            "instructions_version": task["instructions_version"],
            "seconds": 1.0,
        }
        if not self._two_requests:
            sent["holding"] = []
        _, body = await self._browser.post(f"/api/v1/campaigns/{CAMPAIGN}/answers", json=sent, headers=self._headers)
        stored = json.loads(body)
        self._next = stored.get("next")
        return stored["judgment_id"]

    async def close(self) -> None:
        """End the connection."""
        await self._browser.close()
