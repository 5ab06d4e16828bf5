"""A command that is forked does what a fresh process does: the tests of commands rest on it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.forked import ForkedProcess, ForkServer, ForkServers


@pytest.fixture(scope="module")
def servers() -> Iterator[ForkServers]:
    """Servers of these tests alone."""
    started = ForkServers()
    yield started
    started.close()


SAME_AS_FRESH = [
    "pass",
    "import sys; print(sys.argv, sys.path[0], __name__, len(sys.stdin.read())); print('said', file=sys.stderr)",
    "import sys; print('é 🌧', sys.stdin.seekable(), sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.errors)",
    "import os; print(os.getcwd(), dict(sorted(os.environ.items())))",
    "import sys; print('before'); sys.exit(7)",
    "import sys; sys.exit(-1)",
    "import sys; sys.exit('told as it ends')",
    "raise SystemExit",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "import signal; print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGCHLD))",
    "import atexit; atexit.register(print, 'at the end'); print('at the beginning')",
    "import threading, time; threading.Timer(0.1, print, ['by a thread']).start()",
    "import sys; sys.stdout.write('x' * 1_000_000); sys.stderr.write('y' * 1_000_000)",
    "import os; os.close(0); os.write(1, b'nobody reads what comes in')",
    "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])",
    "import multiprocessing as m; print(m.get_context('spawn').Pool(1).apply(len, ['four']))",
]


@pytest.mark.parametrize("code", SAME_AS_FRESH)
def test_it_does_what_a_fresh_process_does(code: str, tmp_path: Path, servers: ForkServers) -> None:
    words, stdin = ("one", "two words", ""), "z" * 200_000
    environment = {**os.environ, "A_SETTING": "of this test"}
    fresh = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    forked = servers.run(code, words, folder=tmp_path, environment=environment, stdin=stdin)
    assert (forked.returncode, forked.stdout, forked.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)


def test_what_goes_wrong_is_told_with_its_place(tmp_path: Path, servers: ForkServers) -> None:
    told = servers.run("1 / 0", (), folder=tmp_path, environment=os.environ, stdin="")
    assert told.returncode == 1
    assert told.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert told.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"


def test_nothing_of_paraloom_is_loaded_before_the_command(tmp_path: Path, servers: ForkServers) -> None:
    code = "import sys; print([name for name in sys.modules if name.startswith('paraloom')])"
    assert servers.run(code, (), folder=tmp_path, environment=os.environ, stdin="").stdout == "[]\n"


def test_one_command_leaves_nothing_to_the_next(tmp_path: Path, servers: ForkServers) -> None:
    def run(code: str) -> str:
        return servers.run(code, (), folder=tmp_path, environment=os.environ, stdin="").stdout

    for _ in range(2):  # by either server
        run("import os, sys, json; os.environ['LEFT'] = '1'; sys.modules['left'] = json; os.umask(0o777)")
    for _ in range(2):
        assert run("import os, sys; print('LEFT' in os.environ, 'left' in sys.modules, os.umask(0) == 0o777)") == (
            "False False False\n"
        )


def test_commands_in_a_row_do_not_order_their_sets_alike(tmp_path: Path, servers: ForkServers) -> None:
    def run() -> str:
        return servers.run("print(hash('storm'))", (), folder=tmp_path, environment=os.environ, stdin="").stdout

    first, second, third = run(), run(), run()
    assert first != second
    assert second != third


def test_what_python_reads_as_it_starts_is_refused(tmp_path: Path, servers: ForkServers) -> None:
    servers.run("pass", (), folder=tmp_path, environment=os.environ, stdin="")
    servers.run("pass", (), folder=tmp_path, environment=os.environ, stdin="")
    with pytest.raises(AssertionError, match="needs a fresh process"):
        servers.run("pass", (), folder=tmp_path, environment={**os.environ, "PYTHONUTF8": "1"}, stdin="")


def started(servers: ForkServers, code: str, folder: Path, **options: Any) -> ForkedProcess:
    return servers.next(os.environ).start(code, (), folder=folder, environment=os.environ, **options)


WAITS = "import time; print('ready', flush=True); time.sleep(600)"


def test_several_run_at_once_and_each_can_be_killed_and_waited_for(tmp_path: Path, servers: ForkServers) -> None:
    running = [started(servers, WAITS, tmp_path, stdout=subprocess.PIPE) for _ in range(3)]
    assert [process.stdout.readline() for process in running] == ["ready\n"] * 3
    assert len({process.pid for process in running}) == 3
    assert [process.poll() for process in running] == [None] * 3
    with pytest.raises(subprocess.TimeoutExpired):
        running[0].wait(0.01)
    running[2].kill()
    running[0].terminate()
    assert running[0].wait(60) == -signal.SIGTERM
    assert (running[2].wait(60), running[2].returncode) == (-signal.SIGKILL, -signal.SIGKILL)
    assert running[1].poll() is None
    assert servers.run("print(7)", (), folder=tmp_path, environment=os.environ).stdout == "7\n"
    for process in running:
        process.close()
    assert running[1].returncode == -signal.SIGKILL


def test_one_with_a_session_of_its_own_is_killed_with_those_it_started(tmp_path: Path, servers: ForkServers) -> None:
    code = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {WAITS!r}]).pid, flush=True)"
    first = started(servers, f"{code}; {WAITS}", tmp_path, stdout=subprocess.PIPE, own_session=True)
    other = psutil.Process(int(first.stdout.readline()))
    os.killpg(first.pid, signal.SIGKILL)
    assert first.wait(60) == -signal.SIGKILL
    assert psutil.wait_procs([other], timeout=60)[1] == []
    first.close()


def test_what_still_runs_ends_with_its_server(tmp_path: Path) -> None:
    servers = ForkServers()
    left = started(servers, WAITS, tmp_path, stdout=subprocess.PIPE)
    assert left.stdout.readline() == "ready\n"
    process = psutil.Process(left.pid)
    servers.close()
    assert psutil.wait_procs([process], timeout=60)[1] == []
    left.stdout.close()


def test_modules_asked_for_are_in_memory_as_a_command_begins(tmp_path: Path) -> None:
    server = ForkServer(os.environ, ("json.tool",))
    told = server.run(
        "import sys; print('json.tool' in sys.modules)", (), folder=tmp_path, environment=os.environ, stdin=""
    )
    server.close()
    assert told.stdout == "True\n"
