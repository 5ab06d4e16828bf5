"""Posts written for the tests, and one run of the bundled sample that they all look at."""

from __future__ import annotations

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
from tests.forked import LIBRARIES, ForkServer

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
def post_files(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The sample in eight files, so that reading it is several tasks."""

    def write(folder: Path) -> None:
        lines = gzip.decompress(sample.posts().read_bytes()).splitlines(keepends=True)
        for number in range(8):
            (folder / f"{number}.jsonl").write_bytes(b"".join(lines[number::8]))

    return made_once("posts", write)


@pytest.fixture(scope="session")
def engine_forks(child_environment: dict[str, str]) -> Iterator[ForkServer]:
    """Processes that have the workflows over documents in memory as they begin: to load them takes a second."""
    libraries = ("altair", "trafilatura", "numba.np.arraymath", "scipy.linalg.cython_blas")
    workflows = ("paraloom.workflows.align.align", "paraloom.workflows.build")
    server = ForkServer(child_environment, (*LIBRARIES, *libraries, *workflows))
    yield server
    server.close()


@pytest.fixture(scope="session")
def undisturbed(
    post_files: Path, made_once: Callable[[str, Callable[[Path], None]], Path], child_environment: dict[str, str]
) -> Path:
    """A run over those files in eight buckets, made in one go on this machine."""

    def build(folder: Path) -> None:
        child, out = Path(__file__).with_name("build_sample.py"), folder / "run"
        command = [sys.executable, str(child), str(post_files), str(out), str(out.with_suffix(".events")), "in-process"]
        subprocess.run(command, env=child_environment, check=True)
        assert len(store.part_files(out, "pairs")) == 8

    return made_once("undisturbed", build) / "run"


@pytest.fixture(scope="session")
def digests() -> Callable[[Path], dict[str, str]]:
    """Of every file of a run, hidden ones and leftovers too."""

    def of(run: Path) -> dict[str, str]:
        files = [file for file in run.rglob("*") if file.is_file()]
        return {str(file.relative_to(run)): sha256(file.read_bytes()).hexdigest() for file in files}

    return of


@pytest.fixture(scope="session")
def ray_environment(child_environment: dict[str, str]) -> dict[str, str]:
    """The nodes import Paraloom and the rows of the engine's tests, as they would what is installed on them."""
    path = os.pathsep.join([child_environment["PYTHONPATH"], str(HERE.parent / "engine")])
    return {**child_environment, "PYTHONPATH": path, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}


class Cluster:
    """A Ray cluster of two nodes, which runs from when it is first asked for until it is closed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._address = ""

    def address(self, environment: dict[str, str]) -> str:
        """Where it listens."""
        if self._process is None:
            self._folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # sockets lie in it: a path must be short
            self._process = subprocess.Popen(
                [sys.executable, str(HERE / "two_nodes.py"), self._folder],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            assert self._process.stdout is not None
            self._address = self._process.stdout.readline().strip()
        assert self._address, "The cluster did not start."
        return self._address

    def close(self) -> None:
        """Afterwards every process of it is gone."""
        if self._process is None:
            return
        process, self._process = self._process, None
        processes = psutil.Process(process.pid).children(recursive=True)
        process.communicate(timeout=60)
        _, alive = psutil.wait_procs(processes, timeout=30)
        shutil.rmtree(self._folder, ignore_errors=True)
        assert alive == []


CLUSTER = Cluster()
"""Of all tests of a process that need one, as long as they come one after the other."""


@pytest.fixture
def address(ray_environment: dict[str, str]) -> str:
    """Of a running cluster of two nodes."""
    return CLUSTER.address(ray_environment)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Modules that need a cluster come first, one after the other: to start it takes ten seconds."""
    modules = {item.path for item in items if "ray_environment" in getattr(item, "fixturenames", ())}
    for item in items:
        item.stash[NEEDS_CLUSTER] = item.path in modules
    items.sort(key=lambda item: not item.stash[NEEDS_CLUSTER])


NEEDS_CLUSTER = pytest.StashKey[bool]()
"""Whether a test is in such a module."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if nextitem is None or not nextitem.stash[NEEDS_CLUSTER]:
        CLUSTER.close()
