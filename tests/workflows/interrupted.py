"""A command of Paraloom in, what it left when it was killed and what it says as it goes on out."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from tests.forked import ForkedProcess, ForkServer

PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A command that is killed in the midst of its work, and given again."""

    forks: ForkServer
    words: Sequence[str]

    def kill_when_said(self, what: str, times: int) -> None:
        """Start it, and end it by force once so many lines of what it tells hold these words."""
        process, heard = self._start(), 0
        assert process.stderr is not None
        for line in process.stderr:
            heard += what in line
            if heard == times:
                break
        assert heard == times, "It ended before it was killed."
        process.close()

    def go_on(self) -> str:
        """Start it again: what it tells until it has come to a good end."""
        process = self._start()
        _, told = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, told
        return told

    def _start(self) -> ForkedProcess:
        code = "from paraloom.cli import main; main()"
        return self.forks.start(code, self.words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
