"""`paraloom phrases` as a person meets it: from pairs to a table to look into, and errors that say what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PAIRS = (
    "left\tright\n"
    "The storm hit the coast on Monday.\tA storm struck the coast on Monday.\n"
    "Officials say the storm hit Norland.\tOfficials say the storm struck Norland.\n"
    "The market fell.\tThe market dropped.\n"
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    return tmp_path


def test_pairs_become_a_ranked_table_that_is_looked_into(run: Run, pairs: Path) -> None:
    aligned = run("phrases", "align", "pairs.tsv", "--out", "aligned.jsonl", "--aligner", "lexical")
    assert aligned.returncode == 0, aligned.stderr
    assert "3 pairs aligned" in aligned.stderr
    extracted = run("phrases", "extract", "aligned.jsonl", "--out", "made", "--ppdb", "phrases.txt.gz", "--json")
    assert extracted.returncode == 0, extracted.stderr
    assert json.loads(extracted.stdout)["kept"] > 0
    again = run("phrases", "extract", "aligned.jsonl", "--out", "made", "--ppdb", "phrases.txt.gz")
    assert again.returncode == 1
    assert "--overwrite" in again.stderr
    assert run("phrases", "extract", "aligned.jsonl", "--out", "made", "--ppdb", "phrases.txt.gz", "--overwrite").stdout
    before = json.loads(run("phrases", "lookup", "made", "HIT", "--json").stdout)
    ranked = run("phrases", "rank", "made")
    assert ranked.returncode == 0, ranked.stderr
    after = json.loads(run("phrases", "lookup", "made", "hit", "--json").stdout)
    assert before["found"][0]["phrase"] == after["found"][0]["phrase"] == "struck"
    counted = run("phrases", "phenomena", "pairs.tsv", "--aligner", "lexical", "--resamples", "2", "--json")
    assert json.loads(counted.stdout)["metrics"]["pairs/synonym"] > 0


def test_what_an_aligner_is_told_goes_to_it(run: Run, pairs: Path) -> None:
    told = ("--aligner", "embedding", "--settings", "encoder=fast", "method=mwmf", "--json")
    aligned = run("phrases", "align", "pairs.tsv", "--out", "aligned.jsonl", *told)
    assert aligned.returncode == 0, aligned.stderr
    signature = json.loads(aligned.stdout)["signature"]["aligner"]
    assert "fast" in signature
    assert "mwmf" in signature


REFUSED = [
    (("align", "pairs.tsv", "--out", "x.jsonl", "--aligner", "magic"), "no aligner 'magic'. Choose one of: learned"),
    (("align", "pairs.tsv", "--out", "x.jsonl", "--settings", "mood=good"), "learned has no setting 'mood'"),
    (("align", "pairs.tsv", "--out", "x.jsonl", "--save", "kept"), "--save is for an aligner that learns"),
    (("phenomena", "pairs.tsv", "--aligner", "statistical"), "has to learn from pairs first: give --settings folder"),
    (("phenomena", "--check", ".", "--reference", "msrp"), "--check looks at P4P and MSRP-A alone"),
    (("rank", "pairs.tsv", "--out", "ranked.tsv.gz"), "How ranked.tsv.gz is to be written is not known"),
    (("lookup", "pairs.tsv", ""), "phrase"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_what_makes_no_sense_is_refused_in_words(words: tuple[str, ...], told: str, run: Run, pairs: Path) -> None:
    done = run("phrases", *words)
    assert done.returncode == 1
    assert told in " ".join(done.stderr.split())
    assert [file.name for file in pairs.iterdir()] == ["pairs.tsv"]
