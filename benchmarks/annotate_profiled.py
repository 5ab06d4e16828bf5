"""The service with a profile of its two busy threads: that of the event loop and the one that writes.

python annotate_profiled.py DATABASE PORT FILE          # writes FILE.loop and FILE.write for `python -m pstats`
"""

from __future__ import annotations

import cProfile
import sys

import uvicorn

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.store import database as store
from paraloom.judgments.store.migrate import open_database


def main() -> None:
    """Serve until SIGTERM, then write the profiles down."""
    file, port, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    writing, looping = cProfile.Profile(), cProfile.Profile()
    plain = store._GroupCommit._work

    def profiled(self: store._GroupCommit) -> None:
        writing.runcall(plain, self)

    store._GroupCommit._work = profiled
    service = Service(database=open_database(file))
    server = uvicorn.Server(uvicorn.Config(make_app(service), host="127.0.0.1", port=port, log_level="error"))
    server.capture_signals = _nothing_special(server)
    looping.runcall(server.run)
    service.database.close()
    looping.dump_stats(f"{out}.loop")
    writing.dump_stats(f"{out}.write")


def _nothing_special(server: uvicorn.Server):
    """SIGTERM ends the loop and nothing else: uvicorn would raise it anew once the loop has ended."""
    import contextlib
    import signal

    @contextlib.contextmanager
    def capture():
        signal.signal(signal.SIGTERM, server.handle_exit)
        yield

    return capture


if __name__ == "__main__":
    main()
