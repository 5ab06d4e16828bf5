"""A build that is killed goes on where it was, and ends with the same bytes as one that nobody disturbed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.workflows.build import TABLES
from tests.forked import ForkedProcess, ForkServer

CHILD = Path(__file__).with_name("build_sample.py")
PATIENCE = 120.0
Moment = tuple[str, str, str]
"""Table, pass, tasks done."""


@pytest.fixture
def start(post_files: Path, engine_forks: ForkServer) -> Callable[[Path, str], ForkedProcess]:
    def started(out: Path, where: str) -> ForkedProcess:
        events = out.with_suffix(".events")
        events.unlink(missing_ok=True)
        words = (str(post_files), str(out), str(events), where)
        return engine_forks.start_script(CHILD, words, own_session=True)

    return started


def events_of(out: Path) -> list[Moment]:
    file = out.with_suffix(".events")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    whole = [line.split("\t") for line in lines if line.count("\t") == 3]
    return [(table, name, done) for table, name, done, _ in whole]


def has_come_to(moment: Moment, out: Path) -> bool:
    """Whether it is told, or a later table is: a pass that was whole at the last kill is not told again."""
    order = list(TABLES)
    told = events_of(out)
    return moment in told or any(order.index(table) > order.index(moment[0]) for table, _, _ in told if table in order)


def kill_at(process: ForkedProcess, out: Path, moment: Moment, delay: float) -> None:
    deadline = time.monotonic() + PATIENCE
    while not has_come_to(moment, out):
        assert process.poll() is None, f"It ended before {moment}."
        assert time.monotonic() < deadline, f"It did not come to {moment}."
        time.sleep(0.002)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def finished_tasks(out: Path) -> dict[Path, tuple[int, int]]:
    """Every finished task and part: the same inode and time later mean that it was not made again."""
    tasks = (out / store.UNFINISHED).glob("*/*/task-*/*.spill")
    parts = [part for table in TABLES if store.made_by_file(out, table).exists() for part in (out / table).iterdir()]
    return {file: (file.stat().st_ino, file.stat().st_mtime_ns) for file in (*tasks, *parts)}


MOMENTS: dict[str, list[tuple[Moment, float]]] = {
    "in-process": [
        (("documents", "decode", "0"), 0.05),
        (("documents", "decode", "2"), 0.0),
        (("groups", "described", "3"), 0.01),
        (("sentences", "grouped-groups-by-document_id", "1"), 0.0),
        (("sentences", "grouped", "2"), 0.01),
        (("sentences", "split", "3"), 0.02),
        (("pairs", "proposed", "4"), 0.01),  # while the parts are written
        (("labels", "identified", "1"), 0.03),
        (("corpus", "labelled", "2"), 0.0),
        (("corpus", "assembled", "4"), 0.005),
    ],
    "helpers": [
        (("documents", "decode", "0"), 0.6),  # helpers are looked after twice a second, so the start is what is told
        (("sentences", "split", "0"), 0.5),
        (("sentences", "split", "0"), 0.1),
        (("pairs", "grouped", "0"), 0.7),
    ],
}


@pytest.mark.parametrize("where", MOMENTS)
def test_a_build_killed_again_and_again_resumes_and_ends_the_same(
    where: str,
    undisturbed: Path,
    tmp_path: Path,
    start: Callable[[Path, str], ForkedProcess],
    digests: Callable[[Path], dict[str, str]],
) -> None:
    out = tmp_path / "run"
    before: dict[Path, tuple[int, int]] = {}
    seen_again = 0
    for moment, delay in MOMENTS[where]:
        kill_at(start(out, where), out, moment, delay)
        now = finished_tasks(out)
        kept = before.keys() & now.keys()
        assert {file: now[file] for file in kept} == {file: before[file] for file in kept}
        assert all(part in now for part in before if part.parent.name in TABLES)
        seen_again += len(kept)
        before = now
    assert seen_again > 0
    assert start(out, where).wait() == 0
    parts = {file: made for file, made in before.items() if file.parent.name in TABLES}
    assert parts
    assert {file: finished_tasks(out)[file] for file in parts} == parts
    assert not (out / store.UNFINISHED).exists()
    assert digests(out) == digests(undisturbed)
