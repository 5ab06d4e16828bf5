"""A campaign in, what simulated annotators made of it out: through a service that runs, or one started for it."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import Connection

from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.exchange.labels_in import expected_of
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import SERVICE, add_person, person_named
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token, revoke_token, tokens_of
from paraloom.judgments.simulate.client import asked, new_client
from paraloom.judgments.simulate.made_up import as_json
from paraloom.judgments.simulate.mix import read_mix, shared_out
from paraloom.judgments.simulate.people import SimulatedPerson, end_people, end_run, make_people, new_run
from paraloom.judgments.simulate.profiles import Profile, Truth
from paraloom.judgments.simulate.serve import Served
from paraloom.judgments.simulate.summary import Stored, Waits, held_against, waits_of
from paraloom.judgments.simulate.work import Worked, WorkOptions, work_through
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.judgments.tasks import read_expected, task_named
from paraloom.workflows.annotate.opened import check_campaign
from paraloom.workflows.annotate.simulate_options import SimulateOptions

ADMIN = "simulation"
"""The account that a simulation makes for itself where it may: without a password, its token is never shown."""
PAIRS, TESTS = 400, 100
"""Of the campaign that is made where there is none."""
MOST = 1000

SERVE = (
    *(sys.executable, "-c", "from paraloom.cli import main; main()", "annotate", "serve"),
    *("--db", "{database}", "--port", "{port}", "--no-demo", "--no-open-browser"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """What came of a simulation."""

    campaign: str
    task: str
    annotators: Mapping[str, int]
    """How many of each kind."""
    seconds: float
    answers: int
    """Acknowledged by the service."""
    stored: Stored
    answer_ms: Waits
    next_ms: Waits
    failures: Mapping[str, int]
    """Requests that were sent again, by reason."""
    errors: Mapping[str, int]
    """Requests that were refused."""
    ended_for: Mapping[str, int]
    """Why people ended."""
    complete: int
    items: int

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)

    def as_text(self) -> str:
        """In words."""
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.annotators.items())
        ended = ", ".join(f"{count} {_ENDED.get(why, why)}" for why, count in self.ended_for.items())
        lines = [
            f"{self.campaign} ({self.task}): {kinds}; {self.answers:,} answers in {self.seconds:.0f} s",
            f"  answer: {_waits(self.answer_ms)}; next: {_waits(self.next_ms)}",
            f"  stored: {self.stored.judgments:,}; lost {self.stored.lost}, doubled {self.stored.doubled}, "
            f"never acknowledged {self.stored.unacknowledged}",
            f"  sent again: {_counted(self.failures)}; refused: {_counted(self.errors)}; people ended: {ended}",
            f"  {self.complete:,} of {self.items:,} items are complete",
        ]
        return "\n".join(lines)


_ENDED = {"time": "out of time"}


def _waits(waits: Waits) -> str:
    return (
        "never" if waits.p50 is None else f"p50 {waits.p50:.1f} ms, p95 {waits.p95:.1f} ms ({waits.requests:,} times)"
    )


def _counted(what: Mapping[str, int]) -> str:
    return ", ".join(f"{count} × {name}" for name, count in what.items()) or "none"


def simulate(
    campaign: str | None, options: SimulateOptions, *, url: str | None, token: str | None, db: str | None
) -> Simulated:
    """Let annotators at a campaign.

    With a URL and an admin's token, that service is used. Else one is started, on the given database or on a new one
    with a made-up campaign, and stopped again.
    """
    if options.seconds <= 0 or options.think < 0:
        raise InputError("--seconds must be more than 0, and --think at least 0.")
    profiles, run = shared_out(read_mix(options.mix), options.crowd, options.seed), new_run()
    if url is not None:
        if token is None or campaign is None:
            raise InputError(
                "--url needs --token, that of an admin (`paraloom annotate token NAME --role admin`), and --campaign."
            )
        return asyncio.run(_simulated(url, token, campaign, options, profiles, run))
    with _own_service(db, campaign, options, run) as (served, made, own_token):
        return asyncio.run(_simulated(served.url, own_token, made, options, profiles, run))


def simulate_beside(
    url: str,
    database: Database,
    campaign: str,
    options: SimulateOptions,
    right: Mapping[str, Mapping[str, Any]],
    run: str,
) -> Simulated:
    """Let annotators at a campaign of a service that this very process runs; `right` are right answers by item."""
    profiles = shared_out(read_mix(options.mix), options.crowd, options.seed)
    token = database.write(lambda connection: _admin_token(connection, run))
    try:
        return asyncio.run(_simulated(url, token, campaign, options, profiles, run, right))
    finally:
        end_simulation(database, run)


def end_simulation(database: Database, run: str) -> None:
    """Nobody of a simulation that is over gets in any more, nor does the program that made their accounts."""

    def job(connection: Connection) -> None:
        end_run(connection, run)
        if (admin := person_named(connection, ADMIN)) is None:
            return
        for token in tokens_of(connection, admin.person_id):
            if token.name == run and token.revoked_at is None:
                revoke_token(connection, admin.person_id, token.token_id, now())

    database.write(job)


@contextmanager
def _own_service(
    db: str | None, campaign: str | None, options: SimulateOptions, run: str
) -> Iterator[tuple[Served, str, str]]:
    """A service as a child process, the campaign's name, and a token for it."""
    with tempfile.TemporaryDirectory(prefix="paraloom-simulate-") as folder:
        if db is not None and campaign is None:
            raise InputError("Which campaign of the database? Give --campaign.")
        url = db or str(Path(folder) / "simulated.db")
        database = open_database(url, create=db is None)
        try:
            if db is not None and campaign is not None:
                check_campaign(database, campaign)
            token = database.write(lambda connection: _admin_token(connection, run))
            if db is None:
                campaign = database.write(lambda c: _made_up(c, campaign or "simulated", options.seed))
        finally:
            database.close()
        assert campaign is not None
        try:
            with Served(url, SERVE) as served:
                yield served, campaign, token
        finally:
            if db is not None:
                _end_in(db, run)


