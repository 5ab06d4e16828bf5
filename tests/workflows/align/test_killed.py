"""An alignment that is killed goes on where it was, and ends with the same bytes as one that nobody disturbed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from paraloom.engine import store
from paraloom.workflows.align.align import TABLES
from tests.workflows.align.conftest import Alignment

Digests = Callable[[Path], dict[str, str]]
Made = dict[Path, tuple[int, int]]


def files_made(out: Path) -> Made:
    """Every finished task and part: the same inode and time later mean that it was not made again."""
    tasks = (out / store.UNFINISHED).glob("*/*/task-*/*.spill")
    parts = [part for table in TABLES if store.made_by_file(out, table).exists() for part in (out / table).iterdir()]
    return {file: (file.stat().st_ino, file.stat().st_mtime_ns) for file in (*tasks, *parts)}


def moments(told: Path, seed: int) -> Iterator[tuple[str, int]]:
    """Moments in the making of every table and of what follows them, and how many changes of its folder the process
    still begins before it dies."""
    random = Random(seed)
    in_order = list(dict.fromkeys(told.read_text(encoding="utf-8").splitlines()))
    tables = list(dict.fromkeys(moment.partition("/")[0] for moment in in_order))
    assert tables[: len(TABLES)] == list(TABLES)
    for table in tables:
        own = [moment for moment in in_order if moment.startswith(f"{table}/")]
        first, second = sorted(random.sample(range(len(own) - 1), 2))
        if table in AT_ONCE or table not in TABLES:
            yield own[first], 0
        if table in TABLES:
            yield own[second], random.randint(1, 12)


AT_ONCE = ("documents", "groups", "segments", "corpus")
"""Killed twice: first at once, while the table is surely unfinished."""


def test_one_killed_in_the_making_of_every_table_resumes_and_ends_the_same(
    all_kinds: Alignment, aligned: Path, tmp_path: Path, digests: Digests
) -> None:
    out, told = tmp_path / "run", aligned.with_suffix(".events")
    before: Made = {}
    tasks_seen_again = 0
    for moment, changes in moments(told, seed=6):
        die = ("--die-at", moment, str(told), "--after-changes", str(changes))
        assert all_kinds.start(out, "in-process", *die).wait() == -signal.SIGKILL
        now = files_made(out)
        assert all(now[part] == made for part, made in before.items() if part.parent.name in TABLES)
        kept = {task for task in before.keys() & now.keys() if task.parent.name not in TABLES}
        assert all(now[task] == before[task] for task in kept)
        tasks_seen_again += len(kept)
        table = moment.partition("/")[0]
        finished = [each for each in TABLES if store.made_by_file(out, each).exists()]
        if not changes:
            assert finished == list(TABLES[: TABLES.index(table)] if table in TABLES else TABLES)
        before = now
    assert tasks_seen_again > 0
    assert all_kinds.start(out, "in-process").wait() == 0
    parts = {file: made for file, made in before.items() if file.parent.name in TABLES}
    assert {part.parent.name for part in parts} == set(TABLES)
    assert {file: made for file, made in files_made(out).items() if file in parts} == parts
    assert not (out / store.UNFINISHED).exists()
    assert list(out.rglob(".*")) == []
    assert digests(out) == digests(aligned)


def test_one_killed_with_its_helpers_ends_the_same(
    all_kinds: Alignment, aligned: Path, tmp_path: Path, digests: Digests
) -> None:
    out, told = tmp_path / "run", aligned.with_suffix(".events")
    die = ("--die-at", "segments/suggested/0", str(told), "--after-seconds", "2")  # workers take a while to start
    assert all_kinds.start(out, "helpers", *die).wait() == -signal.SIGKILL
    before = files_made(out)
    assert not store.made_by_file(out, "corpus").exists()
    assert all_kinds.start(out, "helpers").wait() == 0
    parts = {file: made for file, made in before.items() if file.parent.name in TABLES}
    assert {"documents", "cues", "groups"} <= {part.parent.name for part in parts}
    assert {file: made for file, made in files_made(out).items() if file in parts} == parts
    assert digests(out) == digests(aligned)
