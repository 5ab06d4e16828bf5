"""People and a campaign in, what they did out: each asks for work, thinks, answers, and asks again, over HTTP.

An answer that was not acknowledged, because the service was away or said 503, is sent again with the same client id
until it is. So whatever happens to the service, what was acknowledged must be there, and nothing twice.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from paraloom.judgments.simulate.client import new_client
from paraloom.judgments.simulate.people import SimulatedPerson
from paraloom.judgments.simulate.profiles import Truth

FIRST_WAIT, LONGEST_WAIT = 0.05, 1.0
"""Seconds before a failed request is sent again: at first, and after several failures."""

OVER = ("done", "stopped", "ended", "cap", "earned", "budget", "paused", "not_open")
"""What the service says to whom it has nothing more to give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOptions:
    """How long, how fast."""

    seconds: float = 60.0
    """The simulation ends after so many seconds, or when nobody is left with anything to do."""
    think: float = 1.0
    """Seconds between seeing an item and answering, on average; each kind of annotator has a pace of its own."""
    grace: float = 30.0
    """Seconds for which answers under way are sent again after time is over."""
    look_again: float = 0.5
    """Seconds until somebody who was told to wait asks again."""
    seed: int = 1
    """Decides who errs where, and how long everybody thinks."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """The service said that this answer is stored."""

    judgment_id: str
    client_id: str
    person_id: str
    item_id: str


@dataclass(slots=True)
class Worked:
    """What all annotators did together."""

    acknowledged: list[Acknowledgement] = field(default_factory=list)
    """One row an answer, in the order in which they were acknowledged."""
    waits: dict[str, list[float]] = field(default_factory=lambda: {"next": [], "answer": []})
    """Seconds that requests took which succeeded."""
    failures: Counter[str] = field(default_factory=Counter)
    """Requests that were sent again, by reason: 503, or no connection."""
    errors: Counter[str] = field(default_factory=Counter)
    """Requests that were refused for good, and answers that contradict each other."""
    repeated: int = 0
    """Acknowledgements that said: it was stored before."""
    left: int = 0
    """People who went away with an item on lease."""
    ended_for: Counter[str] = field(default_factory=Counter)
    """Why people stopped asking."""
    unacknowledged: list[str] = field(default_factory=list)
    """Client ids of answers that were given up when time was over; they may be stored or not."""
    seconds: float = 0.0


async def work_through(
    url: str,
    campaign_id: str,
    people: Sequence[SimulatedPerson],
    truth: Truth,
    options: WorkOptions = WorkOptions(),
) -> Worked:
    """All of them at once, until time is over or there is nothing left to do."""
    worked = Worked()
    started = time.monotonic()

    async def one(number: int, person: SimulatedPerson) -> None:
        await asyncio.sleep(options.think * number / len(people))  # people do not come in step
        dice = random.Random(f"{options.seed}:{number}")
        async with new_client(url) as client:
            at_work = _Annotator(client, campaign_id, person, truth, options, worked, started + options.seconds, dice)
            await at_work.work()

    await asyncio.gather(*(one(number, person) for number, person in enumerate(people)))
    worked.seconds = time.monotonic() - started
    return worked


class _GaveUp(Exception):
    """Time was over before the service acknowledged."""


class _Refused(Exception):
    """The service said no, and would say so again."""


class _Annotator:
    """One person at work."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        campaign_id: str,
        person: SimulatedPerson,
        truth: Truth,
        options: WorkOptions,
        worked: Worked,
        ends: float,
        dice: random.Random,
    ) -> None:
        self._client, self._person, self._truth, self._options, self._worked = client, person, truth, options, worked
        self._path = f"/api/v1/campaigns/{campaign_id}"
        self._headers = {"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"}
        self._ends = ends
        self._dice = dice

    async def work(self) -> None:
        """Until there is nothing to do, or time is over."""
        try:
            self._worked.ended_for[await self._until_done()] += 1
        except _GaveUp:
            self._worked.ended_for["time"] += 1
        except _Refused:
            self._worked.ended_for["refused"] += 1

    async def _until_done(self) -> str:
        up: dict[str, Any] | None = None
        while time.monotonic() < self._ends:
            up = up or await self._next()
            item = up["item"]
            if item is None:
                if up["why"] in OVER:
                    return str(up["why"])
                up = None
                await asyncio.sleep(self._options.look_again)
                continue
            seconds = self._person.profile.thinks(self._options.think, self._dice)
            await asyncio.sleep(seconds)
            if self._dice.random() < self._person.profile.leaves:
                self._worked.left += 1
                return "left"
            up = await self._answer(item, seconds)
        return "time"

    async def _next(self) -> dict[str, Any]:
        return await self._sent("next", "/next", {}, self._ends)

    async def _answer(self, item: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Answer an item and get the next with the acknowledgement."""
        profile, dice = self._person.profile, self._dice
        truth = self._truth.of(item["item_id"], item["content"])
        body = {
            "item_id": item["item_id"],
            "answer": profile.answers(self._truth.task, item["content"], truth, dice),
            "client_id": f"{dice.getrandbits(128):032x}",
            "instructions_version": item["instructions_version"],
            "seconds": round(seconds, 3),
        }
        if dice.random() < profile.repeats_itself:
            await self._acknowledged(body)
        if dice.random() < profile.changes_mind:
            await self._acknowledged(body)
            second = profile.answers(self._truth.task, item["content"], truth, dice)
            body |= {"answer": second, "client_id": f"{dice.getrandbits(128):032x}"}
        stored = await self._acknowledged({**body, "holding": []})
        up: dict[str, Any] = stored["next"]
        return up

    async def _acknowledged(self, body: dict[str, Any]) -> dict[str, Any]:
        try:
            stored = await self._sent("answer", "/answers", body, self._ends + self._options.grace)
        except _GaveUp:
            self._worked.unacknowledged.append(body["client_id"])
            raise
        self._worked.repeated += stored["repeated"]
        self._worked.acknowledged.append(
            Acknowledgement(stored["judgment_id"], body["client_id"], self._person.person_id, body["item_id"])
        )
        return stored

    async def _sent(self, kind: str, path: str, body: dict[str, Any], ends: float) -> dict[str, Any]:
        """What the service says in the end; the same request is sent until it says something, or time is over."""
        content, wait = orjson.dumps(body), FIRST_WAIT
        while True:
            started = time.monotonic()
            try:
                answer = await self._client.post(self._path + path, content=content, headers=self._headers)
            except httpx.TransportError as error:
                why = type(error).__name__
            else:
                if answer.status_code == httpx.codes.OK:
                    self._worked.waits[kind].append(time.monotonic() - started)
                    found: dict[str, Any] = orjson.loads(answer.content)
                    return found
                why = str(answer.status_code)
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    self._worked.errors[f"{kind}: {answer.status_code} {answer.text[:200]}"] += 1
                    raise _Refused
            self._worked.failures[f"{kind}: {why}"] += 1
            if time.monotonic() + wait > ends:
                raise _GaveUp
            await asyncio.sleep(wait * self._dice.uniform(0.5, 1.5))
            wait = min(2 * wait, LONGEST_WAIT)
