"""Posts written for the tests, and one run of the bundled sample that they all look at."""

from __future__ import annotations

import fcntl
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import psutil
import pytest

from paraloom import sample
from paraloom.engine import store
from paraloom.workflows.demo import run_demo

HERE = Path(__file__).parent

ARTICLES = {
    "storm": [
        "A violent storm hit the coast of Norland on Monday",
        "On Monday a violent storm struck the Norland coast",
        "Norland's coast was hit by a violent storm this Monday",
        "Heavy winds and a storm batter the coast of Norland",
        "The coast of Norland suffers under a violent storm",
    ],
    "merger": [
        "Brightfern buys its rival Caldera for three billion",
        "Caldera is bought by its rival Brightfern for three billion",
        "For three billion, rival Caldera goes to Brightfern",
        "Three billion is what Brightfern pays for its rival Caldera",
        "Brightfern and Caldera become one firm for three billion",
    ],
    "tram": [
        "The council approves the new tram line by two votes",
        "By only two votes the council says yes to the tram",
        "New tram line approved by the council, two votes made it",
        "Two votes decide: the council wants the new tram line",
        "A new tram line is coming, the council approves by two votes",
    ],
}


def write_posts() -> list[dict[str, Any]]:
    """Posts about three articles, each with a copy of the first and a post that came twice."""
    posts = []
    for day, (article, texts) in enumerate(ARTICLES.items()):
        for number, text in enumerate([*texts, f"RT: {texts[0]} via @desk", texts[2]]):
            posts.append(
                {
                    "id": f"{article}-{number}",
                    "text": f"{text} ¡olé! 🙂 https://t.co/{article}",
                    "created_at": f"2026-02-0{day + 1}T10:0{number}:00Z",
                    "author": f"user{number}",
                    "language": "en",
                    "url": f"https://news.example/world/{article}?utm_source=x{number}",
                    "source": "stream",
                    "platform": "chirp",
                }
            )
    return [*posts, posts[0]]


@pytest.fixture(scope="session")
def posts() -> list[dict[str, Any]]:
    return write_posts()


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session that all of its workers see."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def sample_run(shared_folder: Path) -> Path:
    """The bundled sample, built as `paraloom demo` builds it. Tests only read it."""
    run = shared_folder / "sample" / "run"
    with (shared_folder / "sample.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run_demo(run)  # a second worker finds it built, and does nothing
    return run


@pytest.fixture(scope="session")
def post_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample in eight files, so that reading it is several tasks."""
    folder = tmp_path_factory.mktemp("posts")
    lines = gzip.decompress(sample.posts().read_bytes()).splitlines(keepends=True)
    for number in range(8):
        (folder / f"{number}.jsonl").write_bytes(b"".join(lines[number::8]))
    return folder


@pytest.fixture(scope="session")
def undisturbed(post_files: Path, tmp_path_factory: pytest.TempPathFactory, child_environment: dict[str, str]) -> Path:
    """A run over those files in eight buckets, made in one go on this machine."""
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    child = Path(__file__).with_name("build_sample.py")
    command = [sys.executable, str(child), str(post_files), str(out), str(out.with_suffix(".events")), "in-process"]
    subprocess.run(command, env=child_environment, check=True)
    assert len(store.part_files(out, "pairs")) == 8
    return out


@pytest.fixture(scope="session")
def digests() -> Callable[[Path], dict[str, str]]:
    """Of every file of a run, hidden ones and leftovers too."""

    def of(run: Path) -> dict[str, str]:
        files = [file for file in run.rglob("*") if file.is_file()]
        return {str(file.relative_to(run)): sha256(file.read_bytes()).hexdigest() for file in files}

    return of


@pytest.fixture(scope="module")
def ray_environment(child_environment: dict[str, str]) -> dict[str, str]:
    """The nodes import Paraloom and the rows of the engine's tests, as they would what is installed on them."""
    path = os.pathsep.join([child_environment["PYTHONPATH"], str(HERE.parent / "engine")])
    return {**child_environment, "PYTHONPATH": path, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}


@pytest.fixture(scope="module")
def address(ray_environment: dict[str, str]) -> Iterator[str]:
    """A running cluster of two nodes; afterwards every process of it is gone."""
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # sockets lie in it: a path must be short
    with subprocess.Popen(
        [sys.executable, str(HERE / "two_nodes.py"), folder],
        env=ray_environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as cluster:
        assert cluster.stdout is not None
        assert cluster.stdin is not None
        try:
            found = cluster.stdout.readline().strip()
            assert found, "The cluster did not start."
            yield found
            processes = psutil.Process(cluster.pid).children(recursive=True)
        finally:
            cluster.stdin.close()
            cluster.wait(60)
    _, alive = psutil.wait_procs(processes, timeout=30)
    shutil.rmtree(folder, ignore_errors=True)
    assert alive == []
