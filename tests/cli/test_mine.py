"""`paraloom mine` as a person meets it: files and a pipe in, a file of pairs out, broken input told and survived."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

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


def test_a_run_is_looked_up_and_explained(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("\n".join(TEXTS) + "\n")
    made = run("mine", "said.txt", "--out", "run", "--identifier", "ngram-regression", "--keep-negatives")
    assert made.returncode == 0, made.stderr
    assert made.stdout == "run/pairs.tsv\n"
    best = (tmp_path / "run" / "pairs.tsv").read_text("utf-8").splitlines()[1].split("\t")
    looked = json.loads(run("mine", "lookup", "run", best[0], "--k", "2", "--json").stdout)
    assert looked["found"][0]["text"] == best[0]
    assert looked["found"][0]["similarity"] == 1.0
    refused = run("mine", "lookup", "run", best[0], "--probes", "-3")
    assert refused.returncode == 1
    assert "--probes -3: give 0 or more." in refused.stderr
    explained = run("explain", best[-1][:12], "--run", "run")
    assert explained.stdout.startswith(f"pair {best[-1]}\n  proposed by neighbours:fast")