def _end_in(db: str, run: str) -> None:
    """Also where the service was gone before the simulation was, as after Ctrl+C."""
    database = open_database(db, create=False)
    try:
        end_simulation(database, run)
    finally:
        database.close()


def _admin_token(connection: Connection, run: str) -> str:
    admin = person_named(connection, ADMIN)
    if admin is None or admin.role != "admin":
        admin = add_person(connection, name=ADMIN, hashed=None, role="admin", now=now(), by=SERVICE)
    return make_token(connection, admin.person_id, run, now())[1]


def _made_up(connection: Connection, name: str, seed: int) -> str:
    settings = CampaignSettings(min_test_accuracy=0.7, seed=seed)
    campaign = create_campaign(
        connection, task="pair", title="Simulated", campaign_id=name, settings=settings, now=now(), by=SERVICE
    )
    truth = Truth(task="pair", known={}, seed=seed)
    contents = {
        f"made-up-{number}": {"left": f"Storm {number} reached the coast.", "right": f"The coast met storm {number}."}
        for number in range(PAIRS + TESTS)
    }
    new = [
        NewItem(item_id=item, content=content, expected=truth.of(item, content) if number < TESTS else None)
        for number, (item, content) in enumerate(contents.items())
    ]
    add_items(connection, campaign, new, now=now())
    change_state(connection, name, "open", now=now(), by=SERVICE)
    return name


async def _simulated(
    url: str,
    token: str,
    campaign: str,
    options: SimulateOptions,
    profiles: Sequence[Profile],
    run: str,
    right: Mapping[str, Mapping[str, Any]] | None = None,
) -> Simulated:
    async with new_client(url) as client:
        path = f"/api/v1/campaigns/{campaign}"
        about = await asked(client, token, "GET", path)
        if about["state"] != "open":
            raise InputError(
                f"{campaign} is not open ({about['state']}), and nobody gets anything of it. Open it first: "
                f"`paraloom annotate open {campaign}`."
            )
        task: str = about["task"]
        items = await _all(client, token, f"{path}/items", "position")
        known = known_answers(task, items, options.truth) | dict(right or {})
        truth = Truth(task=task, known=known, seed=options.seed)
        people = await make_people(client, token, profiles, run)
        work = WorkOptions(seconds=options.seconds, think=options.think, seed=options.seed)
        try:
            worked = await work_through(url, campaign, people, truth, work)
        finally:
            await end_people(client, token, people)
        judgments = await _all(client, token, f"{path}/judgments", "number")
        progress = await asked(client, token, "GET", path)
    return _result(campaign, task, people, worked, judgments, progress)


def _result(
    campaign: str,
    task: str,
    people: Sequence[SimulatedPerson],
    worked: Worked,
    judgments: Sequence[dict[str, Any]],
    progress: Mapping[str, Any],
) -> Simulated:
    theirs = {person.person_id for person in people}
    kinds = Counter(person.profile.name for person in people)
    return Simulated(
        campaign=campaign,
        task=task,
        annotators=dict(sorted(kinds.items())),
        seconds=round(worked.seconds, 3),
        answers=len({one.judgment_id for one in worked.acknowledged}),
        stored=held_against(worked, [row for row in judgments if row["person_id"] in theirs]),
        answer_ms=waits_of(worked.waits["answer"]),
        next_ms=waits_of(worked.waits["next"]),
        failures=dict(worked.failures),
        errors=dict(worked.errors),
        ended_for=dict(worked.ended_for),
        complete=progress["complete"],
        items=progress["items"],
    )


def known_answers(task: str, items: Sequence[Mapping[str, Any]], file: Path | None) -> dict[str, Mapping[str, Any]]:
    """Right answers by item: those of test questions, and those of a file."""
    known = {item["item_id"]: item["expected"] for item in items if item["expected"] is not None}
    if file is None:
        return known
    contents = {item["item_id"]: item["content"] for item in items}
    rows = read_rows(file, ("item_id", "answer", "label"), also={"item_id": "pair_id"}, required=("item_id",))
    answers = rows.columns.get("answer") or rows.columns.get("label")
    if answers is None:
        raise InputError(f"{file} has neither `answer` nor `label`, so it does not say what is right.")
    there = {
        item_id: _right(task, contents[item_id], answer, f"{file}, line {line}")
        for line, item_id, answer in zip(rows.lines, rows.texts("item_id"), answers, strict=True)
        if item_id in contents
    }
    if not there:
        raise InputError(f"{file} names no item of the campaign. Its `item_id` must be that of the campaign's items.")
    return known | there


def _right(task: str, content: Mapping[str, Any], answer: Any, place: str) -> Mapping[str, Any]:
    """An answer as an object, as JSON of it, or as one word such as a pair's label."""
    kind = task_named(task)
    try:
        if isinstance(answer, str) and answer.lstrip().startswith("{"):
            answer = json.loads(answer)
        if not isinstance(answer, Mapping):
            answer = expected_of(task, str(answer), content)
        return as_json(read_expected(kind, answer, kind.read_content(content)))
    except (InputError, ValueError) as error:
        raise InputError(f"{place}: {error}") from error


async def _all(client: httpx.AsyncClient, token: str, path: str, number: str, after: int = 0) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    while page := await asked(client, token, "GET", f"{path}?after={after}&most={MOST}"):
        rows += page
        after = page[-1][number]
    return rows
