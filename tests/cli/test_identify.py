"""`paraloom identify` as a person meets it: files in and out, pipes, one pair at once, errors that say what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PAIRS = "left\tright\tid\nthe storm hit the coast\ta storm hits the coast\t7\nthe market fell\tcats sleep\t8\n"
QUICK = ("--model", "ngram-regression")
SCORED = [("7", "1"), ("8", "0")]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    return tmp_path / "pairs.tsv"


def test_a_file_is_scored_into_another(run: Run, pairs: Path) -> None:
    done = run("identify", "pairs.tsv", "--out", "scores.tsv", *QUICK)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "2 pairs, 1 paraphrase (50.0%)" in done.stderr
    assert "ngram-regression|" in done.stderr
    header, *rows = [line.split("\t") for line in (pairs.parent / "scores.tsv").read_text().splitlines()]
    assert header == ["left", "right", "id", "score", "is_paraphrase"]
    assert [(row[2], row[4]) for row in rows] == SCORED
    assert sorted(os.listdir(pairs.parent)) == ["pairs.tsv", "scores.tsv"]


def test_what_was_counted_is_one_object_if_asked(run: Run, pairs: Path) -> None:
    done = run("identify", "pairs.tsv", "--out", "scores.jsonl", "--json", "--threshold", "0.001", *QUICK)
    counted = json.loads(done.stdout)
    assert (counted["pairs"], counted["paraphrases"], counted["out"]) == (2, 2, "scores.jsonl")
    assert counted["signature"].endswith("|definition:loose|threshold:0.001")


@pytest.mark.parametrize("given", [PAIRS, PAIRS.replace("\t", ","), '{"left": "a b c", "right": "a b c"}\n'])
def test_it_stands_in_a_pipe(given: str, run: Run, tmp_path: Path) -> None:
    done = run("identify", "-", "--out", "-", *QUICK, stdin=given)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(given.splitlines())
    assert "is_paraphrase" in lines[0]
    assert "paraphrase" in done.stderr
    assert os.listdir(tmp_path) == []


def test_one_pair_is_answered_with_its_words(run: Run) -> None:
    done = run(
        "identify", "--left", "The storm hit the coast.", "--right", "-5 degrees: a storm struck the shore.", *QUICK
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("score 0.")
    assert "storm   storm" in done.stdout
    assert "a number that only the right text has: 5" in done.stdout


def test_one_pair_is_one_object_if_asked(run: Run) -> None:
    done = run("identify", "--left", "a storm", "--right", "a storm", "--json", *QUICK)
    answer = json.loads(done.stdout)
    assert (answer["is_paraphrase"], answer["definition"]) == (1, "loose")
    assert [pair["kind"] for pair in answer["words"]["aligned"]] == ["same", "same"]


REFUSED = [
    ((), "Give a file of pairs and --out FILE, or one pair"),
    (("pairs.tsv",), "--out FILE"),
    (("--left", "a"), "Give both"),
    (("pairs.tsv", "--left", "a", "--right", "b"), "neither a file nor --out"),
    (("pairs.tsv", "--out", "-", "--json"), "Give --out a file"),
    (("nowhere.tsv", "--out", "scores.tsv"), "There is no file nowhere.tsv"),
    (("pairs.tsv", "--out", "scores.docx"), "Files with rows end in"),
    (("pairs.tsv", "--out", "scores.tsv", "--model", "nobody"), "There is no identifier 'nobody'"),
    (("pairs.tsv", "--out", "scores.tsv", "--definition", "graded", *QUICK), "not trained for the definition 'graded'"),
    (("pairs.tsv", "--out", "scores.tsv", "--columns", "left=text", "right=id"), "has no column 'text'"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_an_error_says_what_to_do_and_leaves_nothing(words: tuple[str, ...], told: str, run: Run, pairs: Path) -> None:
    done = run("identify", *words)
    assert done.returncode == 1
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert os.listdir(pairs.parent) == ["pairs.tsv"]


LIGHT = """
import sys, time
began = time.process_time()
from paraloom.cli import app
words = ["--left", "The storm hit the coast.", "--right", "A storm struck the shore.", "--model", sys.argv[1]]
app(["identify", *words], result_action="return_value")
print(time.process_time() - began)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize(("model", "most"), [("ngram-regression", 1.0), ("paraloom", 1.2)])
def test_one_pair_needs_nothing_heavy_and_about_a_second(
    model: str, most: float, child_environment: dict[str, str]
) -> None:
    seconds = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", LIGHT, model],
            env={**child_environment, "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        *_, spent, modules = done.stdout.splitlines()
        assert not {"torch", "daft", "pyarrow", "sklearn", "numba", "transformers"} & set(modules.split())
        seconds.append(float(spent))
    print(f"one pair by {model}: {min(seconds):.2f} s of work")
    assert min(seconds) < most  # of this process alone: the machine may be busy with others
