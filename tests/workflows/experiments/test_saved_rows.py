"""Results are on disk as they come: a killed experiment goes on, and ends with the same figures."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from paraloom.errors import TargetTaken
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.experiments.noise import run_noise
from paraloom.workflows.experiments.options import ExperimentOptions, NoiseExperimentOptions
from paraloom.workflows.experiments.saved_rows import FILE, SavedRows
from tests.forked import servers

PATIENCE = 120.0


def test_a_result_is_found_again_in_the_folder(tmp_path: Path) -> None:
    SavedRows(tmp_path, {"seed": 1}).add("one", {"f1": 0.5})
    again = SavedRows(tmp_path, {"seed": 1})
    assert again.get("one") == {"f1": 0.5}
    assert again.get("two") is None


def test_a_name_may_hold_any_character(tmp_path: Path) -> None:
    names = ["one\u2028two", "\x85", "three\nfour\r"]
    for name in names:
        SavedRows(tmp_path, {"base": "a\u2028b"}).add(name, {"f1": 0.5})
    again = SavedRows(tmp_path, {"base": "a\u2028b"})
    assert [again.get(name) for name in names] == [{"f1": 0.5}] * 3


def test_results_made_another_way_are_refused_and_it_says_how(tmp_path: Path) -> None:
    SavedRows(tmp_path, {"limit": 0, "base": ""}).add("one", 1)
    with pytest.raises(TargetTaken, match=r"limit was 0, is 5.*Choose another --out or delete it"):
        SavedRows(tmp_path, {"limit": 5, "base": ""})


def test_what_was_begun_another_way_without_a_result_is_begun_anew(tmp_path: Path) -> None:
    SavedRows(tmp_path, {"base": "nosuch"})
    SavedRows(tmp_path, {"base": "mine"}).add("one", 1)
    assert SavedRows(tmp_path, {"base": "mine"}).get("one") == 1


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_line_that_was_being_written_is_not_there(tmp_path: Path, cut: int) -> None:
    rows = SavedRows(tmp_path, {"seed": 1})
    rows.add("one", {"f1": 0.5})
    rows.add("two", {"f1": 0.7})
    file = tmp_path / FILE
    file.write_bytes(file.read_bytes()[:-cut])
    again = SavedRows(tmp_path, {"seed": 1})
    assert again.get("one") == {"f1": 0.5}
    assert again.get("two") is None
    again.add("two", {"f1": 0.7})
    assert SavedRows(tmp_path, {"seed": 1}).get("two") == {"f1": 0.7}


def test_a_file_killed_before_its_first_line_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"made_by": {"se')
    rows = SavedRows(tmp_path, {"seed": 1})
    rows.add("one", 1)
    assert SavedRows(tmp_path, {"seed": 1}).get("one") == 1


def test_without_a_folder_results_are_only_remembered(tmp_path: Path) -> None:
    rows = SavedRows(None, {"seed": 1})
    rows.add("one", {"f1": 0.5})
    assert rows.get("one") == {"f1": 0.5}
    assert list(tmp_path.iterdir()) == []


def test_what_is_done_is_not_done_again_and_more_can_be_asked_for(corpora: Path, tmp_path: Path) -> None:
    def run(lambdas: tuple[float, ...], told: list[str]):
        options = ExperimentOptions(systems=("ngram-regression",))
        return run_noise(corpora, options, NoiseExperimentOptions(lambdas=lambdas), out=tmp_path, tell=told.append)

    first, again, more = [], [], []
    before = run((0.25,), first)
    assert any("flip 0.25" in line for line in first)
    assert run((0.25,), again).as_json() == before.as_json()
    assert again == []
    run((0.25, 0.35), more)
    assert {line.split("/")[1] for line in more} == {"filter 0.35", "flip 0.35"}


def test_a_killed_experiment_ends_with_the_figures_of_one_that_was_not(
    corpora: Path, tmp_path: Path, child_environment: dict[str, str], command
) -> None:
    words = ["experiment", "noise", "--data", str(corpora), "--systems", "ngram-regression", "--lambdas", "0.45"]
    out = tmp_path / "killed"
    code, nowhere = "from paraloom.cli import main; main()", subprocess.DEVNULL
    server = servers.next(child_environment)
    started = server.start(code, [*words, "--out", str(out)], stdout=nowhere, stderr=nowhere)
    deadline = time.monotonic() + PATIENCE
    while not (out / FILE).exists() or (out / FILE).read_bytes().count(b"\n") < 3:
        assert started.poll() is None, "It ended before it was killed."
        assert time.monotonic() < deadline, "It came to no result."
        time.sleep(0.002)
    started.close()
    assert not (out / "report.html").exists()
    kept = (out / FILE).read_bytes()
    done = command(*words, "--out", out)
    assert done.returncode == 0, done.stderr
    assert (out / FILE).read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    names = [json.loads(line)["name"] for line in (out / FILE).read_bytes().splitlines()[1:]]
    assert len(set(names)) == len(names) > 2, "What was done is not done again."
    options = ExperimentOptions(systems=("ngram-regression",))
    undisturbed = run_noise(corpora, options, NoiseExperimentOptions(lambdas=(0.45,))).as_json()
    assert json.loads((out / "noise.json").read_text()) == json.loads(json.dumps(undisturbed))
    assert (out / "report.html").read_text().startswith("<!doctype html>")


def test_nothing_unfinished_is_left_behind(corpora: Path, tmp_path: Path, tiny_bert: Path) -> None:
    options = ExperimentOptions(systems=("cross-encoder",), base=str(tiny_bert), limit=30)
    plan = PlanOptions(epochs=1, learning_rates=(1e-3,), max_tokens=16, device="cpu")
    run_noise(corpora, options, NoiseExperimentOptions(loose=("pit2015",), lambdas=(0.45,)), plan, out=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
