"""Commands in, how they ended out. Given to `python -c`: it loads modules once, and each command is a fork of it.

python -c "$(cat fork_server.py)" CONTROL MODULE...          # CONTROL: the number of an open socket

A fork is a process like any other: its own folder, environment, arguments, standard streams, signals and exit. Several
may run at once. Those that still run when nobody can ask any more are killed.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress


def wait_for_command(control: socket.socket) -> str | None:
    """In the server: fork for every request. Returns in a fork, with the code to run, or at the end, with None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C means the tests, which then end the server
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: set[int] = set()
    while True:
        ready = select.select([control, woken], [], [])[0]
        if woken in ready:
            woken.recv(1000)
            for child in [*running]:
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    running.remove(child)
                    _tell(control, {"pid": child, "status": os.waitstatus_to_exitcode(status)})
        if control not in ready:
            continue
        asked, streams, _, _ = socket.recv_fds(control, 1_000_000, 3)
        if not asked:
            for child in running:
                os.kill(child, signal.SIGKILL)
            return None
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            for ours in (control, woken, wake):
                ours.close()
            return become(**json.loads(asked), streams=streams)
        running.add(child)
        for stream in streams:
            os.close(stream)
        _tell(control, {"pid": child})


def _tell(control: socket.socket, what: dict[str, int]) -> None:
    with suppress(BrokenPipeError):
        control.send(json.dumps(what).encode())


def become(
    code: str, words: list[str], folder: str, environment: dict[str, str], own_session: bool, streams: list[int]
) -> str:
    """In a fork: be what `python -c CODE WORDS` would be in a folder."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if own_session:
        os.setsid()
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
    for module in sys.argv[2:]:
        with suppress(ModuleNotFoundError):  # a command that needs it will say so
            importlib.import_module(module)
    gc.freeze()  # else the first collection in a fork writes to, and so copies, every page
    if command := wait_for_command(socket.socket(fileno=int(sys.argv[1]))):
        try:
            exec(command)  # here, not in a function: what comes after is the end of the process, as Python does it
        except SystemExit as ended:
            if ended.code is None or isinstance(ended.code, int):
                status = (ended.code or 0) & 0xFF
            raise
        status = 0
