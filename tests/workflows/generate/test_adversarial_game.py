"""A file is played source by source, every attempt is a row; killed and begun again, the rows are the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from paraloom.errors import InputError, TargetTaken
from paraloom.models.generators.llama_generator import LlamaGenerator
from paraloom.models.implication import load
from paraloom.pairs.adversarial_options import GameOptions
from paraloom.workflows.generate.adversarial_attempts import read_attempts, read_played, reported
from paraloom.workflows.generate.adversarial_game import play_file
from paraloom.workflows.generate.adversarial_options import PlayedFileOptions, PlayerOptions
from tests.models.language_models.tiny_gguf import write_tiny_llama

SOURCES = [
    "The storm hit the coast on Monday.",
    "",
    "A river rose and the town left.",
    "The storm hit the coast on Monday.",
    "Two ships sank near the harbour.",
    "The mayor refused to resign.",
]
PARROT = PlayerOptions(generator="parrot")
QUICK = GameOptions(attempts=3)
PATIENCE = 120.0


def write(folder: Path, lines: list[str]) -> Path:
    (folder / "sources.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / "sources.txt"


def rows(folder: Path) -> list[dict]:
    return pq.read_table(folder / "attempts.parquet").to_pylist()


def test_every_attempt_at_every_different_source_is_a_row_and_counted(tmp_path: Path) -> None:
    report = play_file(write(tmp_path, SOURCES), tmp_path / "game", PARROT, QUICK)
    found = rows(tmp_path / "game")
    assert [(row["row"], row["number"]) for row in found] == [(row, n) for row in (1, 3, 5, 6) for n in (1, 2, 3)]
    assert {row["source"] for row in found} == {one for one in SOURCES if one}
    (counted,) = report.sets
    assert (counted.counts.attempts, counted.counts.sources, counted.given) == (12, 4, 5)
    assert counted.counts.mutual == sum(row["is_mutual"] for row in found)
    assert sum(map(sum, counted.bins.counts.values())) == 12
    written = json.loads((tmp_path / "game" / "summary.json").read_text(encoding="utf-8"))
    assert written["metrics"]["parrot/apt-pass-per-source"] == counted.share_passing
    assert [one["attempts"] for one in written["published"]] == [5007, 62986, 75011]
    page = (tmp_path / "game" / "report.html").read_text(encoding="utf-8")
    assert "75.5%" in page
    assert "<svg" in page
    assert sorted(os.listdir(tmp_path / "game")) == ["attempts.parquet", "made_by.json", "report.html", "summary.json"]


def test_a_language_model_plays_all_its_rounds_whatever_stands_beside_a_source(tmp_path: Path) -> None:
    model = write_tiny_llama(tmp_path / "tiny.gguf")
    generator = LlamaGenerator(model, None, name="tiny")
    before = generator.decoding
    game = GameOptions(attempts=3, rounds=2)
    file = write(tmp_path, SOURCES)
    play_file(file, tmp_path / "all", game=game, generator=generator)
    play_file(file, tmp_path / "last", game=game, generator=generator, reading=PlayedFileOptions(skip=4))
    found = rows(tmp_path / "all")
    assert {(row["round"], row["top_k"], row["top_p"]) for row in found} == {(1, 120, 0.95), (2, 140, 0.9)}
    assert [row for row in found if row["row"] == 6] == rows(tmp_path / "last")
    assert generator.decoding == before


def test_a_game_that_was_killed_goes_on_with_the_same_rows(tmp_path: Path, child_environment) -> None:
    file = write(tmp_path, [f"{line} {place}" for place in range(12) for line in SOURCES if line])
    reading = PlayedFileOptions(batch=1)
    words = ["adversarial", "play", str(file), "--generator", "parrot", "--out", str(tmp_path / "game")]
    code = "import sys; from paraloom.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words, "--attempts", "3", "--batch", "1"],
        env=child_environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    journal = tmp_path / "game" / "played.jsonl"
    deadline = time.monotonic() + PATIENCE
    while not journal.exists() or journal.read_bytes().count(b"\n") < 5:
        assert process.poll() is None, "It ended before it could be killed."
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "game" / "attempts.parquet").exists()
    told: list[int] = []
    play_file(file, tmp_path / "game", PARROT, QUICK, reading, tell=lambda done, total: told.append(total))
    play_file(file, tmp_path / "undisturbed", PARROT, QUICK, PlayedFileOptions(batch=7))
    assert rows(tmp_path / "game") == rows(tmp_path / "undisturbed")
    assert told == [48] * 48  # what was noted is told, too


def test_a_finished_game_is_not_played_again_and_another_one_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, SOURCES[:1])
    first = play_file(file, tmp_path / "game", PARROT, QUICK)
    told: list[int] = []
    again = play_file(file, tmp_path / "game", PARROT, QUICK, tell=lambda done, total: told.append(done))
    assert again == first
    assert told == []
    with pytest.raises(TargetTaken, match="game was"):
        play_file(file, tmp_path / "game", PARROT, GameOptions(attempts=4))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(TargetTaken, match="no game has left"):
        play_file(file, tmp_path / "other", PARROT, QUICK)


def test_a_file_without_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no source to play"):
        play_file(write(tmp_path, SOURCES[:1]), tmp_path / "game", PARROT, reading=PlayedFileOptions(skip=1))
    assert not (tmp_path / "game").exists()


def test_a_row_is_the_sources_place_in_its_file_whatever_stands_before_it(tmp_path: Path) -> None:
    file = tmp_path / "sources.jsonl"
    file.write_text(f'{{"text": "{SOURCES[0]}"}}\n{{broken\n{{"text": "{SOURCES[2]}"}}\n', encoding="utf-8")
    play_file(file, tmp_path / "game", PARROT, GameOptions(attempts=1))
    assert [(row["row"], row["source"]) for row in rows(tmp_path / "game")] == [(1, SOURCES[0]), (3, SOURCES[2])]


def test_half_a_surrogate_pair_in_a_source_is_played_as_a_question_mark(tmp_path: Path) -> None:
    file = tmp_path / "sources.jsonl"
    file.write_text('{"text": "The storm \\ud83d hit the coast on Monday."}\n', encoding="utf-8")
    play_file(file, tmp_path / "game", PARROT, GameOptions(attempts=1))
    assert [row["source"] for row in rows(tmp_path / "game")] == ["The storm ? hit the coast on Monday."]


def test_published_files_are_counted_as_their_authors_count_them(tmp_path: Path) -> None:
    lines = ["left out\tas\t0.1\t1", "a\tb\t0.4\t1", "a\tc\t0.6\t1", "d\te\t-0.3\t0", "a broken line"]
    (tmp_path / "msrp1-mi0.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "msrp1-nmi0.tsv").write_text("left out\tas\t0.1\t0\na\tf\t-1.0\t0\n")
    attempts = read_attempts(f"published={tmp_path}/msrp1-*.tsv", load)
    report = reported([attempts])
    counts = report.sets[0].counts
    assert (counts.name, counts.attempts, counts.passing, counts.mutual, counts.not_mutual) == ("published", 4, 1, 2, 2)
    assert (counts.sources, counts.passing_sources, counts.not_mutual_sources) == (2, 1, 2)
    assert any("1 row left out" in note for note in attempts.notes)
    assert "published passes for 50.0% of 2 sources" in report.as_text()


def test_the_judge_says_how_alike_pairs_by_people_are_and_people_say_whether_they_imply(tmp_path: Path) -> None:
    pair = "The mayor refused to resign.\tThe mayor would not give up his post."
    (tmp_path / "ap_h.tsv").write_text(f"text_a\ttext_b\tlabels\n{pair}\t1\n{pair}\t0\n")
    attempts = read_attempts(str(tmp_path / "ap_h.tsv"), load)
    assert attempts.is_mutual.tolist() == [True, False]
    assert attempts.similarity.tolist() == load().answer(*zip(pair.split("\t"))).similarity.tolist() * 2


def test_what_is_no_set_of_attempts_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "text.tsv").write_text("some words\nand more of them\n")
    with pytest.raises(InputError, match="no file of attempts"):
        read_attempts(str(tmp_path / "text.tsv"), load)
    with pytest.raises(InputError, match="Check the path"):
        read_attempts(str(tmp_path / "nowhere"), load)


def test_a_set_is_compared_with_the_first_on_the_sources_that_both_have(tmp_path: Path) -> None:
    header = "x\ty\t0\t0\n"
    before = "".join(f"source {number}\ta\t0.9\t1\n" for number in range(20))
    after = "".join(f"source {number}\tb\t{0.2 if number < 12 else 0.9}\t1\n" for number in range(20))
    (tmp_path / "before.tsv").write_text(header + before)
    (tmp_path / "after.tsv").write_text(header + after + "another\tb\t0.1\t1\n")
    report = reported([read_attempts(str(tmp_path / f"{name}.tsv"), load) for name in ("before", "after")])
    first, second = report.sets
    assert first.gain is None
    assert second.gain is not None
    assert second.gain.difference == pytest.approx(0.6)
    assert second.gain.p_value < 0.01
    assert second.pass_rate is not None
    assert second.pass_rate.low < 13 / 21 < second.pass_rate.high


def test_the_folder_of_a_game_is_read_back_as_it_was_played(tmp_path: Path) -> None:
    play_file(write(tmp_path, SOURCES), tmp_path / "game", PARROT, QUICK)
    attempts = read_played(tmp_path / "game")
    assert attempts.passes.tolist() == [row["passes"] for row in rows(tmp_path / "game")]
    assert attempts.rewards == pytest.approx([row["reward"] for row in rows(tmp_path / "game")], abs=1e-6)
    with pytest.raises(InputError, match="played to its end"):
        read_played(tmp_path)
