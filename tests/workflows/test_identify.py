"""A file of pairs is scored row by row, whole or not at all; one pair is answered with the words behind its score."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from paraloom.errors import EngineError, InputError, TargetTaken
from paraloom.models.identifiers import Examples, load, untrained
from paraloom.models.identifiers.grades import quarters
from paraloom.workflows.identify.one_pair import identify_pair
from paraloom.workflows.identify.options import IdentifyOptions
from paraloom.workflows.identify.pair_file import identify_file
from paraloom.workflows.identify.unfinished import Journal, unfinished_beside

Quick = partial(IdentifyOptions, model="ngram-regression")
"""Options for a small model: what is tested here is the file's way, not who judges."""
CHILD = Path(__file__).with_name("identify_pairs.py")
PATIENCE = 120.0
WORDS = """
storm coast town hits misses three people market falls rises today minister says new law vote late early train station
closed open again after before fire crew rescue cat tree river flood bridge school teachers strike talks
"""


def sentence(drawn: random.Random) -> str:
    return " ".join(drawn.choice(WORDS.split()) for _ in range(drawn.randint(6, 14)))


def write_pairs(path: Path, rows: int, seed: int = 1) -> Path:
    drawn = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write("left\tright\tid\n")
        for row in range(rows):
            left = sentence(drawn)
            right = " ".join(drawn.sample(left.split(), 5)) if drawn.random() < 0.3 else sentence(drawn)
            file.write(f"{left}\t{right}\t{row}\n")
    return path


def read_tsv(path: Path) -> list[dict[str, str]]:
    header, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [dict(zip(header, line, strict=True)) for line in lines]


def test_every_row_gets_the_score_that_the_identifier_gives_it(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 50)
    identified = identify_file(pairs, tmp_path / "out.tsv", Quick(batch=7))
    given, found = read_tsv(pairs), read_tsv(tmp_path / "out.tsv")
    scores = load("ngram-regression").score([row["left"] for row in given], [row["right"] for row in given])
    assert [{name: row[name] for name in ("left", "right", "id")} for row in found] == given
    assert [float(row["score"]) for row in found] == scores.tolist()
    assert [row["is_paraphrase"] for row in found] == [str(int(score > 0.5)) for score in scores]
    assert list(found[0]) == ["left", "right", "id", "score", "is_paraphrase"]
    assert (identified.pairs, identified.counts.paraphrases) == (50, int((scores > 0.5).sum()))


@pytest.mark.parametrize("batch", [1, 3, 1000])
def test_the_batch_decides_no_byte(batch: int, tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 20)
    identify_file(pairs, tmp_path / "one.tsv", Quick())
    identify_file(pairs, tmp_path / "other.tsv", Quick(batch=batch))
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "other.tsv").read_bytes()


def test_the_threshold_moves_the_decision_and_no_score(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 30)
    identify_file(pairs, tmp_path / "out.csv", Quick(threshold=0.001))
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        assert {row["is_paraphrase"] for row in csv.DictReader(file)} == {"1"}


def test_pairs_that_come_again_are_scored_once_a_block(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("left\tright\n" + "a storm\ta gale\n" * 6, encoding="utf-8")
    assert identify_file(path, tmp_path / "out.tsv", Quick(batch=3)).counts.repeated == 4


LONG = " ".join(["storm"] * 10_000)
ODD_PAIRS = [("", "a storm"), ("", ""), ("a storm", "a storm"), (LONG, "a storm"), ("🙂", "\u200b"), ("\ud83d", "x")]


@pytest.mark.parametrize("ending", [".jsonl", ".tsv", ".parquet"])
def test_odd_pairs_have_a_score_and_are_counted(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        "".join(json.dumps({"left": left, "right": right}) + "\n" for left, right in ODD_PAIRS), encoding="utf-8"
    )
    identified = identify_file(path, tmp_path / f"out{ending}", Quick())
    assert identified.pairs == len(ODD_PAIRS)
    assert (identified.counts.empty, identified.counts.identical) == (2, 2)
    assert "2 with an empty side" in identified.as_text()
    if ending == ".parquet":
        scores = pq.read_table(tmp_path / "out.parquet").column("score").to_pylist()
        assert all(0 <= score <= 1 for score in scores)


def test_a_row_that_is_no_pair_is_kept_without_a_score_and_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"left": "a", "right": "b"}\nbroken\n{"left": "c", "right": "d"}\n', encoding="utf-8")
    identified = identify_file(path, tmp_path / "out.jsonl", Quick())
    first, second, third = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (first["dropped_for"], third["dropped_for"]) == (None, None)
    assert second == {"line": "broken", "score": None, "is_paraphrase": None, "dropped_for": "bad_row: not JSON"}
    assert (identified.pairs, identified.rows) == (2, 3)
    assert identified.as_json()["dropped_for"] == {"bad_row: not JSON": 1}
    assert "1 without a score for bad_row: not JSON" in identified.as_text()


