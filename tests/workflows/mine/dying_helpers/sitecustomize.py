"""Imported by every Python process that has this folder on its path, so by helpers too, whoever starts them.

A helper that has written what it is about to give the name in DIES_AT kills everybody it works with. Helpers are told
from the process that leads them by its being the leader of their session.
"""

import os
import signal
import sys


def _die(event: str, about: tuple[object, ...]) -> None:
    if event == "os.rename" and str(about[1]).endswith(os.environ["DIES_AT"]) and os.getpid() != os.getsid(0):
        os.killpg(os.getsid(0), signal.SIGKILL)


if os.environ.get("DIES_AT"):
    sys.addaudithook(_die)
