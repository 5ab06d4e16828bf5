"""`paraloom evaluate parrot` from the command line: what copying scores, in words, as JSON and as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

TOWNS = ("Arden Falls", "Norland", "Riverside", "Brightfern", "Caldera")
EVENTS = (
    ("the council closed the old bridge in {town}", "{town} has shut its old bridge", "old bridge in {town} closed"),
    (
        "a storm hit the harbour of {town} last night",
        "last night a storm hit {town} and its harbour",
        "storm hits {town}",
    ),
    ("who will win the boat race in {town}", "who is going to win the race of {town}", "boat race in {town}: who wins"),
    ("the night tram to {town} is late again", "again the tram to {town} is late", "no night tram to {town} yet"),
)
ROWS = [tuple(text.format(town=town) for text in event) for event in EVENTS for town in TOWNS]
QUICK = ("--metrics", "bleu", "ter", "self-bleu")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    lines = [f"{source}\t{reference}" for source, *references in ROWS for reference in references]
    (tmp_path / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def told(done: Any) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_full_parrot_scores_what_sacrebleu_says(run, pairs: Path) -> None:
    found = told(run("evaluate", "parrot", "pairs.tsv", *QUICK, "--json"))
    sources, *streams = (list(texts) for texts in zip(*ROWS, strict=True))
    assert found["metrics"]["bleu"] == pytest.approx(sacrebleu.corpus_bleu(sources, streams).score)
    assert found["metrics"]["ter"] == pytest.approx(sacrebleu.corpus_ter(sources, streams).score)
    assert found["metrics"]["self-bleu"] == pytest.approx(100)
    assert set(found["signature"]) == set(found["metrics"])
    assert found["set"]["sources"] == 20
    assert len(found["curves"]) == 3 * 6 * 12


def test_published_figures_stand_beside_ours_with_the_reasons_they_differ(run, pairs: Path) -> None:
    done = run("evaluate", "parrot", "pairs.tsv", *QUICK, "--dataset", "quora")
    assert done.returncode == 0, done.stderr
    assert re.search(r"bleu +[\d.]+ +\S+ +41\.59 +43\.54 +Li et al\. 2018", done.stdout)
    assert "0% of which end in a final mark" in done.stdout


def test_a_set_of_single_references_is_warned_of(run, pairs: Path) -> None:
    done = run("evaluate", "parrot", "pairs.tsv", *QUICK, "--max-references", "1")
    assert "WARNING: 100% of the sources have a single reference." in done.stdout
    assert "WARNING" not in run("evaluate", "parrot", "pairs.tsv", *QUICK, "--min-references", "2").stdout


def test_a_final_mark_alone_is_worth_something(run, pairs: Path) -> None:
    plain, marked = (
        told(run("evaluate", "parrot", "pairs.tsv", *QUICK, "--json", *flags))["metrics"]
        for flags in ((), ("--append", " ?"))
    )
    assert marked["ter"] < plain["ter"] - 3


def test_sampled_test_sets_spread_around_the_whole(run, pairs: Path) -> None:
    flags = ("--samples", "40", "--sample-size", "10", "--seed", "3")
    found = told(run("evaluate", "parrot", "pairs.tsv", *QUICK, *flags, "--json"))
    (bleu,) = (one for one in found["sampled"] if one["name"] == "bleu")
    assert bleu["smallest"] < bleu["mean"] < bleu["largest"]
    assert abs(bleu["mean"] - found["metrics"]["bleu"]) < 5
    again = told(run("evaluate", "parrot", "pairs.tsv", *QUICK, *flags, "--json"))
    assert again == found


def test_a_report_is_written(run, pairs: Path) -> None:
    done = run("evaluate", "parrot", "pairs.tsv", *QUICK, "--out", "report")
    assert done.returncode == 0, done.stderr
    page = (pairs / "report" / "report.html").read_text(encoding="utf-8")
    numbers = json.loads((pairs / "report" / "parrot.json").read_text(encoding="utf-8"))
    assert f"{numbers['metrics']['bleu']:.2f}" in page


REFUSED = [
    (("absent.tsv",), 1, r"There is no file absent\.tsv"),
    (("pairs.tsv", "--ratios", "1.5"), 1, r"--ratios 1\.5 is no share of words"),
    (("pairs.tsv", "--min-references", "9"), 1, r"no source is left of 20.*most references that one has are 2"),
    (("pairs.tsv", "--samples", "-1"), 1, r"--samples -1 is less than none"),
    (("pairs.tsv", "--dataset", "wiki"), 2, r"wiki"),
    (("pairs.tsv", "--seed", "-1"), 1, r"--seed -1 is below 0"),
    (("pairs.tsv", "--out", "pairs.tsv"), 1, r"--out pairs\.tsv is a file"),
    (("pairs.tsv", "--out", "pairs.tsv/report"), 1, r"--out pairs\.tsv/report is a file, or lies in one"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSED)
def test_what_cannot_be_done_is_said_in_words(run, pairs: Path, words, code: int, message: str) -> None:
    done = run("evaluate", "parrot", *words, *QUICK)
    assert done.returncode == code
    assert re.search(message, " ".join(done.stderr.replace("│", " ").split()))
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
