"""Files to learn from: a bad row is left out and told, a bad file refused; a training that fails leaves no folder."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.identifiers import load
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.train.identifier import train_identifier
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.training_files import read_entailments, read_training_file, read_training_splits
from paraloom.workflows.train.training_sets import read_sets

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


JUDGED = [
    # header and rows; the targets that are learned from, and what is told
    ("left\tright\tlabel", ["a\tb\t1", "c\td\t", "e\tf\t0", "g\th\t "], [1, 0], "2 rows of 4 without a label were"),
    (
        "left\tright\tscore\tis_paraphrase",
        ["a\tb\t0.9\ttrue", "c\td\t0.2\tfalse", "e\tf\t\t"],
        [1, 0],
        "1 row of 3 without a label was left out.",
    ),
    ("sentence1\tsentence2\tis_duplicate", ["a\tb\t1", "c\td\t0"], [1, 0], "its column is_duplicate is taken for"),
    ("left\tright\tgrade\tis_paraphrase", ["a\tb\t4>\ttrue", "c\td\t2\tfalse"], [1, 0], "column is_paraphrase is"),
    ("left\tright\tlabel\tis_paraphrase", ["a\tb\t0\ttrue", "c\td\t1\tfalse"], [0, 1], None),
    ("left\tright\tsimilarity", ["a\tb\t0.9", "c\td\t0.2"], [1, 1], "all its pairs count as paraphrases"),
]


@pytest.mark.parametrize(("header", "rows", "targets", "note"), JUDGED)
def test_what_a_pair_is_held_for_is_known_by_any_usual_name_and_unjudged_pairs_are_left_out(
    tmp_path: Path, header: str, rows: list[str], targets: list[int], note: str | None
) -> None:
    pairs, notes = read_training_file(written(tmp_path / "pairs.tsv", rows, header), "loose", {}, unlabelled=True)
    assert list(pairs.targets) == targets
    assert any(note in one for one in notes) if note else notes == ()


def test_grades_come_before_yes_and_no_where_grades_are_learned(tmp_path: Path) -> None:
    rows = ["a\tb\ttrue\t4>", "c\td\tfalse\t2"]
    file = written(tmp_path / "pairs.tsv", rows, "left\tright\tis_paraphrase\tgrade")
    assert list(read_training_file(file, "graded", {})[0].grades or ()) == ["4>", "2"]


def test_a_file_of_which_nothing_was_judged_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "pairs.tsv", ["a\tb\t", "c\td\t"], "left\tright\tis_paraphrase")
    with pytest.raises(InputError, match=r"pairs\.tsv has 2 rows, and none has a label"):
        read_training_file(file, "loose", {}, unlabelled=True)
    plain = written(tmp_path / "plain.tsv", ["a\tb", "c\td"], "left\tright")
    with pytest.raises(InputError, match=r"plain\.tsv has no column 'label'; it has left, right"):
        read_training_file(plain, "loose", {})


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


TURKU = """[
{"txt1": "It blew hard all night.", "txt2": "The wind was strong.", "label": "4>", "goeswith": null,
 "rewrites": [["A gale raged.", "There was a tempest."], ["lone"]]},
{"txt1": "Rain fell.", "txt2": "It rained.", "label": "4", "goeswith": "film-1", "rewrites": []},
{"txt1": "He left.", "txt2": "Off he went.", "label": "3", "goeswith": "film-1",
 "rewrites": [["He went.", "He left us."]]}
]"""


def test_rewrites_are_pairs_of_their_own_in_the_group_of_their_pair(tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    file.write_text(TURKU, encoding="utf-8")
    pairs, notes = read_training_file(file, "graded", {})
    assert list(zip(pairs.left, pairs.grades or (), pairs.groups, strict=True)) == [
        ("It blew hard all night.", "4>", "line 1"),
        ("Rain fell.", "4", "film-1"),
        ("He left.", "3", "film-1"),
        ("A gale raged.", "4", "line 1"),
        ("He went.", "4", "film-1"),
    ]
    assert list(pairs.targets) == [1.0] * 5
    assert notes == (
        "dev.json: 2 rewrites are pairs of their own, with the label 4 (--without-rewrites leaves them out).",
    )
    without, notes = read_training_file(file, "graded", {}, rewrites=False)
    assert (list(without.left), notes) == (["It blew hard all night.", "Rain fell.", "He left."], ())


def test_what_says_that_pairs_belong_together_is_their_group(tmp_path: Path) -> None:
    rows = ["a\tb\t4\t\tp1", "c\td\t4\tp1\tp2", "e\tf\t3\t\tp3"]
    file = written(tmp_path / "pairs.tsv", rows, "left\tright\tlabel\trewrite_of\tpair_id")
    pairs, _ = read_training_file(file, "graded", {})
    assert list(pairs.groups) == ["p1", "p1", "p3"]


SPLITS = [
    # labels and splits; what is learned from, what is held out, what is told
    ("1 0 1 0 1", "train train dev dev test", "0 1", "2 3", "1 pair of its test split left out, 2 pairs of its dev"),
    ("1 0 1 1 1", "train train dev dev test", "0 1 2 3", None, "1 pair of its test split left out."),
    ("1 0 1 0 1", "train train  dev dev", "0 1 2", "3 4", "2 pairs of its dev split held out."),
    ("1 0 1 0 1", "train train train train train", "0 1 2 3 4", None, None),
    ("1 0 1 0 1", "test test test test test", "0 1 2 3 4", None, "says that none is for training"),
    ("1 0 1 0 1", "test dev dev test test", "0 1 2 3 4", None, "says that none is for training"),
    (
        "1 0 1 0 1",
        "Training train VALIDATION valid Test",
        "0 1",
        "2 3",
        "1 pair of its test split left out, 2 pairs of",
    ),
    ("1 0 1 0 1", "    test", "0 1 2 3", None, "1 pair of its test split left out."),
    ("1 0 1 0 1", "a b b c a", "0 1 2 3 4", None, "column split also says a, b, c, which is learned from"),
]


@pytest.mark.parametrize(("labels", "splits", "learned", "held_out", "note"), SPLITS)
def test_what_a_file_keeps_for_testing_is_not_learned_from(
    tmp_path: Path, labels: str, splits: str, learned: str, held_out: str | None, note: str | None
) -> None:
    rows = [
        f"{row}\tb {row}\t{label}\t{split}"
        for row, (label, split) in enumerate(zip(labels.split(), splits.split(" "), strict=True))
    ]
    file = written(tmp_path / "corpus.tsv", rows, "left\tright\tlabel\tsplit")
    training, dev, notes = read_training_splits(file, "loose", {})
    assert list(training.left) == learned.split()
    assert (dev if dev is None else list(dev.left)) == (held_out if held_out is None else held_out.split())
    assert len(notes) == (note is not None)
    assert all(str(note) in one for one in notes)


def test_what_other_splits_are_is_told_beside_what_was_left_out(tmp_path: Path) -> None:
    rows = [f"{row}\tb {row}\t{row % 2}\t{split}" for row, split in enumerate(["old", "new", "test", "train"])]
    training, dev, notes = read_training_splits(
        written(tmp_path / "corpus.tsv", rows, "left\tright\tlabel\tsplit"), "loose", {}
    )
    assert (list(training.left), dev) == (["0", "1", "3"], None)
    assert notes == (
        "corpus.tsv: 1 pair of its test split left out.",
        "corpus.tsv: its column split also says new, old, which is learned from; test is not, dev is held out.",
    )


def test_rewrites_are_in_the_split_of_their_pair(tmp_path: Path) -> None:
    file = tmp_path / "corpus.json"
    file.write_text(
        TURKU.replace('"label": "3"', '"label": "3", "split": "test"').replace(
            '"label": "4>"', '"label": "4>", "split": "train"'
        ),
        encoding="utf-8",
    )
    training, dev, _ = read_training_splits(file, "graded", {})
    assert list(training.left) == ["It blew hard all night.", "Rain fell.", "A gale raged."]
    assert dev is None


def test_no_pair_is_parted_from_its_rewrites_by_what_is_held_out(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(80)]
    rows = [
        {
            "txt1": f"{word} fell on the town",
            "txt2": f"the town saw {word} fall",
            "label": "4>" if number % 2 else "2",
            "rewrites": [[f"down came {word}s there", f"{word}s came down there"]] if number % 2 else [],
        }
        for number, word in enumerate(words)
    ]
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    options = replace(NGRAMS, definition="graded", held_out_share=0.3)
    sets = read_sets([file], options, {}, with_grades=True)
    (learned,), (held_out,) = sets.examples, sets.held_out
    named = [{word for text in part.left for word in re.findall(r"w\d+", text)} for part in (learned, held_out)]
    assert named[0].isdisjoint(named[1])
    assert named[0] | named[1] == set(words)
    assert len(learned) + len(held_out) == 120


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
