"""A real process, really killed: the next one pays for nothing that was paid for, and says the same."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from paraloom.models.generators.server import ServerGenerator
from paraloom.models.generators.server.options import ServerOptions
from tests.models.generators.server.scripted import Asked, Said, reworded, scripted

SOURCES = [f"Storm {number} hit the coast." for number in range(12)]
KILLED_AT = 7
AT_WORK = """
import sys
from pathlib import Path
import numpy as np
from paraloom.models.generators.server import ServerGenerator
from paraloom.models.generators.server.options import ServerOptions
sources = [f"Storm {number} hit the coast." for number in range(12)]
asking = ServerGenerator(sys.argv[1], "tiny", ServerOptions(at_once=1), ledger=Path(sys.argv[2]))
asking.generate(sources, 2, np.random.default_rng(3))
"""


def said(url: str, ledger: Path | None) -> list[list[str]]:
    asking = ServerGenerator(url, "tiny", ServerOptions(at_once=1), ledger=ledger)
    found = asking.generate(SOURCES, 2, np.random.default_rng(3))
    return [[candidate.text for candidate in candidates] for candidates in found]


def test_after_a_kill_no_answer_is_paid_for_twice(tmp_path: Path, child_environment: dict[str, str]) -> None:
    ledger = tmp_path / "paid.jsonl"
    is_reached, is_killed = threading.Event(), threading.Event()

    def script(asked: Asked) -> Said:
        if asked.number == KILLED_AT:  # those before it have been answered, and the process has asked on
            is_reached.set()
            is_killed.wait(60)
        return reworded(asked)

    with scripted(script) as server:
        process = subprocess.Popen([sys.executable, "-c", AT_WORK, server.url, str(ledger)], env=child_environment)
        try:
            assert is_reached.wait(60)
        finally:
            process.kill()
            process.wait(60)
            is_killed.set()
        assert len(ledger.read_bytes().splitlines()) == KILLED_AT
        paid = {asked.source for asked in server.asked[:KILLED_AT]}
        found = said(server.url, ledger)
        asked_again = {asked.source for asked in server.asked[KILLED_AT + 1 :]}
    assert not paid & asked_again
    assert paid | asked_again == set(SOURCES)
    with scripted() as server:
        assert said(server.url, None) == found
