"""`paraloom evaluate identification` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PAIRS = "left\tright\tlabel\tscore\n" + "".join(
    f"storm {n} hits the coast\tthe coast is hit by storm {n}\t{int(n % 3 == 0)}\t{0.9 if n % 4 == 0 else 0.2}\n"
    for n in range(48)
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def test_json_is_one_object_and_nothing_else(run, pairs: Path) -> None:
    done = run("evaluate", "identification", pairs.name, "--json", "--resamples", "50")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert {"f1", "precision", "recall", "accuracy", "mcc", "max-f1", "average-precision", "ece"} <= set(
        written["metrics"]
    )
    assert written["signature"]["f1"].startswith("f1|threshold:0.5|")
    # 12 pairs are scored .9, 4 of them among the 16 paraphrases.
    assert written["metrics"]["precision"] == pytest.approx(4 / 12)
    assert written["metrics"]["recall"] == pytest.approx(4 / 16)


def test_tables_are_printed_and_the_report_is_written(run, pairs: Path, tmp_path: Path) -> None:
    done = run("evaluate", "identification", pairs.name, "--out", "report", "--resamples", "50", "--slice-by", "length")
    assert done.returncode == 0, done.stderr
    assert "average-precision" in done.stdout
    assert "by length" in done.stdout
    assert done.stderr.strip() == "report/report.html"
    assert (tmp_path / "report" / "report.html").is_file()
    assert json.loads((tmp_path / "report" / "identification.json").read_text(encoding="utf-8"))["pairs"] == 48


def test_two_systems_are_compared(run, pairs: Path, tmp_path: Path) -> None:
    other = PAIRS.replace("\t0.9\n", "\t0.1\n")
    (tmp_path / "other.tsv").write_text(other, encoding="utf-8")
    done = run("evaluate", "identification", pairs.name, "other.tsv", "--json", "--resamples", "50")
    written = json.loads(done.stdout)
    assert list(written["systems"]) == ["pairs", "other"]
    assert {one["metric"] for one in written["comparisons"]} >= {"f1", "accuracy"}


def test_a_model_can_score_the_pairs_itself(run, pairs: Path) -> None:
    done = run("evaluate", "identification", pairs.name, "--model", "ngram-regression", "--json", "--resamples", "20")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["made_by"].startswith("ngram-regression|")


def test_what_is_wrong_is_said_in_words(run, tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("left\tright\tlabel\tscore\na\tb\t0\t0.4\n", encoding="utf-8")
    done = run("evaluate", "identification", "one.tsv")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "The labels hold no paraphrase" in done.stderr
    assert "Traceback" not in done.stderr
