"""Files to learn from: a bad row is left out and told, a bad file refused; a training that fails leaves no folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.identifiers import load
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.train.identifier import train_identifier
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.training_files import read_entailments, read_training_file

NGRAMS = TrainIdentifierOptions(system="ngram-regression", resamples=20)


def lines(number: int) -> list[str]:
    return [
        f"rain fell on day {day}\ton day {day} {'it rained' if day % 3 else 'the market fell'}\t{int(day % 3 > 0)}"
        for day in range(number)
    ]


def written(path: Path, rows: list[str], header: str = "left\tright\tlabel") -> Path:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


SPOILED = [
    ("too short", "1 column, but the first line has 3"),
    ("a\tb\tc\t1", "4 columns, but the first line has 3"),
    ("a\tb\tmaybe", "the label is 'maybe', but must be 1 or 0 (or true or false), or a number between them"),
    ("a\tb\t", "the label is '', but must be 1 or 0 (or true or false), or a number between them"),
]


@pytest.mark.parametrize(("row", "why"), SPOILED)
def test_a_row_that_cannot_be_learned_from_is_left_out_and_told_on_the_card(row: str, why: str, tmp_path: Path) -> None:
    good = lines(120)
    sound = written(tmp_path / "sound.tsv", good)
    spoiled = written(tmp_path / "spoiled.tsv", [*good[:50], row, "", *good[50:]])
    card = train_identifier([spoiled], tmp_path / "out", NGRAMS)
    assert f"spoiled.tsv: 1 row of 121 left out, line 52: {why}." in card.notes
    assert "spoiled.tsv: 1 blank line is skipped (line 53)." in card.notes
    plain = train_identifier([sound], tmp_path / "plain", NGRAMS)
    assert card.sources[0]["training_hash"] == plain.sources[0]["training_hash"]
    assert load(tmp_path / "out").signature == load(tmp_path / "plain").signature


def test_a_file_of_which_much_cannot_be_learned_from_is_refused_with_the_first_line(tmp_path: Path) -> None:
    file = written(tmp_path / "pairs.tsv", [*lines(40), *["short"] * 5])
    with pytest.raises(
        InputError, match=r"pairs\.tsv, line 42: 1 column, .* \(5 of 45 rows cannot be learned from\.\)"
    ):
        train_identifier([file], tmp_path / "out", NGRAMS)
    assert not (tmp_path / "out").exists()


def test_rows_of_other_formats_are_left_out_alike(tmp_path: Path) -> None:
    objects = [f'{{"left": "a {row}", "right": "b {row}", "label": {row % 2}, "topic": null}}' for row in range(30)]
    path = written(tmp_path / "pairs.jsonl", [*objects[:3], '{"left": 4, "right": "b", "label": 1}', "{", *objects[3:]])
    path.write_text(path.read_text().partition("\n")[2])  # JSON has no header
    pairs, notes = read_training_file(path, "loose", {})
    assert (len(pairs), list(pairs.topics or ())) == (30, [""] * 30)
    assert notes == ("pairs.jsonl: 2 rows of 32 left out, the first is line 4: left is 4, not text.",)


def test_grades_and_entailments_are_left_out_alike(tmp_path: Path) -> None:
    graded = written(tmp_path / "graded.tsv", ["a\tb\t4>s"] * 20 + ["a\tb\tx"])
    pairs, [note] = read_training_file(graded, "graded", {})
    assert list(pairs.grades or ()) == ["4>s"] * 20
    assert "1 row of 21 left out, line 22: 'x' is no graded label." in note
    told = written(tmp_path / "told.tsv", ["a\tb\tentailment", "a\tc\tneutral"] * 10 + ["a\tb\t-"])
    entailments, [note] = read_entailments(told, {})
    assert list(entailments.targets) == [1.0, 0.0] * 10
    assert "line 22: the label is '-', but must be one of entailment" in note


def test_a_training_that_fails_at_once_gives_its_folder_up(tmp_path: Path, tiny_bert: Path) -> None:
    """So that the command, once mended, is not refused for what was never trained."""
    pairs = written(tmp_path / "pairs.tsv", lines(60))
    (tmp_path / "no-model").mkdir()
    options = TrainIdentifierOptions(base=str(tmp_path / "no-model"), resamples=20)
    plan = PlanOptions(epochs=1, batch_size=16, learning_rates=(0.01,), max_tokens=32, device="cpu")
    with pytest.raises(InputError, match="holds no model"):
        train_identifier([pairs], tmp_path / "out", options, plan)
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    with pytest.raises(InputError, match="holds no model"):
        train_identifier([pairs], tmp_path / "out", options, plan)
    assert list((tmp_path / "out").iterdir()) == []
    train_identifier([pairs], tmp_path / "out", replace(options, base=str(tiny_bert)), plan)
    assert load(tmp_path / "out").name == "cross-encoder"


def test_a_training_that_fails_later_keeps_what_it_has_reached(tmp_path: Path, tiny_bert: Path) -> None:
    pairs = written(tmp_path / "pairs.tsv", lines(60))
    options = TrainIdentifierOptions(base=str(tiny_bert), resamples=20)
    plan = PlanOptions(epochs=1, batch_size=16, learning_rates=(0.003, 0.01), max_tokens=32, device="cpu")

    def interrupted(line: str) -> None:
        if "0.003" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_identifier([pairs], tmp_path / "out", options, plan, tell=interrupted)
    assert (tmp_path / "out" / "made_by.json").is_file()
    assert list((tmp_path / "out" / "unfinished").rglob("*.pt"))
