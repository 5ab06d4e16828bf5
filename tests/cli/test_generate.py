"""`paraloom generate` as a person meets it: files in and out, pipes, texts at once, errors that say what to do."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

STORM = "The storm hit the coast of Norland on Monday and left 3 people dead."
SOURCES = f"{STORM}\n\nthe trams of the old town will stand still on friday\n"
PARROT = ("--generator", "parrot")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text(SOURCES, encoding="utf-8")
    return tmp_path / "s.txt"


def test_a_file_becomes_a_line_of_outputs_for_each_of_its_lines(run: Run, sources: Path) -> None:
    done = run("generate", "s.txt", "--out", "o.jsonl", "--as-pairs", "p.tsv", "--n", "2", *PARROT)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "3 sources, 4 outputs, 1 without any for empty" in done.stderr
    assert re.search(r"\d+ candidates refused: .*missing_name \d", done.stderr)
    assert "parrot|" in done.stderr
    rows = [json.loads(line) for line in (sources.parent / "o.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["source"] for row in rows] == SOURCES.splitlines()
    assert [len(row["outputs"]) for row in rows] == [2, 0, 2]
    assert rows[1]["dropped_for"] == "empty"
    assert sorted(os.listdir(sources.parent)) == ["o.jsonl", "p.tsv", "s.txt"]


def test_it_stands_in_a_pipe(run: Run, tmp_path: Path) -> None:
    done = run("generate", "-", "--n", "1", "--seed", "7", *PARROT, stdin=SOURCES)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["source"] for row in rows] == SOURCES.splitlines()
    as_jsonl = "".join(json.dumps({"text": line}) + "\n" for line in SOURCES.splitlines())
    again = run("generate", "-", "--out", "-", "--n", "1", "--seed", "7", *PARROT, stdin=as_jsonl)
    assert again.stdout == done.stdout
    assert os.listdir(tmp_path) == []


def test_texts_are_given_as_words_of_the_command(run: Run) -> None:
    done = run("generate", "--texts", STORM, "--texts", "-5 degrees and a storm in the old town", "--n", "2", *PARROT)
    assert done.returncode == 0, done.stderr
    first, second = [json.loads(line) for line in done.stdout.splitlines()]
    assert first["source"] == STORM
    assert second["source"].startswith("-5 degrees")


def test_what_was_counted_is_one_object_if_asked(run: Run, sources: Path) -> None:
    words = ("--keep", "none", "--when-too-few", "fill", "--max-candidates", "9", "--json")
    done = run("generate", "s.txt", "--out", "o.jsonl", *words, *PARROT)
    counted = json.loads(done.stdout)
    assert (counted["sources"], counted["dropped_for"]) == (3, {"empty": 1})
    assert "|candidates:9|tries:3|keep:none|" in counted["signature"]


def test_a_run_folder_is_made_of_a_file(run: Run, sources: Path) -> None:
    done = run("generate", "s.txt", "--run", "run", "--n", "2", "--json", *PARROT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pairs"] == 4
    assert (sources.parent / "run" / "pairs.made_by.json").is_file()


REFUSED = [
    ((), "Give a file of sources (- is standard input), or sources themselves with --texts"),
    (("s.txt", "--texts", "a"), "Give a file of sources"),
    (("s.txt", "--json"), "Give --out a file"),
    (("s.txt", "--as-pairs", "p.tsv"), "Give --out a file, too"),
    (("s.txt", "--out", "o.jsonl", "--run", "run"), "--run makes a run folder"),
    (("s.txt", "--engine", "ray"), "are about --run DIR"),
    (("absent.txt", "--out", "o.jsonl"), "There is no file absent.txt"),
    (("s.txt", "--out", "o.csv"), "one JSON object a line"),
    (("s.txt", "--out", "s.txt", "--overwrite"), "is the file of sources itself"),
    (("s.txt", "--out", "o.jsonl", "--batch", "0"), "--batch 0 makes no progress"),
    (("s.txt", "--out", "o.jsonl", "--n", "0"), "--n is 0"),
    (("s.txt", "--out", "o.jsonl", "--keep", "moods"), "--keep moods"),
    (("s.txt", "--out", "o.jsonl", "--generator", "nobody"), "There is no generator 'nobody'"),
    (("s.txt", "--out", "o.jsonl", "--rank-by", "mood", *PARROT), "Candidates cannot be put in order by 'mood'"),
    (("s.txt", "--out", "o.jsonl", "--beams", "9", *PARROT), "parrot does not decode: --beams"),
    (("s.txt", "--out", "o.jsonl", "--top-p", "9"), "top_p is 9.0"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_an_error_says_what_to_do_and_leaves_nothing(
    words: tuple[str, ...], told: str, run: Run, sources: Path
) -> None:
    done = run("generate", *words)
    assert done.returncode in (1, 2)
    assert told in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert os.listdir(sources.parent) == ["s.txt"]
