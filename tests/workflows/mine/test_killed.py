"""Mining that is killed goes on where it was; with helpers and on two nodes it ends with the same bytes as without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paraloom.engine import store

Digests = Callable[[Path], dict[str, str]]


def mined(folder: Path, out: Path, embedder: str, where: str, *words: str, environment: dict[str, str]) -> Path:
    child = Path(__file__).with_name("mine_small.py")
    command = [sys.executable, str(child), str(folder), str(out), embedder, "ivf", where, *words]
    subprocess.run(command, env=environment, check=True)
    return out


@pytest.fixture(scope="module")
def undisturbed(
    folder: Path, embedder: str, tmp_path_factory: pytest.TempPathFactory, child_environment: dict[str, str]
) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    return mined(folder, out, embedder, "in-process", environment=child_environment)


def test_killed_five_times_it_ends_with_the_same_bytes(
    undisturbed: Path,
    folder: Path,
    embedder: str,
    tmp_path: Path,
    child_environment: dict[str, str],
    timeless: Digests,
) -> None:
    changes = int(undisturbed.with_suffix(".changes").read_text())
    words = ("--deaths", "5", "--changes", str(changes))
    out = mined(folder, tmp_path / "run", embedder, "in-process", *words, environment=child_environment)
    last = int(out.with_suffix(".changes").read_text())
    assert last < changes / 2  # the one that ended it found most of it done
    assert not (out / store.UNFINISHED).exists()
    assert timeless(out) == timeless(undisturbed)


def test_killed_with_its_helpers_while_they_write_it_ends_with_the_same_bytes(
    undisturbed: Path,
    folder: Path,
    embedder: str,
    tmp_path: Path,
    child_environment: dict[str, str],
    timeless: Digests,
) -> None:
    dying = Path(__file__).with_name("dying_helpers")
    path = os.pathsep.join([str(dying), child_environment["PYTHONPATH"]])
    words = ("--dies-at", "edges/task-00002", "identified/task-00003")
    environment = {**child_environment, "PYTHONPATH": path, "DIES_AT": "nothing yet"}
    out = mined(folder, tmp_path / "run", embedder, "killed", *words, environment=environment)
    assert not (out / store.UNFINISHED).exists()
    assert timeless(out) == timeless(undisturbed)


DEATHS = (
    "os.rename:found-0-0/cell-00002",  # what it had written lies beside the cells from now on
    "os.rename:linked-0-1/cell-00001.npy",
    "os.rename:found-0-1/cell-00000",
    "os.rename:past-0-1",
    "shutil.rmtree:found-0-0",
    "os.remove:edges",  # half of a cell is gone
    "os.rename:found-0-2/cell-00003",
    "os.rmdir:cell-00002",  # some cells of found-0-1 are gone
    "os.rename:recall-0.json",
    "os.rename:found-1-0/cell-00001",
    "os.rename:past-1-0",
    "os.rmdir:cell-00001",  # of found-0-2
    "os.rename:found-1-2/cell-00000",
    "os.rename:neighbours",
)


def test_killed_wherever_a_search_in_stages_makes_or_clears_away_it_ends_with_the_same_bytes(
    folder: Path, embedder: str, tmp_path: Path, child_environment: dict[str, str], timeless: Digests
) -> None:
    whole = mined(folder, tmp_path / "whole", embedder, "in-process", "--in-stages", environment=child_environment)
    stages = json.loads((whole / "neighbours" / "recall.json").read_text())["stages"]
    assert len(stages) > 1
    words = ("--in-stages", "--dies-on", *DEATHS)
    out = mined(folder, tmp_path / "run", embedder, "in-process", *words, environment=child_environment)
    assert not (out / store.UNFINISHED).exists()
    assert timeless(out) == timeless(whole)


def test_killed_while_it_writes_the_file_of_pairs_it_leaves_nothing_beside_it_and_others_their_own(
    undisturbed: Path, folder: Path, embedder: str, tmp_path: Path, child_environment: dict[str, str]
) -> None:
    of_another = tmp_path / ".found.tsv.0badcafe.unfinished"  # another command writes the same file just now
    of_another.write_text("half a line")
    out, words = tmp_path / "found.tsv", ("--dies-on", "os.rename:found.tsv", "os.rename:found.tsv")
    mined(folder, out, embedder, "in-process", *words, environment=child_environment)
    assert {file.name for file in tmp_path.iterdir()} == {
        "found.tsv",
        "found.tsv.run",
        "found.changes",
        of_another.name,
    }
    assert out.read_bytes() == (undisturbed / "pairs.tsv").read_bytes()
    assert json.loads((tmp_path / "found.tsv.run" / "file.json").read_text()).keys() == {"name", "hash", "made_from"}


def test_with_helpers_it_ends_with_the_same_bytes(
    undisturbed: Path,
    folder: Path,
    embedder: str,
    tmp_path: Path,
    child_environment: dict[str, str],
    timeless: Digests,
) -> None:
    out = mined(folder, tmp_path / "run", embedder, "helpers", environment=child_environment)
    assert timeless(out) == timeless(undisturbed)


@pytest.mark.cluster
def test_on_two_nodes_it_ends_with_the_same_bytes(
    undisturbed: Path,
    folder: Path,
    embedder: str,
    tmp_path: Path,
    address: str,
    ray_environment: dict[str, str],
    timeless: Digests,
) -> None:
    words = ("--ray-address", address)
    out = mined(folder, tmp_path / "run", embedder, "ray", *words, environment=ray_environment)
    assert timeless(out) == timeless(undisturbed)
