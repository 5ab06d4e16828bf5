"""On a Ray cluster of two nodes a build gives the same bytes as on one machine, even if it is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from paraloom.documents.options import ReadOptions
from paraloom.engine import store
from paraloom.workflows.build import TABLES, BuildOptions, build

pytestmark = pytest.mark.cluster

HERE = Path(__file__).parent
COMMAND = "from paraloom.cli import main; main()"
Digests = Callable[[Path], dict[str, str]]


@pytest.fixture
def build_on_ray(
    post_files: Path, ray_environment: dict[str, str], address: str
) -> Callable[[Path], subprocess.Popen[bytes]]:
    def started(out: Path) -> subprocess.Popen[bytes]:
        events = out.with_suffix(".events")
        events.unlink(missing_ok=True)
        command = [
            sys.executable,
            str(HERE / "build_sample.py"),
            str(post_files),
            str(out),
            str(events),
            "ray",
            address,
        ]
        return subprocess.Popen(command, env=ray_environment, start_new_session=True)

    return started


def test_a_build_on_two_nodes_killed_half_way_ends_with_the_same_bytes(
    build_on_ray: Callable[[Path], subprocess.Popen[bytes]], undisturbed: Path, tmp_path: Path, digests: Digests
) -> None:
    out, events = tmp_path / "run", tmp_path / "run.events"
    first = build_on_ray(out)
    deadline = time.monotonic() + 120
    while not events.exists() or "sentences\tsplit\t0" not in events.read_text(encoding="utf-8"):
        assert first.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.5)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    made = {part: part.stat().st_mtime_ns for table in ("documents", "groups") for part in (out / table).iterdir()}
    assert not store.made_by_file(out, "sentences").exists()
    assert build_on_ray(out).wait() == 0
    assert {part: part.stat().st_mtime_ns for part in made} == made
    for table in TABLES:
        assert store.read_table(out, table) == store.read_table(undisturbed, table)
        assert store.read_made_by(out, table) == store.read_made_by(undisturbed, table)
    assert digests(out) == digests(undisturbed)


STEP = """
import json, sys
from functools import partial
from pathlib import Path
import tally_rows
from paraloom.engine import foreign, passes, store
from paraloom.engine.places import PlaceOptions, at
from paraloom.engine.steps import Place, Step, make
from paraloom.tables import Phrase

address, out, function, size, *files = sys.argv[1:]
passes.SMALL_INPUT = 0 if size == "large" else 1 << 30
with at(PlaceOptions(engine="ray", ray_address=address)) as workers:
    work = partial(tally_rows.constantly, getattr(tally_rows, function))
    given = passes.Pass(name="read", by=None, work=work, row=Phrase, to="left")
    step = Step(table="phrases", passes=(given,), stages=(), chunks=foreign.plan(files))
    make(step, Place(run=Path(out), buckets=4, workers=workers, on_ray=True))
rows = store.read_table(Path(out), "phrases").to_pylist()
print(json.dumps({"rows": len(rows), "nodes": sorted({row["right"] for row in rows}), "workers": workers}))
"""


@pytest.fixture
def run_step(
    address: str, ray_environment: dict[str, str], post_files: Path, tmp_path: Path
) -> Callable[[str, str], subprocess.CompletedProcess[str]]:
    """Run a step of one pass over the posts with a function of the engine's tests."""

    def run(function: str, size: str) -> subprocess.CompletedProcess[str]:
        words = [address, str(tmp_path / "run"), function, size, *map(str, post_files.iterdir())]
        return subprocess.run(
            [sys.executable, "-c", STEP, *words], env=ray_environment, capture_output=True, text=True, check=False
        )

    return run


def test_both_nodes_do_the_work(run_step: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run_step("node_of_batch", "large")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["rows"] > 1900
    assert found["workers"] == 2
    assert len(found["nodes"]) == 2


GPU_STEP = """
import os, sys
from functools import partial
from pathlib import Path
import tally_rows
from paraloom.engine.folders import FolderStep, Round, make_folder
from paraloom.engine.places import PlaceOptions, at, on_a_gpu_of_cluster
from paraloom.engine.steps import Place

address, out = sys.argv[1:]
work = partial(tally_rows.constantly, tally_rows.gpus_told)
told = Round(name="told", files=("a.txt", "b.txt"), work=work, is_small=True, on_gpu=True)
with at(PlaceOptions(engine="ray", ray_address=address)) as workers:
    place = Place(run=Path(out), buckets=1, workers=workers, on_ray=True)
    make_folder(FolderStep(table="told", rounds=(lambda folder: told,), stages=()), place)
    print(os.getpid(), on_a_gpu_of_cluster(partial(tally_rows.constantly, 7)))
"""


def test_what_needs_a_gpu_is_done_by_workers_that_have_one_and_not_by_the_process_that_leads_them(
    address: str, ray_environment: dict[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-c", GPU_STEP, address, str(tmp_path)]
    done = subprocess.run(command, env=ray_environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    leader, given = done.stdout.splitlines()[-1].split()
    assert given == "7"
    said = [tuple((tmp_path / "told" / name).read_text().split()) for name in ("a.txt", "b.txt")]
    assert {gpus for gpus, _ in said} == {"1"}
    assert leader not in {process for _, process in said}


FAULTS = [
    ("misled", "InputError: There is no file pages.csv. Check the path."),
    ("same_phrase", "keys twice, the first: left='twice', right='said'."),
]


@pytest.mark.parametrize(("function", "said"), FAULTS)
def test_a_fault_on_a_node_is_a_readable_error_and_nothing_counts_as_finished(
    function: str, said: str, run_step: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_step(function, "small")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("paraloom.errors.")
    assert done.stderr.splitlines()[-1].endswith(said)
    assert not (tmp_path / "run" / "phrases").exists()


def test_without_an_address_a_cluster_is_started_and_stopped_again(
    posts: list[dict[str, Any]], ray_environment: dict[str, str], tmp_path: Path, digests: Digests
) -> None:
    file = tmp_path / "posts.jsonl"
    file.write_text("".join(f"{json.dumps(post)}\n" for post in posts), encoding="utf-8")
    here = build([file], tmp_path / "here", BuildOptions(read=ReadOptions(author_salt="grain"))).run
    on_ray = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "build", str(file), "--out", str(tmp_path / "run"), "--engine", "ray"],
        env={**ray_environment, "PARALOOM_AUTHOR_SALT": "grain"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    printed, complaints = on_ray.communicate(timeout=180)
    assert on_ray.returncode == 0, complaints
    assert printed.strip().endswith("report.html")
    assert digests(tmp_path / "run") == digests(here)
    session = f"_{on_ray.pid}/"  # Ray names a session, and with it every process of it, after the one that began it
    left = [
        process for process in psutil.process_iter(["cmdline"]) if session in " ".join(process.info["cmdline"] or [])
    ]
    assert psutil.wait_procs(left, timeout=30)[1] == []


def test_a_wrong_address_is_a_quick_and_plain_error(ray_environment: dict[str, str], tmp_path: Path) -> None:
    started = time.monotonic()
    command = ["demo", "--out", str(tmp_path / "run"), "--engine", "ray", "--ray-address", "127.0.0.1:1"]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *command], env=ray_environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    said = " ".join(done.stderr.split())
    assert "EngineError: No Ray cluster answers at '127.0.0.1:1'" in said
    assert "Traceback" not in said
    assert time.monotonic() - started < 30
