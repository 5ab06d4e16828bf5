"""What a log says of a run where nobody looks on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paraloom.cli import console
from paraloom.cli.console import progress_bar


def without_times(said: str) -> list[str]:
    return [re.sub(r", [\d,]+ s$", "", line) for line in said.splitlines()]


def interrupted_run() -> None:
    with progress_bar() as tell:
        tell("vectors", "looked for", 0, 1)
        tell("vectors", "looked for", 1, 1)
        for done in range(1201):
            tell("vectors", "embedded", done, 1200)
        tell("index", "cells", 3, 16)
        raise InterruptedError("how far it came is told nevertheless")


@pytest.mark.parametrize(
    ("worth_a_line", "expected"),
    [
        (0.0, ["vectors · looked for: 1 of 1", "vectors · embedded: 1,200 of 1,200", "index · cells: 3 of 16"]),
        (3600.0, []),
    ],
)
def test_a_round_that_took_a_while_is_told_when_it_is_done(
    worth_a_line: float, expected: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "WORTH_A_LINE", worth_a_line)
    with pytest.raises(InterruptedError):
        interrupted_run()
    assert without_times(capsys.readouterr().err) == expected


def test_a_round_that_gives_no_news_is_told_of_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "BETWEEN_LINES", 0.01)
    said: list[str] = []
    with progress_bar() as tell:
        tell("clusters", "linked", 0, 1)
        deadline = time.monotonic() + 60
        while len(said) < 2 and time.monotonic() < deadline:
            said += without_times(capsys.readouterr().err)
            time.sleep(0.01)
    assert said[:2] == ["clusters · linked: 0 of 1"] * 2


def test_a_name_that_standard_output_cannot_write_is_told_with_escapes(
    tmp_path: Path, child_environment: dict[str, str]
) -> None:
    name = os.fsdecode(b"caf\xe9.tsv")
    try:
        (tmp_path / name).write_text("left\tright\tlabel\nA storm\tThe storm\t1\nRain\tA dog\t0\n")
    except OSError:
        pytest.skip("this file system has names in UTF-8 alone")
    words = [sys.executable, "-c", "from paraloom.cli import main; main()", "corpus", "stats", name]
    strict = {**child_environment, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(words, cwd=tmp_path, env=strict, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(rb"caf\udce9: 2 pairs")
