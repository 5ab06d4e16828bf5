"""Segments in, their METEOR statistics out: one running Java process and how to talk with it.

The jar answers one line for each line it is given. Lines are written by a thread of their own, so that neither side
waits for the other to read. A process whose answers no longer fit its questions is ended and never asked again.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import IO

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.meteor.files import MeteorFiles
from paraloom.metrics.meteor.score import STATISTICS

_BARS = re.compile(r"\|(?=\|)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def one_line(text: str) -> str:
    r"""A text as it can be sent: no line breaks, no separator of fields, single spaces.

    METEOR makes every bar a token of its own, so spaces between bars change nothing. It knows the white space of ASCII
    alone; other white space becomes a space, so that it parts words and is no token.

    >>> one_line("a|||b\n c\u00a0d\u2028")
    'a| | |b c d'
    """
    text = " ".join(text.split())
    if "||" in text:
        text = _BARS.sub("| ", text)
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def question(references: Iterable[str]) -> str:
    """The part of a line that holds the references; the output follows it.

    >>> question(["the storm", "a gale"]) + "the gale"
    'SCORE ||| the storm ||| a gale ||| the gale'
    """
    return " ||| ".join(["SCORE", *map(one_line, references), ""])


class MeteorProcess:
    """METEOR 1.5 in a Java process of its own, ended when it is closed or no longer referred to."""

    def __init__(self, files: MeteorFiles, memory: str = "2G") -> None:
        """Start Java; it answers once its tables are read, after some seconds."""
        self._memory = memory
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed with the process
        command = [
            str(files.java),
            f"-Xmx{memory}",
            "-XX:+UseSerialGC",  # one thread a process: the cores are for more processes
            "-Duser.language=en",  # numbers are read, and letters lower-cased, by the rules of the computer's language
            "-Duser.country=US",
            "-Dfile.encoding=UTF-8",
            *("-jar", str(files.jar), "-", "-", "-stdio", "-l", "en", "-norm", "-a", str(files.paraphrases)),
        ]
        try:
            self._java = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError as error:
            self._complaints.close()
            raise InputError(f"Java could not be started for METEOR ({error}). Check `java -version`.") from error
        self._end = weakref.finalize(self, _end, self._java, self._complaints)
        self._turn = threading.Lock()

    @property
    def process_id(self) -> int:
        """Of the Java process."""
        return self._java.pid

    @property
    def running(self) -> bool:
        """Whether it can still be asked."""
        return self._end.alive and self._java.poll() is None

    def __enter__(self) -> MeteorProcess:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process, whatever happened."""
        self.close()

    def close(self) -> None:
        """End the process; a second time does nothing."""
        self._end()

    def statistics(self, lines: Sequence[str]) -> NDArray[np.float64]:
        """The statistics of each segment, a row a line; a line is a `question` and the output's `one_line`."""
        answers = self._ask(lines, len(lines))
        return np.array([_numbers(answer, STATISTICS) for answer in answers]).reshape(-1, STATISTICS)

    def scores(self, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
        """What METEOR itself makes of statistics, from 0 to 1: a score a row, and last the score of all of them."""
        line = " ||| ".join(["EVAL", *(" ".join(map(str, row)) for row in statistics.tolist())])
        return np.array([_numbers(answer, 1)[0] for answer in self._ask([line], len(statistics) + 1)])

    def _ask(self, lines: Sequence[str], count: int) -> list[bytes]:
        """Send lines and wait for so many answers."""
        questions, answers = self._java.stdin, self._java.stdout
        assert questions is not None
        assert answers is not None
        with self._turn:
            if not self.running:
                raise InputError(self._how_it_ended())
            writer = threading.Thread(target=_write, args=(questions, lines), daemon=True)
            writer.start()
            received: list[bytes] = []
            try:
                while len(received) < count:
                    answer = answers.readline()
                    if not answer.endswith(b"\n"):
                        raise InputError(self._how_it_ended(lines[min(len(received), len(lines) - 1)]))
                    received.append(answer)
            except BaseException:
                self.close()  # answers may be on their way that belong to no later question
                raise
            finally:
                writer.join()
        return received

    def _how_it_ended(self, line: str = "") -> str:
        output = line.rpartition(" ||| ")[2]
        told = f" at {output[:60]!r}" if output else ""
        if not self._end.alive:
            return "This METEOR process was closed. Start another."
        code = self._java.wait()
        self._complaints.seek(0)
        complaint = self._complaints.read().decode("utf-8", "replace").strip().splitlines()[:3]
        said = f" and said: {' / '.join(part.strip() for part in complaint)}" if complaint else ""
        if any("OutOfMemory" in part for part in complaint):
            advice = f"Give it more memory than {self._memory}, or leave very long texts out."
        else:
            advice = "Check `java -version` (8 or newer) and that nothing ends its processes, then try again."
        return f"METEOR's Java process ended with code {code}{told}{said}. {advice}"


def _write(questions: IO[bytes], lines: Sequence[str]) -> None:
    try:
        for line in lines:
            questions.write(line.encode() + b"\n")
        questions.flush()
    except (OSError, ValueError):  # it ended, and whoever waits for its answers will say so
        pass


def _numbers(answer: bytes, count: int) -> list[float]:
    try:
        numbers = [float(number) for number in answer.split()]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise InputError(f"METEOR answered {answer[:80]!r} where {count} numbers were due. Is its jar version 1.5?")
    return numbers


def _end(java: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
    java.kill()  # it holds nothing that must be written, and may be deep in a long segment
    java.wait()
    for stream in (java.stdin, java.stdout, complaints):
        if stream is not None:
            with suppress(OSError):  # what was not sent yet cannot be any more
                stream.close()
