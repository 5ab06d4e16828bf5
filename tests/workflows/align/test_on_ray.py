"""On a Ray cluster of two nodes documents of every kind are aligned to the same bytes as by one process here, even if
it is killed on the way."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.workflows.align.align import TABLES
from tests.workflows.align.conftest import Alignment

pytestmark = pytest.mark.cluster


def test_one_on_two_nodes_killed_half_way_ends_with_the_same_bytes(
    all_kinds: Alignment,
    aligned: Path,
    address: str,
    ray_environment: dict[str, str],
    tmp_path: Path,
    digests: Callable[[Path], dict[str, str]],
) -> None:
    on_ray, run = replace(all_kinds, environment=ray_environment, forks=None), tmp_path / "run"
    die = ("--die-at", "segments/suggested/0", str(aligned.with_suffix(".events")), "--after-seconds", "1")
    assert on_ray.start(run, "ray", "--ray-address", address, *die).wait() == -signal.SIGKILL
    made = {part: part.stat().st_mtime_ns for table in ("documents", "groups") for part in (run / table).iterdir()}
    assert not store.made_by_file(run, "segments").exists()
    assert on_ray.start(run, "ray", "--ray-address", address).wait() == 0
    assert {part: part.stat().st_mtime_ns for part in made} == made
    for table in TABLES:
        assert store.read_table(run, table) == store.read_table(aligned, table)
        assert store.read_made_by(run, table) == store.read_made_by(aligned, table)
    assert digests(run) == digests(aligned)


def test_what_is_compared_there_holds_every_kind_and_every_table_has_rows_in_many_files(aligned: Path) -> None:
    documents = store.read_table(aligned, "documents").to_pylist()
    found = Counter(row["kind"] for row in documents if row["dropped_for"] is None)
    assert found == {"subtitle": 6, "article": 55, "thread": 9, "translation": 6, "essay": 6}
    assert {Path(row["file"]).suffix for row in documents} >= {".srt", ".vtt", ".xml", ".gz", ".jsonl", ".rss", ".html"}
    assert [row["dropped_for"] for row in documents if row["dropped_for"]] == ["bad_row: broken XML: no element found"]
    assert [row["copies"] for row in documents if row["copies"] > 1] == [2]
    for table in TABLES:
        parts = [len(part) for part in store.read_parts(aligned, table)]
        assert len(parts) == 8
        assert sum(map(bool, parts)) > 2
    extraction = json.loads((aligned / "summary.json").read_text("utf-8"))["extraction"]
    assert {row["kind"] for row in extraction if row["extracted"]} >= set(found)
