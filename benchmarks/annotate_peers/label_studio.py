"""Label Studio (Apache-2.0) as a service: accounts by its sign-up page, tasks and answers by its API, one project.

What is served is what `pip install label-studio` and `label-studio start` give: Django's threaded development server on
SQLite. The package brings no other server; its Docker image has uWSGI and nginx in front.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Protocol

from annotate_peers.browser import Browser
from annotate_peers.server import Server, ask
from annotate_peers.work import ANSWERS, Work, answer, answer_id

OWNER = "owner@example.org"
TOKEN = "0123456789abcdef0123456789abcdef01234567"
PASSWORD = "a-long-pass-phrase"
START_PATIENCE = 240.0
"""Seconds; a new database goes through some hundred migrations first."""

QUIET = {
    "COLLECT_ANALYTICS": "False",
    "LATEST_VERSION_CHECK": "False",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
}
"""Nothing is sent home."""

FORM = f"""
<View>
  <Text name="left" value="$left"/>
  <Text name="right" value="$right"/>
  <Choices name="paraphrase" toName="left" choice="single" required="true">
    {"".join(f'<Choice value="{each}"/>' for each in ANSWERS)}
  </Choices>
</View>
"""


class Database(Protocol):
    """A database server that Label Studio can be put on."""

    def start(self) -> dict[str, str]:
        """Start it; back come the settings, as environment variables, with which Label Studio finds it."""

    def cpu_seconds(self) -> float:
        """Of all its processes."""

    def megabytes(self) -> float:
        """Of all its processes."""

    def stop(self) -> None:
        """End it."""


class LabelStudio:
    """One project with all pairs, shared by all annotators."""

    def __init__(self, programs: Path, folder: Path, work: Work, database: Database | None = None) -> None:
        """`programs` is the `bin` folder of its environment; without a database, SQLite in the folder, its default."""
        self.name = f"Label Studio on {'SQLite' if database is None else 'PostgreSQL'}"
        self._database = database
        self._programs = programs
        self._work = work
        self._server = Server(folder)
        self._project = 0

    def start(self) -> None:
        """A new database, an owner, one project and its tasks."""
        settings = QUIET if self._database is None else QUIET | self._database.start()
        data = self._server.folder / "data"
        data.mkdir(parents=True)
        where = ["--internal-host", "127.0.0.1", "--port", str(self._server.port), "--no-browser"]
        owner = ["--username", OWNER, "--password", PASSWORD, "--user-token", TOKEN, "--enable-legacy-api-token"]
        self._server.start(
            [str(self._programs / "label-studio"), "start", *where, *owner, "--log-level", "WARNING"],
            "/health",
            START_PATIENCE,
            LABEL_STUDIO_BASE_DATA_DIR=str(data),
            **settings,
        )
        project = {"title": "pairs", "label_config": FORM, "maximum_annotations": self._work.judgments_each}
        self._project = self._as_owner("/api/projects", project)["id"]
        tasks = [{"pair": pair.id, "left": pair.left, "right": pair.right} for pair in self._work.pairs]
        self._as_owner(f"/api/projects/{self._project}/import", tasks)

    async def sign_in(self, person_number: int) -> LabelStudioClient:
        """A new account, which is signed in with it."""
        browser = Browser(self._server.url)
        await browser.get("/user/signup/")
        form = {"email": email(person_number), "password": PASSWORD, "allow_newsletters": "false"}
        await browser.post(
            "/user/signup/", form={**form, "csrfmiddlewaretoken": browser.cookie("csrftoken")}, also=302, follow=False
        )
        return LabelStudioClient(browser, self._project, person_number)

    def exported_ids(self) -> Counter[str]:
        """From its JSON export."""
        people = {user["id"]: person(user["email"]) for user in self._as_owner("/api/users") if user["email"] != OWNER}
        tasks = self._as_owner(f"/api/projects/{self._project}/export?exportType=JSON")
        return Counter(
            answer_id(people[each["completed_by"]], task["data"]["pair"], each["result"][0]["value"]["choices"][0])
            for task in tasks
            for each in task["annotations"]
        )

    def cpu_seconds(self) -> float:
        """Of the server and its database."""
        return sum(each.cpu_seconds() for each in self._servers())

    def megabytes(self) -> float:
        """Of the server and its database."""
        return sum(each.megabytes() for each in self._servers())

    def stop(self) -> None:
        """End the server and its database."""
        for each in self._servers():
            each.stop()

    def _servers(self) -> list[Server | Database]:
        return [self._server] if self._database is None else [self._server, self._database]

    def _as_owner(self, path: str, data: object = None):
        headers = {"Authorization": f"Token {TOKEN}", "Content-Type": "application/json"}
        body = None if data is None else json.dumps(data).encode()
        return json.loads(ask(self._server.url + path, body, headers))


class LabelStudioClient:
    """One annotator in the project's label stream."""

    def __init__(self, browser: Browser, project: int, person_number: int) -> None:
        """With a browser that has signed in."""
        self._browser = browser
        self._project = project
        self._person = person_number

    async def next_task(self) -> dict[str, object] | None:
        """It locks the task for this annotator, and says 404 when nothing is left."""
        status, body = await self._browser.get(f"/api/projects/{self._project}/next", also=404)
        return None if status == 404 else json.loads(body)

    async def submit(self, task: dict) -> str:
        """A new annotation of the task."""
        pair = task["data"]["pair"]
        given = answer(self._person, pair)
        chosen = {"from_name": "paraphrase", "to_name": "left", "type": "choices", "value": {"choices": [given]}}
        await self._browser.post(
            f"/api/tasks/{task['id']}/annotations/?project={self._project}",
            json={"result": [chosen], "lead_time": 1.0},
            headers={"X-CSRFToken": self._browser.cookie("csrftoken")},
        )
        return answer_id(self._person, pair, given)

    async def close(self) -> None:
        """End the connection."""
        await self._browser.close()


def email(person_number: int) -> str:
    """The name of an account."""
    return f"person-{person_number}@example.org"


def person(address: str) -> int:
    """Whose account it is.

    >>> person(email(12))
    12
    """
    return int(address.removeprefix("person-").partition("@")[0])
