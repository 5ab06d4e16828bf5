"""A service and a load in, one row out: how long annotators waited, what failed, and what became of their answers.

The load is closed: every annotator asks for a task, thinks, submits, and asks again, so a slow service is asked less
often. Annotators sign in before the clock starts and begin one after the other within the first second of thought, as
people do not arrive in step. What is under way when time is over is waited for; nothing new is begun.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import aiohttp

from annotate_peers.browser import Refused

SIGN_IN_TOGETHER = 4
"""Annotators who sign in at once; passwords are slow to check by design."""

SIGN_IN_PATIENCE = 120.0

Result = TypeVar("Result")

FAILURES = (Refused, aiohttp.ClientError, TimeoutError, OSError)


class Client(Protocol):
    """One annotator who has signed in."""

    async def next_task(self) -> object | None:
        """The next task, or None where there is nothing left for this annotator."""

    async def submit(self, task: object) -> str:
        """Answer it; what comes back is the name of the answer, by which the export can be checked."""

    async def close(self) -> None:
        """End the connection."""


class Service(Protocol):
    """An annotation service that can be started, used and ended. It raises what `FAILURES` lists."""

    name: str

    def start(self) -> None:
        """Start the server as a child on a free port of loopback, with its tasks; back when it answers."""

    async def sign_in(self, person_number: int) -> Client:
        """An annotator with an account of their own; `person_number` counts from 0."""

    def exported_ids(self) -> Counter[str]:
        """How often every answer stands in what the service exports, by the names that `submit` gave back."""

    def cpu_seconds(self) -> float:
        """Of all processes of the server, since it started."""

    def megabytes(self) -> float:
        """What all processes of the server hold now."""

    def stop(self) -> None:
        """End the server; also fine where it never started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How many annotators, how long, how fast."""

    people: int = 200
    seconds: float = 60.0
    thought: float = 1.0
    """Seconds between seeing a task and submitting the answer."""
    patience: float = 30.0
    """Seconds after which an annotator gives up waiting; that is an error."""


@dataclass(frozen=True, slots=True)
class Waits:
    """How long one kind of step took, in milliseconds, over those that succeeded."""

    count: int
    p50: float | None
    p95: float | None
    p99: float | None
    longest: float | None


@dataclass(frozen=True, slots=True)
class LoadRow:
    """What one service did under one load."""

    service: str
    people: int
    seconds: float
    thought: float
    answers: int
    """Acknowledged answers, with those that were acknowledged after time was over."""
    answers_a_second: float
    """Of those that were acknowledged in time."""
    most_answers_a_second: float
    """What a service that answers at once would reach with these annotators."""
    submit: Waits
    next_task: Waits
    errors: dict[str, int]
    """Steps that failed, by step and reason."""
    without_work: int
    """Annotators who were told that nothing is left; a row with such annotators compares nothing."""
    lost: int
    """Acknowledged answers that the export does not have."""
    doubled: int
    """Acknowledged answers that the export has more than once."""
    repeated: int
    """Acknowledgements of an answer that had been acknowledged before: someone was given the same task again."""
    unacknowledged: int
    """Answers of the export that nobody was told about: at most as many as submits that failed."""
    sign_in_seconds: float
    server_cores: float
    """Cores that the server kept busy."""
    driver_cores: float
    """Cores that the annotators kept busy: taken from the server where both share the machine."""
    server_megabytes: float
    load_before: float


@dataclass(slots=True)
class Tally:
    """What is written down while the load runs."""

    submit: list[float] = field(default_factory=list)
    next_task: list[float] = field(default_factory=list)
    acknowledged: Counter[str] = field(default_factory=Counter)
    in_time: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    without_work: int = 0
    sign_in_seconds: float = 0.0
    server_cores: float = 0.0
    driver_cores: float = 0.0
    server_megabytes: float = 0.0


def put_load_on(service: Service, load: Load, say: Callable[[str], None] = lambda line: None) -> LoadRow:
    """Start the service, let the annotators at it, hold its export against what it acknowledged, end it."""
    before = os.getloadavg()[0]
    try:
        say(f"{service.name}: starting")
        service.start()
        tally = asyncio.run(let_annotators_at(service, load, say))
        say(f"{service.name}: reading its export")
        exported = service.exported_ids()
    finally:
        service.stop()
    return row_of(service.name, load, tally, exported, before)


async def let_annotators_at(service: Service, load: Load, say: Callable[[str], None]) -> Tally:
    """All sign in, one more warms the service up, then the clock runs."""
    tally = Tally()
    started = time.perf_counter()
    clients = await sign_all_in(service, load.people + 1)
    tally.sign_in_seconds = time.perf_counter() - started
    say(f"{service.name}: {load.people} annotators signed in after {tally.sign_in_seconds:.0f} s, the clock starts")
    try:
        await warm_up(clients.pop(), tally)
        server, driver, started = service.cpu_seconds(), time.process_time(), time.perf_counter()
        ends = started + load.seconds
        later = load.thought / load.people
        await asyncio.gather(
            *(annotate(each, load, number * later, ends, tally) for number, each in enumerate(clients))
        )
        took = time.perf_counter() - started
        tally.server_cores = (service.cpu_seconds() - server) / took
        tally.driver_cores = (time.process_time() - driver) / took
        tally.server_megabytes = service.megabytes()
    finally:
        await asyncio.gather(*(client.close() for client in clients))
    return tally


async def sign_all_in(service: Service, count: int) -> list[Client]:
    """Clients of as many annotators; a failure here is the end of the run."""
    few = asyncio.Semaphore(SIGN_IN_TOGETHER)

    async def one(number: int) -> Client:
        async with few, asyncio.timeout(SIGN_IN_PATIENCE):
            return await service.sign_in(number)

    return list(await asyncio.gather(*(one(number) for number in range(count))))


async def warm_up(client: Client, tally: Tally) -> None:
    """One answer that is checked but not measured: some servers load half of themselves with the first request."""
    try:
        async with asyncio.timeout(SIGN_IN_PATIENCE):
            task = await client.next_task()
            if task is not None:
                tally.acknowledged[await client.submit(task)] += 1
    finally:
        await client.close()


async def annotate(client: Client, load: Load, begins_after: float, ends: float, tally: Tally) -> None:
    """One annotator, until time is over or nothing is left to do."""
    await asyncio.sleep(begins_after)
    while time.perf_counter() < ends:
        try:
            task = await timed(client.next_task(), load.patience, tally.next_task)
        except FAILURES as failure:
            tally.errors[f"next task: {reason(failure)}"] += 1
            await asyncio.sleep(load.thought)
            continue
        if task is None:
            tally.without_work += 1
            return
        await asyncio.sleep(load.thought)
        if time.perf_counter() >= ends:
            return
        try:
            acknowledged = await timed(client.submit(task), load.patience, tally.submit)
        except FAILURES as failure:
            tally.errors[f"submit: {reason(failure)}"] += 1
            await asyncio.sleep(load.thought)
            continue
        tally.acknowledged[acknowledged] += 1
        tally.in_time += time.perf_counter() < ends


async def timed(step: Awaitable[Result], patience: float, waits: list[float]) -> Result:
    """The step's result; how long it took is noted where it succeeds."""
    started = time.perf_counter()
    async with asyncio.timeout(patience):
        result = await step
    waits.append(time.perf_counter() - started)
    return result


