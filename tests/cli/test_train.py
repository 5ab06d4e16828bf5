"""`paraloom train …`: what a person types, sees and finds in the folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.cli import app
from paraloom.models.training.plan import PlanOptions


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    lines = ["sentence1\tsentence2\tgold"]
    for day in range(120):
        said = "it rained in town" if day % 3 else "the market fell"
        lines.append(f"rain fell on the town on day {day}\ton day {day} {said}\t{int(day % 3 > 0)}")
    (tmp_path / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "pairs.tsv"


COLUMNS = ("--columns", "left=sentence1", "right=sentence2", "label=gold")


def test_figures_are_printed_and_the_card_is_named(run, pairs: Path) -> None:
    words = ("train", "identifier", "pairs.tsv", "--system", "ngram-regression", "--out", "mine", *COLUMNS)
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert "LR: 19 parameters" in done.stdout
    assert "average-precision" in done.stdout
    assert "mine/README.md" in done.stderr
    again = run(*words, "--json")
    told = json.loads(again.stdout)
    assert told["metrics"]["f1"] > 0.9
    assert told["signature"]["identifier"].startswith("ngram-regression|")
    assert told["seeds"] == {"1": {"loose": told["metrics"]["f1"]}}
    scored = run("evaluate", "identification", "pairs.tsv", "--model", "mine", "--json", *COLUMNS)
    assert json.loads(scored.stdout)["metrics"]["f1"] > 0.9


def test_settings_may_stand_in_a_file(run, pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "paraloom.toml").write_text(
        '[train.identifier]\nsystem = "edit-distance"\nsettings = ["unit=characters"]\nseeds = [3]\n', encoding="utf-8"
    )
    done = run("train", "identifier", "pairs.tsv", "--out", "mine", *COLUMNS)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "mine" / "identifier.json").read_text())["unit"] == "characters"
    assert json.loads((tmp_path / "mine" / "made_by.json").read_text())["seeds"] == [3]


def test_what_is_not_typed_is_left_to_the_system() -> None:
    words = ["train", "identifier", "pairs.tsv", "--out", "mine", "--epochs", "5", "--learning-rates", "1e-3", "1e-4"]
    _, bound, *_ = app.parse_args(words)
    assert bound.arguments["training"] == PlanOptions(epochs=5, learning_rates=(1e-3, 1e-4))


WRONG = [
    (("--system", "oracle"), "There is no system 'oracle'"),
    (("--system", "ngram-regression", "--epochs", "1"), "Leave out --epochs"),
    (("--learning-rates", "0"), "learning_rates"),
    (("--corpora", "msrp"), "--data FOLDER"),
    (("--corpora", "nosuch"), "There is no corpus 'nosuch'. Choose one of: twitter-url"),
]


@pytest.mark.parametrize(("words", "complaint"), WRONG)
def test_an_error_is_one_message_and_leaves_no_folder(
    run, pairs: Path, tmp_path: Path, words: tuple[str, ...], complaint: str
) -> None:
    done = run("train", "identifier", "pairs.tsv", "--out", "mine", *COLUMNS, *words)
    assert done.returncode != 0
    assert complaint in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "mine").exists()


def test_an_embedder_is_trained_named_and_used(run, tmp_path: Path) -> None:
    lines = [f"rain fell on the town on day {day}\tday {day}: the town had rain" for day in range(60)]
    (tmp_path / "same.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = (
        "train",
        "embedder",
        "same.tsv",
        "--out",
        "mine",
        "--epochs",
        "2",
        "--sizes",
        "64",
        "--hard-negatives",
        "1",
    )
    done = run(*words, "--objective", "contrastive", "binary")
    assert done.returncode == 0, done.stderr
    assert "static from fast, 256 dims" in done.stdout
    assert "mine/README.md" in done.stderr
    assert "Near texts as negatives" in done.stderr
    told = json.loads(run(*words, "--objective", "contrastive", "binary", "--json").stdout)
    assert told["signature"]["embedder"].startswith("embedder:mine|dims:256|")
    assert set(told["by_size"]) == {"64", "256"}
    wrong = run(*words, "--objective", "contrastive")
    assert wrong.returncode != 0
    assert "holds another training" in " ".join(wrong.stderr.split())
