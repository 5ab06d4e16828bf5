"""`paraloom adversarial …` as a person meets it: play, report and effect."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

SOURCES = (
    "The storm hit the coast of Norland on Monday.",
    "The mayor refused to resign.",
    "Two ships sank near the harbour of Umber.",
    "The storm hit the coast of Norland on Monday.",
    "Many people left the town because the river rose.",
)
COLUMNS = (
    *("row", "round", "number", "source", "attempt", "top_k", "top_p", "score", "implication", "similarity"),
    *("is_mutual", "reward", "passes", "generator"),
)


def is_self_contained(page: Path) -> bool:
    text = page.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
    links = re.findall(r'(?:src|href)="(?!#|data:,)[^"]', text)
    return not links and not any(part in text for part in ("http://", "https://", "<script", "src="))


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "sources.txt").write_text("".join(f"{source}\n" for source in SOURCES), encoding="utf-8")
    return tmp_path / "sources.txt"


def test_two_games_are_played_and_reported_beside_each_other(run, sources: Path, tmp_path: Path) -> None:
    played = run("adversarial", "play", "sources.txt", "--generator", "lexical", "--attempts", "4", "--out", "game")
    assert played.returncode == 0, played.stderr
    assert played.stderr.splitlines()[-1] == "game/report.html"
    assert re.match(r"lexical passes for [0-9.]+% of 4 sources\.", played.stdout)
    assert "AP_T5, TwitterPPDB" in played.stdout
    names = ["attempts.parquet", "made_by.json", "report.html", "summary.json"]
    assert sorted(file.name for file in (tmp_path / "game").iterdir()) == names
    table = pq.read_table(tmp_path / "game" / "attempts.parquet")
    assert tuple(table.column_names) == COLUMNS
    assert 4 < len(table) <= 16
    assert is_self_contained(tmp_path / "game" / "report.html")

    other = run("adversarial", "play", "sources.txt", "--generator", "parrot", "--out", "parrots", "--json")
    assert other.returncode == 0, other.stderr
    written = json.loads(other.stdout)
    assert set(written["metrics"]) == {"parrot/apt-pass-per-source", "parrot/apt-best-reward"}
    assert set(written["signature"]) == set(written["metrics"])
    assert written["made_by"]["given"] == 4
    assert json.loads((tmp_path / "parrots" / "summary.json").read_text(encoding="utf-8")) == written

    both = run("adversarial", "report", "words=game", "parrots", "--out", "both", "--json")
    assert both.returncode == 0, both.stderr
    found = json.loads(both.stdout)
    assert [one["counts"]["name"] for one in found["sets"]] == ["words", "parrots"]
    assert [one["counts"]["attempts"] for one in found["sets"]] == [
        len(table),
        written["sets"][0]["counts"]["attempts"],
    ]
    assert [one["gain"] is None for one in found["sets"]] == [True, False]
    assert sorted(file.name for file in (tmp_path / "both").iterdir()) == ["report.html", "summary.json"]
    page = (tmp_path / "both" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert is_self_contained(tmp_path / "both" / "report.html")


def test_sources_may_come_through_a_pipe_in_a_column_and_the_first_are_left_out(run, tmp_path: Path) -> None:
    rows = "".join(json.dumps({"said": source}) + "\n" for source in SOURCES)
    words = ("--generator", "parrot", "--attempts", "2", "--column", "said", "--skip", "1", "--limit", "2")
    done = run("adversarial", "play", "-", *words, "--out", "game", "--json", stdin=rows)
    assert done.returncode == 0, done.stderr
    played = pq.read_table(tmp_path / "game" / "attempts.parquet").to_pylist()
    assert {(row["row"], row["source"]) for row in played} == {(2, SOURCES[1]), (3, SOURCES[2])}
    assert json.loads(done.stdout)["sets"][0]["given"] == 2


def test_published_files_are_reported_without_a_folder(run, tmp_path: Path) -> None:
    (tmp_path / "tried.tsv").write_text("x\ty\t0\t0\nA storm hit.\tIt blew hard.\t-0.2\t1\nA storm hit.\tTea\t-1\t0\n")
    done = run("adversarial", "report", "tried=tried.tsv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tried passes for 100% of 1 source.")
    assert done.stderr == ""
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".html"] == []


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """Twitter-URL and AP_H with pairs of our own, and attempts in the published form."""
    tokenised, apt = tmp_path / "corpora/twitter_url/tokenized_train", tmp_path / "corpora/apt"
    tokenised.mkdir(parents=True)
    apt.mkdir()
    pairs = [
        (f"boat {n} of {name} sank", f"{name} lost boat {n}" if n % 2 else f"tea for {n} please", n % 2)
        for n in range(40)
        for name in ("Norland", "Umber")
    ]
    (tokenised / "a.toks").write_text("".join(f"{left} today\n" for left, _, _ in pairs))
    (tokenised / "b.toks").write_text("".join(f"{right} today\n" for _, right, _ in pairs))
    (tokenised / "sim.txt").write_text("".join(f"{label}\n" for *_, label in pairs))
    lines = [f"then {left}\tthen {right}\t{label}\n" for left, right, label in pairs]
    (apt / "ap_h_train.tsv").write_text("text_a\ttext_b\tlabels\n" + "".join(lines))
    tried = [f"so {left}\tso {right}\t0.1\t{label}\n" for left, right, label in pairs]
    (tmp_path / "tried.tsv").write_text("x\ty\t0\t0\n" + "".join(tried))
    return tmp_path / "corpora"


QUICK = ("--systems", "ngram-regression")


def test_the_effect_is_printed_and_kept_and_goes_on(run, corpora: Path, tmp_path: Path) -> None:
    words = ("adversarial", "effect", "tried.tsv", "--data", "corpora", *QUICK, "--out", "effect")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ngram-regression: MCC on AP_H (10% of train) is ")
    assert "Twitter-URL + AP_H + tried" in done.stdout
    assert done.stderr.splitlines()[-1] == "effect/report.html"
    assert len(re.findall(r" …$", done.stderr, re.MULTILINE)) == 4
    assert is_self_contained(tmp_path / "effect" / "report.html")
    again = run(*words, "--json")
    assert again.returncode == 0, again.stderr
    assert " …" not in again.stderr
    found = json.loads(again.stdout)
    assert json.loads((tmp_path / "effect" / "adversarial.json").read_text(encoding="utf-8")) == found
    assert set(found["signature"]) == set(found["metrics"])
    (table,) = found["tables"]
    assert table["rows"][0]["metrics"]["mcc"]["published"] == 0.218
    assert set(table["rows"][1]["metrics"]["gain"]) == {"difference", "low", "high", "p_bootstrap"}


REFUSED = [
    (("play", "nowhere.txt", "--out", "out"), "nowhere.txt"),
    (("play", "sources.txt", "--out", "out", "--generator", "nosuch"), "There is no generator 'nosuch'"),
    (("play", "sources.txt", "--out", "out", "--rounds", "0"), "--rounds is 0. Give a number from 1 on."),
    (("play", "sources.txt", "--out", "out", "--batch", "0"), "--batch 0 makes no progress."),
    (("play", "sources.txt", "--out", "sources.txt", "--generator", "parrot"), "is a file, or lies in one"),
    (("report", "nowhere"), "nowhere is no file or folder of attempts."),
    (("report", "sources.txt"), "sources.txt is no file of attempts"),
    (("effect", "nowhere", "--data", ".", *QUICK), "No file of Twitter-URL"),
    (("effect", "x", "--data", ".", *QUICK, "--corpora", "ap-h"), "give at least one, and not ap-h"),
    (("effect", "x", "--data", ".", *QUICK, "--beside", "twitter-url"), "twitter-url is given with --corpora and"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_what_cannot_be_is_one_message_and_leaves_nothing(run, sources: Path, tmp_path: Path, words, told: str) -> None:
    done = run("adversarial", *words)
    assert done.returncode == 1
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_game_is_not_played_in(run, sources: Path, tmp_path: Path) -> None:
    words = ("adversarial", "play", "sources.txt", "--generator", "parrot", "--attempts", "2", "--out", "game")
    assert run(*words).returncode == 0
    before = (tmp_path / "game" / "attempts.parquet").read_bytes()
    done = run(*words, "--seed", "2")
    assert done.returncode == 1
    assert "game holds another game: game was" in " ".join(done.stderr.split())
    assert (tmp_path / "game" / "attempts.parquet").read_bytes() == before
