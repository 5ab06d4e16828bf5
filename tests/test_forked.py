"""A command that is forked does what a fresh process does: the tests of commands rest on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.forked import ForkServers


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
