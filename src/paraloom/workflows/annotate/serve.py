"""A database in, a running service out, until it is told to stop; answers that are under way are finished first."""

from __future__ import annotations

import random
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from types import FrameType

import httpx
import uvicorn

from paraloom.errors import InputError, ParaloomError
from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Lent, Service
from paraloom.judgments.people import has_admin_who_signs_in
from paraloom.judgments.simulate.people import new_run
from paraloom.judgments.store.database import Database, is_file
from paraloom.models.implication import load
from paraloom.pairs.propose import next_pairs
from paraloom.web.keys import new_key
from paraloom.workflows.annotate.demo import DEMO_PAIRS, has_demo, is_new, is_untouched, make_demo, right_answers
from paraloom.workflows.annotate.options import ServeOptions
from paraloom.workflows.annotate.people import invitation_link
from paraloom.workflows.annotate.simulate_options import SimulateOptions

FINISH_WITHIN = 30
"""Seconds that requests under way have when the service is told to stop."""
KEEP_ALIVE = 75
"""Seconds that a line stays open without a request: longer than somebody thinks about one item, as a rule."""
ADMIN_DAYS = 7
CROWD_SECONDS = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What to tell whoever started the service."""

    address: str
    demo: str | None
    """A link that signs in to the demonstration."""
    join: str | None
    """A link that makes the first admin's account."""

    def as_text(self) -> str:
        """In words."""
        told = [f"The service is at {self.address}"]
        if self.demo is not None:
            told.append(f"The demonstration, signed in: {self.demo}")
        if self.join is not None:
            told.append(f"There is no admin yet. Make the account here ({ADMIN_DAYS} days, once): {self.join}")
        return "\n".join([*told, "Ctrl+C stops it."])


def lent() -> Lent:
    """What the service takes from the other stages."""
    return Lent(implication=load, next_pairs=_next_pairs)


def _next_pairs(count: int, paraphrases: int, before: Sequence[tuple[int, int]], seed: int) -> list[tuple[int, int]]:
    return next_pairs(count, paraphrases, before, random.Random(seed))


def serve(database: Database, options: ServeOptions, *, tell: Callable[[Serving], None]) -> None:
    """Serve until Ctrl+C or SIGTERM."""
    listening = _listen(options)
    try:
        address = _address(listening, options)
        demo_key = _demo_key(database, options)
        crowd = options.demo_crowd if demo_key is not None and is_untouched(database) else 0
        serving = Serving(
            address=address,
            demo=None if demo_key is None else f"{address}/demo/{demo_key}",
            join=None if demo_key is not None else _first_admin(database, address),
        )
        service = Service(
            database=database,
            lent=lent(),
            secure=options.secure,
            behind_proxy=options.behind_proxy,
            demo_key=demo_key,
        )
        run = new_run()
        try:
            _run(make_app(service), listening, lambda: _started(serving, database, options, crowd, run, tell))
        finally:
            if crowd:
                _end_crowd(database, run)
    finally:
        listening.close()


def _listen(options: ServeOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((options.host, options.port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise InputError(
            f"Cannot listen on {options.host}, port {options.port}: {str(error).rstrip('.')}. Choose another --port or "
            "--host, or stop what is there."
        ) from error
    return listening


def _address(listening: socket.socket, options: ServeOptions) -> str:
    port = listening.getsockname()[1]
    host = "127.0.0.1" if options.host in ("0.0.0.0", "::") else options.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _demo_key(database: Database, options: ServeOptions) -> str | None:
    """Make the demonstration where it is wanted; the key that signs in to it."""
    wanted = options.demo
    if wanted is None:
        wanted = has_demo(database) or (is_new(database) and is_file(database.url) and _is_local(options.host))
        wanted = wanted and _is_local(options.host)
    if not wanted:
        return None
    if not has_demo(database):
        make_demo(database)
    return new_key()


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _first_admin(database: Database, address: str) -> str | None:
    if database.read(has_admin_who_signs_in):
        return None
    return invitation_link(database, role="admin", campaign=None, uses=1, days=ADMIN_DAYS, address=address)


def _started(
    serving: Serving, database: Database, options: ServeOptions, crowd: int, run: str, tell: Callable[[Serving], None]
) -> None:
    tell(serving)
    if serving.demo is not None and options.open_browser:
        webbrowser.open(serving.demo)
    if crowd:
        _let_crowd_work(serving.address, database, crowd, run)


def _let_crowd_work(address: str, database: Database, crowd: int, run: str) -> None:
    """Simulated annotators at the demonstration's pairs for a while, through the service like everybody."""
    from paraloom.workflows.annotate.simulate import simulate_beside

    options = SimulateOptions(crowd=crowd, mix="careful=4,hasty=1,spammer=1", seconds=CROWD_SECONDS, think=1.0)
    with suppress(
        ParaloomError, httpx.HTTPError
    ):  # the service was stopped meanwhile: the demonstration goes on without
        simulate_beside(address, database, DEMO_PAIRS, options, right_answers(), run)


def _end_crowd(database: Database, run: str) -> None:
    """The service may stop before its crowd is through."""
    from paraloom.workflows.annotate.simulate import end_simulation

    end_simulation(database, run)


def _run(app: object, listening: socket.socket, started: Callable[[], None]) -> None:
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        http="httptools" if find_spec("httptools") else "h11",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the service itself decides whom to believe
        timeout_graceful_shutdown=FINISH_WITHIN,
        timeout_keep_alive=KEEP_ALIVE,
    )
    server = uvicorn.Server(config)
    with _ends_on_signals():
        threading.Thread(target=_when_started, args=(server, started), daemon=True).start()
        server.run(sockets=[listening])


def _when_started(server: uvicorn.Server, started: Callable[[], None]) -> None:
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.02)
    started()


class _Ended(Exception):
    """The service was told to stop, and has stopped."""


@contextmanager
def _ends_on_signals() -> Iterator[None]:
    """uvicorn finishes what is under way and raises the signal anew: here it ends the work, not Python."""

    def end(number: int, frame: FrameType | None) -> None:
        raise _Ended

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except _Ended:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
