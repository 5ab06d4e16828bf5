"""Evaluating identification from files: every format, several systems, and clear words where files do not fit."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score, f1_score, matthews_corrcoef

from paraloom.errors import InputError
from paraloom.models.identifiers import load
from paraloom.reports.identification import render_identification
from paraloom.workflows.evaluate.identification import evaluate_identification
from paraloom.workflows.evaluate.identification_options import IdentificationOptions

QUICK = IdentificationOptions(resamples=30)
Row = dict[str, Any]


def rows(count: int = 60, seed: int = 1) -> list[Row]:
    """Invented pairs with labels, scores and topics."""
    random = np.random.default_rng(seed)
    words = ["storm", "coast", "rain", "flood", "town", "river"]
    made = []
    for number in range(count):
        label = number % 3 == 0
        left = " ".join(random.choice(words, 6))
        right = left if label and number % 2 else " ".join(random.choice(words, 5))
        score = round(float(np.clip(0.4 * label + random.random() * 0.7, 0, 1)), 3)
        made.append(
            {"left": f"{left} {number}", "right": right, "label": int(label), "score": score, "topic": "ab"[number % 2]}
        )
    return made


def write(path: Path, made: list[Row]) -> Path:
    names = list(made[0])
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(made), path)
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.DictWriter(opened, names)
            writer.writeheader()
            writer.writerows(made)
    else:
        lines = ["\t".join(names), *("\t".join(str(row[name]) for name in names) for row in made)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl", ".parquet"])
def test_every_format_gives_the_figures_of_an_oracle(tmp_path: Path, ending: str) -> None:
    made = rows()
    evaluation = evaluate_identification([write(tmp_path / f"pairs{ending}", made)], QUICK)
    [system] = evaluation.systems
    truth, scores = [row["label"] for row in made], np.array([row["score"] for row in made])
    assert system.name == "pairs"
    assert system.figures["f1"].value == pytest.approx(f1_score(truth, scores > 0.5))
    assert system.figures["mcc"].value == pytest.approx(matthews_corrcoef(truth, scores > 0.5))
    assert system.figures["average-precision"].value == pytest.approx(average_precision_score(truth, scores))
    assert set(system.slices) == {"overlap", "length", "topic"}


LABELS = [("1", "0"), ("true", "false"), ("True", "FALSE"), ("1.0", "0.0")]


@pytest.mark.parametrize(("yes", "no"), LABELS)
def test_labels_may_be_written_in_several_ways(tmp_path: Path, yes: str, no: str) -> None:
    made = rows()
    wanted = evaluate_identification([write(tmp_path / "plain.tsv", made)], QUICK).systems[0].figures
    written = [{**row, "label": yes if row["label"] else no} for row in made]
    assert evaluate_identification([write(tmp_path / "other.tsv", written)], QUICK).systems[0].figures == wanted


def test_the_threshold_and_the_columns_can_be_said(tmp_path: Path) -> None:
    made = [{"gold": row["label"], "a": row["left"], "b": row["right"], "p": row["score"]} for row in rows()]
    columns = ("left=a,right=b", "label=gold", "score=p")
    options = IdentificationOptions(threshold=0.3, columns=columns, resamples=20)
    [system] = evaluate_identification([write(tmp_path / "pairs.tsv", made)], options).systems
    truth, scores = [row["gold"] for row in made], np.array([row["p"] for row in made])
    assert system.figures["f1"].value == pytest.approx(f1_score(truth, scores > 0.3))
    assert system.figures["f1"].signature.startswith("f1|threshold:0.3|")


def test_several_files_are_several_systems_on_the_same_pairs(tmp_path: Path) -> None:
    made = rows()
    other = [{**row, "score": 0.9 if row["label"] else 0.1} for row in made]
    files = [write(tmp_path / "first.tsv", made), write(tmp_path / "second.jsonl", other)]
    evaluation = evaluate_identification(files, QUICK)
    assert [system.name for system in evaluation.systems] == ["first", "second"]
    assert evaluation.systems[1].figures["f1"].value == 1.0
    assert {comparison.bootstrap.name for comparison in evaluation.comparisons} >= {"f1", "accuracy"}
    assert set(evaluation.as_json()["systems"]) == {"first", "second"}


def test_models_score_the_pairs_of_one_file(tmp_path: Path) -> None:
    made = [{name: row[name] for name in ("left", "right", "label")} for row in rows()]
    path = write(tmp_path / "pairs.tsv", made)
    options = IdentificationOptions(model=("ngram-regression",), resamples=20)
    [system] = evaluate_identification([path], options).systems
    identifier = load("ngram-regression")
    scores = identifier.score([row["left"] for row in made], [row["right"] for row in made])
    assert (system.name, system.made_by) == ("ngram-regression", identifier.signature)
    assert system.figures["f1"].value == pytest.approx(f1_score([row["label"] for row in made], scores > 0.5))
    with pytest.raises(InputError, match="one file, but 2"):
        evaluate_identification([path, path], options)


def test_a_trained_model_is_named_by_its_folder(tmp_path: Path) -> None:
    load("ngram-regression").save(tmp_path / "mine")
    path = write(tmp_path / "pairs.tsv", rows())
    models = ("ngram-regression", str(tmp_path / "mine"))
    evaluation = evaluate_identification([path], IdentificationOptions(model=models, resamples=20))
    assert [system.name for system in evaluation.systems] == ["ngram-regression", "mine"]
    assert all(comparison.bootstrap.difference == 0 for comparison in evaluation.comparisons)


def test_slices_are_those_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", rows())
    options = IdentificationOptions(slice_by=("topic",), resamples=20)
    [system] = evaluate_identification([path], options).systems
    assert [part.name for part in system.slices["topic"]] == ["a", "b"]
    assert list(system.slices) == ["topic"]


def test_pairs_that_share_a_text_are_drawn_together(tmp_path: Path) -> None:
    """Every pair five times, each with its left text: as sure as each pair once."""
    made = [{**row, "right": f"{row['right']} {number}"} for number, row in enumerate(rows())]
    again = [{**row, "right": f"{row['right']}{mark}"} for row in made for mark in "abcde"]
    once, several = write(tmp_path / "once.tsv", made), write(tmp_path / "several.tsv", again)
    options = IdentificationOptions(slice_by=("topic",), resamples=50)
    [wanted] = evaluate_identification([once], options).systems
    [found] = evaluate_identification([several], options).systems
    assert (wanted.groups, found.groups) == (60, 60)
    for name, figure in found.figures.items():
        assert figure.interval is not None
        assert figure.interval.low == pytest.approx(wanted.figures[name].interval.low), name
        assert figure.interval.high == pytest.approx(wanted.figures[name].interval.high), name
    [alone] = evaluate_identification([several], replace(options, group_by="pair")).systems
    assert alone.groups is None
    assert alone.figures["f1"].interval.high < found.figures["f1"].interval.high
    assert "|draws:pairs|" in alone.figures["f1"].signature


def test_pairs_are_grouped_by_a_column(tmp_path: Path) -> None:
    made = [{**row, "event": "" if number < 30 else number // 4} for number, row in enumerate(rows())]
    path = write(tmp_path / "pairs.tsv", made)
    evaluation = evaluate_identification([path], IdentificationOptions(group_by="event", resamples=20))
    assert evaluation.systems[0].groups == 30 + 8  # what is empty joins nothing
    assert "60 pairs in 38 groups" in evaluation.as_text()
    assert "60 pairs in 38 groups" in render_identification(evaluation)
    with pytest.raises(InputError, match=r"--group-by trend: .* no such column\. Pairs can be grouped by text, pair, "):
        evaluate_identification([path], IdentificationOptions(group_by="trend"))


FEW = [
    ("ab", "The pairs come in 2 groups alone (--group-by side): intervals of so few are rough."),
    ("a", "All pairs are of one group (--group-by side): nothing can be drawn, so there are no intervals."),
]


@pytest.mark.parametrize(("sides", "note"), FEW)
def test_few_groups_are_told(tmp_path: Path, sides: str, note: str) -> None:
    made = [{**row, "side": sides[number % len(sides)]} for number, row in enumerate(rows())]
    evaluation = evaluate_identification(
        [write(tmp_path / "pairs.tsv", made)], IdentificationOptions(group_by="side", resamples=20)
    )
    assert evaluation.notes == (note,)
    assert (evaluation.systems[0].figures["f1"].interval is None) == (sides == "a")
    assert render_identification(evaluation)


def changed(place: int, **values: Any) -> list[Row]:
    made = rows()
    made[place] |= values
    return made


PAIRS_THAT_DIFFER = [
    (changed(4, right="other"), r"first.tsv, line 6, and second.tsv, line 6, are not the same pair: right is"),
    (changed(2, left="other"), r"line 4.*left is .* in one and 'other' in the other"),
    (changed(3, label=0), r"line 5.*another label"),
    (rows()[:-1], r"60 pairs and .*second.tsv has 59"),
    ([rows()[1], rows()[0], *rows()[2:]], r"line 2, and second.tsv, line 2, are not the same pair"),
]


@pytest.mark.parametrize(("other", "told"), PAIRS_THAT_DIFFER)
def test_files_about_other_pairs_are_refused_with_the_first_row_that_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: list[Row], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("first.tsv"), rows())
    write(Path("second.tsv"), other)
    with pytest.raises(InputError, match=told):
        evaluate_identification(["first.tsv", "second.tsv"], QUICK)


REFUSED = [
    (changed(0, label="maybe"), QUICK, r"line 2: the label is 'maybe', but must be 1 or 0"),
    (changed(0, score="high"), QUICK, r"line 2: score is 'high', not a number"),
    (changed(0, score="nan"), QUICK, r"line 2: score is 'nan', not a number"),
    ([{**row, "label": 0} for row in rows()], QUICK, r"The labels hold no paraphrase"),
    ([{**row, "label": 1} for row in rows()], QUICK, r"The labels hold only paraphrases"),
    (rows(), IdentificationOptions(slice_by=("mood",)), r"--slice-by mood.*overlap, length, label"),
    (rows(), IdentificationOptions(columns=("label",)), r"--columns 'label' is not of the form OURS=THEIRS"),
    (rows(), IdentificationOptions(bins=0), r"--bins 0"),
    (rows(), IdentificationOptions(model=("nobody",)), r"no identifier 'nobody'"),
]


@pytest.mark.parametrize(("made", "options", "told"), REFUSED)
def test_what_cannot_be_evaluated_is_refused(
    tmp_path: Path, made: list[Row], options: IdentificationOptions, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        evaluate_identification([write(tmp_path / "pairs.tsv", made)], options)


def test_a_file_without_scores_says_which_columns_it_has(tmp_path: Path) -> None:
    made = [{name: row[name] for name in ("left", "right", "label")} for row in rows()]
    with pytest.raises(InputError, match=r"no column 'score'; it has left, right, label"):
        evaluate_identification([write(tmp_path / "pairs.jsonl", made)], QUICK)


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", rows())
    with pytest.raises(InputError, match="given twice"):
        evaluate_identification([path, path], QUICK)


def test_no_file_is_refused() -> None:
    with pytest.raises(InputError, match="no file"):
        evaluate_identification([])


NO_SENSE = [
    (IdentificationOptions(threshold=float("nan")), "--threshold nan"),
    (IdentificationOptions(resamples=0), "0 resamples"),
    (IdentificationOptions(seed=-1), "--seed -1"),
    (IdentificationOptions(definition="strict"), "--definition says what a model counts"),
]


@pytest.mark.parametrize(("options", "told"), NO_SENSE)
def test_options_that_decide_nothing_are_refused(tmp_path: Path, options: IdentificationOptions, told: str) -> None:
    with pytest.raises(InputError, match=told):
        evaluate_identification([write(tmp_path / "pairs.tsv", rows())], options)


def test_what_is_odd_about_the_pairs_is_noted(tmp_path: Path) -> None:
    made = rows(30)
    twice = {**made[0], "left": made[0]["right"], "right": made[0]["left"].upper(), "label": 1 - made[0]["label"]}
    odd = [*made, made[1], twice, {**made[2], "left": " "}]
    evaluation = evaluate_identification([write(tmp_path / "pairs.tsv", odd)], QUICK)
    assert evaluation.notes == (
        "pairs.tsv: 1 of 33 pairs have an empty text.",
        "pairs.tsv: 2 of 33 rows repeat a pair of another row, and count again.",
        "pairs.tsv: 1 pair is labelled both as a paraphrase and as none.",
    )
    assert all(note in evaluation.as_text() for note in evaluation.notes)
    assert evaluation.as_json()["notes"] == list(evaluation.notes)


def test_a_file_without_a_header_is_noted_as_read_by_position(tmp_path: Path) -> None:
    path = tmp_path / "bare.tsv"
    path.write_text("".join(f"{r['left']}\t{r['right']}\t{r['label']}\t{r['score']}\n" for r in rows()), "utf-8")
    [note] = evaluate_identification([path], QUICK).notes
    assert "line 1 is read as data; columns 1, 2, 3, 4 are taken for left, right, label, score" in note


def test_pairs_without_scores_say_how_to_get_some(tmp_path: Path) -> None:
    made = [{name: value for name, value in row.items() if name != "score"} for row in rows()]
    with pytest.raises(InputError, match=r"no column 'score'.*paraloom identify"):
        evaluate_identification([write(tmp_path / "pairs.tsv", made)], QUICK)


def test_the_same_pairs_in_another_order_are_told_as_that(tmp_path: Path) -> None:
    first, other = write(tmp_path / "a.tsv", rows()), write(tmp_path / "b.tsv", rows()[::-1])
    with pytest.raises(InputError, match="the same pairs in another order: sort them alike"):
        evaluate_identification([first, other], QUICK)
    with pytest.raises(InputError, match="Give files with the same pairs"):
        evaluate_identification([first, write(tmp_path / "c.tsv", rows(seed=2))], QUICK)


ADVICE = [(lambda score: 1 - score, "Turn the scores around"), (lambda score: 100 * score, "choose a --threshold")]


@pytest.mark.parametrize(("made_of", "told"), ADVICE)
def test_scores_made_for_something_else_come_with_advice(tmp_path: Path, made_of: Any, told: str) -> None:
    turned = [{**row, "score": made_of(row["score"])} for row in rows()]
    assert told in evaluate_identification([write(tmp_path / "a.tsv", turned)], QUICK).as_text()
    plain = evaluate_identification([write(tmp_path / "b.tsv", rows())], QUICK).as_text()
    assert told not in plain


@pytest.mark.parametrize("unit", [1e-200, 1e200, 1.7e308])
def test_scores_of_any_size_have_the_same_ranking(tmp_path: Path, unit: float) -> None:
    wanted = evaluate_identification([write(tmp_path / "a.tsv", rows())], QUICK).systems[0]
    scaled = [{**row, "score": row["score"] * unit} for row in rows()]
    found = evaluate_identification([write(tmp_path / "b.tsv", scaled)], QUICK).systems[0]
    assert found.best.f1 == wanted.best.f1
    assert found.figures["roc-auc"].value == wanted.figures["roc-auc"].value


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl", ".parquet"])
def test_one_split_is_measured_or_it_is_told_that_all_are(tmp_path: Path, ending: str) -> None:
    made = [{**row, "split": ("train", "test", "train")[number % 3]} for number, row in enumerate(rows(90))]
    for number, row in enumerate(made):
        row["label"] = int(number % 2)
    whole = write(tmp_path / f"corpus{ending}", made)
    test = write(tmp_path / f"test{ending}", [row for row in made if row["split"] == "test"])
    chosen = evaluate_identification([whole], replace(QUICK, where=("split=test",)))
    alone = evaluate_identification([test], QUICK)
    assert chosen.systems[0].figures == alone.systems[0].figures
    assert chosen.notes == alone.notes == ()
    (note,) = evaluate_identification([whole], QUICK).notes
    assert note == (
        f"corpus{ending}: splits are measured together: train (60), test (30). Measure one: --where split=test."
    )
    scored = evaluate_identification([whole], replace(QUICK, where=("split=test",), model=("ngram-regression",)))
    assert scored.systems[0].pairs == 30
    with pytest.raises(InputError, match=r"No row of .* has split=dev; that column holds test, train"):
        evaluate_identification([whole], replace(QUICK, where=("split=dev",)))


def test_what_is_not_chosen_needs_no_label(tmp_path: Path) -> None:
    made = [{**row, "split": "test"} for row in rows(30)] + [{**rows(1)[0], "label": "", "split": "train"}]
    file = write(tmp_path / "corpus.tsv", made)
    with pytest.raises(InputError, match="line 32: the label is ''"):
        evaluate_identification([file], QUICK)
    assert evaluate_identification([file], replace(QUICK, where=("split=test",))).systems
