"""Potato (GPL-3.0, run as a program of its own) as a service: what its annotation page sends, sent without the page.

What is served is what `pip install potato-annotation` and `potato start` give: Flask's threaded development server and
one file of answers for every annotator, written anew with every answer. A pair counts as given when its page has come.
"""

from __future__ import annotations

import csv
import html
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

from annotate_peers.browser import Browser, Refused
from annotate_peers.server import Server
from annotate_peers.work import ANSWERS, Work, answer, answer_id

PASSWORD = "a-long-pass-phrase"
START_PATIENCE = 120.0
EXPORT_PATIENCE = 300.0
NAVIGATION = {"X-Potato-Navigation": "1"}
"""Its own page says so when it moves on, and is spared the whole page as an answer."""

GIVEN = re.compile(rb'<input id="instance_id"[^>]*value="([^"]*)"')


class Potato:
    """One task with all pairs; every annotator is given an equal share of them when they sign up."""

    name = "Potato"

    def __init__(self, programs: Path, folder: Path, work: Work, people: int) -> None:
        """`programs` is the `bin` folder of its environment; the folder takes settings, pairs and answers."""
        self._programs = programs
        self._folder = folder
        self._work = work
        self._people = people
        self._server = Server(folder)

    def start(self) -> None:
        """A new task. JSON is YAML, so its settings are written as JSON."""
        self._folder.mkdir(parents=True)
        with (self._folder / "pairs.jsonl").open("w") as file:
            for pair in self._work.pairs:
                file.write(json.dumps({"id": pair.id, "text": f"{pair.left}\n\n{pair.right}"}) + "\n")
        (self._folder / "config.yaml").write_text(json.dumps(self._settings(), indent=2))
        where = ["--port", str(self._server.port), "--host", "127.0.0.1"]
        self._server.start([str(self._programs / "potato"), "start", "config.yaml", *where], "/health", START_PATIENCE)

    async def sign_in(self, person_number: int) -> PotatoClient:
        """A new account, which is signed in with it."""
        browser = Browser(self._server.url)
        form = {"email": f"person-{person_number}", "pass": PASSWORD}
        await browser.post("/register", form=form, also=302, follow=False)
        if not browser.cookie("session"):
            raise Refused("register: no session")
        return PotatoClient(browser, person_number)

    def exported_ids(self) -> Counter[str]:
        """From its export to CSV: one line for an annotator and a pair, with a column for every answer."""
        out = self._folder / "export"
        subprocess.run(
            [str(self._programs / "python"), "-m", "potato.export", "-c", "config.yaml", "-f", "csv", "-o", str(out)],
            cwd=self._folder,
            check=True,
            capture_output=True,
            timeout=EXPORT_PATIENCE,
        )
        with (out / "annotations.csv").open(newline="") as file:
            return Counter(
                answer_id(int(line["user_id"].removeprefix("person-")), line["instance_id"], given)
                for line in csv.DictReader(file)
                for given in ANSWERS
                if line.get(f"paraphrase.{given}")
            )

    def cpu_seconds(self) -> float:
        """Of the server."""
        return self._server.cpu_seconds()

    def megabytes(self) -> float:
        """Of the server."""
        return self._server.megabytes()

    def stop(self) -> None:
        """End the server."""
        self._server.stop()

    def _settings(self) -> dict[str, object]:
        return {
            "annotation_task_name": "pairs",
            "task_dir": ".",
            "output_annotation_dir": "annotation_output",
            "data_files": ["pairs.jsonl"],
            "item_properties": {"id_key": "id", "text_key": "text"},
            "annotation_schemes": [
                {
                    "annotation_type": "radio",
                    "name": "paraphrase",
                    "description": "Do both say the same?",
                    "labels": list(ANSWERS),
                }
            ],
            "assignment_strategy": "fixed_order",  # all of a share at sign-up: nothing is searched while the clock runs
            "num_annotators_per_item": self._work.judgments_each,
            "max_annotations_per_user": self._work.share(self._people),
            "require_password": True,
        }


class PotatoClient:
    """One annotator on the annotation page."""

    def __init__(self, browser: Browser, person_number: int) -> None:
        """With a browser that has signed in."""
        self._browser = browser
        self._person = person_number
        self._answered: str | None = None

    async def next_task(self) -> str | None:
        """Move on from what has been answered, then load the page: two requests, as its own Next button makes them."""
        if self._answered is not None:
            step = {"action": "next_instance", "instance_id": self._answered}
            await self._browser.post("/annotate", json=step, headers=NAVIGATION)
        _, page = await self._browser.get("/annotate")
        found = GIVEN.search(page)
        if found is None:
            return None
        pair = html.unescape(found[1].decode())
        if pair == self._answered:
            raise Refused("annotate: the same pair again")
        return pair

    async def submit(self, task: str) -> str:
        """Refusals of some kinds come with status 200, so the body counts."""
        given = answer(self._person, task)
        self._answered = task
        _, body = await self._browser.post(
            "/updateinstance",
            json={"instance_id": task, "annotations": {f"paraphrase:{given}": given}, "span_annotations": []},
        )
        if json.loads(body)["status"] != "success":
            raise Refused("updateinstance: not stored")
        return answer_id(self._person, task, given)

    async def close(self) -> None:
        """End the connection."""
        await self._browser.close()
