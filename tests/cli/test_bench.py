"""`paraloom bench identification` as a person meets it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

SUBJECTS = ("the mayor", "a storm", "the council", "her doctor", "the river", "our team")
VERBS = ("closed", "reached", "praised", "left", "flooded", "bought")
OBJECTS = ("the bridge", "the harbour", "a new school", "the market", "an old mill", "the garden")


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """A folder with a made-up corpus in MSRP's form."""
    draw = random.Random(3)
    lines = ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"]
    for number in range(90):
        said = [draw.choice(SUBJECTS), draw.choice(VERBS), draw.choice(OBJECTS)]
        label = number % 3 != 0
        other = [*said[:2], draw.choice(OBJECTS)] if label else [draw.choice(SUBJECTS), draw.choice(VERBS), "today"]
        lines.append(
            f"{int(label)}\t{number}\t{number}\t{' '.join(said)} on day {number}\t{' '.join(other)} ({number})"
        )
    (tmp_path / "corpora" / "msrp").mkdir(parents=True)
    file = tmp_path / "corpora" / "msrp" / "msr_paraphrase_train.txt"
    file.write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "corpora"


ASKED = ("--systems", "random", "ngram-regression", "--folds", "3", "--resamples", "30")


def test_tables_are_printed_with_published_figures_and_missing_corpora_named(run, corpora: Path) -> None:
    done = run("bench", "identification", "--data", str(corpora), *ASKED)
    assert done.returncode == 0, done.stderr
    assert "MSRP: Lan et al. (2017), Table 8." in done.stdout
    assert "0.829" in done.stdout
    assert "qqp is skipped: " in done.stdout
    assert "not run" in done.stdout
    assert "msrp · ngram-regression: fold 1 of 3, seed 1: " in done.stderr
    crowd = next(line for line in done.stdout.splitlines() if line.startswith("DeBERTa-v3-large"))
    assert "the corpus is not in the folder" in crowd


def test_json_is_one_object_with_metrics_and_signatures(run, corpora: Path, tmp_path: Path) -> None:
    done = run("bench", "identification", "--data", str(corpora), *ASKED, "--out", str(tmp_path / "out"), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    regression = found["systems"]["msrp/ngram-regression"]
    assert {"f1", "precision", "recall", "accuracy", "mcc", "average-precision", "max-f1"} <= set(regression["metrics"])
    assert "pairs:90" in regression["signature"]["max-f1"]
    assert found["not_run"]["msrp/esim glove-100d"] == "not asked for"
    assert found["tables"]["lan-8"]["rows"][3]["published"]["max-f1"] == 0.829
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"{regression['metrics']['max-f1']:.3f}" in report
    assert json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8")) == found
    again = run(
        "bench",
        "identification",
        "--data",
        str(corpora),
        "--out",
        str(tmp_path / "out"),
        "--no-fit",
        "--resamples",
        "30",
        "--json",
    )
    assert json.loads(again.stdout)["systems"] == found["systems"]


REFUSED = [
    (("--systems", "bert"), "There is no system 'bert'"),
    (("--corpora", "quora"), "There is no corpus 'quora'"),
    (("--folds", "0"), "--folds 0 makes no sense"),
    (("--seeds", "2", "2"), "--seeds 2 2: give at least one, each once"),
    (("--epochs", "0"), "epochs=0 cannot be followed"),
    (("--no-fit",), "--no-fit makes the report of results in --out."),
    (("--no-fit", "--out", "new"), "--no-fit makes the report of results in --out; new holds none."),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_what_makes_no_sense_is_refused_before_anything_is_run(run, corpora: Path, words, told: str) -> None:
    done = run("bench", "identification", "--data", str(corpora), *words)
    assert done.returncode != 0
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_folder_without_corpora_is_an_error(run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("bench", "identification", "--data", "empty")
    assert done.returncode == 1
    assert "holds none of msrp" in " ".join(done.stderr.split())
    missing = run("bench", "identification", "--data", "nowhere")
    assert "nowhere is no folder" in " ".join(missing.stderr.split())
