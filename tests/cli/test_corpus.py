"""`paraloom corpus stats` as a person meets it: another process, files and runs of their own."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

PAIRS = """left	right	label
A storm hit the coast.	The coast was hit by a storm.	1
It rained all night.	The town was flooded.	0
The ferry was late.	Late was the ferry!	1
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text(PAIRS, encoding="utf-8")
    return file


def test_json_is_one_object_with_metrics_and_signatures_alone_on_standard_output(run, pairs: Path) -> None:
    done = run("corpus", "stats", pairs.name, "--language", "en", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["metrics"]["pairs"] == 3
    assert told["metrics"]["pattern-word-reordering"] == told["metrics"]["pattern-function-words"] == 0.5
    assert "language:en" in told["signature"]["patterns"]
    assert done.stderr == ""


def test_tables_are_printed_and_the_page_is_named_on_standard_error(run, pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text('{"txt1": "It blew", "txt2": "it blew", "label": "4"}\n', encoding="utf-8")
    done = run("corpus", "stats", pairs.name, "more.jsonl", "--out", "report", "--with-negatives")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^pairs: 3 pairs, 66\.7% paraphrases, language en; measured on all of them\.$", done.stdout, re.M)
    assert re.search(r"^the same words +0% +100% ", done.stdout, re.MULTILINE)
    assert done.stderr.strip() == "report/report.html"
    assert "2 corpora side by side" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert set(json.loads((tmp_path / "report" / "statistics.json").read_text())["corpora"]) == {"pairs", "more"}


def test_a_run_is_a_corpus(built: tuple[Path, subprocess.CompletedProcess[str]], run) -> None:
    folder, done = built
    assert done.returncode == 0, done.stderr
    counted = run("corpus", "stats", str(folder / "run"), "--json")
    assert counted.returncode == 0, counted.stderr
    told = json.loads(counted.stdout)
    assert told["name"] == "run"
    assert told["labels"]["scheme"] == "yes-no"
    assert [part["name"] for part in told["sources"]] == ["post"]
    assert told["notes"][0].startswith("run: the table corpus of the run")
    refused = run("corpus", "stats", str(folder / "run"), "--out", str(folder / "run"))
    assert refused.returncode == 1
    assert "of its own" in refused.stderr


REFUSED = [
    (("absent.tsv",), 1, r"InputError: There is no file absent\.tsv"),
    (("pairs.tsv", "--columns", "label=gold"), 1, r"has no column 'gold' to take for label"),
    (("pairs.tsv", "--synonyms", "absent.txt"), 1, r"There is no file absent\.txt"),
    (("pairs.tsv", "--out", "pairs.tsv"), 1, r"--out pairs\.tsv is a file"),
    ((), 2, r"requires an argument|FILES"),
]


@pytest.mark.parametrize(("words", "code", "told"), REFUSED)
def test_what_cannot_be_done_is_one_message(run, pairs: Path, words: tuple[str, ...], code: int, told: str) -> None:
    done = run("corpus", "stats", *words)
    assert done.returncode == code
    assert re.search(told, done.stderr + done.stdout)
    assert "Traceback" not in done.stderr


GRADED = """left	right	label	annotator
A storm hit the coast.	The coast was hit by a storm.	4>	ann
A storm hit the coast.	The coast was hit by a storm.	4>s	bo
It rained all night.	The town was flooded.	2	ann
The ferry was late.	Late was the ferry!	x	ann
"""


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    file = tmp_path / "graded.tsv"
    file.write_text(GRADED, encoding="utf-8")
    return file


def test_a_graded_corpus_is_made_and_what_became_of_every_pair_is_told(run, graded: Path, tmp_path: Path) -> None:
    words = ("corpus", "graded", graded.name, "--out", "corpus.jsonl", "--scheme", "base-and-direction")
    done = run(*words, "--both-ways")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "given: 3 pairs, 0 rewrites" in done.stderr
    assert "released: 2 pairs, 0 rewrites, 4 rows (50.0% paraphrases)" in done.stderr
    assert "labels (base-and-direction): 2 2, 4< 1, 4> 1" in done.stderr
    assert "people differ in: style 1" in done.stderr
    assert "left out: 1 × skipped" in done.stderr
    counted = run("corpus", "stats", "corpus.jsonl", "--language", "en", "--json")
    assert counted.returncode == 0, counted.stderr
    assert json.loads(counted.stdout)["labels"]["scheme"] == "graded"
    refused = run(*words)
    assert refused.returncode == 1
    assert "--overwrite" in refused.stderr


def test_json_tells_of_a_graded_corpus_alone_on_standard_output(run, graded: Path, tmp_path: Path) -> None:
    done = run("corpus", "graded", graded.name, "--out", "c.parquet", "--differing", "vote", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["pairs"], told["labels"], told["left_out"]) == (2, {"2": 1, "4>": 1}, {"skipped": 1})
    assert done.stderr == ""
    absent = run("corpus", "graded", "absent.tsv", "--out", "d.tsv")
    assert absent.returncode == 1
    assert "There is no file absent.tsv" in absent.stderr
    assert "Traceback" not in absent.stderr
    assert not (tmp_path / "d.tsv").exists()
