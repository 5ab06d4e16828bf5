"""`paraloom bench generation` as a person meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from paraloom.workflows.bench.generation_sets import read_bench_sets
from tests.workflows.generation_corpora import write_generation_corpora

ASKED = ("--sets", "multipit-held-out", "quora", "--max-candidates", "4", "--resamples", "20", "--encoder", "nowhere")


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    return write_generation_corpora(tmp_path / "corpora")


def test_tables_are_printed_and_a_report_is_written(run, corpora: Path, tmp_path: Path) -> None:
    (quora,), _ = read_bench_sets(corpora, ["quora"])
    lines = [{"source": source, "outputs": [f"tell me: {source}"]} for source in quora.evaluation_set.sources]
    (tmp_path / "told.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    asked = ("--generators", "lexical", "./no-such-folder", "--outputs", "told=told.jsonl")
    done = run("bench", "generation", "--data", "corpora", *ASKED, *asked, "--out", "out")
    assert done.returncode == 0, done.stderr
    table = done.stdout[done.stdout.index("\nQuora\n") :]
    for name in ("lexical", "told", "people", "parrot", "parrot-cut-tail-0.3"):
        assert re.search(rf"^{re.escape(name)} ", table, re.MULTILINE)
    assert "./no-such-folder was not run: There is no language model" in done.stdout
    assert "bert-ibleu is left out: " in done.stdout
    assert "lexical: 2 sources of quora" in done.stderr
    assert done.stderr.splitlines()[-1] == "out/report.html"
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!#|data:,)[^"]', page)
    assert "| told |" in (tmp_path / "out" / "bench.md").read_text(encoding="utf-8")
    assert {file.parent.name for file in (tmp_path / "out/outputs").rglob("lexical.*.jsonl")} == {
        "multipit-held-out",
        "quora",
    }


def test_json_is_one_object_with_metrics_and_signatures_and_again_the_same(run, corpora: Path, tmp_path: Path) -> None:
    words = ("bench", "generation", "--data", "corpora", *ASKED, "--generators", "parrot", "--out", "out", "--json")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    parrot = found["systems"]["quora/parrot (given)"]
    assert {"bleu", "self-bleu", "mutual-implication", "facts-kept"} <= set(parrot["metrics"])
    assert set(parrot["signature"]) == set(parrot["metrics"])
    assert json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8")) == found
    written = {file: file.stat().st_mtime_ns for file in (tmp_path / "out/outputs").rglob("parrot.*")}
    assert len(written) == 4
    assert json.loads(run(*words).stdout) == found  # the seconds, too: nothing was written again
    assert {file: file.stat().st_mtime_ns for file in written} == written


def test_the_held_out_set_is_written_for_training_to_leave_out(run, corpora: Path, tmp_path: Path) -> None:
    done = run("bench", "generation", "--data", "corpora", "--write-dev", "dev")
    assert done.returncode == 0, done.stderr
    assert "6 sources of 6 clusters, 42 texts to leave out: dev" in " ".join(done.stderr.split())
    assert sorted(file.name for file in (tmp_path / "dev").iterdir()) == ["dev.jsonl", "never.txt", "sources.txt"]
    rows = [json.loads(line) for line in (tmp_path / "dev/dev.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [set(row) for row in rows] == [{"source", "references"}] * 6
    assert len((tmp_path / "dev/never.txt").read_text(encoding="utf-8").splitlines()) == 42


REFUSED = [
    (("--sets", "news"), "There is no set 'news'"),
    (("--generators", "a=parrot", "a=lexical"), "Two contenders are called a."),
    (("--generators", "none"), "There is nobody to measure."),
    (("--outputs", "told=nowhere.jsonl"), "there is no file nowhere.jsonl"),
    (("--batch", "0"), "--batch 0 makes no sense"),
    (("--out", "corpora/qqp/generation/val.tsv"), "is a file, or lies in one"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_what_makes_no_sense_is_refused_before_anything_is_run(run, corpora: Path, words, told: str) -> None:
    done = run("bench", "generation", "--data", "corpora", *words)
    assert done.returncode != 0
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_folder_without_any_set_is_an_error(run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("bench", "generation", "--data", "empty", "--generators", "parrot")
    assert done.returncode == 1
    assert "No set is in empty." in " ".join(done.stderr.split())
    missing = run("bench", "generation", "--data", "nowhere")
    assert "--data nowhere is no folder" in " ".join(missing.stderr.split())
    no_dev = run("bench", "generation", "--data", "empty", "--write-dev", "dev")
    assert no_dev.returncode == 1
    assert not (tmp_path / "dev").exists()
