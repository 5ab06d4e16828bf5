"""Commands in, how they ended out. Given to `python -c`: it loads libraries once, and each command is a fork of it.

A fork is a process like any other: its own folder, environment, arguments, standard streams and exit. Of Paraloom
itself nothing is loaded before it, so that a command still imports every module of ours by itself; and of the libraries
only those that start no threads of their own.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import signal
import socket
import sys
from contextlib import suppress

LIBRARIES = (
    *("cyclopts", "cyclopts.config", "rich.console", "rich.markdown", "rich.panel", "rich.progress", "rich.table"),
    *("numpy", "numba", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats", "pandas"),
    *("pyarrow", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet", "orjson", "sqlalchemy", "alembic.command"),
    *("jinja2", "sacrebleu", "simplemma", "tokenizers"),
)
"""What commands load and spend most of a short life on."""


def wait_for_command(control: socket.socket) -> str | None:
    """In the server: fork for every request. Returns in a fork, with the code to run, or at the end, with None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C means the tests, which then end the server
    while True:
        asked, streams, _, _ = socket.recv_fds(control, 1_000_000, 3)
        if not asked:
            return None
        child = os.fork()
        if child == 0:
            control.close()
            return become(**json.loads(asked), streams=streams)
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        with suppress(BrokenPipeError):
            control.send(str(os.waitstatus_to_exitcode(status)).encode())


def become(code: str, words: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> str:
    """In a fork: be what `python -c CODE WORDS` would be in a folder."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = words
    return code


def leave() -> None:
    """The last thing before Python takes every module apart, which in a fork means to copy all of them first."""
    if status is None:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return  # Python tries again, and tells of it
    os._exit(status)


status: int | None = None
"""How a fork ends, once its command came to an end; None while Python is to find out by itself."""

if __name__ == "__main__":
    atexit.register(leave)  # before any library: what is registered first is done last
    for library in LIBRARIES:
        with suppress(ModuleNotFoundError):  # a command that needs it will say so
            importlib.import_module(library)
    gc.freeze()  # else the first collection in a fork writes to, and so copies, every page
    if command := wait_for_command(socket.socket(fileno=int(sys.argv[1]))):
        try:
            exec(command)  # here, not in a function: what comes after is the end of the process, as Python does it
        except SystemExit as ended:
            if ended.code is None or isinstance(ended.code, int):
                status = (ended.code or 0) & 0xFF
            raise
        status = 0