def reason(failure: BaseException) -> str:
    """A short name for what went wrong, the same for all failures of a kind."""
    return str(failure) if isinstance(failure, Refused) else type(failure).__name__


def row_of(service: str, load: Load, tally: Tally, exported: Counter[str], before: float) -> LoadRow:
    """The row of what was written down."""
    acknowledged = tally.acknowledged
    return LoadRow(
        service=service,
        people=load.people,
        seconds=load.seconds,
        thought=load.thought,
        answers=acknowledged.total(),
        answers_a_second=tally.in_time / load.seconds,
        most_answers_a_second=most_answers(load) / load.seconds,
        submit=waits_of(tally.submit),
        next_task=waits_of(tally.next_task),
        errors=dict(tally.errors),
        without_work=tally.without_work,
        lost=sum(exported[name] == 0 for name in acknowledged),
        doubled=sum(exported[name] > 1 for name in acknowledged),
        repeated=acknowledged.total() - len(acknowledged),
        unacknowledged=sum(count for name, count in exported.items() if name not in acknowledged),
        sign_in_seconds=tally.sign_in_seconds,
        server_cores=tally.server_cores,
        driver_cores=tally.driver_cores,
        server_megabytes=tally.server_megabytes,
        load_before=before,
    )


def most_answers(load: Load) -> int:
    """Answers in time if nobody ever waited.

    >>> most_answers(Load(people=2, seconds=3.2, thought=1.0))
    5
    """
    later = load.thought / load.people
    return sum(int((load.seconds - number * later) / load.thought) for number in range(load.people))


def waits_of(seconds: Sequence[float]) -> Waits:
    """Percentiles by nearest rank.

    >>> waits_of([0.004, 0.001, 0.002, 0.003])
    Waits(count=4, p50=2.0, p95=4.0, p99=4.0, longest=4.0)
    """
    if not seconds:
        return Waits(0, None, None, None, None)
    ordered = sorted(seconds)

    def at(percent: int) -> float:
        return 1000 * ordered[-(-len(ordered) * percent // 100) - 1]

    return Waits(len(ordered), at(50), at(95), at(99), 1000 * ordered[-1])


def shown(row: LoadRow) -> str:
    """A row as a few lines of text."""
    errors = ", ".join(f"{count} × {what}" for what, count in row.errors.items())
    return (
        f"{row.service}: {row.people} annotators for {row.seconds:.0f} s: {row.answers_a_second:.1f} answers/s "
        f"of at most {row.most_answers_a_second:.1f}\n"
        f"  submit    {shown_waits(row.submit)}\n"
        f"  next task {shown_waits(row.next_task)}\n"
        f"  errors: {errors or 'none'}; {row.without_work} annotators were left without work\n"
        f"  export: {row.answers} acknowledged, {row.lost} lost, {row.doubled} doubled, "
        f"{row.repeated} acknowledged again, {row.unacknowledged} never acknowledged\n"
        f"  server {row.server_cores:.2f} cores, {row.server_megabytes:.0f} MB; driver {row.driver_cores:.2f} cores; "
        f"signing in took {row.sign_in_seconds:.0f} s; load before {row.load_before:.1f}"
    )


def shown_waits(waits: Waits) -> str:
    """Milliseconds, as far as there are any."""
    if waits.p50 is None:
        return "never succeeded"
    return (
        f"p50 {waits.p50:,.1f} ms, p95 {waits.p95:,.1f} ms, p99 {waits.p99:,.1f} ms, longest {waits.longest:,.1f} ms "
        f"({waits.count:,} times)"
    )
