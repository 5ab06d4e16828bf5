"""The service as a child that can be killed: whoever watches it starts it again, as systemd would.

python serve_again.py DATABASE PORT          # prints the process id of each server it starts

Everything is imported before the first server is forked, so that a restart takes some hundredths of a second. It ends
when its standard input does.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

import paraloom.judgments.app.application  # noqa: F401 – for the children, which begin with it in memory
from paraloom.judgments.simulate.serve import serve


def main() -> None:
    """Start a server whenever there is none."""
    database, port = sys.argv[1], int(sys.argv[2])
    while True:
        child = os.fork()
        if child == 0:
            serve(database, port)
            os._exit(0)
        print(child, flush=True)
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if select.select([0], [], [], 0.005)[0]:  # nobody writes to it: it was closed
                os.kill(child, signal.SIGTERM)
                os.waitpid(child, 0)
                return
        time.sleep(0.01)


if __name__ == "__main__":
    main()