def test_a_single_thing_is_told_as_one(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"left": "a\\tb", "right": "\\ud83d"}\n\n', encoding="utf-8")
    told = identify_file(path, tmp_path / "out.tsv", Quick()).as_text()
    assert "pairs.jsonl: 1 blank line is skipped (line 2)." in told
    assert "1 text with tabs or line ends, written as spaces" in told
    assert "1 row with half a character, written as ?" in told


def test_a_header_without_rows_is_a_file_without_pairs(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right\n", encoding="utf-8")
    assert identify_file(tmp_path / "pairs.csv", tmp_path / "out.csv", Quick()).pairs == 0
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "left,right,score,is_paraphrase\n"


REFUSED = [
    (Quick(model="nobody"), "no identifier 'nobody'"),
    (Quick(definition="strict"), "not trained for the definition 'strict'"),
    (Quick(low=0.2), "--low can be given to a cascade"),
    (Quick(threshold=float("nan")), "parts nothing"),
    (Quick(threshold=7), "parts nothing: scores lie from 0 to 1"),
    (IdentifyOptions(model="cascade", low=0.9, high=0.1), "makes no sense"),
    (Quick(batch=0), "makes no progress"),
    (Quick(columns=("left=text",)), "no column 'text'"),
    (Quick(columns=("left",)), "OURS=THEIRS"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_done_is_refused_and_leaves_nothing(options: IdentifyOptions, told: str, tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 3)
    with pytest.raises(InputError, match=told):
        identify_file(pairs, tmp_path / "out.tsv", options)
    assert os.listdir(tmp_path) == ["pairs.tsv"]


def test_a_place_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 3)
    with pytest.raises(InputError, match="There is no folder"):
        identify_file(pairs, tmp_path / "nowhere" / "out.tsv", Quick())
    (tmp_path / "out.tsv").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        identify_file(pairs, tmp_path / "out.tsv", Quick())
    os.mkfifo(tmp_path / "pipe.tsv")
    with pytest.raises(InputError, match="no plain file"):
        identify_file(pairs, tmp_path / "pipe.tsv", Quick(overwrite=True))
    with pytest.raises(InputError, match=r"^Cannot write /sys/out\.tsv: .*choose another --out"):
        identify_file(pairs, "/sys/out.tsv", Quick())


def test_a_file_that_is_there_is_replaced_only_if_that_is_said(tmp_path: Path) -> None:
    pairs, out = write_pairs(tmp_path / "pairs.tsv", 5), tmp_path / "out.tsv"
    identify_file(pairs, out, Quick())
    once = out.read_bytes()
    with pytest.raises(TargetTaken, match=r"out\.tsv is there already.*--overwrite"):
        identify_file(pairs, out, Quick())
    assert out.read_bytes() == once
    write_pairs(pairs, 6, seed=3)
    identify_file(pairs, out, Quick(overwrite=True))
    assert out.read_bytes() != once
    with pytest.raises(InputError, match=r"already has a column 'score'.*--replace-columns"):
        identify_file(out, tmp_path / "again.tsv", Quick())
    identify_file(out, tmp_path / "again.tsv", Quick(replace_columns=True))
    assert (tmp_path / "again.tsv").read_bytes() == out.read_bytes()


def test_the_file_of_pairs_itself_is_never_written_to(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 5)
    given = pairs.read_bytes()
    (tmp_path / "link.tsv").symlink_to(pairs)
    for out in (pairs, tmp_path / "link.tsv", tmp_path / "." / "pairs.tsv"):
        with pytest.raises(InputError, match="is the file of pairs itself"):
            identify_file(pairs, out, Quick(overwrite=True))
    assert pairs.read_bytes() == given
    assert (tmp_path / "link.tsv").is_symlink()


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_one_and_leads_to_the_scores(is_there: bool, tmp_path: Path) -> None:
    pairs, real = write_pairs(tmp_path / "pairs.tsv", 5), tmp_path / "real.tsv"
    if is_there:
        real.write_text("old", encoding="utf-8")
    (tmp_path / "link.tsv").symlink_to("real.tsv")
    identify_file(pairs, tmp_path / "link.tsv", Quick(overwrite=True))
    assert (tmp_path / "link.tsv").is_symlink()
    assert len(read_tsv(real)) == 5
    assert sorted(os.listdir(tmp_path)) == ["link.tsv", "pairs.tsv", "real.tsv"]


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 5)
    with unfinished_beside(tmp_path / "out.tsv"), pytest.raises(EngineError, match="Another process"):
        identify_file(pairs, tmp_path / "out.tsv", Quick())


def test_grades_are_added_for_the_graded_definition(tmp_path: Path) -> None:
    left = ["the storm hit the coast", "the market fell"] * 10
    right = ["a storm hits the coast", "cats sleep"] * 10
    graded = Examples(left=left, right=right, targets=[1, 0] * 10, definition="graded")
    untrained("ngram-regression").fit([graded], [graded]).save(tmp_path / "own")
    (tmp_path / "pairs.tsv").write_text(f"{left[0]}\t{right[0]}\n{left[1]}\t{right[1]}\n", encoding="utf-8")
    options = Quick(model=str(tmp_path / "own"), definition="graded")
    identify_file(tmp_path / "pairs.tsv", tmp_path / "out.tsv", options)
    found = read_tsv(tmp_path / "out.tsv")
    assert list(found[0]) == ["left", "right", "score", "is_paraphrase", "grade"]
    own = load(tmp_path / "own").score(left[:2], right[:2], "graded")
    assert [row["grade"] for row in found] == quarters(own)
    assert identify_pair(left[0], right[0], options).as_json()["grade"] == found[0]["grade"]


def test_a_journal_forgets_what_a_kill_has_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    journal = Journal.open(path, {"work": 1})
    for block in ([0.1], [0.2], [0.3]):
        journal.add(block)
    journal.close()
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        journal = Journal.open(path, {"work": 1})
        found = [journal.read() for _ in range(journal.whole)]
        assert found == [[0.1], [0.2], [0.3]][: len(found)]
        journal.add([0.9])
        journal.close()
        again = Journal.open(path, {"work": 1})
        assert again.whole == len(found) + 1
        again.close()
    other = Journal.open(path, {"work": 2})
    assert other.whole == 0
    other.close()


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path, child_environment: dict[str, str]) -> Start:
    def started(pairs: Path, out: Path, batch: int) -> subprocess.Popen[str]:
        command = [sys.executable, str(CHILD), str(pairs), str(out), str(batch), str(tmp_path / "events")]
        return subprocess.Popen(command, env=child_environment, stdout=subprocess.PIPE, text=True)

    return started


