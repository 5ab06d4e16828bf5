"""`paraloom evaluate retrieval` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EVENTS = (
    ("a storm hits the coast of norland", "norland's coast is hit by a storm", "4"),
    ("three people are missing", "nobody knows where the crew is", "4<"),
    ("brightfern buys its rival caldera", "caldera is bought by brightfern", "4"),
    ("the price is three billion", "it costs a fortune", "3"),
    ("the mayor opens a school", "a school is closed by the mayor", "2"),
)

GOLDEN = """\
Distractors: 2 distinct texts.

pairs.tsv: 4 paraphrases of 5 pairs, each looked for among 11 candidates.

paraphrases         characters-exact
top-1            0.500 (0.000–0.944)
top-3            0.750 (0.250–1.000)
average-rank, %   27.27 (1.02–71.70)
mrr              0.606 (0.165–0.962)
top-1-forgiving  0.500 (0.000–0.944)
roc-auc          0.500 (0.000–0.781)

characters-exact  pairs  top-1  top-3  beyond 3  average-rank, %        95%    mrr
2                     1  1.000  1.000     0.000             0.00          –  1.000
3                     1  0.000  0.000     1.000            90.91          –  0.091
4</>                  1  0.000  1.000     0.000            18.18          –  0.333
4                     2  1.000  1.000     0.000             0.00  0.00–0.00  1.000
"""
"""By hand: 0, 2, 0 and 10 candidates stand before the answers of the paraphrases."""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text("left\tright\tlabel\n" + "".join("\t".join(row) + "\n" for row in EVENTS), encoding="utf-8")
    (tmp_path / "others.txt").write_text("rain fell on the coast\nthe storm is over\n", encoding="utf-8")
    return file


ASKED = ("--embedder", "characters-exact", "--distractors", "others.txt", "--k", "1", "3", "--resamples", "50")


def test_tables_are_printed_and_the_report_is_written(run, pairs: Path, tmp_path: Path) -> None:
    done = run("evaluate", "retrieval", pairs.name, *ASKED, "--out", "report")
    assert done.returncode == 0, done.stderr
    assert done.stdout == GOLDEN
    assert done.stderr.splitlines()[-1] == "report/report.html"
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert json.loads((tmp_path / "report" / "retrieval.json").read_text(encoding="utf-8"))["candidates"] == 11


def test_json_is_one_object_and_nothing_else(run, pairs: Path) -> None:
    done = run("evaluate", "retrieval", pairs.name, *ASKED, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found["metrics"]) == ["top-1", "top-3", "average-rank", "mrr", "top-1-forgiving", "roc-auc"]
    assert found["signature"]["top-1"].startswith("top-1|candidates:11|ties:mean|pairs:4|query:left|distinct:text-key|")
    assert list(found["labels"]) == ["2", "3", "4</>", "4"]
    assert found["distractors"] == 2


def test_two_embedders_are_compared(run, pairs: Path) -> None:
    done = run("evaluate", "retrieval", pairs.name, "--embedder", "characters-exact", "characters", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found["systems"]) == ["characters-exact", "characters"]
    assert {one["metric"] for one in found["comparisons"]} == {"top-1", "average-rank", "mrr", "roc-auc"}


def test_what_is_wrong_is_said_in_words(run, pairs: Path) -> None:
    pairs.write_text("left\tright\tlabel\na storm\tgale\tmaybe\n", encoding="utf-8")
    done = run("evaluate", "retrieval", pairs.name, "--embedder", "characters")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "line 2: the label is 'maybe'" in done.stderr
    assert "Traceback" not in done.stderr
