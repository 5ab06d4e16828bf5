"""Extraction that is killed goes on where it was; with helpers and on two nodes it ends with the same bytes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paraloom.engine import store

Digests = Callable[[Path], dict[str, str]]


def extracted(out: Path, where: str, *words: str, environment: dict[str, str]) -> Path:
    child = Path(__file__).with_name("extract_in_pieces.py")
    subprocess.run([sys.executable, str(child), str(out), where, *words], env=environment, check=True)
    return out


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, child_environment: dict[str, str]) -> Path:
    return extracted(tmp_path_factory.mktemp("undisturbed") / "run", "in-process", environment=child_environment)


DEATHS = (
    "os.rename:aligned.jsonl",
    "os.rename:read/task-00000",
    "os.rename:part-03.parquet",  # of the alignments
    "os.rename:words/task-00002",
    "os.rename:lexicon/task-00001",
    "os.rename:extracted/task-00003",
    "os.rename:merged/task-00000",
    "os.rename:merged/task-00005",
    "os.rename:weighed/task-00004",
    "os.rename:part-06.parquet",
    "os.rename:phrases",
    "os.rename:phrases.summary.json",
)


def test_killed_wherever_it_is_it_ends_with_the_same_bytes(
    undisturbed: Path, tmp_path: Path, child_environment: dict[str, str], digests: Digests
) -> None:
    out = extracted(tmp_path / "run", "in-process", "--dies-at", *DEATHS, environment=child_environment)
    assert not (out / store.UNFINISHED).exists()
    assert digests(out) == digests(undisturbed)


def test_what_is_compared_is_in_many_parts_and_has_phrases_kept_and_left_out(undisturbed: Path) -> None:
    assert len(store.part_files(undisturbed, "phrases")) >= 8
    assert all(len(part) for part in store.read_parts(undisturbed, "phrases"))
    rows = {(row["left"], row["right"]): row for row in store.read_table(undisturbed, "phrases").to_pylist()}
    assert rows["did not remember", "forgot"]["count"] == 30
    assert rows["did not remember", "forgot"]["group_count"] == 7
    assert len(rows["flood", "high water"]["contexts"]) == 3
    assert {row["dropped_for"] for row in rows.values()} >= {None, "identical"}


def test_with_helpers_it_ends_with_the_same_bytes(
    undisturbed: Path, tmp_path: Path, child_environment: dict[str, str], digests: Digests
) -> None:
    out = extracted(tmp_path / "run", "helpers", environment=child_environment)
    assert digests(out) == digests(undisturbed)


@pytest.mark.cluster
def test_on_two_nodes_it_ends_with_the_same_bytes(
    undisturbed: Path, tmp_path: Path, address: str, ray_environment: dict[str, str], digests: Digests
) -> None:
    out = extracted(tmp_path / "run", "ray", "--ray-address", address, environment=ray_environment)
    assert digests(out) == digests(undisturbed)
