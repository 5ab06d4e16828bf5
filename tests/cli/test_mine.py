"""`paraloom mine` as a person meets it: files and a pipe in, a file of pairs out, broken input told and survived."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import EVENTS, Run

TEXTS = [text for texts in EVENTS.values() for text in texts]


def test_a_pipe_and_a_broken_shard_give_a_file_of_pairs_and_an_exit_status(run: Run, tmp_path: Path) -> None:
    packed = gzip.compress(("\n".join(TEXTS[5:]) + "\nthe end\n" * 20_000).encode())
    (tmp_path / "shard.txt.gz").write_bytes(packed[:-16])
    words = ("mine", "-", "shard.txt.gz", "--out", "found.tsv", "--no-identify", "--min-similarity", "0.4")
    told = run(*words, stdin="\n".join([*TEXTS[:5], "", TEXTS[0].upper()]) + "\n")
    assert told.returncode == 3, told.stderr
    assert told.stdout == "found.tsv\n"
    assert "Broken: shard.txt.gz (truncated file, at " in told.stderr
    assert "11 different sentences of " in told.stderr
    header, *lines = (tmp_path / "found.tsv").read_text("utf-8").splitlines()
    assert header.split("\t")[:2] == ["left", "right"]
    pairs = {frozenset(line.split("\t")[:2]) for line in lines}
    assert frozenset(EVENTS["storm"][1:3]) in pairs
    assert not any({EVENTS["storm"][1], text} in pairs for text in EVENTS["merger"])
    summary = json.loads((tmp_path / "found.tsv.run" / "summary.json").read_text("utf-8"))
    assert summary["sentences"]["broken"][0]["file"] == "shard.txt.gz"


def test_a_wrong_column_is_refused_and_files_without_a_sentence_are_no_success(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said").mkdir()
    (tmp_path / "said" / "said.jsonl").write_text("".join(f'{{"body": "{text}", "n": 7}}\n' for text in TEXTS))
    (tmp_path / "said" / "part-00000").write_text("Not read\n")
    refused = run("mine", "said", "--out", "run", "--columns", "text=boddy")
    assert refused.returncode == 1
    assert 'has no column \'boddy\' (--columns text=boddy); it has ["body","n"]' in refused.stderr
    assert not (tmp_path / "run").exists()
    none = run("mine", "said", "--out", "said/run", "--no-identify", "--columns", "text=n")
    assert none.returncode == 3, none.stderr
    assert "Passed over: 1 file (1 without an ending)." in none.stderr
    assert "10 of 10 texts were left out. Is the text in another column" in none.stderr


def test_a_run_is_looked_up_and_explained(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("\n".join(TEXTS) + "\n")
    made = run("mine", "said.txt", "--out", "run", "--identifier", "ngram-regression", "--keep-negatives")
    assert made.returncode == 0, made.stderr
    assert made.stdout == "run/pairs.tsv\n"
    best = (tmp_path / "run" / "pairs.tsv").read_text("utf-8").splitlines()[1].split("\t")
    looked = json.loads(run("mine", "lookup", "run", best[0], "-k", "2", "--json").stdout)
    assert len(looked["found"]) == 2
    assert looked["found"][0]["text"] == best[0]
    assert looked["found"][0]["similarity"] == 1.0
    piped = run(
        "mine", "lookup", "run", best[1], "--file", "-", "-k", "1", "--json", stdin=f"{TEXTS[0]}\n\n{TEXTS[7]}\n"
    )
    found = [json.loads(line) for line in piped.stdout.splitlines()]
    assert [each["text"] for each in found] == [best[1], TEXTS[0], "", TEXTS[7]]
    assert [len(each["found"]) for each in found] == [1, 1, 0, 1]
    assert "no text to look for" in run("mine", "lookup", "run").stderr
    refused = run("mine", "lookup", "run", best[0], "--probes", "-3")
    assert refused.returncode == 1
    assert "--probes -3: give 0 or more." in refused.stderr
    explained = run("explain", best[-1][:12], "--run", "run")
    assert explained.stdout.startswith(f"pair {best[-1]}\n  proposed by neighbours:fast")


def test_a_run_grows_as_it_was_mined_and_what_is_said_otherwise_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("\n".join(TEXTS[:6]) + "\n")
    (tmp_path / "more.txt").write_text("\n".join(TEXTS[6:]) + "\n")
    how = ("--embedder", "characters", "--dims", "64", "--neighbours", "3", "--ignore-punctuation")
    assert run("mine", "said.txt", "--out", "run", "--no-identify", *how).returncode == 0
    grown = run("mine", "more.txt", "run", "--out", "grown", "--no-identify", "--neighbours", "4")
    assert grown.returncode == 0, grown.stderr
    assert "As run was mined: --ignore-punctuation --embedder characters --dims 64\n" in grown.stderr
    assert "Of run 6 vectors are used again" in grown.stderr
    options = json.loads((tmp_path / "grown" / "options.json").read_text("utf-8"))
    assert options["embed"] == {"embedder": "characters", "dims": 64, "max_tokens": 0}
    assert options["search"]["neighbours"] == 4
    assert options["lines"]["ignore_punctuation"] is True
    told = "Nothing but the sentences of run is used again: it was embedded with characters, and now with fast."
    anew = run("mine", "run", "more.txt", "--out", "anew", "--no-identify", "--embedder", "fast", "--dims", "0")
    assert anew.returncode == 0, anew.stderr
    assert told in anew.stderr
    assert json.loads((tmp_path / "anew" / "summary.json").read_text("utf-8"))["search"]["embedder"] == "fast"


def test_a_file_of_pairs_stands_for_its_run_and_is_not_written_over_when_a_person_has_changed_it(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "said.txt").write_text("\n".join(TEXTS) + "\n")
    mining = ("mine", "said.txt", "--out", "found.tsv", "--no-identify", "--min-similarity", "0.4")
    assert run(*mining).returncode == 0
    looked = run("mine", "lookup", "found.tsv", TEXTS[0], "-k", "1", "--json")
    assert json.loads(looked.stdout)["found"][0]["text"] == TEXTS[0]
    assert run(*mining).returncode == 0, "it is as it was written"
    noted = (tmp_path / "found.tsv").read_text() + "\n# seen\n"
    (tmp_path / "found.tsv").write_text(noted)
    refused = run(*mining)
    assert refused.returncode == 1
    assert "found.tsv has been changed since it was written" in refused.stderr
    assert (tmp_path / "found.tsv").read_text() == noted
    (tmp_path / "found.tsv").unlink()
    assert run(*mining).returncode == 0
    assert noted.startswith((tmp_path / "found.tsv").read_text())


def test_texts_to_look_up_may_be_packed_and_a_file_that_is_not_there_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("\n".join(TEXTS) + "\n")
    assert run("mine", "said.txt", "--out", "run", "--no-identify").returncode == 0
    (tmp_path / "asked.txt.gz").write_bytes(gzip.compress(f"{TEXTS[0]}\r\n{TEXTS[7]}\n".encode()))
    looked = run("mine", "lookup", "run", "--file", "asked.txt.gz", "-k", "1", "--json")
    assert [json.loads(line)["found"][0]["text"] for line in looked.stdout.splitlines()] == [TEXTS[0], TEXTS[7]]
    missing = run("mine", "lookup", "run", "--file", "askd.txt")
    assert missing.returncode == 1
    assert "askd.txt is no file. Give --file" in missing.stderr


def test_a_run_that_grows_does_not_tell_of_files_that_were_broken_before(run: Run, tmp_path: Path) -> None:
    packed = gzip.compress(("\n".join(TEXTS) + "\nthe end\n" * 20_000).encode())
    (tmp_path / "shard.txt.gz").write_bytes(packed[:-16])
    broken = run("mine", "shard.txt.gz", "--out", "run", "--no-identify")
    assert broken.returncode == 3
    (tmp_path / "whole.txt").write_text("\n".join(TEXTS) + "\nThe tide is high\n")
    grown = run("mine", "run", "whole.txt", "--out", "grown", "--no-identify")
    assert grown.returncode == 0, grown.stderr
    assert "Broken" not in grown.stderr


def test_a_file_that_cannot_be_written_is_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("\n".join(TEXTS) + "\n")
    refused = run("mine", "said.txt", "--out", "pairs.tsv.bz2", "--no-identify")
    assert refused.returncode == 1, refused.stderr
    assert not (tmp_path / "pairs.tsv.bz2").exists()


def test_nothing_is_found_in_a_run_without_sentences(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("12:30\n")
    assert run("mine", "said.txt", "--out", "run", "--no-identify").returncode == 3
    looked = run("mine", "lookup", "run", "A storm")
    assert looked.returncode == 0, looked.stderr
    assert looked.stdout == "A storm\n  nothing is near: the run has no sentences\n"


def test_a_name_that_is_no_utf8_is_told_on_the_screen(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    try:
        (tmp_path / name).write_bytes(b"")
    except OSError:
        pytest.skip("this file system has names in UTF-8 alone")
    (tmp_path / "said.txt").write_text("\n".join(TEXTS) + "\n")
    made = run("mine", name, "said.txt", "--out", "run", "--no-identify")
    assert made.returncode == 0, made.stderr
    assert r"caf\xe9.txt is a file with nothing in it." in made.stderr
