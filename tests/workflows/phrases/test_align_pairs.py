"""A file of pairs is aligned row by row, with all it had, whatever happens on the way."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.errors import InputError, TargetTaken
from paraloom.models.aligners import Links, read_links
from paraloom.models.aligners.loading import load_aligner
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.models.aligners.systems import SYSTEMS
from paraloom.workflows.phrases.align_options import AlignOptions
from paraloom.workflows.phrases.align_pairs import align_pairs

LEXICAL = AlignerOptions(aligner="lexical")
STATISTICAL = AlignerOptions(aligner="statistical")
ROWS = (
    "id\tleft\tright\n7\tThe storm hit the coast.\tThe storm hit the shore, too.\n"
    "8\t\tnothing\n9\tIt rains.\tIt rains.\n"
)


def rows_of(file: Path) -> list[dict[str, str | None]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text(ROWS, encoding="utf-8")
    return file


def test_every_row_is_there_with_its_columns_its_words_and_its_links(pairs: Path, tmp_path: Path) -> None:
    done = align_pairs(pairs, tmp_path / "out.jsonl", aligner=LEXICAL)
    storm, nothing, rain = rows_of(tmp_path / "out.jsonl")
    assert (storm["id"], storm["left"], storm["right"]) == (
        "7",
        "The storm hit the coast .",
        "The storm hit the shore , too .",
    )
    links = dict(read_links(str(storm["alignment"])))
    assert {left: links[left] for left in (0, 1, 2, 5)} == {0: 0, 1: 1, 2: 2, 5: 7}
    assert (nothing["alignment"], nothing["dropped_for"]) == ("", "no_words")
    assert (rain["alignment"], rain["dropped_for"]) == ("0-0 1-1 2-2", None)
    assert (done.rows, done.pairs, done.left_out) == (3, 2, {"no_words": 1})
    assert done.links == sum(len(read_links(str(row["alignment"]))) for row in (storm, nothing, rain))


def test_tokens_that_are_given_are_taken_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    given = {"left": "Do n't go to U.S .", "right": "do n't  go"}
    file.write_text(json.dumps(given) + "\n", encoding="utf-8")
    align_pairs(file, tmp_path / "out.jsonl", AlignOptions(tokenized=True), aligner=LEXICAL)
    (row,) = rows_of(tmp_path / "out.jsonl")
    assert (row["left"], row["right"], row["alignment"]) == ("Do n't go to U.S .", "do n't go", "0-0 1-1 2-2")


def test_a_parquet_file_with_columns_of_other_names_keeps_them(tmp_path: Path) -> None:
    table = pa.table({"sentence1": ["It rains ."], "sentence2": ["It rains ."], "pair_id": ["aa"], "score": [0.5]})
    pq.write_table(table, tmp_path / "pairs.parquet")
    options = AlignOptions(columns=("left=sentence1", "right=sentence2"))
    align_pairs(tmp_path / "pairs.parquet", tmp_path / "out.parquet", options, aligner=LEXICAL)
    (row,) = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert (row["sentence1"], row["pair_id"], row["score"]) == ("It rains .", "aa", 0.5)
    assert (row["left"], row["alignment"]) == ("It rains .", "0-0 1-1 2-2")


def test_broken_rows_have_a_reason_and_stop_nothing(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"left": "It rains", "right": "It rains"}\n{broken\n{"left": 3, "right": "x"}\n', encoding="utf-8")
    done = align_pairs(file, tmp_path / "out.jsonl", aligner=LEXICAL)
    assert [row["alignment"] for row in rows_of(tmp_path / "out.jsonl")] == ["0-0 1-1", "", ""]
    assert (done.pairs, sum(done.left_out.values())) == (1, 2)
    assert all(reason.startswith("bad_row") for reason in done.left_out)


REFUSED = [
    (AlignerOptions(aligner="magic"), {}, "no aligner 'magic'. Choose one of: learned, lexical"),
    (AlignerOptions(aligner="lexical", settings=("mood=good",)), {}, "no setting 'mood'"),
    (AlignerOptions(aligner="embedding", settings=("method=magic",)), {}, "choose one of argmax"),
    (AlignerOptions(aligner="statistical", settings=("folder=",)), {}, "folder= names no folder"),
    (LEXICAL, {"learn_from": (Path("more.tsv"),)}, "--learn-from is for an aligner that learns"),
    (LEXICAL, {"save": Path("nowhere")}, "--save is for an aligner that learns"),
]


@pytest.mark.parametrize(("aligner", "options", "told"), REFUSED)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    aligner: AlignerOptions, options: dict[str, Any], told: str, pairs: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=told):
        align_pairs(pairs, tmp_path / "out.jsonl", AlignOptions(**options), aligner=aligner)
    assert {file.name for file in tmp_path.iterdir()} == {"pairs.tsv"}


def test_nothing_is_overwritten_unless_it_is_said(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    align_pairs(pairs, out, aligner=LEXICAL)
    with pytest.raises(TargetTaken):
        align_pairs(pairs, out, aligner=LEXICAL)
    with pytest.raises(InputError, match="already has a column 'alignment'"):
        align_pairs(out, tmp_path / "again.jsonl", aligner=LEXICAL)
    before = out.read_bytes()
    align_pairs(out, tmp_path / "again.jsonl", AlignOptions(replace_columns=True), aligner=LEXICAL)
    assert [row["alignment"] for row in rows_of(tmp_path / "again.jsonl")] == [row["alignment"] for row in rows_of(out)]
    assert out.read_bytes() == before


def cipher(count: int) -> list[tuple[str, str]]:
    """Sentences of a small language, beside the same in a language whose words are others, in the same order."""
    random.seed(1)
    words = ["bal", "nor", "tik", "fum", "wes", "dra", "pol", "gim"]
    sentences = [random.sample(words, random.randint(3, 6)) for _ in range(count)]
    return [(" ".join(one), " ".join(word[::-1] + "qq" for word in one)) for one in sentences]


def test_what_learns_sees_the_whole_file_and_others_and_can_be_kept(tmp_path: Path) -> None:
    few, many = (tmp_path / name for name in ("few.tsv", "many.tsv"))
    for file, rows in ((few, cipher(3)), (many, cipher(300))):
        file.write_text("left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in rows), encoding="utf-8")
    kept = tmp_path / "kept"
    settings = ("same_word=0", "alike_words=0", "null_probability=0.2")
    learning = AlignerOptions(aligner="statistical", settings=settings)
    done = align_pairs(few, tmp_path / "out.jsonl", AlignOptions(learn_from=(many,), save=kept), aligner=learning)
    assert done.learned_from == 303
    for row in rows_of(tmp_path / "out.jsonl"):
        expected: Links = tuple((place, place) for place in range(len(str(row["left"]).split())))
        assert read_links(str(row["alignment"])) == expected
    loaded = AlignerOptions(aligner="statistical", settings=(f"folder={kept}",))
    again = align_pairs(few, tmp_path / "again.jsonl", aligner=loaded)
    assert again.learned_from == 0
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()
    with pytest.raises(InputError, match="learned with settings of its own"):
        load_aligner(AlignerOptions(aligner="statistical", settings=(f"folder={kept}", "smoothing=2")))


def test_what_was_kept_before_a_stop_is_kept_and_other_learning_is_not_put_in_its_place(tmp_path: Path) -> None:
    first, second, kept = tmp_path / "first.tsv", tmp_path / "second.tsv", tmp_path / "kept"
    for file, rows in ((first, cipher(40)), (second, cipher(41))):
        file.write_text("left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in rows), encoding="utf-8")
    options = AlignOptions(save=kept)
    align_pairs(first, tmp_path / "out.jsonl", options, aligner=STATISTICAL)
    align_pairs(first, tmp_path / "again.jsonl", options, aligner=STATISTICAL)
    with pytest.raises(InputError, match="holds what was learned from other pairs"):
        align_pairs(second, tmp_path / "other.jsonl", options, aligner=STATISTICAL)
    assert not (tmp_path / "other.jsonl").exists()
    with pytest.raises(InputError, match="already has a column 'alignment'"):
        align_pairs(
            tmp_path / "out.jsonl", tmp_path / "x.jsonl", AlignOptions(save=tmp_path / "n"), aligner=STATISTICAL
        )
    assert not (tmp_path / "n").exists()


def test_what_is_no_sentence_and_halves_of_letters_stop_nothing(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    rows = [{"left": "a " * 1001, "right": "a"}, {"left": "\ud83d it rains", "right": "it rains"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for out in (tmp_path / "out.jsonl", tmp_path / "out.parquet"):
        assert align_pairs(file, out, aligner=LEXICAL).left_out == {"too_long": 1}
    (long, half) = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert (long["alignment"], long["dropped_for"]) == ("", "too_long")
    assert (half["left"], half["alignment"]) == ("? it rains", "1-0 2-1")


def test_every_aligner_has_settings_that_can_be_told() -> None:
    for name, system in SYSTEMS.items():
        assert system.about
        assert isinstance(system.setting_kinds(), dict), name


def started(pairs: Path, out: Path, events: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    child = Path(__file__).with_name("align_a_file.py")
    command = [sys.executable, str(child), str(pairs), str(out), "statistical", "20", str(events)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_killed_again_and_again_it_goes_on_and_writes_the_same_bytes(
    tmp_path: Path, child_environment: dict[str, str]
) -> None:
    pairs, out, events = (tmp_path / name for name in ("pairs.tsv", "out.jsonl", "events"))
    rows = cipher(600)
    pairs.write_text("left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in rows), encoding="utf-8")
    for blocks in (3, 9):
        events.unlink(missing_ok=True)
        process = started(pairs, out, events, child_environment)
        while not events.is_file() or len(events.read_text(encoding="utf-8").splitlines()) < blocks:
            assert process.poll() is None, "It ended before it could be killed."
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert not out.exists()
    resumed = int(started(pairs, out, events, child_environment).communicate()[0])
    assert resumed >= 8 * 20
    align_pairs(pairs, tmp_path / "undisturbed.jsonl", AlignOptions(batch=20), aligner=STATISTICAL)
    assert out.read_bytes() == (tmp_path / "undisturbed.jsonl").read_bytes()