def kill_after(process: subprocess.Popen[str], events: Path, blocks: int) -> None:
    """SIGKILL once so many blocks are done."""
    deadline = time.monotonic() + PATIENCE
    while not events.exists() or len(events.read_text(encoding="utf-8").splitlines()) <= blocks:
        assert process.poll() is None, "It ended before it could be killed."
        assert time.monotonic() < deadline, f"It did not come to block {blocks}."
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def test_killed_again_and_again_it_leaves_nothing_half_written_and_goes_on(tmp_path: Path, start: Start) -> None:
    pairs = write_pairs(tmp_path / "pairs.tsv", 20_000)
    identify_file(pairs, tmp_path / "undisturbed.tsv", Quick(batch=1000))
    out, events = tmp_path / "out.tsv", tmp_path / "events"
    for blocks in (0, 3, 7):
        kill_after(start(pairs, out, 1000), events, blocks)
        events.unlink()
        assert not out.exists()
    process = start(pairs, out, 1000)
    told, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert int(told.split()[0]) >= 7000
    assert out.read_bytes() == (tmp_path / "undisturbed.tsv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["events", "out.tsv", "pairs.tsv", "undisturbed.tsv"]


def test_what_another_model_or_file_has_left_is_not_taken_for_scores(tmp_path: Path, start: Start) -> None:
    pairs, out, events = write_pairs(tmp_path / "pairs.tsv", 20_000), tmp_path / "out.tsv", tmp_path / "events"
    kill_after(start(pairs, out, 1000), events, 3)
    write_pairs(pairs, 2_000, seed=2)
    identified = identify_file(pairs, out, Quick(batch=1000))
    assert identified.counts.resumed == 0
    identify_file(pairs, tmp_path / "fresh.tsv", Quick(batch=1000))
    assert out.read_bytes() == (tmp_path / "fresh.tsv").read_bytes()


def test_memory_is_flat_from_5k_to_50k_pairs(tmp_path: Path, start: Start) -> None:
    peaks = []
    for rows in (5_000, 50_000):
        process = start(write_pairs(tmp_path / f"{rows}.tsv", rows), tmp_path / f"{rows}.out.tsv", 2_000)
        told, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        peaks.append(int(told.split()[1]) / 1024)
    print(f"peak memory: {peaks[0]:.0f} MB for 5,000 pairs, {peaks[1]:.0f} MB for 50,000")
    assert peaks[1] - peaks[0] < 12  # the rows of the larger file alone are 7 MB, as objects of Python 25


def test_one_pair_is_answered_with_the_words_behind_its_score() -> None:
    left, right = "The storm hit the coast on Monday.", "A storm did not strike the shore on Tuesday."
    answer = identify_pair(left, right, Quick())
    assert answer.score == load("ngram-regression").score([left], [right])[0]
    told = answer.as_text()
    assert told.splitlines()[0].startswith(f"score {answer.score:.3f}: ")
    assert "a negation that only the right text has: not" in told
    assert answer.signature in told
    as_json = answer.as_json()
    assert {"left": "storm", "right": "storm", "strength": 1.0, "kind": "same"} in as_json["words"]["aligned"]
    assert as_json["is_paraphrase"] == int(answer.score > 0.5)
    assert json.dumps(as_json)


@pytest.mark.parametrize(("left", "right"), ODD_PAIRS)
def test_any_pair_has_an_answer(left: str, right: str) -> None:
    answer = identify_pair(left, right, Quick())
    assert 0 <= answer.score <= 1
    assert answer.as_text()
    assert json.dumps(answer.as_json())
