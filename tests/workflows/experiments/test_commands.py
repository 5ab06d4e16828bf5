"""`paraloom experiment …` and `paraloom evaluate leakage` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

QUICK = ("--systems", "ngram-regression")


@pytest.mark.parametrize(
    ("name", "more"),
    [("definitions", ("--corpora", "twitter-url", "ap-h")), ("size", ("--groups", "40", "--seeds", "1", "2"))],
)
def test_an_experiment_prints_its_finding_and_writes_its_report(
    command, corpora: Path, tmp_path: Path, name, more
) -> None:
    done = command("experiment", name, "--data", corpora, *QUICK, *more, "--out", tmp_path / "report")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ngram-regression: ")
    assert str(tmp_path / "report" / "report.html") in done.stderr
    written = json.loads((tmp_path / "report" / f"{name}.json").read_text())
    assert written["experiment"] == name
    assert written["headline"] == done.stdout.splitlines()[0]


REFUSED = [
    (("noise", *QUICK, "--lambdas", "0.9"), "The limit λ is 0.9, but must be from 0 to less than .5."),
    (("noise", "--systems", "nosuch"), "There is no system 'nosuch'."),
    (
        ("bootstrap", *QUICK, "--part", "classifier", "embedder", "--embedder-base", "nosuch"),
        "The base 'nosuch' is not",
    ),
    (("bootstrap", *QUICK, "--part", "embedder", "--objective", "binary", "binary"), "--objective binary binary: give"),
    (("size", *QUICK, "--epochs", "3"), "is fitted in one go and has no training plan. Leave out --epochs."),
]


@pytest.mark.parametrize(("words", "complaint"), REFUSED)
def test_options_that_cannot_be_are_one_message_before_anything_is_done(
    command, corpora: Path, tmp_path: Path, words, complaint: str
) -> None:
    done = command("experiment", *words, "--data", corpora, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert complaint in " ".join(done.stderr.split())
    assert " …" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_without_the_corpora_is_one_message(command, tmp_path: Path) -> None:
    done = command("experiment", "noise", "--data", tmp_path, *QUICK)
    assert done.returncode == 1
    assert "No file of Twitter-URL" in done.stderr
    assert "Traceback" not in done.stderr


def write(folder: Path, name: str, *rows: str) -> Path:
    (folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return folder / name


def test_leakage_is_a_table_and_the_shared_pairs(command, tmp_path: Path) -> None:
    train = write(tmp_path, "train.tsv", "left\tright\tlabel", "A storm hit.\tIt blew\t1", "rain\tsnow\t0")
    dev = write(tmp_path, "dev.csv", "sentence1,sentence2", '"it blew!","a storm hit @ann"', "hail,sleet")
    done = command("evaluate", "leakage", train, "--held-out", dev)
    assert done.returncode == 0, done.stderr
    assert "take them out before training" in done.stdout
    assert "a storm hit @ann" in done.stdout


def test_leakage_is_refused_where_asked_after_it_was_shown(command, tmp_path: Path) -> None:
    train = write(tmp_path, "train.tsv", "left\tright", "a storm\ta gale")
    dev = write(tmp_path, "dev.tsv", "left\tright", "A gale\ta storm")
    done = command("evaluate", "leakage", train, "--held-out", dev, "--refuse", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["metrics"] == {"shared-pairs": 1, "shared-texts": 2}
    assert "Take them out" in done.stderr


def test_leakage_of_corpora_is_asked_by_name(command, corpora: Path, tmp_path: Path) -> None:
    dev = write(tmp_path, "dev.tsv", "left\tright", "hail\tsleet")
    done = command(
        "evaluate", "leakage", "pit2015", "ap-h:train", "--held-out", "pit2015:dev", dev, "--data", corpora, "--json"
    )
    assert done.returncode == 0, done.stderr
    compared = json.loads(done.stdout)["compared"]
    assert {(one["training"], one["held_out"]) for one in compared} == {
        (training, held_out)
        for training in ("pit2015:train", "pit2015:dev", "ap-h:train")
        for held_out in ("pit2015:dev", str(dev))
    }
    same = next(one for one in compared if one["training"] == one["held_out"])
    assert same["shared_pairs"] == same["held_out_pairs"]


WRONG = [
    (("msrp",), "Say where its files are: --data"),
    (("none.tsv",), "There is no file none.tsv"),
]


@pytest.mark.parametrize(("training", "complaint"), WRONG)
def test_what_cannot_be_compared_is_one_message(
    command, tmp_path: Path, training: tuple[str, ...], complaint: str
) -> None:
    dev = write(tmp_path, "dev.tsv", "left\tright", "hail\tsleet")
    done = command("evaluate", "leakage", *training, "--held-out", dev)
    assert done.returncode == 1
    assert complaint in " ".join(done.stderr.split())
